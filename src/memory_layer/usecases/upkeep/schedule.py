"""Keep book of when a store was tidied, and start the next time once it is due.

Every command that wrote something asks, so this file stays small and loads little.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from memory_layer.errors import StoreUnavailable
from memory_layer.model.upkeep import ConsolidationMark, Deed, Upkeep
from memory_layer.ports import Engine, Store
from memory_layer.rules import weekly

#: The keys of what the store notes: how far the last run got, what it did, and when one was last started by itself.
MARK, DONE, STARTED = "consolidation", "consolidation_done", "consolidation_started"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def last_mark(store: Store) -> ConsolidationMark:
    """Return when a consolidation of this store last began and finished; unreadable counts as never."""
    try:
        begun, finished, sequence = json.loads(store.note(MARK) or "[null, null, 0]")
        mark = ConsolidationMark(_moment(begun), _moment(finished), int(sequence))
    except (ValueError, TypeError, OverflowError):
        return ConsolidationMark()
    # A number from a store that this one was copied from part of means nothing here.
    return mark if mark.sequence <= store.sequence() else mark._replace(sequence=0)


def note_mark(store: Store, mark: ConsolidationMark) -> None:
    """Store the mark for the next run."""
    store.set_note(MARK, json.dumps([_microseconds(mark.begun), _microseconds(mark.finished), mark.sequence]))


def note_done(store: Store, counts: Mapping[Deed, int]) -> None:
    """Record what a finished run did, as one more run."""
    store.set_note(
        DONE, json.dumps([_done(store)[0] + 1, {deed: number for deed, number in counts.items() if number}])
    )


def claim_start(engine: Engine) -> bool:
    """Is a run due that nobody has started? If so, note that the caller starts it; a busy store can wait."""
    store, now = engine.store, engine.now()
    if not _is_unclaimed(store, now):
        return False
    with suppress(StoreUnavailable), store.writing(patient=False):
        if _is_unclaimed(store, now):  # still, under the lock
            store.set_note(STARTED, json.dumps(_microseconds(now)))
            return True
    return False


def standing(engine: Engine) -> Upkeep:
    """Return when the store was last tidied, what that did, and when it is due again."""
    store = engine.store
    last = last_mark(store).finished
    runs, counts = _done(store)
    return Upkeep(last, counts, runs, weekly.next_at(last or store.since()), engine.settings.upkeep_auto)


def _is_unclaimed(store: Store, now: datetime) -> bool:
    """Is a run due, with none at work and none started? A store that was never tidied counts from its first memory."""
    mark = last_mark(store)
    last = mark.finished or store.since()
    if last is None or not weekly.is_due(mark._replace(finished=last), now):
        return False
    with suppress(ValueError, TypeError, OverflowError):
        return not weekly.is_at_work(_moment(json.loads(store.note(STARTED) or "null")), now)
    return True


def _done(store: Store) -> tuple[int, dict[Deed, int]]:
    """Return the number of finished runs, and what the last one did; unreadable counts as none."""
    try:
        runs, counts = json.loads(store.note(DONE) or "[0, {}]")
        return int(runs), {Deed(deed): int(number) for deed, number in counts.items()}
    except (ValueError, TypeError, AttributeError):
        return 0, {}


def _moment(microseconds: int | None) -> datetime | None:
    return None if microseconds is None else _EPOCH + timedelta(microseconds=microseconds)


def _microseconds(moment: datetime | None) -> int | None:
    return None if moment is None else (moment - _EPOCH) // timedelta(microseconds=1)
