"""Find the line of an output that tells most about a failure."""

from __future__ import annotations

import re

from memory_layer.text.commands.endings import output_lines
from memory_layer.text.commands.error_text import is_frame
from memory_layer.text.commands.output_signs import CALL, CODE, SURROUNDINGS

LONGEST = 140  #: characters
LEAST = -1  #: of the rank of a line that may stand for an error

_ERROR = re.compile(
    r"\berror\b|\bfatal\b|[a-z](?:Error|Exception|NotFound)\b|\bERR_|failed|cannot|could not", re.IGNORECASE
)
_EMPTY = re.compile(
    r"^[>$#] |^(?:make(?:\[\d+\])?|gmake(?:\[\d+\])?): \*\*\*|elifecycle"
    r"|command failed|run failed|build failed|exited (?:with|\()"
    r"|^\W*fail(?:ed|ure)?\b|^\W*\d+ (?:failed|failing|errors?)\W*$|went wrong|^errors?:?$|tests? suites?:"
    r"|a complete log|^tests?:|\berrors? in \d|^=+|^_+ "
    r"|failed with exit code|backend subprocess|process didn't exit"
    r"|error occurred while|^from /|^finished in|^\d+ (?:tests|examples|runs)",
    re.IGNORECASE,
)
_HINT = re.compile(
    r"^\W*(?:please|to see|note|help|hint|try|see|did you|warning"
    r"|this (?:usually|is)|run with|action|caused by|info)\b"
    r"|for more information|more details",
    re.IGNORECASE,
)
_PROGRESS = re.compile(
    r"^\W*(?:compiling|checking|downloading|downloaded|building"
    r"|installing|fetching|resolving|running|starting|loading|generating"
    r"|preparing|collecting|using|found|adding|linking|task\b|\[\s*\d+%\]|\d+/\d+)",
    re.IGNORECASE,
)
_NAMED_TEST = re.compile(r"^\s*\d+\) \S+ |^--- FAIL: \w|^\s*[✘✕×✗] +\S+ ")
_SPECIFIC = re.compile(r"\d{2,}|[`'\"][^`'\"]{2,}[`'\"]|/\w|\w\.\w|_\w")
_CODE_LINE = re.compile(r"\): (?:error|fatal)")
_CODED = re.compile(r"^(?:\w+ )*(?:code|errno|syscall)\b")
_LEADING = re.compile(
    r"^(?:[│|>*•●✘✖✗\s-]+|E +(?=\w)|npm (?:error|ERR!)\s+|\[(?:ERROR"
    r"|error)\]\s*|[\w@/-]+:[\w-]+: +|(?:ERROR|Error|error|FATAL ERROR|fatal): +"
    r"|[\w./@~-]+\.[A-Za-z]{1,5}:\d+(?::\d+)?(?::in [`'][^`']{1,60}['`])?:?\s+)"
)
_MODULES = re.compile(r"\b(?:[a-z_]\w*\.){2,}(?=[A-Z])")


def error_line(output: str, folder: str = "") -> str:
    """Return the line that says what went wrong, without noise; empty if none does."""
    lines = output_lines(output)
    ranked = [
        (_rank(line), -at, line)
        for at, line in enumerate(lines)
        if _CODE_LINE.search(line) or not is_frame(line)
    ]
    best = max(ranked, default=(0, 0, ""))
    return _cleaned(best[2], folder) if best[0] >= LEAST else ""


def _rank(line: str) -> int:
    """Rate how much a line says about an error."""
    telling = (
        min(4 * len(SURROUNDINGS.findall(line) + CALL.findall(line)), 6)
        + 2 * bool(_ERROR.search(line))
        + 2 * bool(CODE.search(line))
    )
    telling += bool(_SPECIFIC.search(line)) + 3 * bool(_NAMED_TEST.search(line))
    empty = 4 * bool(_PROGRESS.search(line)) + line.isupper() if telling else 0
    empty += 5 * bool(_EMPTY.search(line)) + 3 * bool(_HINT.search(line)) + 2 * bool(_CODED.search(line))
    empty += 2 * (" " not in line.strip())
    return telling - empty - (line.rstrip().endswith((":", "(", "{")))


def _cleaned(line: str, folder: str) -> str:
    text = " ".join(line.split())
    if folder:
        text = text.replace(folder.rstrip("/") + "/", "")
    text = _MODULES.sub("", text)
    for _ in range(4):
        shorter = _LEADING.sub("", text)
        if shorter == text or len(shorter) < 10:
            break
        text = shorter
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
