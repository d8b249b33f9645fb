"""Every call of the five documents this product comes from works as they write it.

A call is quoted, then run. The name of the program is `mem` throughout: the documents call it `mem` and `memori`.
"""

from __future__ import annotations

import json
import shlex
import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

import memory_layer
from memory_layer.model.vocabulary import CATEGORIES, Category
from tests.doors.in_process import Tools, tools
from tests.doors.rest_client import rest_client
from tests.doors.served import ask, serve
from tests.doors.terminals import typed

STORE = (
    'mem add "WAL mode deadlock in SQLite requires explicit BEGIN IMMEDIATE"'
    """ --meta '{"type": "debugging", "project": "api-service"}'"""
)
CONVENTION = 'mem add "Always use snake_case for Python functions" -c convention'


@pytest.fixture
def run(mem):
    """Run a quoted command line, which must succeed."""

    def quoted(line: str, **names: str):
        program, *arguments = shlex.split(line.format(**names) if names else line)
        answer = mem(*arguments)
        assert (program, answer.code) == ("mem", 0), answer.err
        return answer

    return quoted


@pytest.fixture
def call(machine) -> Iterator[Tools]:
    with tools(machine / "work") as every:
        yield every


def added(run, line: str) -> str:
    memory_id: str = run(f"{line} --json").data["id"]
    return memory_id


def shown(run, memory_id: str):
    return run(f"mem show {memory_id} --json").data["memory"]


class TestTheLearningEngine:
    """The commands of the post about how the engine works."""

    def test_add_a_memory(self, run):
        assert shown(run, added(run, CONVENTION))["category"] == "convention"

    def test_search(self, run):
        run('mem add "The naming conventions are those of PEP 8"')

        assert "PEP 8" in run('mem search "naming conventions" --limit 5').out

    def test_record_an_outcome_by_the_beginning_of_an_id(self, run):
        known = added(run, CONVENTION)
        run(f"mem outcome {known[:10]} worked")
        run(f"mem outcome {known} failed")

        memory = shown(run, known)
        assert round(memory["outcome_score"], 2) == -0.1
        assert memory["use_count"] >= 2

    def test_get_the_context_of_a_project_by_its_path(self, run, machine, monkeypatch):
        path = machine / "path" / "to" / "project"
        path.mkdir(parents=True)
        monkeypatch.chdir(path)
        run('mem add "Deploys run on Tuesdays" -c decision')
        monkeypatch.chdir(machine)

        assert "Deploys run on Tuesdays" in run(f"mem context --project {path}").out

    def test_stats(self, run):
        run(CONVENTION)
        out = run("mem stats").out

        assert all(word in out.lower() for word in ("total", "active", "archived", "convention"))

    def test_start_the_mcp_server(self, process):
        hello = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "reader", "version": "1"},
        }
        asked = [
            {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello},
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
        ]
        lines = "".join(json.dumps(each) + "\n" for each in asked).encode()
        answer = process(*shlex.split("mem serve --mcp")[1:], stdin=lines)

        assert "memory_recall" in answer.out

    def test_start_the_web_interface_and_the_rest_api(self, machine):
        line = "mem serve --rest --port 8080"
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if probe.connect_ex(("127.0.0.1", 8080)) == 0:
                pytest.skip("another program listens on port 8080")

        with serve(*shlex.split(line)[2:]) as port:
            assert port == 8080
            assert ask(port, "GET", "/health") == (200, {"status": "ok"})
            assert ask(port, "GET", "/api/stats", machine)[0] == 200

    def test_a_memory_has_the_fields_of_the_data_model(self, run):
        fields = "id content category project outcome_score use_count confidence created_at updated_at"

        assert shown(run, added(run, CONVENTION)).keys() >= {*fields.split()}

    def test_the_sixteen_categories(self):
        named = (
            "architecture convention decision pattern gotcha workaround troubleshooting command preference"
            " dependency environment coding_style tool_preference context todo general"
        )

        assert {*named.split()} <= {category.value for category in Category}


