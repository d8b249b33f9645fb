"""Keep the steps of sessions under way in small files, one for each, until they are learned from.

Hooks only append a line, which needs no store. A session that has ended, or that nothing was heard of for a while,
is taken by one process, learned from, and its file removed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.secrets.redact import redact

FOLDER = "sessions"  #: in the state folder
ENDING, ENDED, TAKEN = ".jsonl", ".ended", ".taken"
LARGEST = 4 * 1024 * 1024  #: bytes of a file; later steps are dropped
LONGEST_TEXT = 2_000  #: characters of an output or a message
LONGEST_COMMAND = 2_000
LONGEST_NAME = 100  #: bytes of a session's name that tell it from others
MOST_FILES = 200  #: sessions that are kept
IDLE = timedelta(minutes=30)  #: after which a session counts as ended
ABANDONED = timedelta(minutes=10)  #: after which a file that a process took is free again


class Journal(NamedTuple):
    """The steps of a session, and where it took place."""

    session: str
    agent: str
    folder: str
    steps: tuple[Step, ...]
    path: Path  #: of its file


def append(state: Path, session: str, agent: str, folder: str, step: Step) -> None:
    """Add a step to the journal of a session; what does not fit is dropped."""
    path = _path(state, session)
    line = _encoded(cleaned(step))
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        if not _has_room(path.parent):
            return
        size, line = 0, _header(session, agent, folder) + line
    if size + len(line) <= LARGEST:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW, 0o600)
        try:
            os.write(handle, line)
        finally:
            os.close(handle)


def end(state: Path, session: str) -> bool:
    """Mark a session as ended; return whether it has a journal."""
    path = _path(state, session)
    with suppress(FileNotFoundError, NotADirectoryError):
        os.utime(path)
        os.replace(path, path.with_suffix(ENDED))
        return True
    return False


def is_any_ended(state: Path, now: datetime) -> bool:
    """Is there a session to learn from?"""
    return next(_ended(state, now), None) is not None


def taken(state: Path, now: datetime) -> Iterator[Journal]:
    """Take the journals of ended sessions one after the other, so that no other process gets them."""
    for path in _ended(state, now):
        mine = path.with_suffix(TAKEN)
        with suppress(FileNotFoundError):
            os.replace(path, mine)
            os.utime(mine)
            if journal := read(mine):
                yield journal
            else:
                os.unlink(mine)


def remove(journal: Journal) -> None:
    """Remove the journal of a session that was learned from."""
    with suppress(FileNotFoundError):
        os.unlink(journal.path)


def _path(state: Path, session: str) -> Path:
    name = session.partition("/")[0].encode("utf-8", "replace")[:LONGEST_NAME].hex()
    return state / FOLDER / f"{name}{ENDING}"


def _has_room(folder: Path) -> bool:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return len(os.listdir(folder)) < MOST_FILES


def _ended(state: Path, now: datetime) -> Iterator[Path]:
    """Yield the files of sessions that have ended or were abandoned, oldest first."""
    waits = {ENDED: timedelta(), ENDING: IDLE, TAKEN: ABANDONED}
    found = list[tuple[float, Path]]()
    with suppress(FileNotFoundError, NotADirectoryError):
        for entry in os.scandir(state / FOLDER):
            wait = waits.get(os.path.splitext(entry.name)[1])
            if wait is not None and entry.is_file(follow_symlinks=False):
                written = entry.stat(follow_symlinks=False).st_mtime
                if now.timestamp() - written >= wait.total_seconds():
                    found.append((written, Path(entry.path)))
    return (path for _, path in sorted(found))


def cleaned(step: Step) -> Step:
    """Redact a step, then cut it: half a secret would not be recognised as one."""
    return step._replace(
        text=_ends(redact(step.text).text),
        command=redact(step.command).text[:LONGEST_COMMAND],
        files=tuple(redact(file).text for file in step.files),
    )


def _ends(text: str) -> str:
    """Cut a long text down to its beginning and its end."""
    half = LONGEST_TEXT // 2
    return text if len(text) <= LONGEST_TEXT else f"{text[:half]}\n…\n{text[-half:]}"


def _header(session: str, agent: str, folder: str) -> bytes:
    return _line({"session": session.partition("/")[0], "agent": agent, "folder": folder})


def _encoded(step: Step) -> bytes:
    shape = step._asdict() | {"at": step.at.isoformat()}
    return _line({name: value for name, value in shape.items() if value not in ("", (), None)})


def _line(shape: dict[str, object]) -> bytes:
    text = json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def read(path: Path) -> Journal | None:
    """Read a journal; lines that a killed process left unfinished are skipped."""
    shapes = list[dict[str, object]]()
    for line in path.read_bytes()[: 2 * LARGEST].splitlines():
        with suppress(ValueError):
            if isinstance(shape := json.loads(line), dict):
                shapes.append(shape)
    if not shapes or not all(isinstance(shapes[0].get(name), str) for name in ("session", "agent", "folder")):
        return None
    head = {name: str(shapes[0][name]) for name in ("session", "agent", "folder")}
    steps = tuple(sorted(filter(None, map(_step, shapes[1:])), key=lambda step: step.at))
    return Journal(**head, steps=steps, path=path) if steps else None


def _step(shape: dict[str, object]) -> Step | None:
    try:
        files = shape.get("files", ())
        passed = shape.get("passed")
        return Step(
            kind=StepKind(str(shape["kind"])),
            at=datetime.fromisoformat(str(shape["at"])),
            text=str(shape.get("text", "")),
            command=str(shape.get("command", "")),
            files=tuple(map(str, files)) if isinstance(files, list) else (),
            passed=passed if isinstance(passed, bool) else None,
        )
    except (KeyError, ValueError):
        return None
