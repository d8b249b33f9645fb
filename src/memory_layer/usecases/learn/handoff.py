"""Close a session with what the next one should know, and find what the last one left."""

from __future__ import annotations

from typing import cast

from memory_layer.model.episodes import EpisodeKind, Event, Handoff, Parts, Recorded, text_of, texts_of
from memory_layer.model.memory import Project, Writer
from memory_layer.ports import Engine
from memory_layer.rules import episodes as policy
from memory_layer.text.secrets.secrets import redact_value
from memory_layer.usecases.govern.withhold import shown
from memory_layer.usecases.learn.episodes import record
from memory_layer.usecases.who.ids import read_memory


def hand_off(
    engine: Engine, parts: Parts, writer: Writer, project: Project | None = None
) -> tuple[Recorded, Handoff]:
    """Record the end of the writer's session; what is done, next, open and touched is kept in parts."""
    policy.check_parts(parts)
    clean, kinds = _without_secrets(parts)
    clean = policy.on_lines(clean)
    event = Event(policy.handed_over(clean), EpisodeKind.SESSION_END)
    recorded = record(engine, event, writer, project, policy.as_metadata(clean))
    left = policy.handoff_of(read_memory(engine.store, recorded.id))
    return recorded._replace(redacted=tuple(dict.fromkeys([*kinds, *recorded.redacted]))), left


def last_handoff(engine: Engine, project: Project | None) -> Handoff | None:
    """What the last session of a project left, in parts or as the text of its end; one look by an index."""
    memory = engine.store.log.last_handoff(project.id if project else None)
    return shown(engine, policy.handoff_of(memory)) if memory else None


def _without_secrets(parts: Parts) -> tuple[Parts, tuple[str, ...]]:
    """The text is made of the parts, so each part is cleared first."""
    clean, kinds = redact_value(policy.as_metadata(parts))
    told = cast("dict[str, object]", clean)
    listed = (texts_of(told, name) for name in Parts._fields[1:])
    return Parts(text_of(told, "text") or "", *listed), kinds
