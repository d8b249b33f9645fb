"""What the core says about commands, said to an agent that may have no shell."""

from __future__ import annotations

import re
from collections.abc import Collection

_COMMAND = re.compile(
    r"`mem ([a-z]+(?: list| save| show)?)[^`]*`(?! \(for the person)"
)  # said once is enough
#: The tool that does what a command would.
TWINS = {
    "search": "memory_recall",
    "show": "memory_get",
    "history": "memory_history",
    "edit": "memory_update with content and cite",
    "archive": "memory_archive",
    "restore": "memory_restore",
    "outcome": "memory_outcome",
    "revert": "memory_revert",
    "undo": "memory_undo",
    "stats": "memory_stats",
    "recalls": "memory_recalls",
    "run show": "memory_run with the action get",
    "timeline": "memory_timeline",
    "projects": "memory_projects",
    "review": "memory_review",
    "verify": "memory_verify",
    "episode": "memory_episode",
    "procedure list": "memory_procedure with the action list",
    "procedure save": "memory_procedure with the action save",
}
FOR_A_PERSON = "{} (for the person you work for to run)"


def for_an_agent(text: str, tools: Collection[str]) -> str:
    """The same with tools for commands; a command that no tool stands for is one to pass on."""

    def said(found: re.Match[str]) -> str:
        twin = TWINS.get(found[1], "")
        return twin if twin.partition(" ")[0] in tools else FOR_A_PERSON.format(found[0])

    return _COMMAND.sub(said, text)
