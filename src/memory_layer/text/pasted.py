"""Tell by its shape what a person pasted into a message: documents, agents' reports, logs.

A document shows itself by headings, bold bullets, tables, drawn lines or the phrases of an assistant. From its first
mark on, nothing in the message counts as the person's own words.
"""

from __future__ import annotations

import re

from memory_layer.text.statements import READ_CHARACTERS

_WIDTH = 200  #: characters of a line that show its shape
_FEWEST_MARKS = 2  #: a single heading or bold bullet is still somebody's own way to write
_FEWEST_WORDS_OF_A_DOCUMENT = 60

#: Lines that people hardly type: headings, bold bullets and labels, tables, ticks, drawn lines.
_MARK = re.compile(
    r"[ \t]{0,3}(?:\#{1,6}[ ]+\S|(?:[-*+•]|\d{1,2}[.)])?[ ]*\*\*[^*\n]{2,80}\*\*|\|[^\n]*\|[ \t]*$|[-=_*]{3,}[ \t]*$"
    r"|(?:(?:[-*•]|\d{1,2}[.)])[ ]*)?[✅❌✓✔⚠🎯🚀📋🔧📝💡🎉📊⏺●┃│├└╭╰█]|[A-Z][^.!?:\n]{2,40}:[ \t]*$)"
    r"|[ \t]{0,8}(?:[•◦▪‣][ \t])"
)
#: How assistants begin and end their reports.
_ASSISTANT = re.compile(
    r"[ \t]{0,3}(?:[^\w\s]{0,3}[ ]?)?(?:i've (?:successfully|now|also|updated|added|created|implemented|fixed"
    r"|completed)"
    r"|i have (?:successfully|now|completed|implemented)|i'll (?:help you|now|start by|analy[sz]e)"
    r"|let me (?:know if|check|look|now|start by)"
    r"|here(?:'s| is) (?:a|the|what|how) (?:summary|comprehensive|breakdown|overview|complete|updated|revised|i )"
    r"|(?:summary|overview|key (?:changes|features|points|benefits|findings)|changes made|next steps"
    r"|recommendations?|root cause|conclusion"
    r"|implementation|what (?:was|i) (?:done|did|changed|fixed))[^.\n]{0,40}:?[ \t]*$"
    r"|would you like me to|you're (?:absolutely )?right|great question|certainly!|perfect!|excellent!"
    r"|based on (?:my|the) (?:analysis|review))",
    re.IGNORECASE,
)


def typed_part(message: str) -> str:
    """Return the message up to the document that was pasted into it; the whole message if there is none."""
    marks = [place for place, line in _lines(message) if _MARK.match(line) or _ASSISTANT.match(line)]
    if len(marks) < _FEWEST_MARKS or not _is_long(message[marks[0] :]):
        return message
    return message[: marks[0]]


def _lines(message: str) -> list[tuple[int, str]]:
    """Return each line with the place at which it begins."""
    found, place = [], 0
    for line in message[:READ_CHARACTERS].split("\n"):
        found.append((place, line[:_WIDTH]))
        place += len(line) + 1
    return found


def _is_long(text: str) -> bool:
    return len(text[:10_000].split(maxsplit=_FEWEST_WORDS_OF_A_DOCUMENT)) > _FEWEST_WORDS_OF_A_DOCUMENT
