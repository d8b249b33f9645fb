"""Cut a command line, or a command inside a text, into calls that can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from memory_layer.model.record import NamedTuple
from memory_layer.text.commands.here_documents import without_documents
from memory_layer.text.commands.shell import CommandStep, program_name
from memory_layer.text.commands.shell import steps as steps_in
from memory_layer.text.words import FILLERS, STOP_WORDS

LONGEST_READ = 2_000  #: characters
MOST_CALLS = 24
MOST_WORDS = 40

#: Text that is passed on as one word.
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|\$\([^()]*\)")
_SEPARATOR = re.compile(r"&&|\|\||;|\n|\||(?<![&>\d])&(?![&>\d])")
_CONTINUED = re.compile(r"\\\n\s*")
_STREAMS = re.compile(r"\s*\d?>&\d|\s*&?\d?>{1,2}\s*\S+")
_ASSIGNMENT = re.compile(r"(?<!\S)([A-Za-z_]\w*)=(?!=)")
_FLAG = re.compile(r"(--?[A-Za-z][\w-]*)=(.+)")
_PLACEHOLDER = re.compile(r"<[^<>\s][^<>]{0,40}>|\{[a-z][\w-]{0,30}\}|\[[a-z][\w-]{0,30}\]")
_ANY = frozenset("... … _ *".split())
_CLOSING = tuple(",;:)]")
_ENDED = re.compile(r"(?<=[^./=])\.$")  #: the end of a sentence, and not `./...`
_ASSIGNED = re.compile(r"[A-Za-z_]\w*=")
_PLAIN = re.compile(r"[a-z][\w:-]*")
#: Programs that only cut, show or delay, so that a line is not about them.
_ASIDE = frozenset(
    "cd echo printf sleep true false head tail grep egrep rg tee cat wc sort set pwd wait".split()
)
#: Spellings of one program, and programs that stand for each other.
_FAMILY = {
    **dict.fromkeys("pnpm yarn bun".split(), "npm"),
    **dict.fromkeys("python3 py".split(), "python"),
    "pip3": "pip",
    "gmake": "make",
    "nodejs": "node",
    "podman": "docker",
}
_SCRIPTED = frozenset("python node ruby php bash sh deno perl".split())
#: Programs whose words are all tasks.
_TASKED = frozenset("make just task gradle mvn rake".split())
#: Programs without subcommands: their words are files and filters.
_PLAIN_CHECKS = frozenset(
    "pytest jest vitest rspec mocha phpunit tsc mypy pyright eslint flake8 black tox".split()
)
_DEEP = frozenset("docker git gh aws kubectl gcloud az dotnet nx".split())
#: Words between a program and its task that change nothing.
_RUN = frozenset("run run-script exec -- .".split())
#: Words that a command in a text does not contain, so that they end it.
_PROSE = (
    STOP_WORDS
    | FILLERS
    | frozenset(
        "first before after otherwise because then instead only never when while once unless without rather than or"
        " works fails breaks runs rebuilds takes needs must should does".split()
    )
) - frozenset("make go run up do test use".split())


#: Programs that change nothing that a later check could notice.
_PASSING_BY = frozenset("cd sleep echo pwd true set".split())


class ProgramCall(NamedTuple):
    """One simple command of a line."""

    text: str  #: without what sends its output elsewhere
    words: tuple[str, ...]  #: as typed, without quotation marks
    steps: tuple[CommandStep, ...]  #: its programs, also those that it runs in a container or a subshell
    step: CommandStep | None  #: the program that it is about, behind its wrappers
    key: tuple[str, ...]  #: that program with its subcommand; empty if it is about nothing

    @property
    def values(self) -> tuple[str, ...]:
        """Return the words that are no part of the key, in order."""
        words = self.step.words if self.step else ()
        return tuple(word for word in words if word not in self.key and word not in _RUN)

    @property
    def variables(self) -> frozenset[str]:
        """Return the names of the variables that are set."""
        return frozenset(_ASSIGNMENT.findall(_QUOTED.sub("_", self.text)))

    @property
    def spelling(self) -> str:
        """Return the program as it was typed: `./gradlew` is not `gradle`."""
        wanted = self.step.program if self.step else ""
        return next((word for word in self.text.split() if program_name(word) == wanted), wanted)


@lru_cache(maxsize=4_096)
def calls(command: str) -> tuple[ProgramCall, ...]:
    """Return the calls of a command line, in order; quoted text is not cut."""
    pieces = _pieces(without_documents(command[:LONGEST_READ]))
    return tuple(_call(text) for text in pieces if text.strip(" ()"))[:MOST_CALLS]


def _call(text: str) -> ProgramCall:
    plain = " ".join(_STREAMS.sub(" ", text).split())
    steps = tuple(step for step in steps_in(text) if step.program not in _PASSING_BY)
    telling = [step for step in steps if step.program not in _ASIDE]
    step = telling[-1] if telling else None
    return ProgramCall(plain, words_of(text), steps, step, _key(step) if step else ())


def is_same_call(one: ProgramCall, other: ProgramCall) -> bool:
    """Do two calls run the same program for the same purpose, whatever is put before it?"""
    return bool(one.key) and (one.key == other.key or other.text.endswith(f" {one.text}"))


def shown(command: str) -> str:
    """Return a command line without redirections and trailing filters."""
    pieces = list(_pieces(command))
    while len(pieces) > 1 and _is_aside(pieces[-1]):
        pieces.pop()
    end = command[:LONGEST_READ].rfind(pieces[-1].strip()) + len(pieces[-1].strip()) if pieces else 0
    return " ".join(_STREAMS.sub(" ", _CONTINUED.sub(" ", command[:end])).split())


def _is_aside(piece: str) -> bool:
    words = piece.split()
    return not words or program_name(words[0]) in _ASIDE


def _pieces(command: str) -> Iterator[str]:
    line = _CONTINUED.sub(" ", command[:LONGEST_READ])
    masked = _QUOTED.sub(lambda found: "_" * len(found[0]), line)
    at = 0
    for mark in _SEPARATOR.finditer(masked):
        yield line[at : mark.start()]
        at = mark.end()
    yield line[at:]


def _key(step: CommandStep) -> tuple[str, ...]:
    program, _, rest = step.program.partition("-")
    if program != "docker" or rest != "compose":
        program, rest = step.program, ""
    words = [word for word in step.words if word not in _RUN]
    name = _FAMILY.get(program, program)
    if name in _PLAIN_CHECKS:
        return (name,)
    if name in _TASKED:
        return (name, *words[:4])
    if name in _SCRIPTED and words:
        return (name, program_name(words[0]), *_plain(words[1:2]))
    if rest or words[:1] == ["compose"]:
        return (name, "compose", *_plain([word for word in words if word != "compose"][:1]))
    return (name, *_plain(words[: 2 if name in _DEEP else 1]))


def _plain(words: list[str]) -> Iterator[str]:
    for word in words:
        if not _PLAIN.fullmatch(word):
            return
        yield word


def words_of(call: str) -> tuple[str, ...]:
    """Return the words of a simple command; a placeholder becomes `_`, and an option is split from its value."""
    found: list[str] = []
    for word in _PLACEHOLDER.sub("_", call).split()[:MOST_WORDS]:
        bare = word.strip("`'\"()")
        flag = _FLAG.fullmatch(bare)
        found += [flag[1], flag[2].strip("'\"")] if flag else [bare] if bare else []
    return tuple(found)


def command_at(words: Sequence[str], at: int) -> tuple[tuple[str, ...], int]:
    """Return the words of an unquoted command that begins at a place in a text, and the place after it."""
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
    return words_of(_ENDED.sub("", " ".join(words[at:last]).rstrip(",;:)]"))), last


def program_of(words: Sequence[str]) -> str:
    """Return the program of a simple command, after the variables that are set for it."""
    return next((program_name(word) for word in words if not _ASSIGNED.match(word)), "")


def contains(command: Sequence[str], named: Sequence[str]) -> int:
    """Return how many words of a named command a simple command has; 0 unless it has all of them."""
    at = next((at for at, word in enumerate(named) if not _ASSIGNED.match(word)), None)
    if at is None:
        return 0
    program = program_name(named[at])
    start = next((place for place, word in enumerate(command) if program_name(word) == program), None)
    if start is None:
        return 0
    rest = (*command[:start], *command[start + 1 :])
    wanted = [word for word in (*named[:at], *named[at + 1 :]) if word not in _RUN]
    return 1 + len(wanted) if all(_has(rest, word) for word in wanted) else 0


def _has(words: Sequence[str], wanted: str) -> bool:
    if wanted in _ANY:
        return True
    if "_" in wanted.split("="):
        return any(word.startswith(wanted.removesuffix("_")) for word in words)
    return wanted in words or wanted.removeprefix("./") in words
