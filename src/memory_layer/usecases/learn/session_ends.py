"""Find the end of a session that the next one should read."""

from __future__ import annotations

from memory_layer.model.episodes import Episode, EpisodeKind
from memory_layer.model.memory import Memory, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.ports import Store
from memory_layer.ports.log import EventFilter
from memory_layer.rules import episodes as rules
from memory_layer.usecases.who.lookup import events

AT_ONCE = 5  #: ends of sessions read together; the first is nearly always the one


def last_end(store: Store, project: Project | None) -> Memory | None:
    """Return the last handoff of a project, or of none, or a later plain end of a session that left no handoff."""
    whose = Filters(reach=Reach.PROJECT, project=project.id if project else None)
    span = EventFilter(whose, kinds=(EpisodeKind.SESSION_END,), only_own=True)
    for end in events(store, span, AT_ONCE):
        if rules.is_offered(end.memory) and not _is_hidden(store, end, span):
            return end.memory
    return None


def _is_hidden(store: Store, end: Episode, span: EventFilter) -> bool:
    """Return whether a plain end of a session stands beside a handoff of it."""
    if rules.is_handoff(end.memory) or end.session is None:
        return False
    ends = events(store, span._replace(session=end.session), AT_ONCE)
    return any(rules.hides_plain_end(each.memory) for each in ends)
