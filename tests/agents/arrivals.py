"""At which events of its session each agent hears of the memory; the tests compare it with what really happens."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import NamedTuple

from memory_layer.agents.recipes import RECIPES

ARRIVES = "arrives"
NO = "not supported"
WITH_PROMPT = "with the prompt"
WITH_TOOL = "with the first tool"
AFTER_IT = "right after it"
KEPT = "kept, no answer"
REPLAYED = "replayed"
NOT_RUN = "not run"


class Proof(StrEnum):
    """The proof of a row."""

    TEST = "`make test`"
    PROVE = "`make prove`"
    REPLAY = "documented events, replayed"
    TOOLS_ONLY = "tools only, not run"


class Arrivals(NamedTuple):
    """One agent: what becomes of the memory at each event."""

    start: str = NO  #: the context of the project
    prompt: str = NO  #: notes for what a person typed, and keeping what they said
    before: str = NO  #: the warning about a command
    failed: str = NO  #: what is known about the error of a command
    end: str = NO
    tools: str = ARRIVES  #: offered, and answered when called


RUN: Mapping[str, Arrivals] = {
    "claude-code": Arrivals(ARRIVES, ARRIVES, ARRIVES, ARRIVES, ARRIVES),
    "codex": Arrivals(ARRIVES, ARRIVES, ARRIVES, ARRIVES, ARRIVES),
    "gemini": Arrivals(ARRIVES, ARRIVES, AFTER_IT, ARRIVES, ARRIVES),
    "opencode": Arrivals(WITH_PROMPT, ARRIVES, AFTER_IT, ARRIVES),
    "copilot": Arrivals(ARRIVES, ARRIVES, AFTER_IT, ARRIVES, ARRIVES),
    "qwen": Arrivals(ARRIVES, ARRIVES, AFTER_IT, ARRIVES),
    "grok": Arrivals(WITH_TOOL, KEPT, ARRIVES, ARRIVES, ARRIVES),
    "droid": Arrivals(ARRIVES, NO, AFTER_IT, NO, ARRIVES),
    "cline": Arrivals(WITH_TOOL, NO, ARRIVES, ARRIVES),
    "kilo": Arrivals(WITH_PROMPT, ARRIVES, AFTER_IT, ARRIVES),
    "continue": Arrivals(),
}
NOT_RUN_HERE: Mapping[str, Arrivals] = {
    "cursor": Arrivals(REPLAYED, REPLAYED, REPLAYED, NO, REPLAYED, NOT_RUN),
    "vscode": Arrivals(tools=NOT_RUN),
    "windsurf": Arrivals(NO, REPLAYED, NO, NO, NO, NOT_RUN),
    "zed": Arrivals(tools=NOT_RUN),
}
IN_EVERY_TEST = ("claude-code", "codex")
BY_PROVE = tuple(name for name in RUN if name not in IN_EVERY_TEST)


def page_table() -> str:
    """The table as the page about connecting agents shows it."""
    head = [
        "agent",
        "start",
        "your prompt",
        "before a command",
        "after a failed one",
        "end",
        "tools",
        "checked by",
    ]
    rows = [_row(recipe.title, recipe.name) for recipe in RECIPES]
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]).replace(
        " --- ", "---"
    )


def _row(title: str, name: str) -> list[str]:
    return [title, *(RUN.get(name) or NOT_RUN_HERE[name]), _proof(name)]


def _proof(name: str) -> Proof:
    if name in RUN:
        return Proof.TEST if name in IN_EVERY_TEST else Proof.PROVE
    return Proof.REPLAY if REPLAYED in NOT_RUN_HERE[name] else Proof.TOOLS_ONLY
