"""Write the handoff of a session that left none, and tell how the session ended."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from memory_layer.model.episodes import HandoffParts
from memory_layer.model.record import NamedTuple
from memory_layer.model.runs import RunResult
from memory_layer.model.steps import Step, StepKind
from memory_layer.rules.episodes import handed_over
from memory_layer.rules.sessions.changed_files import changed_files
from memory_layer.rules.sessions.runs import CommandRun, repeat_place
from memory_layer.rules.sessions.timeline import SessionTimeline, timeline
from memory_layer.text.commands.calls import shown
from memory_layer.text.commands.endings import CommandEnding, is_refused_call
from memory_layer.text.tokens import estimate

MOST_TOKENS = 80
LONGEST_FILE = 80  #: characters
NOTHING_OPEN = "Nothing is left open."
_REQUEST, _FAILS = "Last request: ", "` still fails"
_MORE = re.compile(r"and \d+ more")
_NO_REQUEST = re.compile(
    r"\W*(?:yes|yep|no|ok|okay|sure|thanks|thank you|go ahead|go on"
    r"|continue|perfect|great|nice|good|cool|done|please)\W*",
    re.IGNORECASE,
)
_DROPPED = re.compile(
    r"\b(?:never ?mind|forget (?:it|that)|drop (?:it|that)|skip (?:it|that)|leave it out)\b", re.IGNORECASE
)
#: Words of commands whose failure is left to the next session.
_MATTERS = frozenset(
    "test tests check lint verify validate typecheck vet audit e2e spec pytest jest vitest rspec tsc mypy build compile"
    " deploy publish release push apply migrate bundle package assemble plan".split()
)
_WORDS = re.compile(r"[a-z0-9]+")


class Room(NamedTuple):
    """The most that a handoff names."""

    files: int
    failures: int
    request: int  #: characters
    command: int  #: characters


#: The first in which everything fits is taken.
_ROOMS = (
    Room(6, 3, 160, 120),
    Room(4, 3, 160, 100),
    Room(4, 2, 100, 80),
    Room(3, 2, 80, 60),
    Room(2, 1, 60, 60),
    Room(1, 1, 40, 30),
)


def handoff_of(line: SessionTimeline, former: HandoffParts | None = None) -> HandoffParts | None:
    """Return what the next session should know about this one; None if nothing was changed and nothing fails.

    A session that went on also has what it had left before, and tells when nothing of that is open any more.
    """
    if not line.steps:
        return None
    if former is not None:
        line = timeline([*_steps_before(former, line.steps[0].at), *line.steps], line.folder)
    files = changed_files(line.steps, line.folder)
    failing = open_failures(line)
    if not files and not failing:
        return HandoffParts(NOTHING_OPEN) if former is not None else None
    parts = HandoffParts()
    for room in _ROOMS:
        parts = _parts(_request(line), files, failing, room)
        if estimate(handed_over(parts)) <= MOST_TOKENS:
            break
    return parts


def _steps_before(former: HandoffParts, at: datetime) -> Iterator[Step]:
    """Yield the steps that an earlier handoff of the same session tells of."""
    if former.text.startswith(_REQUEST):
        yield Step(StepKind.PROMPT, at, former.text.removeprefix(_REQUEST))
    files = tuple(file for file in former.files if not _MORE.fullmatch(file))
    yield Step(StepKind.EDIT, at, files=files, passed=True)
    for each in former.next:
        if each.endswith(_FAILS):
            yield Step(StepKind.COMMAND, at, command=each.removesuffix(_FAILS)[1:], passed=False)


def _request(line: SessionTimeline) -> str:
    """Return the last prompt that asks for something; empty without one."""
    asked = (line.steps[place].text for place in reversed(line.prompts))
    return next((text for text in asked if not _NO_REQUEST.fullmatch(text[:40])), "")


def _parts(request: str, files: Sequence[str], failing: Sequence[str], room: Room) -> HandoffParts:
    text = f"{_REQUEST}{_short(request, room.request)}" if request else "Work of the last session"
    still = tuple(f"`{_short(command, room.command)}{_FAILS}" for command in failing[-room.failures :])
    more = (f"and {len(files) - room.files} more",) if len(files) > room.files else ()
    named = (
        file if len(file) <= LONGEST_FILE else f"…{file[-LONGEST_FILE:]}" for file in files[: room.files]
    )
    return HandoffParts(text=text, next=still, files=(*named, *more))


def open_failures(line: SessionTimeline) -> list[str]:
    """Return the commands that matter and that failed when they were run last, unless a person dropped them."""
    still = list[CommandRun]()
    for run in line.runs:
        still = [each for each in still if run.ending is CommandEnding.STOPPED or not _repeats(each, run)]
        if run.failed and _matters(run):
            still.append(run)
    return [shown(run.step.command) for run in still if not _is_dropped(line, run.place)]


def _repeats(failed: CommandRun, later: CommandRun) -> bool:
    """Does a later run repeat all of what failed, or more?"""
    place = repeat_place(failed, later)
    if place is None or failed.main is None:
        return False
    old, new = failed.main.values, later.calls[place].values
    return not new or all(any(value.startswith(each) for each in new) for value in old)


def _matters(run: CommandRun) -> bool:
    step = run.main.step if run.main else None
    if step is None:
        return False
    named = (step.program, *step.words, *step.values)
    if is_refused_call(run.error) and any(len(word) > 2 and word in run.error for word in named):
        return False
    first = (step.program, *step.words[:3], *step.values[:2])
    return any(word in _MATTERS for name in first for word in _WORDS.findall(name.lower()))


def _is_dropped(line: SessionTimeline, place: int) -> bool:
    asked = line.prompt_after(place)
    return _DROPPED.search(asked[:200]) is not None


def result_of(line: SessionTimeline) -> RunResult | None:
    """Return how the session ended by its last check; None if it ran none or the check is inconclusive."""
    checks = [run for run in line.runs if run.is_check and run.ending is not CommandEnding.STOPPED]
    last = checks[-1] if checks else None
    return RunResult.FAILED if last and last.failed else RunResult.WORKED if last and last.passed else None


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
