"""A conversation pasted as text: what stands behind the name of a person is theirs, what follows another's is not."""

from __future__ import annotations

import re

_PEOPLE = "user|human|you|me"
_OTHERS = "assistant|ai|claude|chatgpt|copilot|gemini"
#: "User:", "**Assistant:**", "## Human", or the mark that a terminal puts before an answer.
_SPEAKER = re.compile(
    rf"^[ ]{{0,3}}(?:(?:\*\*|__)?(?P<name>{_PEOPLE}|{_OTHERS})(?:\*\*|__)?:(?:\*\*|__)?(?:[ \t]+|$)"
    rf"|\#{{1,4}}[ ](?P<heading>{_PEOPLE}|{_OTHERS}):?[ \t]*$|(?P<mark>[⏺●])[ ]|(?P<prompt>>)[ ])",
    re.IGNORECASE | re.MULTILINE,
)
_MINE = frozenset(_PEOPLE.split("|"))


def typed(text: str) -> tuple[str, ...] | None:
    """What people say in a conversation, turn by turn; None for a text that is none."""
    found = list(_SPEAKER.finditer(text))
    names = {name.lower() for each in found if (name := each["name"] or each["heading"])}
    in_terminal = any(each["mark"] for each in found)
    if not (names & _MINE or "assistant" in names or in_terminal):
        return None
    # A mark before a line means a turn only where answers are marked: elsewhere it is a quotation.
    turns = [each for each in found if each["name"] or each["heading"] or in_terminal]
    ends = [*(each.start() for each in turns[1:]), len(text)]
    said = [text[: turns[0].start()]]
    said += [text[each.end() : end] for each, end in zip(turns, ends, strict=True) if _is_mine(each)]
    return tuple(stripped for each in said if (stripped := each.strip()))


def _is_mine(turn: re.Match[str]) -> bool:
    name = turn["name"] or turn["heading"]
    return name.lower() in _MINE if name else bool(turn["prompt"])
