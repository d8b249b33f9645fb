"""Read the issues of Beads: from its command, from its file of JSON lines, or from the database it had before."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory_layer import programs
from memory_layer.errors import MemoryLayerError
from memory_layer.model.tasks import Task, TaskLookup, TaskOrigin, TaskSource
from memory_layer.surroundings import careful_read
from memory_layer.surroundings.tasks.fields import Fields, Malformed, OriginTasks, parsed

if TYPE_CHECKING:
    from memory_layer.ports import Workspace

FOLDER = ".beads"
LARGEST_FILE = 64 * 1024 * 1024  #: bytes
LARGEST_FOR_A_CONTEXT = 8 * 1024 * 1024  #: bytes of a file that a context waits for
LONGEST_LINE = 1024 * 1024  #: bytes
LARGEST_NOTE = 4 * 1024  #: bytes of `redirect` and `metadata.json`
MOST_TASKS = 50_000
SECONDS = 3.0  #: that the command may take
COMMANDS = (("export",), ("list", "--all", "--limit", "0", "--json"))
USUAL_FILES = ("issues.jsonl", "beads.jsonl")
#: Files of JSON lines that hold something else.
OTHER_FILES = ("interactions.jsonl", "deletions.jsonl", "routes.jsonl", "events.jsonl", "sync_base.jsonl")
OTHER_DATABASES = ("ephemeral.sqlite3",)
#: Without one of these a line is about nothing that is being worked on.
ACTIVE = (b"in_progress", b"hooked")


def read(
    place: Workspace,
    lookup: TaskLookup,
    environ: Mapping[str, str],
    allowed: Callable[[str], bool] | None = None,
) -> OriginTasks | None:
    """Return the issues of a project from the best place that has them; None without Beads.

    With `allowed`, or for what is being worked on, only the file of JSON lines is read.
    """
    folder = _named(environ) if allowed is None else None
    folder = folder or _folder(place)
    if folder is None:
        return None
    only_files = lookup.only_active or allowed is not None
    if not only_files and (found := _from_command(folder, environ)):
        return found
    files = [each for each in _line_files(folder) if allowed is None or allowed(f"{FOLDER}/{each}")]
    if files:
        largest = LARGEST_FOR_A_CONTEXT if lookup.only_active else LARGEST_FILE
        return _from_lines(folder, files, largest, lookup.only_active)
    if allowed is None and (database := _database(folder)):
        return _from_database(database)
    return None


def _named(environ: Mapping[str, str]) -> Path | None:
    """Return the folder that the user's environment names, as Beads itself understands it."""
    named = environ.get("BEADS_DIR", "")
    return Path(named) if os.path.isabs(named) and os.path.isdir(named) else None


def _folder(place: Workspace) -> Path | None:
    """Return the folder of Beads in a code base or in its main work tree."""
    roots = [place.root, *([place.common_dir.parent] if place.common_dir else [])]
    for root in roots:
        folder = root / FOLDER
        if os.path.isdir(folder) and any(_is_inside(folder, each) for each in roots):
            return _redirected(folder, roots)
    return None


def _redirected(folder: Path, roots: Iterable[Path]) -> Path:
    """Follow the file by which a work tree shares another's issues, but not out of the code base."""
    text = (careful_read.text(folder / "redirect", LARGEST_NOTE) or "").strip()
    target = folder.parent / text
    is_shared = text and os.path.isdir(target) and any(_is_inside(target, root) for root in roots)
    return target if is_shared else folder


def _is_inside(path: Path, root: Path) -> bool:
    real, above = careful_read.real(path), careful_read.real(root)
    return real is not None and above is not None and real.startswith(above.rstrip(os.sep) + os.sep)


def _from_command(folder: Path, environ: Mapping[str, str]) -> OriginTasks | None:
    """Ask the program itself, which must be able to promise that it writes nothing; None if it cannot answer."""
    program = programs.find("bd", environ)
    if program is None or folder.name != FOLDER:
        return None
    for command in COMMANDS:
        try:
            ended = programs.run(
                [program, "-C", str(folder.parent), "--readonly", *command], environ, SECONDS
            )
        except (OSError, ValueError, TimeoutError):
            return None
        if ended.code == 0 and (records := _records(ended.output)) is not None:
            return _taken(f"bd {command[0]}", records, None)
    return None


def _records(output: str) -> list[object] | None:
    """Return the records in an answer: an array, one in an envelope, or lines; None if it is nothing of that."""
    text = output.strip()
    if not text.startswith("["):
        lines = text.splitlines()
        if len(lines) > 1 or not text.startswith('{"schema_version"'):
            return [_parsed_or_none(line) for line in lines if line.strip()]
    try:
        whole = parsed(text)
    except Malformed:
        return None
    records = whole.get("data") if isinstance(whole, dict) else whole
    return records if isinstance(records, list) else None


def _parsed_or_none(line: bytes | str) -> object:
    try:
        return parsed(line) if len(line) <= LONGEST_LINE else None
    except Malformed:
        return None


def _line_files(folder: Path) -> list[str]:
    """Return the names of the files that hold the issues: the usual one, else whichever are there."""
    named = _notes(folder).get("jsonl_export")
    for name in (
        *([named] if isinstance(named, str) and os.path.basename(named) == named else []),
        *USUAL_FILES,
    ):
        if os.path.lexists(folder / name):
            return [name]
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [each for each in names if each.endswith(".jsonl") and each not in OTHER_FILES]


