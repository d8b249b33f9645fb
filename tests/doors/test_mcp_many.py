"""Two servers and the command line on one store: nothing is lost, nothing is doubled, nobody sees an error."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

import anyio
import pytest

from tests.doors.agents import Agent, agent, talk
from tests.proof import FULL

pytestmark = pytest.mark.prove
CALLS = 1_000 if FULL else 48  #: of each server
COMMANDS = 1_000 if FULL else 12
AT_ONCE = 2  #: conversations with each server


class Hand(Protocol):
    """One who uses the store: what it does, told in the words of the tools."""

    async def call(self, tool: str, **arguments: Any) -> Any: ...


class Commands:
    """The same by the command line, a process for each call."""

    def __init__(self, process: Any) -> None:
        self._process = process

    async def call(self, tool: str, **given: Any) -> Any:
        words = {
            "memory_learn": lambda: ["add", given["content"]],
            "memory_recall": lambda: ["search", given["query"]],
            "memory_outcome": lambda: ["outcome", given["ids"], given["result"]],
            "memory_episode": lambda: ["episode", given["text"], "--session", given["session"]],
            "memory_context": lambda: ["context", "--task", given["task"]],
            "memory_update": lambda: ["edit", given["id"], "--add-tag", given["add_tags"]],
        }[tool]()
        answer = await anyio.to_thread.run_sync(self._process, *words, "--json")
        assert answer.code == 0, answer.err
        return answer.data


class Work:
    """Calls of every kind, and what was acknowledged of them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.texts: dict[str, str] = {}  #: by id
        self.worked: Counter[str] = Counter()
        self.tagged: set[str] = set()
        self.events: list[int] = []

    async def do(self, hand: Hand, calls: int) -> None:
        kinds = [self.learn, self.recall, self.judge, self.record, self.begin, self.label]
        for number in range(calls):
            await kinds[number % len(kinds)](hand, number)

    async def learn(self, hand: Hand, number: int) -> None:
        text = f"Shelf {number} of {self.name} holds the parts of machine {number}"
        kept = await hand.call("memory_learn", content=text)
        assert kept["status"] == "created"
        self.texts[kept["id"]] = text

    async def recall(self, hand: Hand, number: int) -> None:
        found = await hand.call("memory_recall", query=f"shelf {number - 1} of {self.name}")
        assert self._last in [
            hit["id"] for hit in found["hits"]
        ]  # its own last write, whoever writes beside it

    async def judge(self, hand: Hand, number: int) -> None:
        await hand.call("memory_outcome", ids=self._last, result="worked")
        self.worked[self._last] += 1

    async def record(self, hand: Hand, number: int) -> None:
        event = await hand.call("memory_episode", text=f"{self.name} did {number}", session=self.name)
        self.events.append(event["number"])

    async def begin(self, hand: Hand, number: int) -> None:
        assert (await hand.call("memory_context", task=f"tidy shelf {number}"))["tokens"] <= 800

    async def label(self, hand: Hand, number: int) -> None:
        await hand.call("memory_update", id=self._last, add_tags="seen")
        self.tagged.add(self._last)

    @property
    def _last(self) -> str:
        return next(reversed(self.texts))


def test_two_servers_and_the_command_line_work_at_once(process):
    works = [Work(name) for name in ("ash", "beech", "cedar", "doug", "elm")]

    async def all_of_them(first: Agent) -> None:
        async with agent("--tools", "full", era="legacy") as other, anyio.create_task_group() as together:
            hands = [first, Agent(other)] * AT_ONCE
            for work, hand in zip(works, hands, strict=False):
                together.start_soon(work.do, hand, CALLS // AT_ONCE)
            together.start_soon(works[-1].do, Commands(process), COMMANDS)

    talk(agent("--tools", "full"), all_of_them, seconds=1_800)

    def listed(tier: str) -> dict[str, Any]:
        page = process("list", "--tier", tier, "--limit", "1000", "--all", "--json").data
        assert page["next"] is None
        return {item["id"]: item for item in page["items"]}

    facts, events = listed("semantic"), listed("episodic")
    assert {key: item["content"] for key, item in facts.items()} == {
        key: text for work in works for key, text in work.texts.items()
    }
    for work in works:
        assert {key: facts[key]["worked"] for key in work.worked} == work.worked
        assert {key for key in work.texts if facts[key]["tags"] == ["seen"]} == work.tagged
        assert work.events == list(range(1, len(work.events) + 1))
    assert len(events) == sum(len(work.events) for work in works)
    assert process("audit", "verify").code == 0
    calls = CALLS // AT_ONCE * AT_ONCE * 2 + COMMANDS
    print(
        f"\nMCP: 2 servers and the command line: {calls} mixed calls, {len(facts) + len(events)} written and there"
    )
