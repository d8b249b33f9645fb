"""Keep the steps of sessions under way in small files, one for each, until they are learned from.

Hooks only append a line, which needs no store. A session that has ended, or that nothing was heard of for a while,
is taken by one process, learned from, and its file removed, after some tries in any case.

A file is named after digests of the session and of its project, because both may hold secrets: `KEY.jsonl`, then
`KEY.INODE.ended`, then `KEY.INODE.TRIES.taken`. No file ever takes the place of another of the same session.
"""

from __future__ import annotations

import json
import os
import stat
import zlib
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
MOST_FILES = 200  #: sessions that are kept
MOST_TRIES = 3  #: to learn from a session
EARLIEST_YEAR, LATEST_YEAR = 2000, 9000  #: of a step
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
    path = _path(state, session, folder)
    line = _encoded(cleaned(step))
    try:
        size = os.stat(path).st_size
    except FileNotFoundError:
        if not _has_room(path.parent):
            return
        size, line = 0, _header(session, agent, folder) + line
    if size + len(line) <= LARGEST:
        _write(path, line)


def _write(path: Path, line: bytes) -> None:
    """Append to a file, and to nothing that could keep a hook waiting."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK
    handle = os.open(path, flags, 0o600)
    try:
        if stat.S_ISREG(os.fstat(handle).st_mode):
            os.write(handle, line)
    finally:
        os.close(handle)


def end(state: Path, session: str) -> None:
    """Mark a session as ended, in whatever projects it has worked."""
    own = f"{_digest(_own_name(session))}-"
    with suppress(FileNotFoundError, NotADirectoryError):
        for entry in os.scandir(state / FOLDER):
            if entry.name.startswith(own) and entry.name.endswith(ENDING):
                os.utime(entry.path, follow_symlinks=False)
                os.replace(entry.path, _renamed(Path(entry.path), entry.inode(), ENDED))


def is_any_ended(state: Path, now: datetime) -> bool:
    """Is there a session to learn from?"""
    return next(_ended(state, now), None) is not None


def taken(state: Path, now: datetime) -> Iterator[Journal]:
    """Take the journals of ended sessions one after the other, so that no other process gets them."""
    for path in _ended(state, now):
        with suppress(FileNotFoundError):
            tries = _tries(path)
            mine = _renamed(path, path.lstat().st_ino, f".{tries + 1}{TAKEN}")
            os.replace(path, mine)
            os.utime(mine)
            if tries < MOST_TRIES and (journal := read(mine)):
                yield journal
            else:
                os.unlink(mine)


def _tries(path: Path) -> int:
    """Return how often a file was taken."""
    told = path.stem.rpartition(".")[2]
    return int(told) if path.suffix == TAKEN and told.isdecimal() and len(told) < 3 else 0


def _renamed(path: Path, inode: int, ending: str) -> Path:
    return path.with_name(f"{path.name.partition('.')[0]}.{inode:x}{ending}")


def remove(journal: Journal) -> None:
    """Remove the journal of a session that was learned from."""
    with suppress(FileNotFoundError):
        os.unlink(journal.path)


def _path(state: Path, session: str, folder: str) -> Path:
    return state / FOLDER / f"{_digest(_own_name(session))}-{_digest(_project(folder))}{ENDING}"


def _own_name(session: str) -> str:
    """Return the name of a session, for a helper of it as well."""
    return session.partition("/")[0]


def _project(folder: str) -> str:
    """Return the folder of the repository that a folder is in; the folder itself without one."""
    place = folder
    while not os.path.lexists(os.path.join(place, ".git")):
        above = os.path.dirname(place)
        if above == place:
            return folder
        place = above
    return place


def _digest(text: str) -> str:
    """Return a short name for a text that does not tell it; collisions by chance are out of the question."""
    data = text.encode("utf-8", "replace")
    return f"{zlib.crc32(data):08x}{zlib.adler32(data):08x}{len(data):x}"


def _has_room(folder: Path) -> bool:
    """Is there room for another session? Those that could not be learned from take up none."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return sum(name.endswith((ENDING, ENDED)) for name in os.listdir(folder)) < MOST_FILES


def _ended(state: Path, now: datetime) -> Iterator[Path]:
    """Yield the files of sessions that have ended or were abandoned, oldest first.

    A file from the future is as old as it is far away: a clock was set back.
    """
    waits = {ENDED: timedelta(), ENDING: IDLE, TAKEN: ABANDONED}
    found = list[tuple[float, Path]]()
    with suppress(FileNotFoundError, NotADirectoryError):
        for entry in os.scandir(state / FOLDER):
            wait = waits.get(os.path.splitext(entry.name)[1])
            if wait is not None and entry.is_file(follow_symlinks=False):
                written = entry.stat(follow_symlinks=False).st_mtime
                if abs(now.timestamp() - written) >= wait.total_seconds():
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
    return _line({"session": redact(_own_name(session)).text, "agent": agent, "folder": redact(folder).text})


def _encoded(step: Step) -> bytes:
    shape = step._asdict() | {"at": step.at.isoformat()}
    return _line({name: value for name, value in shape.items() if value not in ("", (), None)})


def _line(shape: dict[str, object]) -> bytes:
    text = json.dumps(shape, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace") + b"\n"


def read(path: Path) -> Journal | None:
    """Read a journal; lines that a killed process left unfinished, or that nest too deeply, are skipped."""
    shapes = list[dict[str, object]]()
    for line in path.read_bytes()[: 2 * LARGEST].splitlines():
        with suppress(ValueError, RecursionError):
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
        at = datetime.fromisoformat(str(shape["at"]))
        if at.tzinfo is None or not EARLIEST_YEAR <= at.year < LATEST_YEAR:
            return None
        return Step(
            kind=StepKind(str(shape["kind"])),
            at=at,
            text=str(shape.get("text", "")),
            command=str(shape.get("command", "")),
            files=tuple(map(str, files)) if isinstance(files, list) else (),
            passed=passed if isinstance(passed, bool) else None,
        )
    except (KeyError, ValueError):
        return None
