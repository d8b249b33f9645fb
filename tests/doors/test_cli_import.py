"""`mem import` and `memory.import_`: what a user sees."""

from __future__ import annotations

import json

import pytest

import memory_layer
from memory_layer.errors import InvalidInput
from tests import imported_kinds as kinds
from tests.doors.in_process import as_repository
from tests.foreign_stores import made

RULES = "# Rules\n\n- Mock the network in every test\n- Run `make test` before you push\n\n[docs](https://example.com)\n"

pytestmark = pytest.mark.usefixtures("machine")


@pytest.fixture
def rules(machine):
    file = machine / "work" / "CLAUDE.md"
    file.write_text(RULES)
    return file


def test_an_import_tells_the_totals_and_what_it_skipped(mem, rules):
    answer = mem("import", "CLAUDE.md")

    assert answer.code == 0
    assert answer.out == "rules: read 3, added 2, 0 already known\n  1 skipped\n"
    told, way_back = answer.err.splitlines()
    assert told == "skipped 1: nothing but a link (CLAUDE.md:6)"
    assert way_back.startswith("Undo: `mem undo op_")
    assert "Mock the network" in mem("search", "mock network").out


@pytest.mark.model
def test_near_duplicates_inside_one_import_are_counted_and_wait_in_the_review(mem, machine, with_model):
    twice = (
        "Run the unit tests with make unit-fast before a push",
        "Run unit tests with make unit-fast before a push",
    )
    against = ("The client retries a request three times", "The client never retries a request")
    lines = "".join(f"- {text}\n" for text in (*twice, *against))
    (machine / "work" / "CLAUDE.md").write_text(f"# Rules\n\n{lines}")
    answer = mem("import", "CLAUDE.md")

    assert answer.out.splitlines() == [
        "rules: read 4, added 4, 0 already known",
        "  1 close to a known one, linked and waiting for you (`mem review`)",
        "  1 in conflict with a known one, linked and waiting for you (`mem review`)",
    ]
    waiting = mem("review", "--json").data["items"]
    assert len(waiting) == 2


def test_what_is_only_a_note_is_not_counted_as_skipped(mem, machine, monkeypatch):
    known = mem("add", "The build needs Java 21", "--json").data["id"]
    mem("edit", known, "--content", "The build needs Java 25")
    mem("export", "all.jsonl")
    monkeypatch.setenv("MEM_HOME", str(machine / "other"))
    mem("add", "Gulls steal sandwiches")

    answer = mem("import", "all.jsonl", "--dry-run")

    assert answer.out == "memory-layer: read 1, would add 1, 0 already known\n"
    assert answer.err.startswith("note: 1 earlier version stays in the file: ")
    assert mem("import", "all.jsonl", "--json").data["notes"][0]["where"] == "history"


def test_a_second_import_says_that_everything_is_known(mem, rules):
    mem("import", "CLAUDE.md")

    assert mem("import", ".").out.startswith("rules: read 3, added 0, 2 already known\n")


def test_a_dry_run_says_what_would_happen(mem, rules):
    answer = mem("import", "CLAUDE.md", "--dry-run")

    assert answer.out.startswith("rules: read 3, would add 2, 0 already known\n")
    assert "\nCLAUDE.md:4  [command] Run `make test` before you push\n" in answer.out
    planned = mem("import", "CLAUDE.md", "--dry-run", "--json").data["planned"]
    assert [(each["where"], each["status"]) for each in planned] == [
        ("CLAUDE.md:3", "active"),
        ("CLAUDE.md:4", "active"),
    ]
    assert json.loads(mem("list", "--json").out)["data"]["total"] == 0


def test_a_dry_run_makes_no_store(mem, rules, machine):
    answer = mem("import", "CLAUDE.md", "--dry-run")

    assert (answer.code, answer.out.splitlines()[0]) == (0, "rules: read 3, would add 2, 0 already known")
    assert not (machine / "home").exists()


def test_the_report_in_json_has_everything(mem, rules):
    data = json.loads(mem("import", "CLAUDE.md", "--json").out)["data"]

    assert data["skipped"] == [{"where": "CLAUDE.md:6", "why": "nothing but a link"}]
    assert data["operation"].startswith("op_")
    assert {name: data[name] for name in ("source", "read", "added", "exists", "dry_run")} == {
        "source": "rules",
        "read": 3,
        "added": 2,
        "exists": 0,
        "dry_run": False,
    }


def test_a_foreign_store_is_recognised(mem, machine):
    made(machine / "work" / "theirs.db", "runtime-memory")

    assert mem("import", "theirs.db", "--global").out.startswith("runtime-memory: read 3, added 3")
    assert json.loads(mem("list", "--global", "--json").out)["data"]["total"] == 2


def test_a_store_cannot_pass_for_another(mem, machine):
    made(machine / "work" / "theirs.db", "py-memori")

    answer = mem("import", "theirs.db", "--from", "mcp-memory-service")

    assert (answer.code, answer.out) == (2, "")
    assert "is not a mcp-memory-service store" in answer.err