class TestTheDesignOfProjectMemories:
    """The parameters, rules, settings and endpoints of the design document."""

    def test_the_endpoints_of_a_project(self, machine):
        body = {
            "type": "warning",
            "content": "Full test execution is required for changes under src/core/",
            "tags": ["src/core/**", "testing"],
            "relevanceScore": 0.9,
        }
        every = "/api/projects/shop/memories"
        with rest_client(machine / "work") as rest:
            created = rest.post(every, json=body)
            one = f"{every}/{created.json()['id']}"
            (listed,) = rest.get(f"{every}?type=warning&active=true&tags=testing&limit=50").json()["memories"]
            statuses = [
                rest.get(one).status_code,
                rest.patch(one, json={"relevanceScore": 0.5}).status_code,
                rest.patch(f"{one}/approve").status_code,
                rest.delete(one).status_code,
            ]

        assert created.status_code == 201
        assert {name: listed[name] for name in body} == body
        printed = "id projectId type content source tags relevanceScore active createdAt"
        assert list(listed) == printed.split()
        assert statuses == [200, 200, 403, 204], "approving is a person's"

    @pytest.mark.parametrize("name", ["pattern", "warning", "learning", "context"])
    def test_type_names_the_category(self, run, name):
        known = added(run, f'mem add "Uses pnpm + Turborepo" --type {name}')

        assert shown(run, known)["category"] == name
        assert run(f"mem list --type {name} --json").data["total"] == 1

    def test_tags_are_patterns_or_words_separated_by_commas(self, run):
        run(
            'mem add "Full test execution is required for changes under src/core/"'
            " --type warning --tags src/core/**,testing --relevance 0.9"
        )
        (item,) = run("mem list --tags testing,src/core/** --limit 50 --json").data["items"]

        assert (item["tags"], item["relevance"]) == (["src/core/**", "testing"], 0.9)
        assert run("mem list --tags testing,other --json").data["total"] == 0

    def test_inactive_memories_are_listed_when_asked_for(self, run):
        known = added(run, CONVENTION)
        run(f"mem archive {known}")

        assert run("mem list --json").data["total"] == 0
        assert run("mem list --status archived --json").data["total"] == 1

    def test_the_number_of_memories_of_a_run_is_configured(self, run):
        for text in ("Use pnpm", "Deploys run on Tuesdays", "The linter is strict"):
            run(f'mem add "{text}"')
        assert typed("config", "set", "run.limit", "2")[0] == 0
        prompt = run('mem compose --task "write the release notes" --order s1').out
        started = run('mem run start "write the release notes" --order s1 --json').data
        longer = run('mem run start "write the release notes" --order s1 --limit 3 --json').data

        assert sum(line.startswith("- [general]") for line in prompt.splitlines()) == 2
        assert [each["memories"] for each in (started, longer)] == [2, 3]

    def test_a_prompt_has_the_sections_of_the_document(self):
        with memory_layer.open() as memory:
            memory.add("This project uses pnpm + Turborepo", type="pattern")
            text = memory.compose(
                "Task 12",
                role="You are a Worker",
                workspace="A worktree",
                read_first=["docs/a.md"],
                constraints=["Write only below src/"],
                retry_digest="It failed once",
                output_format="A diff",
            ).text

        headings = [line for line in text.splitlines() if line.startswith("## ")]
        sections = "Role,Task,Workspace,Read First,Memories,Constraints,Retry/Continue Digest,Output Format"
        assert headings == [f"## {section}" for section in sections.split(",")]
        assert "- [pattern] This project uses pnpm + Turborepo" in text

    def test_expiry_is_set_by_the_project(self, run, machine):
        now = datetime.now(UTC)
        (machine / "work" / ".memory-layer.toml").write_text("[memory.defaultExpiry]\nwarning = 7\n")
        known = added(run, 'mem add "The beta ends soon" --type warning')
        expires = datetime.fromisoformat(shown(run, known)["expires_at"])

        assert expires - now < timedelta(days=8)

    def test_confidence_starts_by_source(self, run):
        known = added(run, 'mem add "Seen in a run" --source run')

        assert shown(run, known)["confidence"] == 0.5


class TestTheServiceWithAStagedCommit:
    """The write call and the lifecycle of the service for agentic workflows."""

    def test_write_memory(self, call):
        written = {
            "content": "The API uses v2 format",
            "namespace": "krypton",
            "writer_id": "adf-agent",
            "memory_type": "fact",
            "confidence": 0.6,
        }
        first = call("memory_learn", **written)
        again = call("memory_learn", **written)
        (hit,) = call("memory_recall", query="v2 format", namespace="krypton")["hits"]

        assert (first["status"], again["status"], again["id"]) == ("created", "exists", first["id"])
        assert (hit["category"], hit["confidence"]) == ("fact", 0.6)
        assert call("memory_recall", query="v2 format", namespace="kripton")["hits"] == []

    def test_there_are_at_least_fifteen_tools(self, call):
        assert len(call.serving.tools) >= 15


