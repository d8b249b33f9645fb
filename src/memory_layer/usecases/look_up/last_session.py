"""Report what a session was given, was warned of and learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from memory_layer.errors import NotFound
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Reach, Recall
from memory_layer.model.sessions import Part, SessionLine, SessionReport
from memory_layer.model.vocabulary import Source, Status, Tier
from memory_layer.ports import Engine
from memory_layer.ports.log import OutcomeFilter, RecallFilter
from memory_layer.rules import limits
from memory_layer.rules.identity import is_of_shell
from memory_layer.usecases.govern.visibility import shown

MOST_RECALLS = 200  #: of a session, the last ones
MOST_LEARNED = 100
A_DAY = timedelta(days=1)
_PARTS = {"prompt": Part.PROMPT, "search": Part.SEARCH, "warning": Part.WARNING}
#: Whatever became of a memory since.
_ANY = Filters(statuses=(Status.ACTIVE, Status.STAGED, Status.ARCHIVED), expired=True, superseded=True)


def last_session(engine: Engine, filters: Filters, session: str | None = None) -> SessionReport | None:
    """Report on a session, or on the last one of the project in the filters; None if there was none."""
    if session is not None:
        limits.check_text(session, "the session", limits.NAME_CHARACTERS)
    with engine.store.reading():
        name = session or _last(engine, filters)
        report = None if name is None else _report(engine, name, session or main_session(name))
    if session is not None and report is None:
        raise NotFound(f"there is no session {session!r}")
    return shown(engine, report)


def _last(engine: Engine, filters: Filters) -> str | None:
    """Return the session that was last given something or taught something; a shell only if no agent was that day."""
    projects = None if filters.reach is Reach.ALL else [filters.project]
    recalls = engine.store.log.recalls(RecallFilter(projects=projects), MOST_RECALLS)
    captured = _ANY._replace(reach=filters.reach, project=filters.project, sources=(Source.CAPTURE,))
    ends = [(recall.at, recall.session) for recall in recalls]
    ends += [(each.created_at, each.session) for each in _newest(engine, captured, 1) if each.session]
    if not ends:
        return None
    newest = max(ends)
    agents = [each for each in ends if newest[0] - each[0] < A_DAY and not is_of_shell(each[1])]
    return max(agents, default=newest)[1]


def main_session(name: str) -> str:
    """Return the session that a helper's session belongs to: hooks name it behind a slash."""
    return name.partition("/")[0] or name


def _report(engine: Engine, name: str, session: str) -> SessionReport | None:
    """Report on a session and its helpers; `name` is the one of them that was found."""
    wanted = RecallFilter(session=session, helpers=True, hits=True)
    recalls = engine.store.log.recalls(wanted, MOST_RECALLS)[::-1]
    names = tuple({session, name, *(each.session for each in recalls)})
    learned = _newest(engine, _ANY._replace(sessions=names, tiers=(Tier.SEMANTIC,)), MOST_LEARNED)[::-1]
    times = [*(each.at for each in recalls), *(each.created_at for each in learned)]
    if not times:
        return None
    newest: Recall | Memory = learned[-1] if learned else recalls[-1]
    return SessionReport(
        session=session,
        writer=newest.writer,
        project=newest.project,
        begun=min(times),
        ended=max(times),
        lines=_numbered([*_given(recalls), *_taught(learned), *_seen(engine, session)]),
    )


def _newest(engine: Engine, filters: Filters, most: int) -> Sequence[Memory]:
    return engine.store.memories.page(filters, engine.now(), "created", most, None).items


def _given(recalls: Sequence[Recall]) -> Iterator[SessionLine]:
    for recall in recalls:
        for hit in recall.hits:
            part = _PARTS.get(recall.kind, Part.START)
            yield SessionLine(0, part, hit.memory, recall.at, recall.query, recall.id)


def _taught(learned: Sequence[Memory]) -> Iterator[SessionLine]:
    return (SessionLine(0, Part.LEARNED, memory, memory.created_at) for memory in learned)


def _seen(engine: Engine, session: str) -> Iterator[SessionLine]:
    """Yield what the session showed about memories, as far as nobody has taken it back."""
    events = engine.store.log.outcomes(OutcomeFilter(session=session, counted=True))
    seen = {event.memory: event for event in events if event.is_seen}
    for memory in engine.store.memories.get([*seen]):
        event = seen[memory.id]
        yield SessionLine(0, Part.SEEN, memory, event.at, event.evidence or "", result=event.result)


def _numbered(lines: Sequence[SessionLine]) -> tuple[SessionLine, ...]:
    """Sort lines by part and number them; a memory that was given twice in a part counts once."""
    first: dict[tuple[Part, str], SessionLine] = {}
    for line in lines:
        first.setdefault((line.part, line.memory.id), line)
    order = list(Part)
    ordered = sorted(first.values(), key=lambda line: order.index(line.part))
    return tuple(line._replace(number=number) for number, line in enumerate(ordered, 1))