def test_what_is_not_there_is_said(mem):
    answer = mem("import", "nowhere.md")

    assert answer.code == 3
    assert answer.err.startswith("mem: there is no file or folder")


@pytest.mark.parametrize("command", ["import", "capture"])
def test_another_accounts_home_has_no_short_name(mem, command):
    told = [mem(command, f"~{name}/notes.md") for name in ("nouser", "root")]

    assert {answer.code for answer in told} == {3 if command == "import" else 2}
    reason = "no file" if command == "import" else "not a readable file"
    assert all(answer.err.startswith("mem: ") and reason in answer.err for answer in told)


def test_many_skipped_places_are_shortened(mem, rules):
    rules.write_text("- [a](https://example.com)\n" * 50 + RULES)

    answer = mem("import", "CLAUDE.md")

    assert answer.err.startswith("skipped 51: nothing but a link (CLAUDE.md:1, ")
    assert answer.err.splitlines()[0].endswith("…)")


def test_a_name_that_a_terminal_would_obey_is_spelled_out(mem, machine):
    (machine / "work" / "a\x1b[31m.md").write_bytes(b"\xff")

    answer = mem("import", "a\x1b[31m.md")

    assert "\x1b" not in answer.out + answer.err
    assert "1 skipped" in answer.out


def test_python_imports_the_same_way(rules):
    with memory_layer.open() as memory:
        done = []
        dry = memory.import_("CLAUDE.md", dry_run=True)
        report = memory.import_("CLAUDE.md", progress=lambda *told: done.append(told))

        assert (dry.added, dry.dry_run, dry.operation) == (2, True, None)
        assert (report.added, len(report.skipped)) == (2, 1)
        assert done == [(2, 2)]
        with pytest.raises(InvalidInput):
            memory.import_("CLAUDE.md", origin="nonsense")


@pytest.fixture
def linked(machine):
    """A repository with links to files and folders outside it."""
    work = as_repository(machine / "work")
    outside = machine / "outside"
    (outside / "rules").mkdir(parents=True)
    for file in (outside / "private.md", outside / "rules" / "x.mdc", outside / "rules" / "CLAUDE.md"):
        file.write_text("- The key of the harbour lies under the mat\n", encoding="utf-8")
    (outside / "talk.jsonl").write_text('{"role": "user", "content": "I prefer tabs"}\n', encoding="utf-8")
    (work / "CLAUDE.md").symlink_to(outside / "private.md")
    (work / "AGENTS.md").symlink_to("CLAUDE.md")
    (work / "docs").symlink_to(outside / "rules")
    (work / ".cursor").mkdir()
    (work / ".cursor" / "rules").symlink_to("../../outside/rules")
    (work / "talk.jsonl").symlink_to(outside / "talk.jsonl")
    return work


@pytest.mark.parametrize(
    "path",
    [
        "CLAUDE.md",
        "AGENTS.md",
        "docs/CLAUDE.md",
        "docs",
        ".cursor/rules",
        ".cursor/rules/x.mdc",
        "talk.jsonl",
    ],
)
def test_a_link_that_leads_out_of_the_repository_is_refused(mem, linked, path):
    for command in ("import", "capture"):
        refused = mem(command, path, "--json")
        assert refused.code == 2
        assert "leads out of its repository" in refused.error["message"]
        assert str(linked.parent / "outside") in refused.error["message"]
    assert mem("list", "--all", "--json").data["items"] == []


@pytest.mark.parametrize("name", ["{work}/CLAUDE.md", "work/CLAUDE.md", "{work}/docs/CLAUDE.md", "next"])
def test_a_link_to_a_link_that_leads_out_of_its_repository_is_refused(mem, linked, name):
    (linked.parent / "next").symlink_to(linked / "AGENTS.md")
    (linked.parent / "link.md").symlink_to(name.format(work=linked))
    (linked.parent / "folder").symlink_to(linked / "docs")

    for path in ("../link.md", str(linked.parent / "folder" / "CLAUDE.md"), "../folder/../private.md"):
        assert "leads out of its repository" in mem("import", path, "--json").error["message"]
    assert mem("list", "--all", "--json").data["items"] == []


def test_links_that_lead_in_a_circle_are_no_file(mem, linked):
    (linked / "one.md").symlink_to("two.md")
    (linked / "two.md").symlink_to("one.md")

    assert "Too many levels" in mem("import", "one.md", "--json").data["skipped"][0]["why"]


def test_what_a_link_leads_to_is_imported_when_it_is_named_itself(mem, linked):
    (linked / "inside.md").write_text("- Boats are counted at noon\n", encoding="utf-8")
    (linked / "GEMINI.md").symlink_to("inside.md")

    for path in ("../outside/private.md", str(linked.parent / "outside" / "private.md"), "GEMINI.md"):
        assert mem("import", path, "--dry-run", "--json").data["added"] == 1