class TestTheAgentMemoryInOneFile:
    """The loop of the post about persistent memory."""

    def test_a_lesson_is_stored_and_given_in_the_next_session(self, run):
        run(STORE)
        compact = run("mem context --compact --project api-service").out

        assert "WAL mode deadlock in SQLite requires explicit BEGIN IMMEDIATE" in compact
        assert "BEGIN IMMEDIATE" not in run("mem context --compact").out
        assert run("mem list --type debugging --project api-service --json").data["total"] == 1

    def test_what_is_stored_again_is_one_memory(self, run):
        run(STORE)

        assert run(f"{STORE} --json").data["status"] == "exists"

    def test_a_tag_is_found_by_its_key_and_by_its_value(self, run):
        known = added(run, CONVENTION)
        run(f"mem tag {known} topic=kafka")

        assert "snake_case" in run("mem search kafka").out
        assert "snake_case" in run("mem search topic").out

    def test_python_takes_the_same_arguments(self):
        lesson = {"type": "debugging", "project": "api-service"}
        with memory_layer.open() as memory:
            memory.add("BEGIN IMMEDIATE avoids the deadlock", metadata=lesson)
            memory.add_many([{"content": "The pool holds five connections", "metadata": lesson}])
            memory.add("Use pnpm", type="tool_preference", tags="build,package-manager")
            (found,) = memory.search("pnpm", type="tool_preference", tags="build,package-manager").hits
        with memory_layer.open(project="api-service") as memory:
            total = memory.list(type="debugging").total

        assert (found.memory.tags, total) == (("build", "package-manager"), 2)


class TestTheCognitiveMemory:
    """The tools and rules of the memory in three layers."""

    @pytest.mark.parametrize(
        ("name", "priority"),
        [
            ("policy", "critical"),
            ("workflow", "high"),
            ("pitfall", "high"),
            ("architecture", "high"),
            ("decision", "medium"),
            ("preference", "medium"),
            ("fact", "normal"),
        ],
    )
    def test_a_type_has_its_priority(self, name, priority):
        assert CATEGORIES[Category(name)].priority == priority

    def test_memory_learn_and_memory_recall(self, call):
        fact = {"type": "pitfall", "scope": "src/db/**", "priority": "high"}
        call("memory_learn", content="Don't use the ORM for bulk inserts", **fact)

        def hits(**filters):
            return len(call("memory_recall", query="bulk inserts", budget=800, **filters)["hits"])

        assert [hits(type="pitfall", scope="src/db/load.py"), hits(scope="src/web/page.py")] == [1, 0]
        assert hits(type="fact") == 0

    def test_memory_episode(self, call):
        done = call("memory_episode", text="Deploy failed", outcome="failure", tags="deploy,ci")

        assert done["status"] == "created"

    def test_memory_procedure(self, call):
        saved = {"action": "save", "name": "deploy", "steps": ["make test", "git push"]}
        call("memory_procedure", **saved)

        assert call("memory_procedure", action="get", name="deploy")["items"][0]["name"] == "deploy"

    def test_memory_stats_and_memory_consolidate(self, call):
        call("memory_learn", content="API rate limit is 100/min", type="fact")
        stats = call("memory_stats")

        assert stats["by_category"]["fact"] == 1
        assert stats["tokens_stored"] > 0
        assert call("memory_consolidate")["dry_run"] is False

    def test_the_token_budget_is_800_or_configured(self, run):
        run(CONVENTION)
        budgets = [run("mem context --json").data["budget"]]
        assert typed("config", "set", "context.budget", "200")[0] == 0

        assert [*budgets, run("mem context --json").data["budget"]] == [800, 200]

    def test_a_context_for_a_file(self, run):
        run('mem add "Money is counted in cents" -c architecture --scope "src/pay/**"')

        assert "cents" in run("mem context --path src/pay/cart.py").out

    @pytest.mark.parametrize(
        ("said", "category"),
        [
            ("I prefer tabs over spaces in this code base.", "preference"),
            ("Actually, the API rate limit is 100 per minute.", "fact"),
            ("Don't ever commit secrets to the repository.", "policy"),
        ],
    )
    def test_what_a_person_says_is_captured(self, mem, said, category):
        kept = mem("capture", "--dry-run", "--json", stdin=said).data

        assert category in json.dumps(kept)
