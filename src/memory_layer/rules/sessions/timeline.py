"""Order the steps of a session, with what its commands were and how they ended; everything is read once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.rules.sessions.runs import CommandRun, read_run
from memory_layer.text.correction_phrases import is_correction
from memory_layer.text.words import content_words

MOST_STEPS = 2_000  #: of a session, from its end
LONGEST_READ = 4_000  #: characters of a text
_NOTHING: frozenset[str] = frozenset()


class SessionTimeline(NamedTuple):
    """The steps of a session in order, and its commands."""

    steps: tuple[Step, ...]
    terms: tuple[frozenset[str], ...]  #: of each step: what was said, or run, or the names of files
    asked: tuple[frozenset[str], ...]  #: by each step: the words of all prompts before it
    runs: tuple[CommandRun, ...]
    prompts: tuple[int, ...]
    edits: tuple[int, ...]
    sayings: tuple[int, ...]
    folder: str = ""

    @property
    def programs(self) -> frozenset[str]:
        """Return whatever may be the name of a program that was run."""
        return frozenset(name for run in self.runs for name in run.names)

    def last_check_passed(self, first: int = 0) -> bool | None:
        """Tell whether the last conclusive check from a place on passed; None if there is none."""
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
        """Return the agent's next message after a place."""
        return next((self.steps[each].text for each in self.sayings if each > place), "")

    def is_disputed(self, place: int) -> bool:
        """Does a person reject what the agent said at a place?"""
        return is_correction(self.prompt_after(place))

    def prompt_after(self, place: int) -> str:
        """Return the next prompt after a place; empty if there is none."""
        return next((self.steps[each].text for each in self.prompts if each > place), "")

    def first_after(self, at: datetime) -> int:
        """Return the place of the first step after a point in time."""
        return next((place for place, step in enumerate(self.steps) if step.at > at), len(self.steps))


def timeline(steps: Sequence[Step], folder: str = "") -> SessionTimeline:
    """Read the steps of a session in a folder."""
    ordered = tuple(sorted(steps, key=lambda step: step.at))[-MOST_STEPS:]
    terms = tuple(content_words(_text(step)[:LONGEST_READ]) for step in ordered)
    asked, known = list[frozenset[str]](), _NOTHING
    for step, own in zip(ordered, terms, strict=True):
        asked.append(known)
        known = known | own if step.kind is StepKind.PROMPT else known
    runs = tuple(
        read_run(place, step, folder) for place, step in enumerate(ordered) if step.kind is StepKind.COMMAND
    )
    return SessionTimeline(
        ordered,
        terms,
        tuple(asked),
        runs,
        _places(ordered, StepKind.PROMPT),
        _places(ordered, StepKind.EDIT),
        _places(ordered, StepKind.SAID),
        folder,
    )


def _places(steps: Sequence[Step], kind: StepKind) -> tuple[int, ...]:
    return tuple(place for place, step in enumerate(steps) if step.kind is kind)


def _text(step: Step) -> str:
    """Return what a person or the agent wrote at a step; a command's output is written by neither."""
    if step.kind is StepKind.COMMAND:
        return step.command
    return " ".join(step.files) if step.kind is StepKind.EDIT else step.text
