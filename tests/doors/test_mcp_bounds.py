"""No answer is longer than a client reads, whatever lies in the store, and every list that is cut goes on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

import memory_layer as ml
from memory_layer.doors import wire
from memory_layer.doors.mcp.limits import MOST_TOKENS
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.mcp.serving import Client, Offer, Serving
from memory_layer.errors import InvalidInput
from memory_layer.settings import load
from memory_layer.text.tokens import estimate
from tests.doors.in_process import as_repository

COSTLY = "💥"  #: two and a half tokens a character
LONGEST = 65_536
REPORTS, VERSIONS, EVENTS, PROCEDURES, PROJECTS = 30, 6, 20, 40, 110
RULES, FACTS = 30, 120


class Server:
    """The tools in this process; every answer is measured."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self.ids: list[str] = []

    def call(self, tool: str, **arguments: Any) -> Any:
        answer = self._serving.run(tool, arguments, Client("an-agent"))
        told = estimate(wire.text(answer))
        assert told <= MOST_TOKENS, f"{tool} {list(arguments)} answers with {told:,} tokens"
        return answer

    def every(self, tool: str, name: str, **arguments: Any) -> list[Any]:
        """The entries of all pages."""
        page = self.call(tool, **arguments)
        entries = list(page[name])
        while "next" in page:
            page = self.call(tool, **arguments, cursor=page["next"])
            assert page[name], "a page that leads on holds something"
            entries += page[name]
        return entries


