"""Signs of a text that addresses the agent instead of informing it, read from `signs.txt`."""

from __future__ import annotations

from memory_layer.model.record import NamedTuple
from memory_layer.text import read_columns

#: Reasons to suspect a text, in words for a person.
REASONS = {
    "overrules": "it tells the reader to set its instructions aside",
    "recasts": "it tells the agent who or what to be",
    "conceals": "it asks to keep something from the user",
    "hands_out": "it asks to give secrets or hidden instructions away",
    "role": "it holds markers that separate the roles of a conversation",
    "fence": "it tries to end the block in which memories are shown",
    "tool_call": "it holds the syntax of a tool call",
    "remote_code": "it asks to run a script straight from the network",
    "takes_rights": "it claims rights that only the user can give",
    "misleads": "it asks to mislead the user",
    "lowers": "it asks to lower a protection or to remove traces",
    "hidden": "it hides words in its markup that speak to an agent",
    "harms": "it asks to run a command that destroys files or opens the machine to others",
    "spreads": "it asks to be copied to other places",
}
#: Short quotations, and words of a text that only mentions them, such as a test or a filter.
QUOTED = r"[\"'`][^\"'` ]{1,40} [^\"'`]{1,70}[\"'`](?=[ .,;:)]|$)"
SPEAKS_ABOUT = (
    r"\b(?:tests?|testing|detect\w*|filters?|guards?|refus\w+|rejects?|rejected|blocks?|blocked|asserts?"
    r"|injections?|classif\w+|sanitiz\w+|fixtures?|regex|red.?team\w*|evals?|jailbreaks?|phrases? (?:like"
    r"|such)|strings? (?:like|such)|contains?|matches)\b"
)


class Sign(NamedTuple):
    """A sign of an injected instruction: anchors, a pattern, and the reason to report."""

    reason: str
    anchors: tuple[tuple[str, ...], ...]  #: a text needs one of each group
    pattern: str
    also: str = ""  #: must also match somewhere in the text
    unless: str = ""  #: must not match
    is_syntax: bool = False  #: depends on punctuation, so it is not searched in the words alone


def groups_of(text: str) -> tuple[tuple[str, ...], ...]:
    """Split a row into its groups: words separated by slashes, `+` for a space."""
    return tuple(
        tuple([word.replace("+", " ") if "+" in word else word for word in group.split()])
        for group in text.replace("\n", " ").split(" / ")
    )


def _sign(reason: str, anchors: str, pattern: str, more: str = "", *, is_syntax: bool) -> Sign:
    """Read a row of the table."""
    word, _, condition = more.partition(" ")
    return Sign(
        REASONS[reason],
        groups_of(anchors),
        pattern,
        also=condition if word == "also" else "",
        unless=condition if word == "unless" else "",
        is_syntax=is_syntax,
    )


_TABLES = read_columns("injection/signs", 4)
#: Signs in syntax, found by their punctuation.
SYNTAX = tuple(_sign(*row, is_syntax=True) for row in _TABLES["syntax"])
#: Signs in words.
PHRASES = tuple(_sign(*row, is_syntax=False) for row in _TABLES["phrases"])
