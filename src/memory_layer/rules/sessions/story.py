"""Tell a past session in a few lines: what was asked, how it ended, and the files that changed."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.episodes import EpisodeKind, Event
from memory_layer.model.runs import RunResult
from memory_layer.model.steps import Step, StepKind
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.changed_files import edited_files
from memory_layer.rules.sessions.handoff import open_failures, result_of
from memory_layer.rules.sessions.timeline import SessionTimeline, timeline

LONGEST_REQUEST = 240  #: characters
LONGEST_COMMAND = 120
LONGEST_ENDING = 200
MOST_FILES = 8
_OUTCOMES = {RunResult.WORKED: Outcome.WORKED, RunResult.FAILED: Outcome.FAILED}


def story_of(steps: Sequence[Step]) -> Event | None:
    """Return a session as an event; None if nobody asked for anything, or nothing was changed and nothing checked."""
    asked = [step.text for step in steps if step.kind is StepKind.PROMPT]
    line = timeline(steps)
    files, result = edited_files(steps, ""), result_of(line)
    if not asked or not (files or result):
        return None
    lines = [f"Asked: {_short(asked[0], LONGEST_REQUEST)}"]
    if files:
        more = f" and {len(files) - MOST_FILES} more" if len(files) > MOST_FILES else ""
        lines.append(f"Changed: {', '.join(files[:MOST_FILES])}{more}")
    lines.append(_ending(line, result))
    outcome = _OUTCOMES.get(result) if result else None
    return Event("\n".join(filter(None, lines)), EpisodeKind.MILESTONE, outcome, at=steps[-1].at)


def _ending(line: SessionTimeline, result: RunResult | None) -> str:
    """Say how a session ended: by what still failed, by its last check, or in the agent's last words."""
    if failing := open_failures(line):
        return f"Ended: `{_short(failing[-1], LONGEST_COMMAND)}` still failed"
    if result is RunResult.WORKED:
        return "Ended: the last check passed"
    said = line.steps[line.sayings[-1]].text if line.sayings else ""
    return f"Ended: {_short(said, LONGEST_ENDING)}" if said else ""


def _short(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
