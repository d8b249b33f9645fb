"""Order the steps of a session, with what its commands were and how they ended; everything is read once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.check_programs import is_check
from memory_layer.text.check_results import Ending, ending
from memory_layer.text.command_lines import pieces
from memory_layer.text.correction_phrases import is_correction
from memory_layer.text.shell import CommandStep, program_name
from memory_layer.text.shell import steps as shell_steps
from memory_layer.text.words import content_words

MOST_STEPS = 2_000  #: of a session, from its end
LONGEST_READ = 4_000  #: characters of a text
#: Programs that change nothing that a later check could notice.
_PASSING_BY = frozenset("cd sleep echo pwd true set".split())
_NOTHING: frozenset[str] = frozenset()


class Run(NamedTuple):
    """A command line that was run, and how it ended."""

    place: int  #: among the steps
    step: Step
    parts: tuple[CommandStep, ...]  #: without those that only change the folder
    words: tuple[tuple[str, ...], ...]  #: of each simple command
    names: frozenset[str]  #: every word as the name of a program
    ending: Ending
    is_check: bool
    changes: bool  #: whether it may have changed anything

    @property
    def passed(self) -> bool:
        return self.ending is Ending.PASSED

    @property
    def failed(self) -> bool:
        return self.ending not in (Ending.PASSED, Ending.UNKNOWN) or self.step.passed is False


class Timeline(NamedTuple):
    """The steps of a session in order, and its commands."""

    steps: tuple[Step, ...]
    terms: tuple[frozenset[str], ...]  #: of each step: what was said, or run, or the names of files
    asked: tuple[frozenset[str], ...]  #: by each step: the words of all prompts before it
    runs: tuple[Run, ...]
    prompts: tuple[int, ...]
    edits: tuple[int, ...]
    sayings: tuple[int, ...]

    @property
    def programs(self) -> frozenset[str]:
        """Return whatever may be the name of a program that was run."""
        return frozenset(name for run in self.runs for name in run.names)

    def last_check_passed(self, first: int = 0) -> bool | None:
        """Tell whether the last check from a place on passed; None without one that tells."""
        ended = (run for run in reversed(self.runs) if run.place >= first and run.is_check)
        return next((run.passed for run in ended if run.passed or run.failed), None)

    def was_changed(self, first: int, last: int) -> bool:
        """Was anything changed between two places?"""
        edited = any(first < place < last for place in self.edits)
        return edited or any(run.changes for run in self.runs if first < run.place < last)

    def begin_of_turn(self, place: int) -> int:
        """Return the place of the prompt before a place; -1 if there is none."""
        return max((each for each in self.prompts if each < place), default=-1)

    def saying_after(self, place: int) -> str:
        """Return the agent's next words behind a place."""
        return next((self.steps[each].text for each in self.sayings if each > place), "")

    def is_disputed(self, place: int) -> bool:
        """Does a person reject what the agent said at a place?"""
        later = next((self.steps[each].text for each in self.prompts if each > place), "")
        return is_correction(later)

    def first_after(self, at: datetime) -> int:
        """Return the place of the first step after a moment."""
        return next((place for place, step in enumerate(self.steps) if step.at > at), len(self.steps))


def timeline(steps: Sequence[Step]) -> Timeline:
    """Read the steps of a session."""
    ordered = tuple(sorted(steps, key=lambda step: step.at))[-MOST_STEPS:]
    terms = tuple(content_words(_text(step)[:LONGEST_READ]) for step in ordered)
    asked, known = list[frozenset[str]](), _NOTHING
    for step, own in zip(ordered, terms, strict=True):
        asked.append(known)
        known = known | own if step.kind is StepKind.PROMPT else known
    runs = tuple(_run(place, step) for place, step in enumerate(ordered) if step.kind is StepKind.COMMAND)
    return Timeline(
        ordered,
        terms,
        tuple(asked),
        runs,
        _places(ordered, StepKind.PROMPT),
        _places(ordered, StepKind.EDIT),
        _places(ordered, StepKind.SAID),
    )


def _places(steps: Sequence[Step], kind: StepKind) -> tuple[int, ...]:
    return tuple(place for place, step in enumerate(steps) if step.kind is kind)


def _text(step: Step) -> str:
    """Return what a person or the agent wrote at a step; the output of a command is nobody's words."""
    if step.kind is StepKind.COMMAND:
        return step.command
    return " ".join(step.files) if step.kind is StepKind.EDIT else step.text


def _run(place: int, step: Step) -> Run:
    parts = tuple(part for part in shell_steps(step.command) if part.program not in _PASSING_BY)
    words = tuple(pieces(step.command))
    names = frozenset(program_name(word) for piece in words for word in piece)
    checks = [is_check(part) for part in parts]
    harmless = (
        check or part.only_reads or _only_finds(part) for part, check in zip(parts, checks, strict=True)
    )
    how = ending(step.command, step.text, step.passed, checks=any(checks))
    return Run(place, step, parts, words, names, how, any(checks), not all(harmless))


def _only_finds(part: CommandStep) -> bool:
    return part.program == "find" and not part.flags & {"-delete", "-exec", "-execdir", "-ok"}


def is_same_call(one: Run, other: Run) -> bool:
    """Do two command lines run the same program for the same purpose, whatever their options are?"""
    return any(_is_alike(mine, theirs) for mine in one.parts for theirs in other.parts)


def _is_alike(one: CommandStep, other: CommandStep) -> bool:
    if one.program != other.program:
        return False
    checks = is_check(one)
    if one.only_reads and not (checks or one.trial_flags):
        return False
    mine, theirs = _verb(one), _verb(other)
    return mine == theirs or (checks and is_check(other) and not (mine and theirs))


def _verb(step: CommandStep) -> tuple[str, ...]:
    """Return the subcommand or task of a step, without files and values."""
    words = [word for word in step.words if word not in ("run", "run-script", "exec")]
    return tuple(word for word in words[:1] if not any(sign in word for sign in "/.=@_"))
