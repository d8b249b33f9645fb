"""Find the places where a text names a command: in backticks, or by its program and what follows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text.advice import (
    Sentence,
    Stance,
    is_directly_denied,
    is_replaced,
    is_risky,
    stance,
    tells,
)
from memory_layer.text.commands.meanings import GENERIC
from memory_layer.text.commands.shell import (
    CommandStep,
    has_flag,
    is_flag,
    paths_in,
    program_name,
    spelled_flags,
    steps,
)
from memory_layer.text.words import STOP_WORDS

#: Programs whose names are everyday words in a text.
_EVERYDAY_PROGRAMS = frozenset(
    "make go just find time test build task file which watch serve start run check format release deploy clean update"
    " act air at less more sort top cut tee node env install patch head tail bench dev lint service code"
    " pass link look join split expand fold touch kill sleep wait script screen batch host mount dump restore convert"
    " import open say read write type set fix fly next mix stack black ant cap docs invoke".split()
)
#: Words behind a program that are no subcommand of it.
_NO_SUBCOMMANDS = frozenset(
    "cli command commands tool client binary itself alone runs calls and or on in at against please anymore any".split()
)
#: Subcommands that have subcommands.
_GROUPS = frozenset(
    "compose volume system image container network buildx pr issue run release repo workflow rollout state workspace"
    " stash remote submodule worktree config migrate s3 iam secretsmanager mod pip auth app backup restore schedule"
    " delete create".split()
)
_BARE = frozenset("bare plain naked".split())
_NEEDING = frozenset("without unless needs need require requires add always pass missing use".split())
_DEMANDING = frozenset("with needs need requires require".split())
_PLACEHOLDER = re.compile(r"[<>{}$*…]|\.\.\.|^_$")
_COMMAND = re.compile(r"(?:[A-Z_]+=\S+ )*[./]{0,3}[a-z][\w./-]*\s")


class Mention(NamedTuple):
    """A place where a memory names a command."""

    sentence: Sentence
    first: int
    last: int
    size: int  #: matching words, flags counted twice


def named_places(said: Sequence[Sentence], step: CommandStep) -> Iterator[Mention]:
    """Yield the places of a text that name the step."""
    for sentence in said:
        for first, last, text in sentence.spans:
            if (size := _span_size(text, step)) and _fits_bareness(sentence, first, text, step):
                yield Mention(sentence, first, last, size)
        for at, token in enumerate(sentence.tokens):
            bare = not sentence.in_span(at) and program_name(token) in step.programs and "/" not in token
            if bare and (named := _in_prose(sentence, at, step)):
                yield named


def _fits_bareness(sentence: Sentence, first: int, text: str, step: CommandStep) -> bool:
    """Does "a plain x" mean this step, which has nothing beside it?"""
    if not first or sentence.tokens[first - 1] not in _BARE:
        return True
    return len(step.programs) == 1 and any(len(step.words) <= len(named.words) for named in steps(text))


def _span_size(text: str, step: CommandStep) -> int:
    """Return how much of the step a command in backticks names; 0 if it is another one."""
    for named in steps(text):
        if named.program not in step.programs:
            continue
        own = named.program == step.program
        words = [word for word in named.words if not _PLACEHOLDER.search(word)]
        matched = _in_order(words, step.words) if own else len(words) == 0
        flags = [flag for word in text.split() if is_flag(word) for flag in _letters(named.program, word)]
        if matched and all(has_flag(flag, step) for flag in flags):
            return len({*named.programs} & {*step.programs}) + len(words) + 2 * len(flags)
        if own and named.words[:1] == step.words[:1] and named.words and not flags:
            rest = [word for word in words[1:] if not _is_value(word)]
            if _in_order(rest, step.words):
                return 2 + len(rest)
    return 0


def _letters(program: str, word: str) -> list[str]:
    spelled = list(spelled_flags(program, word))
    letters = [each for each in spelled[1:] if len(each) == 2]
    return letters or spelled[:1]


def _is_value(word: str) -> bool:
    """Is a word of a command an example that another call would replace: a path, a number, a name with marks?"""
    return bool(re.search(r"[\d/.:=@]", word))


def _in_order(words: Sequence[str], of: Sequence[str]) -> bool:
    rest = iter(of)
    return all(any(word in (other, other.split("/")[0]) for other in rest) for word in words)


def _in_prose(sentence: Sentence, at: int, step: CommandStep) -> Mention | None:
    """Read a command named without backticks: a program and the words or flags of the step right behind it."""
    tokens = sentence.tokens
    last, size = at + 1, 1
    verbs = set(step.words[:3]) if program_name(tokens[at]) == step.program else set()
    first = verbs & set(_subcommands(step.words))
    while last < len(tokens) and set(tokens[last].split("/")) & (verbs if size > 1 else first):
        last, size = last + 1, size + 1
    if size == 1:
        for place in range(at + 1, min(at + 7, len(tokens) - 1)):
            if tokens[place] in ("or", "and", ",", "/") and tokens[place + 1] in verbs:
                return Mention(sentence, at, place + 2, 2)
    elif tokens[last - 1] in _GROUPS and _is_subcommand(sentence, last):
        return None
    flags = _flags_named(sentence, last, last + 2)
    if flags:
        wanted = [flag for word in flags for flag in _letters(step.program, word)]
        if not all(has_flag(flag, step) for flag in wanted):
            return None
        last, size = last + len(flags), size + 2 * len(wanted)
    if size == 1 and not _is_meant_alone(sentence, at, step):
        return None
    return None if _is_elsewhere(sentence, last, step) else Mention(sentence, at, last, size)


def _subcommands(words: Sequence[str]) -> Sequence[str]:
    """Return the words up to the first that is no value."""
    first = next((at for at, word in enumerate(words) if not re.search(r"[\d/.=@]", word)), len(words))
    return words[: first + 1]


def _flags_named(sentence: Sentence, first: int, last: int) -> list[str]:
    """Return the flags among some tokens, without those that a command only needs."""
    tokens = sentence.tokens
    return [
        tokens[at]
        for at in range(first, min(last, len(tokens)))
        if is_flag(tokens[at]) and tokens[at - 1] not in _NEEDING
    ]


def _is_elsewhere(sentence: Sentence, last: int, step: CommandStep) -> bool:
    """Does the text narrow a command down to a path that the step does not name?"""
    behind = sentence.tokens[last : last + 3]
    named = (
        [word for word in behind[1:] if "/" in word.strip("/")]
        if set(behind[:1]) & {"on", "in", "of"}
        else []
    )
    given = (*step.words, *step.values, *step.paths)
    return bool(named) and not any(path.strip("/*") in each for path in named for each in given)


def _is_meant_alone(sentence: Sentence, at: int, step: CommandStep) -> bool:
    """Does a program named alone mean every call of it?"""
    if sentence.tokens[at] in _EVERYDAY_PROGRAMS:
        return is_replaced(sentence, at, at + 1)
    if step.words and _is_subcommand(sentence, at + 1):
        return False
    return step.program not in GENERIC or is_directly_denied(sentence, at, at + 1)


def _is_subcommand(sentence: Sentence, at: int) -> bool:
    """May a word behind a program be its subcommand?"""
    if at >= len(sentence.tokens):
        return False
    word = sentence.tokens[at]
    plain = word.isascii() and word.replace("/", "").isalpha()
    if not plain or word in STOP_WORDS or word in _NO_SUBCOMMANDS:
        return False
    return not tells(word) or (word == _base(word) and is_risky(word))


def _base(word: str) -> str:
    """Return a verb without its ending: "apply locks" says what happens, "uv lock" is a command."""
    return re.sub(r"(?:s|ed|ing)$", "", word)


def names_other_form(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Does a memory name the program, in backticks or before a word, with another subcommand or other flags?"""
    for sentence in said:
        for _, _, text in sentence.spans:
            for named in steps(text):
                if (
                    named.program == step.program
                    and (named.words or named.flags)
                    and not _span_size(text, step)
                ):
                    return True
        for at, token in enumerate(sentence.tokens):
            if token == step.program and not sentence.in_span(at) and step.program not in _EVERYDAY_PROGRAMS:
                if _is_subcommand(sentence, at + 1) and not set(sentence.tokens[at + 1].split("/")) & set(
                    step.words
                ):
                    return True
                flags = _flags_named(sentence, at + 1, at + 4)
                if flags and not any(
                    has_flag(flag, step) for word in flags for flag in _letters(step.program, word)
                ):
                    return True
    return False


