"""Read the tasks of Claude Code: a folder for each list, and the simpler lists of other versions."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from memory_layer.model.record import NamedTuple
from memory_layer.model.tasks import Task, TaskLookup, TaskOrigin, TaskSource
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.tasks import todos
from memory_layer.surroundings.tasks.fields import Fields, Malformed, OriginTasks, parsed

LARGEST_FILE = 1024 * 1024  #: bytes
MOST_LISTS = 2_000
MOST_FILES = 1_000  #: of one list
MOST_TRANSCRIPTS = 20
LONGEST_NAME = 120  #: characters of a list's name
HEAD_BYTES = 64 * 1024  #: of a transcript, in which the folder of its session is named
TAIL_BYTES = 4 * 1024 * 1024  #: of a transcript, in which the last list stands
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_FOLDER = re.compile(rb'"cwd" ?: ?("(?:[^"\\]|\\.)*")')
#: Returns the tasks in a file's content, and how many of its entries are none.
Parse = Callable[[bytes, str], tuple[list[Task], int]]


class TaskFile(NamedTuple):
    """A file to read, and how."""

    path: Path
    parse: Parse
    largest: int = LARGEST_FILE
    tail: bool = False  #: only its end, if it is larger


def home(environ: Mapping[str, str]) -> Path:
    """Return the folder in which Claude Code keeps its files."""
    own = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(environ.get("HOME") or "~", ".claude")
    return Path(os.path.expanduser(own))


def read(root: Path | None, lookup: TaskLookup, environ: Mapping[str, str]) -> Iterator[OriginTasks]:
    """Yield the tasks of each list that belongs to the project or the session, with where they were read.

    A list that a person named belongs to every project.
    """
    base = home(environ)
    own = {lookup.own_list, environ.get("CLAUDE_CODE_TASK_LIST_ID")}
    only = [each for each in own if each] if lookup.only_active else None
    sessions = _sessions_of(base, root, only) if root is not None else {}

    def is_wanted(name: str) -> bool:
        if lookup.list is not None or lookup.only_active:
            return name == lookup.list or (lookup.list is None and name in own)
        return name in own or name in sessions or not _SESSION.fullmatch(name)

    seen = set[str]()
    for name in filter(is_wanted, _names(base / "tasks", MOST_LISTS)):
        if files := list(_task_files(base / "tasks" / name, name)):
            seen.add(name)
            yield _taken(base / "tasks" / name, files)
    for name, files in _old_files(base / "todos").items():
        if is_wanted(name):
            seen.add(name)
            yield _taken(base / "todos", files)
    newest = sorted(filter(is_wanted, sessions.keys() - seen), key=lambda each: _written_at(sessions[each]))
    for name in newest[-MOST_TRANSCRIPTS:]:
        parse = partial(todos.in_transcript, name)
        origin, tasks = _taken(sessions[name], [TaskFile(sessions[name], parse, TAIL_BYTES, tail=True)])
        if tasks or origin.malformed:
            yield origin, tasks


def _names(folder: Path, most: int) -> list[str]:
    """Return the usable names in a folder, the newest where there are too many; none if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            entries = [each for each in found if _is_name(each.name)]
        if len(entries) > most:
            entries.sort(key=lambda each: each.stat(follow_symlinks=False).st_mtime, reverse=True)
        return sorted(each.name for each in entries[:most])
    except OSError:
        return []


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and name.isprintable() and not name.startswith(".")


def _task_files(folder: Path, name: str) -> Iterator[TaskFile]:
    for each in sorted(_names(folder, MOST_FILES), key=lambda each: (len(each), each)):
        if each.endswith(".json"):
            yield TaskFile(folder / each, partial(_one_task, name, each.removesuffix(".json")))


def _old_files(folder: Path) -> dict[str, list[TaskFile]]:
    """Return the files of the form that Claude Code had before, by session."""
    found: dict[str, list[TaskFile]] = {}
    for each in _names(folder, MOST_LISTS):
        if named := todos.FILE.fullmatch(each):
            session, agent = named["session"], named["agent"]
            parse = partial(todos.in_file, session, "" if agent == session else agent)
            found.setdefault(session, []).append(TaskFile(folder / each, parse))
    return found


def _taken(where: Path, files: list[TaskFile]) -> OriginTasks:
    tasks: list[Task] = []
    flaws: list[str] = []
    malformed, newest = 0, 0.0
    for file in files:
        content = _content(file)
        if content is None:
            name = careful_read.printable(str(file.path))
            flaws.append(f"{name} is no regular file of at most {file.largest:,} bytes")
            continue
        found, wrong = file.parse(content, careful_read.printable(str(file.path)))
        tasks += found
        malformed += wrong
        newest = max(newest, _written_at(file.path))
    as_of = datetime.fromtimestamp(newest, UTC) if newest else None
    place = careful_read.printable(str(where))
    return TaskOrigin(TaskSource.CLAUDE, place, len(tasks), malformed, as_of, tuple(flaws)), tasks


def _content(file: TaskFile) -> bytes | None:
    """Read a file of Claude Code's own; a link is not followed."""
    if os.path.islink(file.path):
        return None
    return (careful_read.end if file.tail else careful_read.regular)(file.path, file.largest)


def _written_at(path: Path) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _one_task(own_list: str, name: str, content: bytes, where: str) -> tuple[list[Task], int]:
    """Parse the file of one task."""
    try:
        return [task_from(parsed(content), own_list, name, where)], 0
    except Malformed:
        return [], 1


def task_from(record: object, own_list: str, name: str, where: str) -> Task:
    """Convert a task; a file without an id is named after its task."""
    fields = Fields(record)
    own_id = fields.id(name)
    status, stated = fields.status()
    return Task(
        ref=f"{TaskSource.CLAUDE}:{own_list}/{own_id}",
        id=own_id,
        source=TaskSource.CLAUDE,
        title=fields.text("subject"),
        status=status,
        stated_status=stated,
        description=fields.text("description"),
        blocks=fields.texts("blocks"),
        blocked_by=fields.texts("blockedBy"),
        list=own_list,
        origin=where,
        extra=fields.rest,
    )


def _sessions_of(base: Path, root: Path, only: list[str] | None) -> dict[str, Path]:
    """Return the transcripts of sessions that worked in a folder, which lie in one named after it.

    With `only`, those of these sessions that began in the folder itself.
    """
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    found: dict[str, Path] = {}
    if only is not None:
        paths = {each: base / "projects" / slug / f"{each}.jsonl" for each in only if _is_name(each)}
        return {name: path for name, path in paths.items() if os.path.isfile(path)}
    for folder in _names(base / "projects", MOST_LISTS):
        if folder != slug and not folder.startswith(f"{slug}-"):
            continue
        for name in _names(base / "projects" / folder, MOST_LISTS):
            path = base / "projects" / folder / name
            if name.endswith(".jsonl") and (folder == slug or _began_below(path, root)):
                found[name.removesuffix(".jsonl")] = path
    return found


def _began_below(transcript: Path, root: Path) -> bool:
    """Return whether a transcript names a folder below the root; two folders can have one name there."""
    head = careful_read.beginning(transcript, HEAD_BYTES)
    named = _FOLDER.search(head) if head else None
    try:
        folder = parsed(named[1]) if named else None
    except Malformed:
        return False
    return isinstance(folder, str) and folder.startswith(f"{root}{os.sep}")
