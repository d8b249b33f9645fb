"""Extract the sentences that the writer of a message states: no code, no quotations, no pasted output.

Every step is linear in the length of the message, and only its beginning is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory_layer.model.record import NamedTuple

READ_CHARACTERS = 50_000
SHORTEST, LONGEST = 12, 600  #: characters of a sentence
_LONGEST_LINE = 4_000  #: characters; anything longer is data

_LETTER = re.compile(r"[^\W_]")
_FENCE = re.compile(r"\s{0,3}(```|~~~)")
_BULLET = re.compile(r"\s{0,8}(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?")
#: Lines that are not prose: quotations, tables, rules, markup, indented code.
_NOT_PROSE = re.compile(r"\s{0,3}>|\s*\||\s*<[/!a-zA-Z]|\s{4,}\S|\t|\s*[#=*_-]{3,}\s*$|\s*//|\s*/\*")
#: Lines of logs, stack traces, test reports, diffs and commands.
_OUTPUT = re.compile(
    r"\s*(?:\[?\d{4}-\d\d-\d\d[ T]|\[?\d\d:\d\d:\d\d|\[(?:info|warn|error|debug|trace)\w*\]"
    r"|(?:info|warn|warning|error|debug|trace|fatal|panic|npm err!|note|hint|e {2,})\b[^a-z]{0,12}:\s"
    r"|error \d|npm err!|traceback \(most recent|file \"|at [\w.$<>]+\(|caused by:|E {2,}\S"
    r"|[\w.]+(?:error|exception|warning)\b:|diff --git|index [0-9a-f]{7}|@@ |[+-]{3} [ab]/|[+-]\S"
    r"|\$ |>>> |[\u279c\u276f\u00d7\u2717] |\d+ (?:passed|failed|skipped)\b|(?:passed|failed) in \d|\S+:\d+(?::\d+)?:"
    r"|(?:npm|yarn|pnpm|pip|uv|cargo|go|make|node|gradle|mvn|docker)(?::| (?:warn|warning|err!?|error|notice|info)\b)"
    r"|\(\w+:\d+\) |(?-i:WARN|FAILED|FAIL|PASSED|PASS|ERROR|FATAL|PANIC|DEBUG|INFO|TRACE)\b[^a-z]{0,3}\s"
    r"|(?:added|removed|changed|audited) \d+ packages|[\w.\[\]]*(?:error|warning|help|note)(?:\[\w+\])?:\s)",
    re.IGNORECASE,
)
_DIFF = re.compile(r"^(?:diff --git |@@ -\d|--- a/)", re.MULTILINE)
_TRACE = re.compile(r"^Traceback \(most recent call last\)|^[ \t]+at [\w.$<>]+\(", re.MULTILINE)
_END = re.compile(r"(?<![.!?…])(?:([.!?…]+[\"')\]]*)\s+|(\.{3,}|…)(?=[a-zA-Z]))")
_SHORT_FORMS = frozenset("e.g i.e etc vs cf approx resp incl mr ms dr st no fig".split())
#: Quotations, code and paths, which contain no cues.
_QUOTED = re.compile(
    r"`[^`\n]{0,300}`|\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”|«[^»\n]{0,400}»"
    r"|(?<![\w])'[^'\n]{2,300}'(?!\w)|\S{0,80}://\S{1,400}(?<![.,;:!?])|(?<!\S)[\w.-]{0,60}/\S{1,200}(?<![.,;:!?])"
    r"|\w{1,60}_\w{1,60}"
)

#: Short forms typed without their apostrophe.
_TYPED_FAST = re.compile(
    r"\b([Dd]o|[Dd]oes|[Dd]id|[Ii]s|[Aa]re|was|were|[Hh]as|[Hh]ave|should|would|could|[Cc]a|[Ww]o)nt\b"
)

#: Replaces every character of a quotation.
BLOT = "\u25aa"


class Statement(NamedTuple):
    """A sentence, and a copy with everything quoted blanked out, character by character."""

    text: str
    own: str  #: in lower case
    asks: bool  #: it ends with a question mark


def statements(message: str) -> list[Statement]:
    """Return the sentences that the writer states."""
    if len(message) > READ_CHARACTERS:
        message = message[:READ_CHARACTERS].rpartition("\n")[0]  # half a line may be half a secret
    text = _TYPED_FAST.sub(r"\1n't", message.replace("\r\n", "\n").replace("’", "'"))
    return [each for line in _lines(text) for each in _sentences(line)]


def _lines(text: str) -> Iterator[str]:
    """Yield the prose line by line; a line that continues in the next is joined with it."""
    patch = _DIFF.search(text) is not None
    trace = _TRACE.search(text) is not None
    paragraph = ""
    for line in _outside_fences(text):
        if (patch and line[:1] in "+-") or (trace and line.startswith(("  ", "\t"))):
            line = ""
        if (
            not _LETTER.search(line)
            or len(line) > _LONGEST_LINE
            or _NOT_PROSE.match(line)
            or _OUTPUT.match(line)
        ):
            yield from (paragraph,) if paragraph else ()
            paragraph = ""
            continue
        bullet = _BULLET.match(line)
        body = line[bullet.end() :] if bullet else line.strip()
        if paragraph and not bullet and body[:1].islower() and paragraph[-1] not in ".!?:;":
            paragraph = f"{paragraph} {body}"
            continue
        yield from (paragraph,) if paragraph else ()
        paragraph = body.strip()
    yield from (paragraph,) if paragraph else ()


def _outside_fences(text: str) -> Iterator[str]:
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1] == fence:
            fence = ""
        elif not fence:
            yield line
            continue
        yield ""  # code ends what stands before it


def _sentences(line: str) -> Iterator[Statement]:
    """Split a line into sentences; a full stop inside a quotation ends none."""
    own = _QUOTED.sub(lambda found: BLOT * len(found[0]), line)
    lower = own.lower()
    own = lower if len(lower) == len(line) else own
    begin = 0
    for end in _END.finditer(own):
        word = own[max(begin, end.start() - 12) : end.start()].rpartition(" ")[2].lstrip("(")
        if end[1] == "." and word in _SHORT_FORMS and end.start() - begin > len(word):
            continue
        yield from _statement(line, own, begin, end.end())
        begin = end.end()
    yield from _statement(line, own, begin, len(line))


def _statement(line: str, own: str, begin: int, end: int) -> Iterator[Statement]:
    text = line[begin:end].rstrip()
    if text:
        yield Statement(text, own[begin : begin + len(text)], text.endswith("?"))
