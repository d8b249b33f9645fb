"""What the tools may be given: every field that is offered does something, other names work, and mistakes are told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import memory_layer as ml
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.tool import listing
from memory_layer.errors import NotAllowed
from memory_layer.model.vocabulary import CATEGORIES, CATEGORY_ALIASES, FAMILIES
from tests.doors.agents import Agent, agent, talk
from tests.doors.in_process import Tools, tools
from tests.doors.terminals import typed
from tests.doors.test_mcp_full import text_of


@pytest.fixture
def call(machine) -> Iterator[Tools]:
    with tools(machine / "work") as every:
        yield every


def kept(call: Tools, memory_id: str) -> dict[str, object]:
    memory: dict[str, object] = call("memory_get", id=memory_id)["memory"]
    return memory


@pytest.mark.parametrize("name", ["category", "type", "memory_type"])
def test_a_category_may_be_called_a_type(call, name):
    done = call("memory_learn", content="The queue stalls when it is full", **{name: "debugging"})

    assert kept(call, done["id"])["category"] == "troubleshooting"


def test_a_fact_is_learned_with_everything_that_is_known_about_it(call):
    done = call(
        "memory_learn",
        content="The harbour opens at six",
        tags="ships",
        metadata='{"source": "the board"}',
        scope=["src/harbour/**"],
        priority="HIGH",
        confidence="0.4",
        relevance=0.5,
        expires_at="30d",
        writer_id="harbour-master",
    )
    memory = kept(call, done["id"])

    assert (memory["tags"], memory["scope"], memory["priority"]) == (["ships"], ["src/harbour/**"], "high")
    assert memory["metadata"] == {"source": "the board"}
    assert (memory["confidence"], memory["relevance"]) == (0.4, 0.5)
    assert memory["expires_at"]
    assert memory["writer"] == "harbour-master"
    lasting = call("memory_learn", content="Boats need paint", category="context", never_expires="true")
    assert "expires_at" not in kept(call, lasting["id"])


NAMES = ["ada", "person", "human", "cli", "memory-layer"]


@pytest.fixture
def persons(monkeypatch) -> str:
    """Return the id of a memory that ada wrote at a terminal."""
    monkeypatch.setenv("USER", "ada")
    typed("add", "The harbour opens at six")
    with ml.open() as memory:
        (known,) = memory.list().items
    assert (known.writer, known.writer_kind) == ("ada", "person")
    return known.id


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("way", ["writer_id", "client", "variable"])
def test_no_name_makes_a_person_of_a_client(machine, monkeypatch, persons, name, way):
    if way == "variable":
        monkeypatch.setenv("MEM_WRITER", name)
    given = {"writer_id": name} if way == "writer_id" else {}
    with tools(machine / "work") as call:
        call.client = name if way == "client" else ""
        fact = call("memory_learn", content="Gulls steal sandwiches", **given)
        rule = call("memory_learn", content="Never sail on a Friday", category="policy", **given)
        approval = call.refused("memory_decide", id=rule["id"], decision="approve", **given)
        edit = call.refused("memory_update", id=persons, content="The harbour never opens", **given)

    with ml.open() as memory:
        kept = memory.get(fact["id"])
    assert (kept.writer, kept.writer_kind, kept.source) == (name, "agent", "agent")
    assert rule["status"] == "staged"
    assert approval.startswith("not_allowed: only a person")
    assert edit.startswith("not_allowed: ")


@pytest.mark.parametrize("name", NAMES)
def test_no_name_makes_a_person_of_a_python_program(persons, name):
    with ml.open(writer=name) as memory:
        fact, rule = memory.add("Gulls steal sandwiches"), memory.add("Never sail", category="policy")
        with pytest.raises(NotAllowed, match="only a person"):
            memory.decide(rule.id, "approve")
        with pytest.raises(NotAllowed):
            memory.edit(persons, content="The harbour never opens")
        kept = memory.get(fact.id)

    assert (kept.writer, kept.writer_kind, rule.status) == (name, "agent", "staged")


def test_a_namespace_is_a_project(call, machine):
    other = machine / "other"
    (other / ".git").mkdir(parents=True)
    call("memory_learn", content="The harbour opens at six", namespace=str(other))

    assert call("memory_recall", query="harbour")["hits"] == []
    assert len(call("memory_recall", query="harbour", namespace="other")["hits"]) == 1
    refusal = call.refused("memory_learn", content="x", namespace="other", **{"global": True})
    assert "use either project or global" in refusal


def test_a_search_is_narrowed_by_paths_scopes_time_confidence_and_widened_to_the_archive(call):
    api = call("memory_learn", content="The harbour gate opens at six", scope=["src/api/**"])["id"]
    web = call("memory_learn", content="The harbour crane is red", scope=["src/web/**"], confidence=0.3)["id"]

    def found(**filters: object) -> set[str]:
        return {hit["id"] for hit in call("memory_recall", query="harbour", **filters)["hits"]}

    assert found() == {api, web}
    assert found(paths=["src/api/app.py"]) == {api}
    assert found(scopes="src/web/**") == {web}
    assert found(min_confidence=0.5) == {api}
    assert found(since="1d", mode="keyword") == {api, web}
    assert found(until="1d") == set()
    call("memory_archive", ids=[web])
    assert found() == {api}
    assert found(archived=True) == {api, web}
    assert [each["id"] for each in call("memory_recent", archived=True)["items"]] == [web, api]
    assert [each["id"] for each in call("memory_recent", paths="src/api/app.py")["items"]] == [api]


def test_an_event_has_tags_and_a_time(call):
    call("memory_episode", text="The harbour closed", tags=["ships"], at="2026-01-02T10:00:00")
    event = call("memory_timeline", until="2026-01-03")["items"][0]

    assert (event["tags"], event["at"]) == (["ships"], "2026-01-02T10:00:00Z")


def test_a_run_is_started_finished_shown_and_listed(call):
    known = call("memory_learn", content="The harbour opens at six")["id"]

    begun = call("memory_run", action="start", task="paint the boat", include=[known], session="s1")
    assert begun["ids"] == [known]
    assert "The harbour opens at six" in begun["text"]
    done = call(
        "memory_run",
        action="finish",
        id=begun["id"],
        result="worked",
        used=known,
        notes=["Paint dries in a day"],
    )
    assert [each["id"] for each in done["memories"]] == [known]
    learned = done["learned"][0]["id"]
    assert kept(call, learned)["category"] == "learning"
    shown = call("memory_run", action="get", id=begun["id"])
    assert (shown["result"], shown["text"]) == ("worked", begun["text"])
    assert [each["id"] for each in call("memory_run", action="list", limit=5)["items"]] == [begun["id"]]
    assert "the action start needs the argument task" in call.refused("memory_run", action="start")
    assert "takes no notes, only id" in call.refused("memory_run", action="get", id="run_", notes=["x"])


def test_a_server_that_may_only_read_shows_runs_and_starts_none(call, machine):
    call("memory_run", action="start", task="paint the boat")
    with tools(machine / "work", only_read=True) as reading:
        assert len(reading("memory_run", action="list")["items"]) == 1
        refusal = reading.refused("memory_run", action="start", task="paint the boat")
        assert "so it cannot start with memory_run" in refusal
        assert "recall" not in reading("memory_compose", task="paint the boat")


def test_a_prompt_is_composed_and_written_again(call):
    known = call("memory_learn", content="The harbour opens at six")["id"]

    prompt = call("memory_compose", task="paint the boat", role="You paint.", memories=[known], session="s1")
    assert prompt["ids"] == [known]
    assert "You paint." in prompt["text"]
    listed = call("memory_recalls", of_session="s1")["items"]
    assert [each["id"] for each in listed] == [prompt["recall"]]
    one = call("memory_recalls", id=prompt["recall"])
    assert [each["id"] for each in one["hits"]] == [known]
    again = call("memory_recalls", id=prompt["recall"], text=True)
    assert (again["text"], again["same"]) == (prompt["text"], True)
    assert "text needs the id" in call.refused("memory_recalls", text=True)


def test_changes_are_taken_back(call):
    one = call("memory_learn", content="The harbour opens at six")["id"]
    other = call("memory_learn", content="The crane is red")["id"]
    call("memory_update", id=one, content="The harbour opens at seven")

    assert call("memory_undo")["memories"][0]["content"] == "The harbour opens at six"
    assert call("memory_revert", id=one, to=2)["memory"]["content"] == "The harbour opens at seven"
    call("memory_link", id=one, kind="relates_to", other=other)
    gone = call("memory_link", id=one, kind="relates_to", other=other, remove=True)
    assert (gone["links"][0]["target"], gone["removed"]) == (other, True)
    assert "links" not in call("memory_get", id=one)
    assert "not_found: there is no link" in call.refused(
        "memory_link", id=one, kind="relates_to", other=other, remove=True
    )


def test_an_agent_takes_back_nothing_that_a_person_did(call):
    with ml.open(writer="somebody") as memory:
        memory.add("The harbour opens at six")

    assert "not_found: " in call.refused("memory_undo")


@pytest.mark.parametrize(
    ("tool", "given", "told"),
    [
        ("memory_recall", {"query": 5}, "query must be a text, not 5"),
        (
            "memory_recall",
            {"query": "x", "limit": "many"},
            "limit must be a whole number from 1 to 50, not 'many'",
        ),
        ("memory_recall", {"query": "x", "limit": 0}, "limit must be a whole number from 1 to 50, not 0"),
        ("memory_recall", {"query": "x", "tags": {"a": 1}}, "tags must be a list of texts, not {'a': 1}"),
        ("memory_recall", {"query": "x", "paths": [1]}, "each of paths must be a text, not 1"),
        ("memory_recall", {"query": "x", "mode": "fast"}, "mode must be one of hybrid, semantic, keyword"),
        ("memory_recall", {"query": "x", "since": "soon"}, "'soon' is not a time; write a span such as 7d"),
        (
            "memory_learn",
            {"content": "x", "metadata": "red"},
            "the metadata must be a JSON object, not 'red'",
        ),
        ("memory_learn", {"content": "x", "global": "perhaps"}, "global must be True or False"),
        ("memory_outcome", {"ids": [], "result": "worked", "session": 1}, "session must be a text, not 1"),
        ("memory_outcome", {"result": "worked"}, "ids is missing"),
        ("memory_procedure", {}, "action is missing"),
        ("memory_procedure", {"action": "run"}, "action must be one of list, get, save, report, not 'run'"),
        ("memory_capture", {}, "text is missing"),
        ("memory_archive", {"ids": ["a"] * 101}, "ids takes at most 100 entries, not 101"),
        (
            "memory_stats",
            {"colour": "red"},
            "there is no argument 'colour'; the arguments are everything, project",
        ),
    ],
)
def test_a_mistake_is_told_by_the_names_that_the_tool_has(call, tool, given, told):
    refusal = call.refused(tool, **given)

    assert refusal.startswith(f"invalid_input: {told}")


def test_numbers_switches_and_nothing_may_come_as_texts(call):
    call("memory_learn", content="The harbour opens at six", tags=None, confidence=None)
    found = call("memory_recall", query="harbour", limit="3", archived="True", budget=500.0, since=None)

    assert len(found["hits"]) == 1


def test_every_argument_is_a_field_of_a_request_with_a_type():
    for tool in FULL:
        schema = listing(tool)["inputSchema"]

        assert list(schema["properties"])[-1] in ("project", "session")
        assert all(field["type"] for field in schema["properties"].values())
        assert set(schema.get("required", ())) <= set(schema["properties"])


def test_every_category_is_explained_in_a_line(machine: Path):
    async def steps(it: Agent) -> None:
        text = text_of(await it.client.read_resource("memory://categories"))
        lines = {line.split("`")[1]: line for line in text.splitlines() if line.startswith("- ")}

        assert list(lines) == [each.value for members in FAMILIES.values() for each in members]
        assert [line.split()[1] for line in text.splitlines() if line.startswith("## ")] == [
            f"{family}:" for family in FAMILIES
        ]
        for category, traits in CATEGORIES.items():
            line = lines[category]
            assert traits.meaning in line
            assert f"priority {traits.priority}" in line
            assert f"{traits.expires_days} days" in line or "never expires" in line
            others = [alias for alias, named in CATEGORY_ALIASES.items() if named is category]
            assert all(f"`{alias}`" in line for alias in others)

    talk(agent(), steps)
    assert not (machine / "home").exists()


def test_a_namespace_and_another_project_are_refused(call, machine):
    refusal = call.refused("memory_learn", content="x", namespace=str(machine / "work"), project="elsewhere")
    assert "namespace is an alias of project, and the two differ" in refusal
    assert call("memory_stats")["total"] == 0