def test_a_link_outside_any_repository_is_followed(mem, machine):
    (machine / "elsewhere.md").write_text("- Boats are counted at noon\n", encoding="utf-8")
    (machine / "work" / "CLAUDE.md").symlink_to(machine / "elsewhere.md")

    assert mem("import", "CLAUDE.md", "--json").data["added"] == 1


def test_a_mention_of_another_file_in_a_rules_file_is_not_followed(mem, machine):
    work = as_repository(machine / "work")
    (machine / "private.md").write_text("- The key of the harbour lies under the mat\n", encoding="utf-8")
    (work / "CLAUDE.md").write_text("- Boats are counted at noon\n\n@../private.md\n", encoding="utf-8")
    mem("import", "CLAUDE.md")

    contents = [each["content"] for each in mem("list", "--json").data["items"]]
    assert not any("under the mat" in content for content in contents)


@pytest.fixture
def surrounded(machine, monkeypatch):
    """A machine on which several programs remember something."""
    home, work = machine / "person", machine / "work"
    for variable in (
        "CLAUDE_CONFIG_DIR",
        "CODEX_HOME",
        "MEMORY_FILE_PATH",
        "MEM0_DIR",
        "CLAUDE_MEM_DATA_DIR",
    ):
        monkeypatch.delenv(variable, raising=False)
    as_repository(work)
    (work / "AGENTS.md").write_text(RULES)
    kinds.claude_memory(home, work)
    kinds.codex_memory(home, work)
    (home / ".claude" / "CLAUDE.md").write_text("- Answer in plain English\n")
    (home / ".claude-mem").mkdir()
    kinds.claude_mem_store(home / ".claude-mem" / "claude-mem.db")
    (home / ".mem0").mkdir()
    kinds.mem0_history(home / ".mem0" / "history.db")
    kinds.graph(home / "graph.jsonl")
    server = {"command": "npx", "env": {"MEMORY_FILE_PATH": str(home / "graph.jsonl")}}
    (home / ".claude.json").write_text(json.dumps({"mcpServers": {"memory": server, "odd": 5}}))
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text("{ not json")
    return home


def test_without_a_path_everything_found_is_listed_and_nothing_is_imported(mem, surrounded, machine):
    answer = mem("import", "--json")

    found = {(each["origin"], each["path"].removeprefix(f"{machine}/")) for each in answer.data}
    slug = str(machine / "work").replace("/", "-").replace("_", "-")
    assert found == {
        ("rules", "person/.claude/CLAUDE.md"),
        ("rules", "work/AGENTS.md"),
        ("claude-code", f"person/.claude/projects/{slug}/memory"),
        ("codex", "person/.codex/memories"),
        ("claude-mem", "person/.claude-mem/claude-mem.db"),
        ("mem0", "person/.mem0/history.db"),
        ("knowledge-graph", "person/graph.jsonl"),
    }
    assert not (machine / "home").exists()
    told = mem("import", "--found")
    assert told.err.splitlines() == [
        "Nothing was imported. `mem import PATH --dry-run` shows what a path would add."
    ]
    assert len(told.out.splitlines()) == len(found)


def test_everything_found_can_be_imported_as_it_is_listed(mem, surrounded):
    for each in mem("import", "--json").data:
        first = mem("import", each["path"], "--json").data
        again = mem("import", each["path"], "--json").data

        assert first["source"] == each["origin"]
        assert (first["added"] > 0, again["added"], again["exists"]) == (True, 0, first["added"])


def test_a_folder_that_was_moved_is_found_where_it_is(mem, machine, monkeypatch):
    moved = machine / "elsewhere"
    (moved / "rules").mkdir(parents=True)
    (moved / "rules" / "tests.md").write_text("- Mock the network in every test\n")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(moved))

    assert [(each["path"], each["files"]) for each in mem("import", "--json").data] == [
        (str(moved / "rules"), 1)
    ]


def test_a_machine_without_any_of_it_says_so(mem):
    answer = mem("import")

    assert (answer.code, answer.out.strip()) == (0, "")
    assert (
        answer.err == "Nothing to import was found in the usual places; `mem import PATH` takes any file.\n"
    )


def test_a_folder_name_that_a_terminal_would_obey_is_spelled_out_in_the_list(mem, machine):
    folder = machine / "person" / ".claude" / "projects" / "-x\x1b[31m\n-y" / "memory"
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("- The port of the staging server is 8081\n")

    assert "-x\\x1b[31m\\n-y/memory  (1 file" in mem("import").out
    mem("import", str(folder))
    assert [each["project"] for each in mem("list", "--json").data["items"]] == [str(machine / "work")]


def test_a_list_takes_no_path(mem, rules):
    answer = mem("import", "CLAUDE.md", "--found")

    assert (answer.code, "--found takes no PATH" in answer.err) == (2, True)


def test_python_lists_the_same(surrounded):
    with memory_layer.open() as memory:
        origins = [each.origin.value for each in memory.importable()]

    assert {"claude-code", "codex", "claude-mem", "mem0", "knowledge-graph", "rules"} == set(origins)
