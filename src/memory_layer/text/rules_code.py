"""Code in a rules file: commands with what they are for, and examples that belong to a rule."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.text.markdown import Block

LONGEST_CODE = 2_000  #: characters; a longer example stays where the citation leads

_SHELLS = frozenset({"", "bash", "sh", "shell", "zsh", "console", "terminal", "fish", "powershell"})
_COMMENT = re.compile(r"#+\s*(.+)")
_TRAILING = re.compile(r"(\S.*?)\s{1,}#\s+(.+)")
_TREE = re.compile(r"[├└│]")

Told = tuple[str, int, int]  #: a text and the lines it stands on


def commands(block: Block) -> list[Told]:
    """Each explained command of a shell block; none if the block is anything else."""
    if block.language not in _SHELLS or _TREE.search(block.text):
        return []
    found: list[Told] = []
    said, start = "", 0
    gathered: list[str] = []
    for number, line in enumerate(block.text.split("\n"), block.first + 1):
        bare = line.strip()
        comment, trailing = _COMMENT.fullmatch(bare), _TRAILING.fullmatch(bare)
        if gathered and not said and (comment or trailing):
            return []  # something without an explanation: the block is told as a whole
        if comment or trailing or not bare:
            found += _told(said, gathered, start)
            said, gathered, start = (comment[1].strip() if comment else ""), [], number
        if trailing:
            found.append((f"{trailing[2].strip()}: `{_bare(trailing[1])}`", number, number))
        elif bare and not comment:
            gathered.append(line.rstrip())
    return [] if gathered and not said else found + _told(said, gathered, start)


def _told(said: str, lines: Sequence[str], start: int) -> list[Told]:
    if not lines or not said:
        return []
    last = start + len(lines)
    label = said.rstrip(":. ")
    if len(lines) == 1 and "`" not in lines[0]:
        return [(f"{label}: `{_bare(lines[0])}`", start, last)]
    return [(f"{label}:\n```\n" + "\n".join(lines) + "\n```", start, last)]


def _bare(line: str) -> str:
    return line.strip().removeprefix("$ ")


def joined_code(text: str, blocks: Sequence[Block]) -> str:
    """A rule with the examples that follow it, as far as they are short."""
    for block in blocks:
        if len(block.text) <= LONGEST_CODE:
            text = f"{text}\n```{block.language}\n{block.text}\n```".lstrip("\n")
    return text
