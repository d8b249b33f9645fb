"""Which project a call is about, which session it belongs to, and what a server that may only read does."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError

from memory_layer.doors.mcp.tool import ToolCall
from memory_layer.doors.mcp.tools import CORE
from memory_layer.errors import NotFound
from tests.doors.agents import HELLO, Agent, agent, talk
from tests.doors.in_process import tools


def project(name: str) -> Path:
    folder = Path.cwd() / name
    (folder / ".git").mkdir(parents=True)
    return folder


def fingerprints(home: Path) -> dict[str, str]:
    """Every file of a store with what is in it, but for the two through which readers of SQLite meet."""
    meeting = ("memory.db-shm", "memory.db-wal")
    files = [path for path in sorted(home.rglob("*")) if path.is_file() and path.name not in meeting]
    assert not any(path.stat().st_size for path in home.glob("memory.db-wal"))
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_a_call_names_its_project_else_the_server_else_the_working_directory(mem):
    shop, bank = project("shop"), project("bank")

    async def steps(it: Agent) -> None:
        here = await it.call("memory_learn", content="The shop sells tea")
        there = await it.call("memory_learn", content="The bank opens at nine", project=str(bank))
        everywhere = await it.call("memory_learn", content="Always answer politely", **{"global": True})
        projects = {
            name: mem("show", kept["id"], "--json").data["memory"]["project"]
            for name, kept in (("here", here), ("there", there), ("everywhere", everywhere))
        }

        assert projects["here"].endswith("shop")
        assert projects["there"].endswith("bank")
        assert projects["everywhere"] is None

        found = await it.call("memory_recall", query="bank opens shop tea politely", project="bank")
        assert {hit["id"] for hit in found["hits"]} == {there["id"], everywhere["id"]}

    talk(agent("--project", str(shop)), steps)


def test_the_session_is_an_argument_and_not_a_connection(mem):
    async def steps(it: Agent) -> None:
        numbers = [
            (await it.call("memory_episode", text=f"step {number}", session=session))["number"]
            for number, session in enumerate(("one", "two", "one"))
        ]

        assert numbers == [1, 1, 2]

    talk(agent(), steps)

    async def later(it: Agent) -> None:
        assert (await it.call("memory_episode", text="step 4", session="one"))["number"] == 3

    talk(agent(), later)


@pytest.mark.usefixtures("with_model")
def test_a_server_that_may_only_read_leaves_every_byte_as_it_was(machine, mem):
    for number in range(80):  # enough for an index in files
        mem("add", f"Port {8000 + number} belongs to service number {number}")
    kept = mem("add", "The build needs Java 21", "--json").data["id"]
    mem("search", "java")
    before = fingerprints(machine / "home")

    async def steps(it: Agent) -> None:
        listed = (await it.client.list_tools()).tools
        names = [tool.name for tool in listed]
        assert all(tool.annotations and tool.annotations.read_only_hint for tool in listed)
        assert "memory_learn" not in names
        assert "memory_outcome" not in names
        assert {"memory_recall", "memory_context", "memory_get"} <= set(names)

        found = await it.call("memory_recall", query="which java does the build need")
        assert found["hits"][0]["id"] == kept
        assert "recall" not in found
        assert "recall" not in await it.call("memory_context", task="build it with java")
        assert (await it.call("memory_get", id=kept))["memory"]["use_count"] == 0
        await it.call("memory_stats")
        await it.call("memory_warn", command="java --version")
        await it.call("memory_related", id=kept)
        for tool, arguments in (
            ("memory_learn", {"content": "x"}),
            ("memory_outcome", {"ids": [kept], "result": "worked"}),
            ("memory_procedure", {"action": "save", "name": "x", "steps": ["y"]}),
            ("memory_handoff", {"action": "write", "text": "x"}),
        ):
            assert "not_allowed: this server is read-only" in await it.refused(tool, **arguments)
        shown: list[tuple[str, dict[str, Any]]] = [
            ("memory_consolidate", {}),
            ("memory_verify", {"everything": True}),
            ("memory_capture", {"text": "I prefer tabs over spaces in this repository."}),
        ]
        for tool, given in shown:
            assert (await it.call(tool, **given))["dry_run"] is True
        assert [each.name for each in (await it.client.list_prompts()).prompts] == ["recall"]
        with pytest.raises(MCPError, match="there is no prompt 'review-session'; the prompts are recall"):
            await it.client.get_prompt("review-session", {})
        ordered = "".join([it.client.instructions or "", *(tool.description or "" for tool in listed)])
        assert "read-only" in ordered
        assert not any(name in ordered for name in ("memory_learn", "memory_outcome", "memory_episode"))

    talk(agent("--read-only", "--tools", "full"), steps)
    assert fingerprints(machine / "home") == before


WRITES: list[tuple[str, dict[str, Any]]] = [
    ("memory_learn", {"content": "The shop sells tea"}),
    ("memory_episode", {"text": "The shop opened"}),
    ("memory_procedure", {"action": "save", "name": "open", "steps": ["unlock"]}),
    ("memory_handoff", {"next": ["close the shop"]}),
    ("memory_propose", {"content": "Always lock the shop"}),
    ("memory_capture", {"text": "I prefer green tea in this shop."}),
]


@pytest.mark.parametrize("folder", ["/", "~"])
def test_what_is_kept_outside_any_project_is_said_to_hold_everywhere(folder):
    with tools(Path(folder).expanduser()) as call:
        for tool, arguments in WRITES:
            kept = call(tool, **arguments)
            assert kept["project"] == "global"
            assert "stored as global" in kept["notice"]
        assert "project" not in call("memory_procedure", action="list")
        wanted = call("memory_learn", content="Tea is a drink", **{"global": True})
        assert not {"notice", "project"} & set(wanted)


def test_what_is_kept_in_a_project_needs_no_word_about_it(monkeypatch):
    shop = project("shop")
    for here, started, named in (
        (shop, None, {}),
        (Path("/"), str(shop), {}),
        (Path("/"), None, {"project": str(shop)}),
    ):
        with tools(here, project=started) as call:
            for tool, arguments in WRITES:
                assert not {"notice", "project"} & set(call(tool, **arguments, **named))
    monkeypatch.setenv("MEM_PROJECT", str(shop))
    with tools(Path("/")) as call:
        assert "notice" not in call("memory_learn", content="The shop sells coffee as well")


def test_a_server_that_may_only_read_makes_no_store(machine):
    async def steps(it: Agent) -> None:
        assert "no store at" in await it.refused("memory_recall", query="anything")

    talk(agent("--read-only"), steps)
    assert not (machine / "home").exists()


def test_a_server_sees_the_store_that_was_put_in_the_place_of_its_own(machine, mem):
    mem("add", "The old store knows this")
    mem("backup", str(machine / "saved.db"))

    async def steps(it: Agent) -> None:
        await it.call("memory_learn", content="The new text came later")
        database = machine / "home" / "memory.db"
        for beside in ("-wal", "-shm"):
            database.with_name(f"memory.db{beside}").unlink(missing_ok=True)
        (machine / "other.db").write_bytes((machine / "saved.db").read_bytes())
        (machine / "other.db").replace(database)

        assert (await it.call("memory_stats"))["total"] == 1
        assert (await it.call("memory_learn", content="It writes to it as well"))["status"] == "created"

    talk(agent(), steps)


@pytest.mark.parametrize("stored", [False, True])
def test_a_folder_that_is_not_there_is_told_at_once_and_the_server_serves(stored, mem, process):
    if stored:
        mem("add", "Ships sail at noon")
    hello = json.dumps(HELLO).encode() + b"\n"
    answer = process("mcp", "--project", "./no-such-folder", stdin=hello)

    assert "there is no folder './no-such-folder'" in answer.err
    assert "until it exists, calls that name no project are refused" in answer.err
    assert json.loads(answer.out.splitlines()[0])["id"] == "hello"
    assert answer.code == 0


def test_a_name_that_may_be_mistyped_is_told_at_once(mem, process):
    mem("add", "Ships sail at noon", "--project", "harbour")
    answer = process("mcp", "--project", "harbor", stdin=json.dumps(HELLO).encode() + b"\n")

    assert answer.err == "note: nothing is stored for a project 'harbor'; did you mean 'harbour'?\n"
    assert answer.code == 0


def test_a_project_that_is_made_later_serves_from_then_on(machine):
    async def steps(it: Agent) -> None:
        assert "there is no folder" in await it.refused("memory_stats")
        (machine / "work" / "later").mkdir()
        assert (await it.call("memory_learn", content="The shop sells tea"))["status"] == "created"

    talk(agent("--project", "./later"), steps)


def test_a_project_that_is_there_is_no_news(mem, process):
    project("shop")
    mem("add", "The shop sells tea", "--project", "shop")

    for name in ("shop", "./shop"):
        assert process("mcp", "--project", name, stdin=b"").err == ""


def test_what_is_kept_is_acknowledged_also_if_its_project_cannot_be_told_any_more():
    class Gone:
        def call(self) -> Any:
            raise NotFound("there is no folder 'shop'")

    gone: Any = Gone()
    call = ToolCall(gone, CORE[0])

    assert call.placed({"id": "mem_1"}) == {"id": "mem_1"}
    assert call.project_key is None
