"""Order the steps of a session, with what its commands were and how they ended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.check_results import Ending, ending, is_check
from memory_layer.text.command_lines import pieces, program_of
from memory_layer.text.correction_phrases import is_correction
from memory_layer.text.shell import CommandStep, steps as shell_steps

MOST_STEPS = 2_000  #: of a session, from its end
#: Programs that change nothing that a later check could notice.
_PASSING_BY = frozenset("cd sleep echo pwd true".split())


class Run(NamedTuple):
    """A command line that was run, and how it ended."""

    place: int  #: among the steps
    step: Step
    parts: tuple[CommandStep, ...]  #: without those that only change the folder
    words: tuple[tuple[str, ...], ...]  #: of each simple command
    ending: Ending

    @property
    def is_check(self) -> bool:
        return any(is_check(part) for part in self.parts)

    @property
    def passed(self) -> bool:
        return self.ending is Ending.PASSED

    @property
    def failed(self) -> bool:
        return self.ending not in (Ending.PASSED, Ending.UNKNOWN) or self.step.passed is False

    @property
    def changes(self) -> bool:
        """May the run have changed anything?"""
        return not all(part.only_reads or is_check(part) or _only_finds(part) for part in self.parts)


class Timeline(NamedTuple):
    """The steps of a session in order, and its commands."""

    steps: tuple[Step, ...]
    runs: tuple[Run, ...]

    def places(self, kind: StepKind, after: datetime | None = None) -> Iterator[int]:
        """Yield the places of the steps of a kind, in order."""
        for place, step in enumerate(self.steps):
            if step.kind is kind and (after is None or step.at > after):
                yield place

    @property
    def programs(self) -> frozenset[str]:
        """Return the programs that were run, and those that ran them."""
        named = (program for run in self.runs for part in run.parts for program in part.programs)
        return frozenset(named) | {program_of(words) for run in self.runs for words in run.words}

    def was_changed(self, first: int, last: int) -> bool:
        """Was anything changed between two places?"""
        edited = any(first < place < last for place in self.places(StepKind.EDIT))
        return edited or any(run.changes for run in self.runs if first < run.place < last)

    def is_disputed(self, place: int) -> bool:
        """Does a person reject what the agent said at a place?"""
        later = next((self.steps[each].text for each in self.places(StepKind.PROMPT) if each > place), "")
        return is_correction(later)

    def last_check_passed(self, first: int) -> bool | None:
        """Tell whether the last check from a place on passed; None without one that tells."""
        ended = [run.passed for run in self.runs if run.place >= first and run.is_check and (run.passed or run.failed)]
        return ended[-1] if ended else None


def timeline(steps: Sequence[Step]) -> Timeline:
    """Read the steps of a session."""
    ordered = tuple(sorted(steps, key=lambda step: step.at))[-MOST_STEPS:]
    runs = tuple(_run(place, step) for place, step in enumerate(ordered) if step.kind is StepKind.COMMAND)
    return Timeline(ordered, runs)


def _run(place: int, step: Step) -> Run:
    parts = tuple(part for part in shell_steps(step.command) if part.program not in _PASSING_BY)
    return Run(place, step, parts, tuple(pieces(step.command)), ending(step.command, step.text, step.passed))


def _only_finds(part: CommandStep) -> bool:
    return part.program == "find" and not part.flags & {"-delete", "-exec", "-execdir", "-ok"}


def is_same_call(one: Run, other: Run) -> bool:
    """Do two command lines run the same program for the same purpose, whatever their options are?"""
    return any(_is_alike(mine, theirs) for mine in one.parts for theirs in other.parts)


def _is_alike(one: CommandStep, other: CommandStep) -> bool:
    if one.program != other.program or (one.only_reads and not is_check(one)):
        return False
    mine, theirs = _verb(one), _verb(other)
    return mine == theirs or (is_check(one) and is_check(other) and not (mine and theirs))


def _verb(step: CommandStep) -> tuple[str, ...]:
    """Return the subcommand or task of a step, without files and values."""
    words = [word for word in step.words if word not in ("run", "run-script", "exec")]
    return tuple(word for word in words[:1] if not any(sign in word for sign in "/.=@_"))