def is_about_another_command(sentence: Sentence, step: CommandStep) -> bool:
    """Does a sentence say what goes wrong with a command in backticks that is not this one?"""
    for first, last, text in sentence.spans:
        named = steps(text) if _COMMAND.match(text) else []
        whole = named and (named[0].words or named[0].programs[1:])
        other = whole and not {each.program for each in named} & set(step.programs)
        if other and stance(sentence, first, last) is not Stance.ADVISES:
            return True
    return False


def is_satisfied(said: Sequence[Sentence], step: CommandStep) -> bool:
    """Has the step a flag without which it goes wrong, or that is to be used?"""
    for sentence in said:
        for at, word in enumerate(sentence.tokens[1:], start=1):
            if not is_flag(word) or word.partition("=")[0] not in step.flags:
                continue
            ahead, way = sentence.tokens[at - 1], stance(sentence, at, at + 1)
            if ahead in _NEEDING and (way is not Stance.FORBIDS or ahead in ("without", "unless")):
                return True
            if ahead == "with" and way is Stance.ADVISES:
                return True
    return False


def demanded(said: Sequence[Sentence]) -> Iterator[CommandStep]:
    """Yield the commands in backticks that a text recommends or requires."""
    for sentence in said:
        for first, last, text in sentence.spans:
            if stance(sentence, first, last) in (Stance.ADVISES, Stance.REQUIRES):
                yield from steps(text)


