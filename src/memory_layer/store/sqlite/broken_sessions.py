"""Where the chain of a session breaks, and which events are not what they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from memory_layer.model.history import Flaw, FlawKind
from memory_layer.model.vocabulary import Reason
from memory_layer.store.sqlite.audit import START
from memory_layer.store.sqlite.episodes import TOLD, linked, told_digest
from memory_layer.store.sqlite.flaws import Each

_READ = (
    f"select e.*, m.reason, {', '.join(f'm.{name} as told_{name}' for name in TOLD)}"
    " from episode e left join memory m on m.id = e.memory order by e.session, e.number"
)
_STRAYS = (
    "select id from memory where tier = 'episodic' and reason is not 'forgotten'"
    " and id not in (select memory from episode) order by row"
)


def in_sessions(each: Each) -> Iterator[Flaw]:
    """The first break of each session, and every event that is gone or not as it was; older files have none."""
    if not any(each("select 1 from sqlite_master where name = 'episode'")):
        return
    heads = {row["session"]: (row["count"], row["hash"]) for row in each("select * from episode_head")}
    for session, entries in groupby(each(_READ), key=lambda row: str(row["session"])):
        yield from _in_session(session, entries, heads.pop(session, (0, START)))
    for session, (count, _) in sorted(heads.items()):
        says = f"session {session!r}: all of its {count} events are missing"
        yield Flaw(FlawKind.CUT_OFF, None, None, says, session)
    for row in each(_STRAYS):
        yield Flaw(FlawKind.RECORD, None, row["id"], f"{row['id']} is an event of no session")


def _in_session(session: str, entries: Iterable[Any], head: tuple[int, bytes]) -> Iterator[Flaw]:
    previous, number, whole = START, 0, True
    for row in entries:
        number += 1
        if whole and (broken := _break(session, row, number, previous)):
            whole = False
            yield broken
        if changed := _changed(session, row):
            yield changed
        previous = row["hash"]
    if whole and (number, previous) != head:
        yield _end(session, number, head[0])


def _break(session: str, row: Any, expected: int, previous: bytes) -> Flaw | None:
    if row["number"] != expected:
        says = f"session {session!r}: event {expected} is missing"
        return Flaw(FlawKind.GAP, None, None, says, session)
    right = linked(previous, session, expected, row["memory"], row["digest"])
    if row["hash"] != right:
        says = f"session {session!r}: event {expected} does not follow from the one before"
        return Flaw(FlawKind.EDITED, None, row["memory"], says, session)
    return None


def _changed(session: str, row: Any) -> Flaw | None:
    """An event whose memory is gone, or says something else; of what was forgotten only the digest is left."""
    where = f"session {session!r}: event {row['number']}"
    if row["told_id"] is None:
        return Flaw(FlawKind.RECORD, None, row["memory"], f"{where}, {row['memory']}, is gone", session)
    if row["reason"] == Reason.FORGOTTEN.value:
        return None
    if told_digest({name: row[f"told_{name}"] for name in TOLD}) != row["digest"]:
        says = f"{where}, {row['memory']}, is not what it was"
        return Flaw(FlawKind.RECORD, None, row["memory"], says, session)
    return None


def _end(session: str, last: int, counted: int) -> Flaw:
    if counted > last:
        says = f"session {session!r} ends with event {last}, and its head counts {counted}"
        return Flaw(FlawKind.CUT_OFF, None, None, says, session)
    says = f"session {session!r}: its head does not match its last event, {last}"
    return Flaw(FlawKind.HEAD, None, None, says, session)
