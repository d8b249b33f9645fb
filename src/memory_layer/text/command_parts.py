"""Cut a command line into its simple commands, each with its own words, so that two calls can be compared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memory_layer.model.record import NamedTuple
from memory_layer.text.shell import CommandStep, program_name
from memory_layer.text.shell import steps as programs_in

LONGEST_READ = 2_000  #: characters
MOST_PARTS = 16

_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"")
_SEPARATOR = re.compile(r"&&|\|\||;|\n|\||(?<![&>\d])&(?![&>\d])")
_CONTINUED = re.compile(r"\\\n\s*")
_STREAMS = re.compile(r"\s*\d?>&\d|\s*&?\d?>{1,2}\s*\S+")
_ASSIGNMENT = re.compile(r"(?<!\S)([A-Za-z_]\w*)=(?!=)")
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
_RUN = frozenset("run run-script exec -- .".split())


class CommandPart(NamedTuple):
    """One simple command of a line."""

    text: str  #: without what sends its output elsewhere
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
def parts(command: str) -> tuple[CommandPart, ...]:
    """Return the simple commands of a line, in order; quoted text is not cut."""
    return tuple(_part(text) for text in _pieces(command) if text.strip(" ()"))[:MOST_PARTS]


def _part(text: str) -> CommandPart:
    plain = " ".join(_STREAMS.sub(" ", text).split())
    telling = [step for step in programs_in(text) if step.program not in _ASIDE]
    step = telling[-1] if telling else None
    return CommandPart(plain, step, _key(step) if step else ())


def is_same_call(one: CommandPart, other: CommandPart) -> bool:
    """Do two parts run the same program for the same purpose, whatever is put before it?"""
    return bool(one.key) and (one.key == other.key or other.text.endswith(f" {one.text}"))


def shown(command: str) -> str:
    """Return a command line without what only cuts or sends away its output."""
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
