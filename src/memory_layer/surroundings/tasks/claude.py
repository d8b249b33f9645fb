"""Read the tasks of Claude Code: one folder per list today, one file per agent of a session before."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from memory_layer.model.record import NamedTuple
from memory_layer.model.tasks import Task, TaskLookup, TaskOrigin, TaskSource
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.tasks.fields import Fields, Malformed, parsed

LARGEST_FILE = 1024 * 1024  #: bytes
MOST_LISTS = 2_000
MOST_FILES = 1_000  #: of one list
LONGEST_NAME = 120  #: characters of a list's name
HEAD_BYTES = 64 * 1024  #: of a transcript, in which the folder of its session is named
_SESSION = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_OLD_FILE = re.compile(r"(?P<session>.+?)-agent-(?P<agent>.+)\.json")
_FOLDER = re.compile(rb'"cwd" ?: ?("(?:[^"\\]|\\.)*")')


class TaskFile(NamedTuple):
    """A file, and the list its tasks belong to."""

    list: str
    path: str
    name: str  #: without the suffix


#: Returns the tasks in a file's content, and how many of its entries are none.
Parse = Callable[[TaskFile, bytes], tuple[list[Task], int]]


def home(environ: Mapping[str, str]) -> Path:
    """Return the folder in which Claude Code keeps its files."""
    own = environ.get("CLAUDE_CONFIG_DIR") or os.path.join(environ.get("HOME") or "~", ".claude")
    return Path(os.path.expanduser(own))


def read(
    root: Path | None, lookup: TaskLookup, environ: Mapping[str, str]
) -> Iterator[tuple[TaskOrigin, list[Task]]]:
    """Yield the tasks of each list that belongs to the project, with where they were read."""
    base = home(environ)
    own = tuple(filter(None, (lookup.own_list, environ.get("CLAUDE_CODE_TASK_LIST_ID"))))

    def is_wanted(name: str) -> bool:
        if lookup.list is not None:
            return name == lookup.list
        if name in own or lookup.only_active:
            return name in own
        return not _SESSION.fullmatch(name) or (root is not None and _is_session_of(base, name, root))

    folders = _entries(base / "tasks", MOST_LISTS)
    for name in filter(is_wanted, (each for each in folders if _is_name(each))):
        yield _taken(base / "tasks" / name, list(_files_of(base / "tasks" / name, name)), _today)
    old = [file for file in _old_files(base / "todos") if is_wanted(file.list)]
    if old:
        yield _taken(base / "todos", old, _of_todos)


def _is_name(name: str) -> bool:
    return len(name) <= LONGEST_NAME and name.isprintable() and not name.startswith(".")


def _entries(folder: Path, most: int) -> list[str]:
    """Return the names in a folder, newest first where there are too many; empty if it cannot be read."""
    try:
        with os.scandir(folder) as found:
            entries = list(found)
        if len(entries) > most:
            entries = sorted(
                entries, key=lambda each: each.stat(follow_symlinks=False).st_mtime, reverse=True
            )
        return sorted(each.name for each in entries[:most])
    except OSError:
        return []


def _files_of(folder: Path, name: str) -> Iterator[TaskFile]:
    for each in sorted(_entries(folder, MOST_FILES), key=lambda each: (len(each), each)):
        if each.endswith(".json") and _is_name(each):
            yield TaskFile(name, str(folder / each), each.removesuffix(".json"))


def _old_files(folder: Path) -> Iterator[TaskFile]:
    for each in _entries(folder, MOST_LISTS):
        if (known := _OLD_FILE.fullmatch(each)) and _is_name(each):
            session, agent = known["session"], known["agent"]
            # The session's own list is named after it twice; those of its helpers are told apart.
            prefix = "todo-" if agent == session else f"todo-{agent}-"
            yield TaskFile(session, str(folder / each), prefix)


def _taken(where: Path, files: list[TaskFile], tasks_in: Parse) -> tuple[TaskOrigin, list[Task]]:
    tasks: list[Task] = []
    flaws: list[str] = []
    malformed, newest = 0, 0.0
    for file in files:
        content = _content(file.path)
        if content is None:
            flaws.append(
                f"{careful_read.printable(file.path)} is no regular file of at most {LARGEST_FILE:,} bytes"
            )
            continue
        found, wrong = tasks_in(file, content)
        tasks += found
        malformed += wrong
        newest = max(newest, _written_at(file.path))
    as_of = datetime.fromtimestamp(newest, UTC) if newest else None
    origin = TaskOrigin(
        TaskSource.CLAUDE, careful_read.printable(str(where)), len(tasks), malformed, as_of, tuple(flaws)
    )
    return origin, tasks


def _content(path: str) -> bytes | None:
    """Read a file of Claude Code's own; a link is not followed."""
    return None if os.path.islink(path) else careful_read.regular(path, LARGEST_FILE)


