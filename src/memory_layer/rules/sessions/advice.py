"""Read what a memory advises to do, and tell whether a command or an edit follows it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from itertools import islice

from memory_layer.model.memory import Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category
from memory_layer.rules.sessions.runs import CommandRun
from memory_layer.rules.warnings.kinds import CURES, HAZARDS, REPORTS
from memory_layer.text.advice import Sentence, Stance, is_left_alone, is_risk_near, sentences, stance
from memory_layer.text.commands.calls import calls, command_at, contains, program_of
from memory_layer.text.commands.meanings import GENERIC
from memory_layer.text.commands.programs import READERS
from memory_layer.text.commands.shell import is_flag, program_name
from memory_layer.text.words import content_words

LONGEST_READ = 4_000  #: characters of a memory
MOST_COMMANDS = 24  #: of a memory, in backticks and in its running text
_STAND_IN = "standincommand"
_LEADS = (":", "=", "→", "->", "(", "—", "–")
_ASSIGNED = re.compile(r"(?<![\w-])([A-Z][A-Z0-9_]{2,60}=[^\s`'\";,)]{1,200})")
_UNSET = re.compile(r"\bunset(?:ting)?\s+`?([A-Z][A-Z0-9_]{2,60})")
#: Words by which a text says that something has to be written into a file.
_DEMANDING = frozenset(
    "must need needs add adds bump go goes live lives put register registered list listed update edit belongs belong"
    " declare declared always only also require requires change extend append set should mirror document keep write"
    " regenerate increment mention record include insert".split()
)


class NamedCommand(NamedTuple):
    """A command that a memory names."""

    words: tuple[str, ...]
    program: str
    is_advised: bool  #: not one that the memory warns of


class ReadMemory(NamedTuple):
    """A memory that a session was given, and what its text advises."""

    memory: Memory
    at: datetime  #: when it was given first
    text: str
    said: tuple[Sentence, ...]
    terms: frozenset[str]  #: words that carry its meaning
    own: frozenset[str]  #: those that no other memory of the session has
    commands: tuple[NamedCommand, ...]
    names_files: bool
    settings: tuple[str, ...]  #: variables that it says to set or unset, as in a command line


def read_memory(memory: Memory, at: datetime, programs: Collection[str]) -> ReadMemory:
    """Take the text of a memory apart; `programs` are those that the session ran."""
    text = memory.content[:LONGEST_READ]
    said = tuple(sentences(text))
    commands: tuple[NamedCommand, ...] = ()
    if memory.category not in REPORTS:
        marked = islice(_marked(memory, said), MOST_COMMANDS)
        commands = _whole([*marked, *islice(_unmarked(memory, text, programs), MOST_COMMANDS)])
    unset = [f"-u {each}" for each in _UNSET.findall(text)] + [
        f"unset {each}" for each in _UNSET.findall(text)
    ]
    settings = (*(each for each in _ASSIGNED.findall(text) if not each.endswith(("=", ">"))), *unset)
    named = any(_FILE.search(token) for sentence in said for token in sentence.tokens)
    return ReadMemory(memory, at, text, said, content_words(text), frozenset(), commands, named, settings)


def _whole(commands: Sequence[NamedCommand]) -> tuple[NamedCommand, ...]:
    """Drop a command that is only the beginning of another one in the same text: "pip install with `--x`"."""
    return tuple(
        each
        for each in commands
        if not each.is_advised
        or not any(
            other.is_advised and set(each.words) < set(other.words) and contains(other.words, each.words)
            for other in commands
        )
    )


def _marked(memory: Memory, said: Sequence[Sentence]) -> Iterator[NamedCommand]:
    """Yield the commands in backticks."""
    for sentence in said:
        for first, last, text in sentence.spans:
            advised = _is_advised(memory, sentence, first, last)
            for words in (call.words for call in calls(text) if call.words):
                if is_flag(words[0]):
                    words = _with_program(sentence, first, words)
                if (program := program_of(words)) not in READERS:
                    yield NamedCommand(words, program, advised)


def _with_program(sentence: Sentence, first: int, words: tuple[str, ...]) -> tuple[str, ...]:
    """Put the program and subcommand before flags that a text names alone: "pip install with `--x`"."""
    ahead = sentence.tokens[max(0, first - 4) : first]
    at = next((at for at, word in enumerate(ahead) if program_name(word) in GENERIC), None)
    return words if at is None else (*[each for each in ahead[at:] if each not in _BETWEEN], *words)


_BETWEEN = frozenset("with using and always only needs the its needs requires".split())


def _unmarked(memory: Memory, text: str, programs: Collection[str]) -> Iterator[NamedCommand]:
    """Yield the commands in the running text, each with a program that the session ran."""
    outside = re.sub(r"`[^`\n]{1,300}`", " ` ", text)
    words = outside.split()
    for at, word in enumerate(words):
        if program_name(word.strip("(\"'")) not in programs or (at and words[at - 1].endswith("`")):
            continue
        start = at - 1 if at and re.fullmatch(r"[A-Z_]+=\S+", words[at - 1]) else at
        named, behind = command_at(words, start)
        if len(named) < 2:
            continue
        marked = " ".join([*words[:start], f"`{_STAND_IN}`", *words[behind:]])
        led = start == 0 or words[start - 1].endswith(_LEADS) or word.startswith("(")
        for sentence, place in _stand_ins(marked):
            yield NamedCommand(
                named, program_of(named), _is_advised(memory, sentence, place, place + 1, plainly=led)
            )


def _stand_ins(text: str) -> Iterator[tuple[Sentence, int]]:
    for sentence in sentences(text):
        for at, token in enumerate(sentence.tokens):
            if token == _STAND_IN:
                yield sentence, at


def _is_advised(memory: Memory, sentence: Sentence, first: int, last: int, *, plainly: bool = True) -> bool:
    """Does a memory recommend the command that it names here?"""
    way = stance(sentence, first, last)
    hazard = memory.category in HAZARDS
    if way is Stance.RISKS and not hazard and not is_risk_near(sentence, first, last):
        way = Stance.PLAIN
    if way is Stance.PLAIN:
        return plainly and (not hazard or memory.category is Category.COMMAND)
    return way in (Stance.ADVISES, Stance.REQUIRES)


def command_size(memory: ReadMemory, run: CommandRun) -> int:
    """Return how many words of a command line the memory advises; 0 if the line does not follow it."""
    commands = [named for named in memory.commands if named.program in run.names]
    return max((_call_size(commands, call.words) for call in run.calls), default=0) if commands else 0


def _call_size(commands: Sequence[NamedCommand], words: Sequence[str]) -> int:
    advised = against = 0
    for named in commands:
        size = contains(words, named.words)
        if named.is_advised:
            advised = max(advised, size)
        else:
            against = max(against, size)
    return advised if advised >= against else 0


def mention_size(text: str, run: CommandRun) -> int:
    """Return how many words of a command line a text names, whatever it says about them."""
    words = text[:LONGEST_READ].replace("`", " ").split()
    programs = {program_of(call.words) for call in run.calls}
    named = [
        command_at(words, at)[0]
        for at, word in enumerate(words)
        if program_name(word.strip("('\"")) in programs
    ]
    return max((contains(call.words, each) for call in run.calls for each in named if each), default=0)


def is_cure(memory: ReadMemory) -> bool:
    """Does a memory give a remedy for something that has gone wrong?"""
    return memory.memory.category in CURES or _TROUBLE.search(memory.text) is not None


_TROUBLE = re.compile(
    r"\b(?:if|when|whenever|on)\b[^.;]{0,60}\b(?:fail\w*|errors?|red|broken|breaks|crash\w*|hangs|missing|stuck|flaky)\b"
    r"|\b(?:gives?|comes? from|caused by|fixes|cures?|solves)\b|[\"”'][^\"”'\n]{6,120}[\"”'][^.\n]{0,30}(?:→|->|:)",
    re.IGNORECASE,
)


def uses_setting(memory: ReadMemory, command: str) -> bool:
    """Does a command line set what a memory says to set?"""
    return any(each in command for each in memory.settings)


def advised_files(memory: ReadMemory, files: Sequence[str]) -> list[str]:
    """Return those of the changed files into which the memory says to write something."""
    return [file for file in files if any(_is_demanded(each, at) for each, at in _places(memory, file))]


def names_file(memory: ReadMemory, files: Sequence[str]) -> bool:
    """Does a memory name one of the files, other than to say that it must not be changed?"""
    return any(
        stance(sentence, at, at + 1) is not Stance.FORBIDS
        for file in files
        for sentence, at in _places(memory, file)
    )


def _places(memory: ReadMemory, file: str) -> Iterator[tuple[Sentence, int]]:
    """Yield the places where a memory names a file, by its path or by its name with the extension."""
    path = f"/{file.lower()}".replace("\\", "/")
    for sentence in memory.said:
        for at, token in enumerate(sentence.tokens):
            name = token.removesuffix("'s").strip("'\"").removeprefix("./")
            is_folder = name.endswith("/") and "/" in name[:-1]
            if f"/{name}" in path if is_folder else _FILE.search(name) and path.endswith(f"/{name}"):
                yield sentence, at


_FILE = re.compile(r"[^/]\.\w|^\.\w{3}|\w/\w")


def _is_demanded(sentence: Sentence, at: int) -> bool:
    if stance(sentence, at, at + 1) is Stance.FORBIDS or is_left_alone(sentence, at + 1):
        return False
    return not _DEMANDING.isdisjoint(sentence.tokens)