def text(number: int, length: int = LONGEST) -> str:
    """As long and as costly as a memory can be, and unlike the others."""
    head = f"harbour crane {number} "
    return head + COSTLY * (length - len(head))


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A place for the store that the first test of this process makes, and the ids in it."""
    return tmp_path_factory.mktemp("worst") / "home", []


@pytest.fixture
def server(machine: Path) -> Iterator[Server]:
    """The tools of a store, which is empty."""
    serving = Serving(load(), Offer(FULL, here=machine / "work"))
    yield Server(serving)
    serving.close()


@pytest.fixture
def worst(machine: Path, kept: tuple[Path, list[str]], server: Server) -> Server:
    """The tools of a store with memories of the greatest length."""
    home, server.ids = kept
    if not server.ids:
        server.ids += filled()
        copytree(machine / "home", home)
    else:
        copytree(home, machine / "home")
    return server


def filled() -> list[str]:
    tags = [f"{number:02}{COSTLY * 98}" for number in range(32)]
    scope = [f"{number:02}/{COSTLY * 250}" for number in range(32)]
    more = {str(number): COSTLY * 50 for number in range(70)}
    with ml.open(only_global=True) as memory:  # the next test works in another folder
        return [
            memory.add(text(number), tags=tags, scope_patterns=scope, metadata=more).id
            for number in range(12)
        ]


def test_memories_of_the_greatest_length_are_listed_found_and_read_to_the_end(worst):
    assert [each["id"] for each in worst.every("memory_recent", "items", limit=100)] == worst.ids[::-1]
    hits = worst.call("memory_recall", query="harbour crane", limit=50, budget=15_000)["hits"]
    assert "memory_get returns all of it" in hits[0]["content"]
    assert worst.call("memory_recall", query="harbour crane", limit=50)["left_out"] > 0
    worst.call("memory_related", id=worst.ids[0], limit=100)
    worst.call("memory_context", task="harbour crane", start=True, budget=10_000)
    worst.call("memory_update", id=worst.ids[0], add_tags=[], priority="high")
    worst.call("memory_consolidate", dry_run=True)
    worst.call("memory_health")

    page = worst.call("memory_get", id=worst.ids[3])
    whole = page["memory"]["content"]
    while "next" in page:
        page = worst.call("memory_get", id=worst.ids[3], cursor=page["next"])
        whole += page["memory"]["content"]
    assert whole == text(3)


def test_many_memories_at_once_are_told_in_short(worst):
    short = [worst.call("memory_learn", content=text(number, 1_000))["id"] for number in range(100, 188)]
    ids = [*worst.ids, *short]

    assert len(worst.call("memory_archive", ids=ids)["items"]) == 100
    assert len(worst.call("memory_restore", ids=ids)["items"]) == 100
    assert len(worst.call("memory_confirm", ids=ids)["items"]) == 100
    assert len(worst.call("memory_outcome", ids=ids, result="worked")["outcomes"]) == 100
    with pytest.raises(InvalidInput, match="at most 100"):
        worst.call("memory_outcome", ids=[*ids, "one-more"], result="worked")


def test_reports_links_and_versions_are_all_within_reach(worst):
    one = worst.ids[0]
    for number in range(REPORTS):
        worst.call("memory_outcome", ids=[one], result="worked", evidence=f"{number} {COSTLY * 500}")
    for other in worst.ids[1:]:
        assert len(worst.call("memory_link", id=one, kind="relates_to", other=other)["links"]) == 1
    for number in range(VERSIONS):
        worst.call("memory_update", id=one, content=text(number + 1_000, 20_000))

    page = worst.call("memory_get", id=one)
    reports, links = list(page.get("outcomes", ())), list(page.get("links", ()))
    while "next" in page:
        page = worst.call("memory_get", id=one, cursor=page["next"])
        reports += page.get("outcomes", ())
        links += page.get("links", ())
    assert [each["evidence"].split()[0] for each in reports] == [str(n) for n in reversed(range(REPORTS))]
    assert {each["target"] for each in links} == {*worst.ids[1:]}
    versions = worst.every("memory_history", "versions", id=one, limit=100)
    assert [each["number"] for each in versions] == [*range(VERSIONS + 1, 0, -1)]


def test_the_diary_the_procedures_and_the_projects_go_on(server, machine):
    for number in range(EVENTS):
        server.call("memory_episode", text=text(number, 20_000))
    for number in range(PROCEDURES):
        server.call(
            "memory_procedure",
            action="save",
            name=f"{number:03} {COSTLY * 90}",
            steps=[COSTLY * 1_000] * 3,
            when=COSTLY * 900,
        )
    for number in range(PROJECTS):
        folder = machine / "many" / f"{number:03}{COSTLY * 40}"
        folder.mkdir(parents=True)
        server.call("memory_learn", content="A house has a door", project=str(folder))
    server.call("memory_handoff", action="write", text=text(0, 3_000), next=[COSTLY * 20] * 30)

    assert len(server.every("memory_timeline", "items", limit=100)) == EVENTS + 1
    listed = server.every("memory_procedure", "items", action="list")
    assert [each["name"][:3] for each in listed] == [f"{number:03}" for number in range(PROCEDURES)]
    server.call("memory_procedure", action="get", name=listed[0]["name"])
    known = server.every("memory_projects", "items", limit=100)
    assert [each["name"][:3] for each in known[:PROJECTS]] == [f"{number:03}" for number in range(PROJECTS)]
    server.call("memory_handoff")
    server.call("memory_stats")


def test_what_waits_and_what_upkeep_did_is_bounded(server, machine):
    cited = as_repository(machine / "work") / "cited.txt"
    for number in range(RULES):
        cited.write_text(f"line {number}\n")
        server.call("memory_propose", content=f"Rule {number}: {COSTLY * 800}", cite=["cited.txt:1"])
    for number in range(FACTS):
        cited.write_text(f"line {number}\n")
        server.call("memory_learn", content=f"Fact {number} {COSTLY * 100}", cite=["cited.txt:1"])
    cited.unlink()

    assert len(server.every("memory_review", "items", kinds=["held"], limit=100)) == RULES
    checked = server.call("memory_verify")
    assert len(checked["findings"]) + checked.get("left_out", 0) == checked["counts"]["missing"] == FACTS
    assert "memory_review" in checked["rest"]
    assert len(server.every("memory_review", "items", kinds=["drifted"], limit=100)) == FACTS
    server.call("memory_capture", text="I prefer tabs. Always use make here. " * 500)
    server.call("memory_warn", command=COSTLY * 5_000)
    server.call("memory_health")
    held = server.call("memory_review", kinds=["held"])["items"][0]["memory"]["id"]
    server.call("memory_decide", id=held, decision="archive")
