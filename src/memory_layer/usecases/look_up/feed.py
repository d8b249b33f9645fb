"""Tell what changed in a store since it was last asked, by any process."""

from __future__ import annotations

import re

from memory_layer.errors import InvalidInput
from memory_layer.model.feed import MOST_NAMED, ChangesSince, Position
from memory_layer.ports import Engine
from memory_layer.usecases.govern.visibility import shown

#: Changes that are read one by one; after more of them a reader does better to read everything anew.
MOST_ROWS = 10_000
_POSITION = re.compile(r"(\d{1,15})\.(\d{1,15})\.(\d{1,15})\.(\d{1,15})-([0-9a-f]{0,12})")


def changes(engine: Engine, after: str | None = None) -> ChangesSince:
    """Return what changed after a position; without one only where the store is now."""
    feed = engine.store.feed
    with engine.store.reading():
        now = feed.position()
        position = ".".join(map(str, now)) + f"-{feed.mark(now.audit)}"
        if after is None or after == position:
            return ChangesSince(position)
        then, mark = _position_in(after)
        gaps = [newer - older for newer, older in zip(now, then, strict=True)]
        if min(gaps) < 0 or max(gaps) > MOST_ROWS or feed.mark(then.audit) != mark:
            return ChangesSince(position, reload=True)
        found = feed.changed(then, now, MOST_NAMED + 1)
    named = found.memories[:MOST_NAMED]
    return shown(engine, ChangesSince(position, named, found.actions, len(found.memories) > MOST_NAMED))


def _position_in(text: str) -> tuple[Position, str]:
    if found := _POSITION.fullmatch(text):
        return Position(*map(int, found.groups()[:4])), found[5]
    raise InvalidInput(f"{text[:60]!r} is not a position of the changes; leave it out to begin now")