def _from_lines(folder: Path, files: list[str], largest: int, only_active: bool) -> OriginTasks:
    records: list[object] = []
    flaws: list[str] = []
    times: list[datetime | None] = []
    for name in files:
        path = folder / name
        content = careful_read.regular(path, largest) if _is_inside(path, folder) else None
        if content is None:
            flaws.append(f"{name} is no regular file in {FOLDER} of at most {largest:,} bytes")
            continue
        lines = (each for each in content.splitlines() if each.strip())
        records += [
            _parsed_or_none(each) for each in lines if not only_active or any(word in each for word in ACTIVE)
        ]
        times.append(_written_at(path))
    where = careful_read.printable(str(folder / files[0] if len(files) == 1 else folder))
    return _taken(where, records, max(filter(None, times), default=None), flaws)


def _written_at(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(os.stat(path).st_mtime, UTC)
    except OSError:  # it is gone again
        return None


def _database(folder: Path) -> Path | None:
    """Return the database of an older version; today's are folders, which are never opened."""
    named = _notes(folder).get("database")
    try:
        names = sorted(each for each in os.listdir(folder) if each.endswith((".db", ".sqlite3")))
    except OSError:
        return None
    names = [each for each in names if each not in OTHER_DATABASES]
    preferred = sorted(names, key=lambda each: (each != named, each != "beads.db", each))
    paths = (folder / each for each in preferred)
    return next((each for each in paths if os.path.isfile(each) and _is_inside(each, folder)), None)


def _notes(folder: Path) -> Mapping[str, object]:
    """Return what Beads notes about its folder; empty if there is nothing or it is unreadable."""
    content = careful_read.regular(folder / "metadata.json", LARGEST_NOTE)
    found = _parsed_or_none(content) if content else None
    return found if isinstance(found, dict) else {}


def _from_database(path: Path) -> OriginTasks:
    from memory_layer.surroundings import foreign_sqlite

    where = careful_read.printable(str(path))
    try:
        with foreign_sqlite.opened(path) as database:
            parts = {name: _by_issue(database.rows(name)) for name in ("dependencies", "labels", "comments")}
            records = [_row(row, parts) for row in database.rows("issues")]
    except MemoryLayerError as error:
        return TaskOrigin(TaskSource.BEADS, where, 0, flaws=(str(error),)), []
    return _taken(where, records, _written_at(path))


def _by_issue(rows: Iterator[dict[str, Any]]) -> dict[object, list[dict[str, Any]]]:
    found: dict[object, list[dict[str, Any]]] = {}
    for row in rows:
        found.setdefault(row.get("issue_id"), []).append(row)
    return found


def _row(row: dict[str, Any], parts: Mapping[str, dict[object, list[dict[str, Any]]]]) -> dict[str, Any]:
    """Return a row of the database in the form of a line; unset columns are left out as there."""
    record = {
        name: value for name, value in row.items() if value is not None and not isinstance(value, bytes)
    }
    own = {name: rows[row.get("id")] for name, rows in parts.items() if row.get("id") in rows}
    if "labels" in own:
        record["labels"] = [each.get("label") for each in own.pop("labels")]
    return record | own


def _taken(
    where: str, records: Sequence[object], as_of: datetime | None, flaws: Iterable[str] = ()
) -> OriginTasks:
    """Convert records; an issue that stands twice counts as it was last updated."""
    tasks: dict[str, Task] = {}
    malformed, found_flaws = 0, list(flaws)
    if len(records) > MOST_TASKS:
        found_flaws.append(f"only the first {MOST_TASKS:,} of {len(records):,} were read")
    for record in records[:MOST_TASKS]:
        if isinstance(record, dict) and record.get("_type", "issue") != "issue":
            continue  # what `bd remember` stored is no task
        try:
            task = issue_from(record, where)
        except Malformed:
            malformed += 1
            continue
        if task.id not in tasks or _updated(task) >= _updated(tasks[task.id]):
            tasks[task.id] = task
    found = list(_with_blocks(tasks).values())
    return TaskOrigin(TaskSource.BEADS, where, len(found), malformed, as_of, tuple(found_flaws)), found


def _updated(task: Task) -> datetime:
    return task.updated_at or datetime.min.replace(tzinfo=UTC)


def issue_from(record: object, where: str) -> Task:
    """Convert one issue."""
    fields = Fields(record)
    own_id = fields.id()
    status, stated = fields.status()
    return Task(
        ref=f"{TaskSource.BEADS}:{own_id}",
        id=own_id,
        source=TaskSource.BEADS,
        title=fields.text("title"),
        status=status,
        stated_status=stated,
        description=fields.text("description"),
        priority=fields.priority(),
        created_at=fields.moment("created_at"),
        updated_at=fields.moment("updated_at"),
        closed_at=fields.moment("closed_at"),
        labels=fields.texts("labels"),
        blocked_by=_blockers(fields.rest.get("dependencies")),
        origin=where,
        extra=fields.rest,
    )


def _blockers(dependencies: object) -> tuple[str, ...]:
    """Return the issues that one waits for; `dependencies` itself stays among the other fields."""
    if not isinstance(dependencies, list):
        return ()
    found = [
        each for each in dependencies if isinstance(each, dict) and each.get("type", "blocks") == "blocks"
    ]
    ids = (each.get("depends_on_id") for each in found)
    return tuple(dict.fromkeys(each for each in ids if isinstance(each, str)))


def _with_blocks(tasks: dict[str, Task]) -> dict[str, Task]:
    """Add to each issue the ones that wait for it."""
    waiting: dict[str, list[str]] = {}
    for task in tasks.values():
        for blocker in task.blocked_by:
            waiting.setdefault(blocker, []).append(task.id)
    return {
        own_id: task._replace(blocks=tuple(waiting[own_id])) if own_id in waiting else task
        for own_id, task in tasks.items()
    }
