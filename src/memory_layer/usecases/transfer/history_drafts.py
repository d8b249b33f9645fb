"""Turn a past session into memories that wait for a person: one event, its lessons, and what was typed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft, Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step
from memory_layer.model.transcripts import PastSession
from memory_layer.model.vocabulary import Category, Source, Tier, WriterKind
from memory_layer.ports import Engine
from memory_layer.rules import drafts, limits, review
from memory_layer.rules.episodes import draft_of
from memory_layer.rules.sessions.lessons import lessons
from memory_layer.rules.sessions.story import story_of
from memory_layer.rules.sessions.timeline import timeline
from memory_layer.usecases.learn.past_sessions import SessionHome
from memory_layer.usecases.learn.session import MOST_LESSONS
from memory_layer.usecases.remember.new_memory import new_memory
from memory_layer.usecases.who.projects import keys_of

FROM = "history"  #: the tag of everything that was read in a transcript
_WHY = {
    Source.IMPORT: "what was asked and how it ended",
    Source.LEARNING: "an error that a session overcame",
    Source.CAPTURE: "typed by a person in a session",
}


class Suggestion(NamedTuple):
    """A memory that waits for a person, and the kinds of secrets that were taken out of it."""

    memory: Memory
    redacted: tuple[str, ...]
    where: str  #: the transcript and its line


def suggestions(engine: Engine, session: PastSession, home: SessionHome, door: str) -> Iterator[Suggestion]:
    """Yield what a session leaves: its event first, then lessons, then what was typed."""
    writer = Writer(session.file.agent.value, WriterKind.AGENT, door, session.session)
    here = engine._replace(home=lambda: tuple(keys_of(home.place)))
    for draft, line in _drafts(engine, session, home):
        name = draft.session or session.session[: limits.NAME_CHARACTERS]
        citation = _citation(Path(session.file.path), line)
        cited = draft._replace(session=name, citations=(citation,), tags=(FROM,))
        try:
            limits.check_draft(cited)
        except InvalidInput:
            continue
        clean, kinds = drafts.redacted_draft(cited)
        memory = _held(here, clean, writer, home, session)
        yield Suggestion(memory, kinds, memory.citations[0].where)


def _drafts(engine: Engine, session: PastSession, home: SessionHome) -> Iterator[tuple[Draft, int]]:
    steps = _inside(session.steps, os.path.realpath(home.place.root))
    if story := story_of(steps):
        draft = draft_of(story, session.session, engine.now())
        yield draft._replace(source=Source.IMPORT), session.lines[0]
    for lesson in lessons(timeline(steps, str(home.place.root)))[:MOST_LESSONS]:
        metadata = {"evidence": f"{lesson.command}: {lesson.error}"}
        yield (
            Draft(
                content=lesson.content,
                category=Category.LEARNING,
                source=Source.LEARNING,
                metadata=metadata,
                created_at=lesson.at,
            ),
            session.line_at(lesson.at),
        )
    for remark in session.remarks:
        noticed = remark.noticed
        yield (
            Draft(
                content=noticed.content,
                category=noticed.category,
                priority=noticed.priority,
                source=Source.CAPTURE,
                created_at=remark.at,
            ),
            remark.line,
        )


def _inside(steps: Sequence[Step], root: str) -> list[Step]:
    """Name the files of the project relative to its root."""
    return [step._replace(files=tuple(_relative(file, root) for file in step.files)) for step in steps]


def _relative(file: str, root: str) -> str:
    inside = file.removeprefix(root.rstrip(os.sep) + os.sep)
    return inside.replace(os.sep, "/")


def _citation(path: Path, line: int) -> Citation:
    """Cite a line of a transcript by an address: it lies outside every project."""
    return Citation(url=path.as_uri() + (f"#L{line}" if line else ""))


def _held(engine: Engine, draft: Draft, writer: Writer, home: SessionHome, session: PastSession) -> Memory:
    """Return a memory that waits; it begins to age now, because a person decides now whether it is still true."""
    memory = new_memory(engine, draft, writer, home.project)
    if memory.expires_at is not None:
        memory = memory._replace(expires_at=memory.expires_at + (memory.updated_at - memory.created_at))
    why = f"from the history of {session.file.agent}: {_WHY[memory.source]}"
    return review.held(memory, (why, *review.reasons(memory)))


def is_event(memory: Memory) -> bool:
    return memory.tier is Tier.EPISODIC
