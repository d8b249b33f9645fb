"""Conclude from a command that a memory names: it was run, and passed or cannot be called like that."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, command_size, is_cure, mention_size
from memory_layer.rules.sessions.evidence import quoted
from memory_layer.rules.sessions.runs import CommandRun, repeats
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.text.commands.endings import CommandEnding, is_refused_call, wrong_calls
from memory_layer.text.commands.meanings import EVERYDAY

#: Endings for which the call itself may be to blame.
_BY_CALL = (CommandEnding.CALL, CommandEnding.FAILED)
_PIECE = re.compile(r"[\w@+-]{3,}(?:[.:/][\w@+-]+)*")

#: A folder below the one that a command line begins in.
_GONE_TO = re.compile(r"(?:^|[;&(\n])\s*(?:cd|pushd)\s+['\"]?((?![/~.$-])[^\s;&|'\"]+)")
_INSTALLING = frozenset("install add get i -S".split())


class FollowedAdvice(NamedTuple):
    """The runs that did as a memory says, after it was given."""

    runs: tuple[CommandRun, ...]
    loosely: tuple[CommandRun, ...]  #: that only have one word of it, a program or a value
    is_new: bool  #: nobody ran or asked for the command before


def followed(memory: ReadMemory, line: SessionTimeline) -> FollowedAdvice:
    """Find the commands that follow a memory."""
    sizes = [(run, size) for run in line.runs if (size := command_size(memory, run))]
    after = [(run, size) for run, size in sizes if run.step.at > memory.at]
    if not after:
        return FollowedAdvice((), (), False)
    best = max(size for _, size in after)
    first = after[0][0]
    known = any(size >= best for run, size in sizes if run.step.at <= memory.at)
    runs = tuple(run for run, size in after if size > 1 or _is_script(memory, run))
    loosely = tuple(run for run, _ in after if run not in runs)
    return FollowedAdvice(runs, loosely, not known and not _is_asked_for(line, first, best))


def _is_script(memory: ReadMemory, run: CommandRun) -> bool:
    """Is a single word that a memory names a script of the project, which nobody runs by chance like `pytest`?"""
    words = {word for call in run.calls for word in call.words[:2]}
    named = {each.words[0] for each in memory.commands if len(each.words) == 1}
    return any("/" in word or "." in word for word in words & named)


def _is_asked_for(line: SessionTimeline, run: CommandRun, size: int) -> bool:
    """Did a person name as much of the command before it was run?"""
    prompts = (line.steps[place] for place in line.prompts if place < run.place)
    return any(mention_size(step.text, run) >= size for step in prompts)


def by_command(memory: ReadMemory, line: SessionTimeline, done: FollowedAdvice) -> SeenOutcome | None:
    """Conclude from how the command of a memory ended."""
    done = done._replace(
        runs=tuple(run for run in done.runs if run.passed or not _is_excused(memory, line, run)),
        loosely=tuple(run for run in done.loosely if not _is_excused(memory, line, run)),
    )
    passed = [run for run in done.runs if run.passed]
    wrong = [run for run in (*done.runs, *done.loosely) if run.ending in _BY_CALL and _culprit(memory, run)]
    if not passed:
        return _by_failure(memory, line, done, wrong)
    if not done.is_new or (is_cure(memory) and not any(run.is_check for run in passed)):
        return None  # a remedy that could be applied has not necessarily helped
    if replaced := _replaced(line, passed[-1], done.runs):
        return SeenOutcome(
            memory.memory.id,
            Outcome.FAILED,
            EvidenceKind.REVERTED,
            f"{quoted(replaced.step.command)} replaced it after a failing check",
            replaced.step.at,
        )
    return _outcome(
        memory, passed[0], Outcome.WORKED, f"{quoted(passed[0].step.command)} passed after it was given"
    )


def _is_excused(memory: ReadMemory, line: SessionTimeline, run: CommandRun) -> bool:
    """Did a call fail in a folder that the memory does not speak of, or until its program was installed?"""
    gone = _GONE_TO.findall(run.step.command)
    if any(folder not in memory.text for folder in gone):
        return True
    programs = {part.program for part in run.parts}
    return run.ending is CommandEnding.CALL and any(
        later.passed and _installs(words, programs)
        for later in line.runs
        if later.place > run.place
        for words in (call.words for call in later.calls)
    )


def _installs(words: Sequence[str], programs: set[str]) -> bool:
    """Does a simple command install one of the programs?"""
    at = next((at for at, word in enumerate(words) if word in _INSTALLING), len(words))
    return any(re.split(r"[@=<>~\[]", word)[0].rpartition("/")[2] in programs for word in words[at + 1 :])


def _by_failure(
    memory: ReadMemory, line: SessionTimeline, done: FollowedAdvice, wrong: Sequence[CommandRun]
) -> SeenOutcome | None:
    """Conclude from a call that cannot work, or that worked only in another form."""
    if wrong:
        evidence = f"{quoted(wrong[0].step.command)} cannot be run: {_culprit(memory, wrong[0])}"
        return _outcome(memory, wrong[0], Outcome.FAILED, evidence)
    if not done.runs:
        return None
    last = done.runs[-1]
    other = next((run for run in line.runs if run.place > last.place and repeats(run, last)), None)
    if (
        other is None
        or not other.passed
        or last.ending not in _BY_CALL
        or line.was_changed(last.place, other.place)
    ):
        return None
    evidence = f"{quoted(last.step.command)} failed, {quoted(other.step.command)} passed"
    return _outcome(memory, last, Outcome.FAILED, evidence)


def _outcome(memory: ReadMemory, run: CommandRun, result: Outcome, evidence: str) -> SeenOutcome:
    return SeenOutcome(memory.memory.id, result, EvidenceKind.COMMAND, evidence, run.step.at)


def _culprit(memory: ReadMemory, run: CommandRun) -> str | None:
    """Return the line of an output that says that a word of the call, which the memory names, does not exist."""
    named = {word.lower() for word in _pieces(run.step.command)} & {
        word.lower() for word in _pieces(memory.text)
    }
    for line in wrong_calls(run.step.text):
        lower = line.lower()
        if any(_stands_in(word, lower) for word in named if word not in EVERYDAY or is_refused_call(line)):
            return line
    return None


def _pieces(text: str) -> Iterator[str]:
    for word in _PIECE.findall(text):
        yield word
        yield from (piece for piece in re.split(r"[/=]|^-+[A-Z]?(?=\w)", word) if len(piece) > 3)


def _stands_in(word: str, line: str) -> bool:
    return re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", line) is not None


def _replaced(line: SessionTimeline, run: CommandRun, following: Sequence[CommandRun]) -> CommandRun | None:
    """Find the later variant of a call that made a check pass which had failed after it."""
    later = [each for each in line.runs if each.place > run.place]
    failed = next((each for each in later if each.is_check and each.failed and not repeats(each, run)), None)
    if failed is None:
        return None
    instead = [
        each for each in later if each.place > failed.place and each not in following and repeats(each, run)
    ]
    return next((each for each in instead if line.last_check_passed(each.place)), None)
