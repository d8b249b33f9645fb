"""Read the sessions that agents kept on disk, one after the other, redacted and in bounded memory."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from memory_layer.errors import NotFound
from memory_layer.model.memory import Project
from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.model.transcripts import PastSession, Remark, TranscriptAgent, TranscriptFile
from memory_layer.ports import Engine, Workspace
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.learn.journal import IDLE
from memory_layer.usecases.learn.journal import cleaned as short
from memory_layer.usecases.remember.listen import noticed
from memory_layer.usecases.transfer.import_ import check_stays_inside
from memory_layer.usecases.who.privacy import cleaned, is_ignored, without_private
from memory_layer.usecases.who.projects import printable, project_of

MOST_STEPS = 5_000  #: of one session; later ones are left out
LONGEST = 20_000  #: characters of a prompt, command or output that are looked at


class SessionHome(NamedTuple):
    """The code base that a session took place in."""

    place: Workspace
    project: Project


def files(
    engine: Engine,
    paths: Sequence[Path],
    agents: Sequence[TranscriptAgent] = (),
    since: datetime | None = None,
) -> list[TranscriptFile]:
    """List the transcripts of these agents that were written since a time; refuse paths that lead nowhere or astray."""
    for path in paths:
        if not path.exists():
            raise NotFound(f"there is no file or folder {printable(path)}; nothing was read")
        check_stays_inside(engine, path)
    return [
        file
        for file in engine.surroundings.transcript_files(paths)
        if (not agents or file.agent in agents) and (since is None or file.changed_at >= since)
    ]


def is_under_way(file: TranscriptFile, now: datetime) -> bool:
    """Was a transcript written a moment ago, so that its session may go on?"""
    return now - file.changed_at < IDLE


def read_session(engine: Engine, file: TranscriptFile, known: Sequence[str] = ()) -> PastSession:
    """Read a transcript; `known` are folders that it may have taken place in."""
    reading = engine.surroundings.session_transcript(file, known)
    steps, lines, remarks = list[Step](), list[int](), list[Remark]()
    damaged, left_out, before = 0, 0, ""
    for number, step in reading.lines():
        if step is None:
            damaged += 1
        elif len(steps) >= MOST_STEPS:
            left_out += 1
        elif (clean := _cleaned(step)) is not None:
            if clean.kind is StepKind.PROMPT:
                remarks += (Remark(each, number, clean.at) for each in noticed(clean.text, before))
                before = clean.text
            steps.append(short(clean))
            lines.append(number)
    place = reading.place
    return PastSession(
        file, place.session, place.folder, tuple(steps), tuple(lines), tuple(remarks), damaged, left_out
    )


def _cleaned(step: Step) -> Step | None:
    """Redact what is long before it is cut; of a prompt also what is private. None if nothing is left."""
    if step.kind is StepKind.PROMPT:
        clean = step._replace(text=redact(cleaned(without_private(step.text).strip(), LONGEST)).text)
    else:
        text = cleaned(step.text, LONGEST, from_end=step.kind is StepKind.COMMAND)
        clean = step._replace(text=text, command=cleaned(step.command, LONGEST))
    return clean if clean.text or clean.command or clean.files else None


def home_of(engine: Engine, folder: str) -> SessionHome | None:
    """Return the code base around the folder of a session; None if it is gone or unknown."""
    if not os.path.isabs(folder) or not os.path.isdir(folder):
        return None
    place = engine.surroundings.locate(Path(folder))
    return SessionHome(place, project_of(engine, place))


def is_private(engine: Engine, session: PastSession) -> bool:
    """Did the session take place where hooks are told not to look?"""
    patterns = engine.settings.hooks_ignore
    changed = [file for step in session.steps for file in step.files]
    return bool(patterns) and is_ignored(patterns, session.folder, changed, os.path.expanduser("~"))


def known_folders(engine: Engine) -> list[str]:
    """Return the folders of known projects, by which a digest of a folder is recognised."""
    return [project.root for project in engine.store.projects.all() if project.root]