def _written_at(path: str) -> float:
    try:
        return os.stat(path).st_mtime
    except OSError:
        return 0.0


def _today(file: TaskFile, content: bytes) -> tuple[list[Task], int]:
    """Parse the file of one task."""
    try:
        return [task_from(parsed(content), file)], 0
    except Malformed:
        return [], 1


def _of_todos(file: TaskFile, content: bytes) -> tuple[list[Task], int]:
    """Parse an old file: a list of entries, most of them without an id."""
    try:
        entries = parsed(content)
    except Malformed:
        return [], 1
    if not isinstance(entries, list):
        return [], 1
    tasks, malformed = [], 0
    for number, entry in enumerate(entries, 1):
        try:
            tasks.append(todo_from(entry, file, number))
        except Malformed:
            malformed += 1
    return tasks, malformed


def task_from(record: object, file: TaskFile) -> Task:
    """Convert a record of today's form."""
    fields = Fields(record)
    own_id = fields.id(file.name)
    status, stated = fields.status()
    return Task(
        ref=f"{TaskSource.CLAUDE}:{file.list}/{own_id}",
        id=own_id,
        source=TaskSource.CLAUDE,
        title=fields.text("subject"),
        status=status,
        stated_status=stated,
        description=fields.text("description"),
        blocks=fields.texts("blocks"),
        blocked_by=fields.texts("blockedBy"),
        list=file.list,
        origin=careful_read.printable(file.path),
        extra=fields.rest,
    )


def todo_from(record: object, file: TaskFile, number: int) -> Task:
    """Convert an entry of the old form, whose id is its place where it has none."""
    fields = Fields(record)
    own_id = f"{file.name}{fields.id(str(number))}"
    title = fields.text("content")
    if not title:
        raise Malformed
    status, stated = fields.status()
    return Task(
        ref=f"{TaskSource.CLAUDE}:{file.list}/{own_id}",
        id=own_id,
        source=TaskSource.CLAUDE,
        title=title,
        status=status,
        stated_status=stated,
        priority=fields.priority(),
        list=file.list,
        origin=careful_read.printable(file.path),
        extra=fields.rest,
    )


def _is_session_of(base: Path, session: str, root: Path) -> bool:
    """Return whether a session worked in a folder: its transcript lies under the folder's name."""
    slug = re.sub(r"[^A-Za-z0-9]", "-", str(root))
    for name in _entries(base / "projects", MOST_LISTS):
        if name == slug or name.startswith(f"{slug}-"):
            transcript = base / "projects" / name / f"{session}.jsonl"
            if transcript.is_file() and (name == slug or _began_below(transcript, root)):
                return True
    return False


def _began_below(transcript: Path, root: Path) -> bool:
    """Return whether a transcript names a folder below the root; two folders can have one name there."""
    try:
        with open(transcript, "rb") as file:
            named = _FOLDER.search(file.read(HEAD_BYTES))
        folder = parsed(named[1]) if named else None
    except (OSError, Malformed):
        return False
    return isinstance(folder, str) and folder.startswith(f"{root}{os.sep}")
