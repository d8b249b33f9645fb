"""Show memories, lists and statistics."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput, StoreUnavailable
from memory_layer.model.lists import NO_WORDING, SORTS
from memory_layer.model.memory import Link, Memory, Project, Writer
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Filters, Mode, Page, Scores, Stats, Total
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Reason, Status, Tier
from memory_layer.ports import Engine, Workspace
from memory_layer.ports.log import OutcomeFilter
from memory_layer.rules import lifecycle, limits
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.failing import failing
from memory_layer.usecases.remember.links import superseding
from memory_layer.usecases.upkeep.embed import waiting
from memory_layer.usecases.who.lookup import read_memory, whole_id

if TYPE_CHECKING:
    from memory_layer.model.sources import Standing


#: Everything that is not archived, whether or not it is given out.
LIVE = Filters(
    statuses=tuple(each for each in Status if each is not Status.ARCHIVED), expired=True, superseded=True
)


class Details(NamedTuple):
    """A memory with its links, outcomes and sources."""

    memory: Memory
    links: tuple[Link, ...]
    outcomes: tuple[OutcomeEvent, ...]
    superseded_by: str | None = None  #: the active memory for whose sake it is not given out any more
    standing: Standing | None = None  #: how what it cites stands today; None if it cites nothing
    failing: bool = False  #: its score is low, and it failed last


def show(
    engine: Engine, prefix: str, writer: Writer, peek: bool = False, place: Workspace | None = None
) -> Details:
    """Return one memory in full, with its sources as seen from `place`; opening counts as use for agents."""
    memory_id = whole_id(engine.store, prefix)
    if not (peek or writer.is_person):
        with suppress(StoreUnavailable), engine.store.writing():  # a store that cannot be written still shows
            memory = read_memory(engine.store, memory_id)
            ledger.count(engine.store, lifecycle.used(memory, engine.now()))
    with engine.store.reading():
        memory = read_memory(engine.store, memory_id)
        details = Details(
            memory=memory,
            links=tuple(links := engine.store.links.of([memory_id])),
            outcomes=tuple(engine.store.log.outcomes(OutcomeFilter(memories=[memory_id]))),
            superseded_by=superseding(engine, memory_id, links),
            standing=_standing(engine, memory, place),
            failing=bool(failing(engine, [memory])),
        )
    return shown(engine, details)


def _standing(engine: Engine, memory: Memory, place: Workspace | None) -> Standing | None:
    if not memory.citations:
        return None
    from memory_layer.usecases.upkeep.citations import checked_citations

    return checked_citations(engine, [memory], place)[memory.id]


def list_memories(
    engine: Engine,
    filters: Filters,
    sort: str = "created",
    limit: int = 20,
    after: str | None = None,
    *,
    ascending: bool = False,
    text: str | None = None,
) -> Page:
    """Return a page of memories with all the words of a text, newest or highest first unless it ascends."""
    if sort not in SORTS:
        raise InvalidInput(f"cannot sort by {sort!r}; choose one of {', '.join(SORTS)}")
    limits.check_limit(limit)
    with engine.store.reading():
        wording = NO_WORDING
        if text is not None:
            from memory_layer.usecases.look_up.wording import (
                wording_of,  # most lists are not narrowed by words
            )

            wording = wording_of(engine, text)
        page = engine.store.memories.page(
            filters, engine.now(), sort, limit, after, ascending=ascending, wording=wording
        )
        return shown(engine, page._replace(failing=failing(engine, page.items)))


def full_ids(engine: Engine, prefixes: Sequence[str]) -> tuple[str, ...]:
    """Resolve id prefixes."""
    return tuple(whole_id(engine.store, prefix) for prefix in prefixes)


def stats(engine: Engine, filters: Filters, project: Project | None = None) -> Stats:
    """Return totals over active, archived and staged memories, and whose they are."""
    everything = filters._replace(statuses=tuple(Status), expired=True, superseded=True)
    from memory_layer.usecases.upkeep.schedule import standing  # only this asks for it

    mode = Mode.HYBRID if engine.fingerprint() else Mode.KEYWORD
    with engine.store.reading():
        given_out = engine.store.memories.count(filters, engine.now())
        totals = engine.store.memories.totals(everything, engine.now())
        scores = engine.store.memories.scores(everything._replace(statuses=(Status.ACTIVE,)), engine.now())
        figures = summed(totals, scores, mode, engine.store.size())
        figures = figures._replace(given_out=given_out, waiting=waiting(engine), upkeep=standing(engine))
    return shown(engine, figures._replace(reach=filters.reach, project=project.key if project else None))


def live_by_project(engine: Engine) -> Counter[str | None]:
    """Count the live memories of each project, by its key."""
    found: Counter[str | None] = Counter()
    for total in engine.store.memories.totals(LIVE, engine.now()):
        found[total.project] += total.memories
    return found


def summed(totals: Iterable[Total], scores: Scores, mode: Mode, size_bytes: int) -> Stats:
    """Summarise totals, and the scores of the active memories."""
    totals = list(totals)
    by_status: Counter[Status] = Counter()
    by_category: Counter[Category] = Counter()
    known: Counter[Category] = Counter()
    by_tier = dict.fromkeys(Tier, 0)
    for each in totals:
        by_status[each.status] += each.memories
        by_category[each.category] += each.memories
        known[each.category] += each.memories if each.status is Status.ACTIVE else 0
        by_tier[each.tier] += each.memories
    given_up = [each for each in totals if each.status is Status.ARCHIVED and each.reason is Reason.OUTCOME]
    count = by_status[Status.ACTIVE]
    return Stats(
        total=sum(by_status.values()),
        active=count,
        archived=by_status[Status.ARCHIVED],
        archived_by_outcome=sum(each.memories for each in given_up),
        staged=by_status[Status.STAGED],
        by_category=dict(sorted(by_category.items(), key=lambda item: (-item[1], item[0].value))),
        high=scores.high,
        neutral=count - scores.high - scores.low,
        low=scores.low,
        average_outcome=scores.total / max(1, count),
        tokens_stored=sum(each.tokens for each in totals),
        size_bytes=size_bytes,
        search_mode=mode,
        by_tier=by_tier,
        known=known,
        expiring=scores.expiring,
    )
