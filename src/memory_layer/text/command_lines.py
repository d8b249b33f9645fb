"""Cut a command line, or a command inside a text, into words that can be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.text.shell import program_name
from memory_layer.text.words import FILLERS, STOP_WORDS

LONGEST_READ = 2_000  #: characters
MOST_WORDS = 40
_QUOTED = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"")
_SEPARATOR = re.compile(r"&&|\|\||[;|\n]")
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
_FLAG = re.compile(r"(--?[A-Za-z][\w-]*)=(.+)")
_PLACEHOLDER = re.compile(r"<[^<>\s][^<>]{0,40}>|\{[a-z][\w-]{0,30}\}|\[[a-z][\w-]{0,30}\]")
_ANY = frozenset("... … _ *".split())
_CLOSING = tuple(",;:)]")
_ENDED = re.compile(r"(?<=[^./=])\.$")  #: the end of a sentence, and not `./...`
#: Words that a command in a text does not contain, so that they end it.
_PROSE = (
    STOP_WORDS
    | FILLERS
    | frozenset(
        "first before after otherwise because then instead only never when while once unless without rather than or"
        " works fails breaks runs rebuilds takes needs must should does".split()
    )
) - frozenset("make go run up do test use".split())
#: Words between a task runner and its task that change nothing.
_SKIPPED = frozenset("run run-script exec --".split())


def pieces(command: str) -> list[tuple[str, ...]]:
    """Return the words of each simple command of a command line, without quotation marks."""
    masked = _QUOTED.sub(lambda found: _SEPARATOR.sub("\x01", found[0]), command[:LONGEST_READ])
    return [words for part in _SEPARATOR.split(masked) if (words := _words(part))]


def _words(part: str) -> tuple[str, ...]:
    found: list[str] = []
    for word in _PLACEHOLDER.sub("_", part).split()[:MOST_WORDS]:
        bare = word.strip("`'\"()\x01")
        flag = _FLAG.fullmatch(bare)
        found += [flag[1], flag[2].strip("'\"")] if flag else [bare] if bare else []
    return tuple(found)


def command_at(words: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    """Return the words of a command that begins at a place of a text, not marked as one, and the place behind it."""
    last = at
    while last < min(len(words), at + MOST_WORDS):
        word = words[last]
        if word in ("|", "&&", "||", ";") or (
            last > at and (word.lower().strip(".,;:") in _PROSE or word.startswith(("(", "—", "–", "→", "`")))
        ):
            break
        last += 1
        if word.endswith(_CLOSING) or _ENDED.search(word):
            break
    return _words(_ENDED.sub("", " ".join(words[at:last]).rstrip(",;:)]"))), last


def program_of(words: Sequence[str]) -> str:
    """Return the program of a simple command, behind the variables that are set for it."""
    return next((program_name(word) for word in words if not _ASSIGNMENT.match(word)), "")


def contains(command: Sequence[str], named: Sequence[str]) -> int:
    """Return how many words of a named command a simple command has; 0 unless it has all of them."""
    at = next((at for at, word in enumerate(named) if not _ASSIGNMENT.match(word)), None)
    if at is None:
        return 0
    program = program_name(named[at])
    start = next((place for place, word in enumerate(command) if program_name(word) == program), None)
    if start is None:
        return 0
    rest = (*command[:start], *command[start + 1 :])
    wanted = [word for word in (*named[:at], *named[at + 1 :]) if word not in _SKIPPED]
    return 1 + len(wanted) if all(_has(rest, word) for word in wanted) else 0


def _has(words: Sequence[str], wanted: str) -> bool:
    if wanted in _ANY:
        return True
    if "_" in wanted.split("="):
        return any(word.startswith(wanted.removesuffix("_")) for word in words)
    return wanted in words or wanted.removeprefix("./") in words
