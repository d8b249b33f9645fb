"""Tasks are read in every form that Beads and Claude Code have or had, whatever else lies in their folders."""

from __future__ import annotations

import json
import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_layer.model.tasks import TaskLookup, TaskSource, TasksRead, TaskStatus
from memory_layer.ports import Workspace
from memory_layer.surroundings import tasks

SESSION = "11111111-2222-4333-8444-555555555555"
OTHER = "99999999-2222-4333-8444-555555555555"
EVERYTHING = TaskLookup()
NOTHING = TasksRead()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "code" / "shop"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home" / ".claude"


@pytest.fixture
def read(root, home):
    def read_(lookup=EVERYTHING, allowed=None, place=root, **environ):
        found = place and Workspace(place, "key", (), place.name, root / ".git")
        return tasks.read(found, lookup, {"HOME": str(home.parent), "PATH": "", **environ}, allowed)

    return read_


def write(path: Path, *lines: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    texts = [each if isinstance(each, str) else json.dumps(each) for each in lines]
    path.write_text("\n".join(texts))
    return path


def issues(root: Path, *lines: object, name: str = "issues.jsonl") -> Path:
    return write(root / ".beads" / name, *lines)


def test_an_issue_of_today_keeps_every_field(read, root):
    issue = {
        "_type": "issue",
        "id": "bd-a1b2.1",
        "title": "Write the parser",
        "description": "All of it",
        "design": "By hand",
        "status": "in_progress",
        "priority": 0,
        "issue_type": "feature",
        "created_at": "2026-05-01T10:00:00Z",
        "updated_at": "2026-05-02T10:00:00.123456789+02:00",
        "closed_at": None,
        "labels": ["parser"],
        "dependencies": [
            {"issue_id": "bd-a1b2.1", "depends_on_id": "bd-a1b2", "type": "parent-child"},
            {"issue_id": "bd-a1b2.1", "depends_on_id": "bd-c3d4", "type": "blocks"},
        ],
        "metadata": {"files": ["a.py"]},
    }
    issues(root, issue, {"id": "bd-c3d4", "title": "Decide", "status": "closed"})

    first, second = read().tasks

    assert (first.ref, first.source, first.title) == ("beads:bd-a1b2.1", TaskSource.BEADS, "Write the parser")
    assert (first.status, first.priority, first.labels) == (TaskStatus.IN_PROGRESS, 0, ("parser",))
    assert first.created_at == datetime(2026, 5, 1, 10, tzinfo=UTC)
    assert first.updated_at == datetime(2026, 5, 2, 8, 0, 0, 123456, UTC)
    assert first.blocked_by == ("bd-c3d4",)
    assert (second.status, second.blocks) == (TaskStatus.COMPLETED, ("bd-a1b2.1",))
    taken = {"id", "title", "description", "status", "priority", "created_at", "labels"}
    assert first.extra == {name: value for name, value in issue.items() if name not in taken}


@pytest.mark.parametrize(
    ("stated", "status"),
    [
        ("open", "open"),
        ("pending", "open"),
        ("In_Progress", "in_progress"),
        ("hooked", "in_progress"),
        ("blocked", "blocked"),
        ("deferred", "deferred"),
        ("closed", "completed"),
        ("tombstone", "cancelled"),
        ("pinned", "other"),
        ("awaiting-legal", "other"),
        ("", "open"),
    ],
)
def test_every_status_has_one_of_our_words_and_keeps_its_own(read, root, stated, status):
    issues(root, {"id": "bd-1", "title": "a", "status": stated})

    (task,) = read().tasks

    assert (task.status, task.stated_status) == (status, stated)


def test_lines_that_are_no_issues_are_counted_and_the_others_read(read, root):
    issues(
        root,
        {"id": "bd-1", "title": "a"},
        "{not json",
        "42",
        {"title": "without an id"},
        {"id": "", "title": "empty"},
        {"id": "two\nlines", "title": "broken"},
        {"id": ["x"], "title": "a list"},
        "[" * 100_000,
        '{"id": "bd-9", "priority": NaN}',
        {"_type": "memory", "key": "k", "value": "what bd remembers is no task"},
        "",
        {"id": 7, "title": 5, "labels": "urgent", "created_at": "yesterday", "priority": [1]},
    )

    found = read()

    assert [task.id for task in found.tasks] == ["bd-1", "7"]
    assert found.origins[0].malformed == 8
    odd = found.tasks[1]
    assert (odd.title, odd.labels, odd.created_at, odd.priority) == ("", (), None, None)
    assert odd.extra == {"title": 5, "labels": "urgent", "created_at": "yesterday", "priority": [1]}


def test_bytes_that_are_no_text_are_counted(read, root):
    path = issues(root, {"id": "bd-1", "title": "a"})
    path.write_bytes(
        path.read_bytes() + b'\n\xff\xfe\x00\x01\n{"id": "bd-2", "title": "b"}\n' + b"\x00" * 100
    )

    found = read()

    assert [task.id for task in found.tasks] == ["bd-1", "bd-2"]
    assert found.origins[0].malformed == 2


def test_an_issue_that_stands_twice_counts_as_it_was_last_updated(read, root):
    old = {"id": "bd-1", "title": "old", "updated_at": "2026-01-01T00:00:00Z"}
    new = {"id": "bd-1", "title": "new", "updated_at": "2026-02-01T00:00:00Z"}
    issues(root, new, old)

    assert [task.title for task in read().tasks] == ["new"]


def test_the_file_of_an_older_version_is_found_and_other_files_of_lines_are_not_taken_for_it(read, root):
    issues(root, {"id": "bd-1", "title": "a"}, name="shop.jsonl")
    issues(root, {"id": "bd-9", "by": "somebody"}, name="deletions.jsonl")

    assert [task.id for task in read().tasks] == ["bd-1"]


@pytest.mark.parametrize("kind", ["fifo", "folder", "link", "large"])
def test_what_is_no_plain_file_is_named_and_not_read(read, root, tmp_path, kind, monkeypatch):
    folder = root / ".beads"
    folder.mkdir()
    file = folder / "issues.jsonl"
    if kind == "fifo":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "link":
        file.symlink_to(write(tmp_path / "elsewhere.jsonl", {"id": "bd-1", "title": "private"}))
    else:
        monkeypatch.setattr("memory_layer.surroundings.tasks.beads.LARGEST_FILE", 10)
        issues(root, {"id": "bd-1", "title": "a"})

    found = read()

    assert found.tasks == ()
    assert "issues.jsonl is no regular file" in found.origins[0].flaws[0]


def test_a_folder_that_leads_out_of_the_code_base_is_not_followed(read, root, tmp_path):
    private = issues(tmp_path / "private", {"id": "bd-1", "title": "private"}).parent
    (root / ".beads").symlink_to(private)

    assert read() == NOTHING


def test_a_loop_of_links_is_no_folder(read, root):
    (root / ".beads").symlink_to(root / ".beads")

    assert read() == NOTHING


def test_a_work_tree_shares_the_issues_of_its_code_base_but_of_no_other(read, root, tmp_path):
    issues(root, {"id": "bd-1", "title": "shared"})
    tree = root / "trees" / "one"
    (tree / ".beads").mkdir(parents=True)
    (tree / ".beads" / "redirect").write_text("../../.beads\n")
    assert [task.title for task in read(place=tree).tasks] == ["shared"]

    issues(tmp_path / "private", {"id": "bd-2", "title": "private"})
    (tree / ".beads" / "redirect").write_text(str(tmp_path / "private" / ".beads"))
    assert read(place=tree).tasks == ()


def test_the_folder_that_the_user_named_comes_first_but_not_for_a_server(read, root, tmp_path):
    issues(root, {"id": "bd-1", "title": "here"})
    named = issues(tmp_path / "plans", {"id": "bd-2", "title": "named"}).parent

    assert [task.title for task in read(BEADS_DIR=str(named)).tasks] == ["named"]
    assert [task.title for task in read(BEADS_DIR=str(named), allowed=lambda path: True).tasks] == ["here"]
    assert [task.title for task in read(BEADS_DIR="plans").tasks] == ["here"]


def old_database(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as db, db:
        db.executescript(
            "create table issues (id text primary key, title text, description text, status text, priority integer,"
            " issue_type text, assignee text, created_at datetime, updated_at datetime, closed_at datetime);"
            "create table dependencies (issue_id text, depends_on_id text, type text, created_at datetime);"
            "create table labels (issue_id text, label text);"
            "create table comments (id integer, issue_id text, author text, text text);"
            "insert into issues values ('bd-1', 'First', '', 'closed', 1, 'task', null,"
            " '2025-10-16 13:15:47.5-07:00', '2025-10-17 13:15:47.5-07:00', '2025-10-17 13:15:47.5-07:00');"
            "insert into issues values ('bd-2', 'Second', 'more', 'open', 2, 'bug', 'ann', null, null, null);"
            "insert into dependencies values ('bd-2', 'bd-1', 'blocks', '2025-10-16');"
            "insert into labels values ('bd-2', 'a'), ('bd-2', 'b');"
            "insert into comments values (1, 'bd-2', 'ann', 'soon');"
        )
    return path


def test_the_database_of_an_older_version_is_read_and_not_touched(read, root):
    path = old_database(root / ".beads" / "beads.db")
    before = path.read_bytes(), path.stat().st_mtime_ns

    first, second = read().tasks

    assert (first.id, first.status, first.blocks) == ("bd-1", TaskStatus.COMPLETED, ("bd-2",))
    assert first.closed_at == datetime(2025, 10, 17, 20, 15, 47, 500_000, UTC)
    assert (second.labels, second.blocked_by, second.priority) == (("a", "b"), ("bd-1",), 2)
    assert second.extra["assignee"] == "ann"
    assert second.extra["comments"] == [{"id": 1, "issue_id": "bd-2", "author": "ann", "text": "soon"}]
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert sorted(os.listdir(path.parent)) == ["beads.db"]


def test_a_file_that_is_no_database_is_a_flaw(read, root):
    write(root / ".beads" / "beads.db", "no database at all, but long enough to look like one" * 30)

    (origin,) = read().origins

    assert origin.tasks == 0
    assert "cannot be read as a SQLite file" in origin.flaws[0]


def test_today_s_databases_are_never_opened(read, root):
    (root / ".beads" / "embeddeddolt" / "shop.db").mkdir(parents=True)
    (root / ".beads" / "shop.db").mkdir()

    assert read() == NOTHING


def bd(folder: Path, script: str) -> str:
    folder.mkdir(exist_ok=True)
    program = folder / "bd"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return f"{folder}:/usr/bin:/bin"


ARRAY = json.dumps([{"id": "bd-1", "title": "from the program"}])


@pytest.mark.parametrize(
    "script",
    [
        f"case \"$*\" in *--readonly*export*) echo '{ARRAY[1:-1]}';; *) exit 1;; esac",
        f"case \"$*\" in *--readonly*list*--all*--json*) echo '{ARRAY}';; *) exit 1;; esac",
        f'case "$*" in *list*) echo \'{{"schema_version": 1, "data": {ARRAY}}}\';; *) exit 1;; esac',
    ],
    ids=["lines", "array", "envelope"],
)
def test_the_program_itself_is_asked_first(read, root, tmp_path, script):
    issues(root, {"id": "bd-1", "title": "from the file"})

    found = read(PATH=bd(tmp_path / "bin", script))

    assert [task.title for task in found.tasks] == ["from the program"]
    assert found.origins[0].where.startswith("bd ")
    assert found.origins[0].as_of is None


def test_a_program_that_cannot_promise_to_write_nothing_is_not_believed(read, root, tmp_path):
    issues(root, {"id": "bd-1", "title": "from the file"})
    path = bd(tmp_path / "bin", f"case \"$*\" in *--readonly*) exit 1;; *) echo '{ARRAY}';; esac")

    assert [task.title for task in read(PATH=path).tasks] == ["from the file"]


def test_a_program_in_the_repository_never_runs(read, root, tmp_path, monkeypatch):
    issues(root, {"id": "bd-1", "title": "from the file"})
    path = bd(root / "bin", f"touch {tmp_path}/ran; echo '{ARRAY}'")
    monkeypatch.chdir(root)

    assert [task.title for task in read(PATH=path).tasks] == ["from the file"]
    assert not (tmp_path / "ran").exists()


def test_for_the_current_task_no_program_runs_and_only_active_lines_are_parsed(read, root, tmp_path):
    issues(root, {"id": "bd-1", "status": "in_progress"}, {"id": "bd-2", "status": "open"}, "{broken")
    path = bd(tmp_path / "bin", f"touch {tmp_path}/ran; echo '{ARRAY}'")

    found = read(TaskLookup(only_active=True), PATH=path)

    assert [task.id for task in found.tasks] == ["bd-1"]
    assert found.origins[0].malformed == 0
    assert not (tmp_path / "ran").exists()


def test_a_server_reads_only_the_file_that_git_shares(read, root):
    old_database(root / ".beads" / "beads.db")
    assert read(allowed=lambda path: True).tasks == ()

    issues(root, {"id": "bd-1", "title": "a"})
    assert read(allowed=lambda path: False).tasks == ()
    assert [task.id for task in read(allowed=lambda path: path == ".beads/issues.jsonl").tasks] == ["bd-1"]


def claude_task(home: Path, own_list: str, number: int, **fields: object) -> None:
    record = {
        "id": str(number),
        "subject": f"Task {number}",
        "status": "pending",
        "blocks": [],
        "blockedBy": [],
    }
    write(home / "tasks" / own_list / f"{number}.json", record | fields)


def transcript(home: Path, root: Path, session: str, *lines: object) -> Path:
    slug = "".join(each if each.isalnum() else "-" for each in str(root))
    return write(home / "projects" / slug / f"{session}.jsonl", {"type": "user", "cwd": str(root)}, *lines)


def test_a_task_of_claude_code_keeps_every_field(read, home):
    claude_task(
        home,
        "release",
        2,
        description="make test",
        activeForm="Running",
        status="in_progress",
        blockedBy=["1"],
        metadata={"beads": "bd-1"},
        owner="ann",
    )
    write(home / "tasks" / "release" / ".lock", "")

    (task,) = read().tasks

    assert (task.ref, task.id, task.list) == ("claude:release/2", "2", "release")
    assert (task.title, task.description, task.status) == ("Task 2", "make test", TaskStatus.IN_PROGRESS)
    assert task.blocked_by == ("1",)
    assert task.extra == {"activeForm": "Running", "metadata": {"beads": "bd-1"}, "owner": "ann"}


def test_a_session_s_list_belongs_to_the_project_it_worked_in(read, root, home):
    claude_task(home, SESSION, 1)
    claude_task(home, OTHER, 1)
    transcript(home, root, SESSION)

    assert [task.list for task in read().tasks] == [SESSION]
    assert [task.list for task in read(TaskLookup(list=OTHER)).tasks] == [OTHER]
    assert [task.list for task in read(TaskLookup(own_list=OTHER), place=None).tasks] == [OTHER]
    assert [task.list for task in read(CLAUDE_CODE_TASK_LIST_ID=OTHER).tasks] == [SESSION, OTHER]


def test_a_session_in_a_folder_of_the_project_is_told_from_a_project_of_a_longer_name(read, root, home):
    for session, folder in ((SESSION, root / "web"), (OTHER, root.with_name("shop-web"))):
        claude_task(home, session, 1)
        transcript(home, folder, session)

    assert [task.list for task in read().tasks] == [SESSION]


def test_the_folder_of_claude_code_can_be_elsewhere(read, tmp_path):
    claude_task(tmp_path / "claude", "release", 1)

    assert len(read(CLAUDE_CONFIG_DIR=str(tmp_path / "claude")).tasks) == 1


def test_files_that_are_no_tasks_are_counted_and_links_not_followed(read, home, tmp_path):
    claude_task(home, "release", 1)
    folder = home / "tasks" / "release"
    write(folder / "2.json", "{half")
    write(folder / "3.json", "[1]")
    os.mkfifo(folder / "4.json")
    (folder / "5.json").symlink_to(write(tmp_path / "private.json", {"subject": "private"}))

    found = read()

    assert [task.id for task in found.tasks] == ["1"]
    assert found.origins[0].malformed == 2
    assert [flaw.partition(" ")[0][-6:] for flaw in found.origins[0].flaws] == ["4.json", "5.json"]


def test_old_lists_are_read_in_both_of_their_forms(read, root, home):
    transcript(home, root, SESSION)
    entries = [
        {"content": "Design", "status": "completed", "activeForm": "Designing"},
        {"content": "Design", "status": "pending", "activeForm": "Designing"},
        {"id": "3", "content": "Build", "status": "in_progress", "priority": "high"},
        "broken",
        {"status": "pending"},
    ]
    write(home / "todos" / f"{SESSION}-agent-{SESSION}.json", entries)
    write(home / "todos" / f"{SESSION}-agent-helper.json", [entries[0]])
    write(home / "todos" / "notes.txt", "no list")

    found = read()

    own = [task for task in found.tasks if "helper" not in task.id]
    assert [task.title for task in own] == ["Design", "Design", "Build"]
    assert own[1].id == f"{own[0].id}-2"
    assert (own[2].ref, own[2].priority) == (f"claude:{SESSION}/todo-3", "high")
    assert own[0].extra == {"activeForm": "Designing"}
    assert [task.id for task in found.tasks if "helper" in task.id] == [
        own[0].id.replace("todo", "todo-helper")
    ]
    assert found.origins[0].malformed == 2


def test_an_old_entry_keeps_its_name_when_the_list_is_written_again(read, root, home):
    path = home / "todos" / f"{SESSION}-agent-{SESSION}.json"
    transcript(home, root, SESSION)
    write(path, [{"content": "Build", "status": "pending"}])
    (before,) = read().tasks
    write(path, [{"content": "Design", "status": "pending"}, {"content": "Build", "status": "completed"}])

    assert read().tasks[1].ref == before.ref


def todo_write(*todos: object) -> dict[str, object]:
    return {
        "type": "assistant",
        "message": {"content": [{"name": "TodoWrite", "input": {"todos": [*todos]}}]},
    }


def test_the_last_list_of_a_transcript_counts_where_there_is_no_file(read, root, home):
    new = {"content": "Build", "status": "in_progress", "activeForm": "Building"}
    lines = [
        todo_write({"content": "Old", "status": "pending"}),
        todo_write("broken", new),
        {"type": "user", "toolUseResult": {"oldTodos": [], "newTodos": ["broken", new]}},
        {**todo_write({"content": "A helper's", "status": "pending"}), "isSidechain": True},
        {"type": "user", "message": {"content": 'says "TodoWrite"'}},
    ]
    transcript(home, root, SESSION, *lines, '"newTodos" {half')

    found = read()

    assert [(task.title, task.status) for task in found.tasks] == [("Build", TaskStatus.IN_PROGRESS)]
    assert found.origins[0].malformed == 1
    assert read(TaskLookup(SESSION, only_active=True)).tasks == found.tasks
    assert read(TaskLookup(OTHER, only_active=True)).tasks == ()


def test_without_any_of_these_folders_there_is_nothing(read):
    assert read() == NOTHING
    assert read(place=None) == NOTHING