def needed_flags(named: Mention) -> frozenset[str]:
    """Return the flags that a text demands right behind a command: "x must be run with --safe"."""
    tokens = named.sentence.tokens
    return frozenset(
        tokens[at]
        for at in range(named.last + 1, min(named.last + 7, len(tokens)))
        if is_flag(tokens[at]) and tokens[at - 1] in _DEMANDING
    )


def is_call_of(demanded: CommandStep, step: CommandStep) -> bool:
    """Is a step a call of the same subcommand, whatever its flags and values are?"""
    words = [word for word in demanded.words if not (_PLACEHOLDER.search(word) or _is_value(word))]
    return demanded.program == step.program and bool(words) and _in_order(words, step.words)


def shown_examples(said: Sequence[Sentence]) -> list[str]:
    """Return the parts in backticks that are no commands."""
    return [text for sentence in said for _, _, text in sentence.spans if not _COMMAND.match(text)]


def names_path(said: Sequence[Sentence], paths: Sequence[str]) -> Iterator[Mention]:
    """Yield the places where a text names one of the paths, by more than a bare word."""
    lowered = [path.lower() for path in paths]  # like the tokens
    for sentence in said:
        for at, token in enumerate(sentence.tokens):
            if any(_is_at(path, name) for name in _path_names(token) for path in lowered):
                yield Mention(sentence, at, at + 1, 1)


def _path_names(token: str) -> tuple[str, ...]:
    return (*paths_in(token), *([token] if token.endswith("/") and token != "/" else []))


def _is_at(path: str, name: str) -> bool:
    """Is a path the one with this name, or in the folder with this name: `build/`?"""
    if name.endswith("/"):
        return f"/{name}" in f"/{path}/"
    return path == name or path.endswith(f"/{name}")
