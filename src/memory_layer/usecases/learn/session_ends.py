"""Find the ends of sessions that the next one should read."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from memory_layer.model.episodes import Episode, EpisodeKind
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.ports import Store
from memory_layer.ports.log import EventFilter
from memory_layer.rules import episodes as rules
from memory_layer.usecases.who.lookup import events

AT_ONCE = 5  #: ends of sessions read together; the first is nearly always the one
MOST_ENDS = 10  #: ends that are looked at for open handoffs
MOST_OPEN = 3  #: handoffs for one session


def last_end(store: Store, project: Project | None) -> Memory | None:
    """Return the last handoff of a project, or of none, or a later plain end of a session that left no handoff."""
    return next(_ends(store, project), None)


def open_ends(store: Store, project: Project | None, now: datetime) -> list[Memory]:
    """Return the last handoffs of a project, or of none, that are not closed, newest first."""
    return rules.open_handoffs(list(islice(_ends(store, project), MOST_ENDS)), now)[:MOST_OPEN]


def _ends(store: Store, project: Project | None) -> Iterator[Memory]:
    """Yield the ends of sessions that may be handed over, newest first."""
    whose = Filters(reach=Reach.PROJECT, project=project.id if project else None)
    span = EventFilter(whose, kinds=(EpisodeKind.SESSION_END,), only_own=True)
    for end in events(store, span, AT_ONCE):
        if rules.is_offered(end.memory) and not _is_hidden(store, end, span):
            yield end.memory


def _is_hidden(store: Store, end: Episode, span: EventFilter) -> bool:
    """Return whether a plain end of a session stands beside a handoff of it."""
    if rules.is_handoff(end.memory) or end.session is None:
        return False
    ends = events(store, span._replace(session=end.session), AT_ONCE)
    return any(rules.hides_plain_end(each.memory) for each in ends)
