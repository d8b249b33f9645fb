"""Conclude from work that followed a memory and was reverted after a check had failed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, names_file
from memory_layer.rules.sessions.commands import FollowedAdvice
from memory_layer.rules.sessions.evidence import quoted
from memory_layer.rules.sessions.runs import CommandRun
from memory_layer.rules.sessions.timeline import SessionTimeline
from memory_layer.rules.sessions.words import places_of, sentences_of
from memory_layer.text.commands.shell import CommandStep
from memory_layer.text.words import content_words

#: Words by which an agent says that something did not work.
_TAKEN_BACK = re.compile(
    r"revert|took (?:that|it|this|them) back|taken? back|\bund(?:o|id|one)\b|roll(?:ed)? back|back to|restored"
    r"|impossible|not possible|no longer possible|can(?:not|'t)|could(?:n't| not)|does(?:n't| not) (?:work|hold|help)"
    r"|did(?:n't| not) (?:work|help)|br(?:oke|eaks)|violat|ruin|conflict|made .{0,40}(?:worse|fail)|turned .{0,60} into"
    r"|backed out",
    re.IGNORECASE,
)
_SHORTEST_NAME = 4
MOST_EDITS = 500


class TakenBack(NamedTuple):
    """A file that was changed, and changed back after a failing check."""

    file: str
    edited: int
    failed: CommandRun
    undone: int
    command: str  #: that took it back; empty for another edit


def taken_back(line: SessionTimeline) -> list[TakenBack]:
    """Find the changes that were undone after a failing check."""
    edits = [(place, file) for place in line.edits for file in line.steps[place].files][-MOST_EDITS:]
    kept = max((run.place for run in line.runs if brings_back(run)), default=-1)
    undoing = [
        run
        for run in line.runs
        if not run.failed and any(_takes_back(part, set_aside=run.place <= kept) for part in run.parts)
    ]
    found: list[TakenBack] = []
    for place, file in edits:
        failed = next((run for run in line.runs if run.place > place and run.failed), None)
        if failed is None:
            continue
        undo = next((run for run in undoing if run.place > failed.place and _undoes(run, file)), None)
        again = next((each for each, name in edits if each > failed.place and name == file), None)
        if undo is not None:
            found.append(TakenBack(file, place, failed, undo.place, undo.step.command))
        elif again is not None:
            found.append(TakenBack(file, place, failed, again, ""))
    return found


def by_revert(
    memory: ReadMemory,
    others: Sequence[ReadMemory],
    line: SessionTimeline,
    done: FollowedAdvice,
    undone: Sequence[TakenBack],
) -> SeenOutcome | None:
    """Conclude from reverted changes, if they were what the memory asks for."""
    advised = {run.place for run in done.runs}
    for each in undone:
        after = line.steps[each.edited].at > memory.at and each.undone not in advised
        if not after or not _is_meant(memory, others, line, each):
            continue
        what = f"{quoted(each.command)} reverted the change" if each.command else "the change was reverted"
        evidence = f"{what} after {quoted(each.failed.step.command)} had failed"
        at = line.steps[each.undone].at
        return SeenOutcome(memory.memory.id, Outcome.FAILED, EvidenceKind.REVERTED, evidence, at)
    return None


def _takes_back(part: CommandStep, *, set_aside: bool = False) -> bool:
    """Does a git command revert changes, rather than only stash them until later?"""
    verb = part.words[:1]
    return part.program == "git" and verb in _TAKING_BACK and not (set_aside and verb == ("stash",))


def brings_back(run: CommandRun) -> bool:
    """Does a command line bring changes back that were set aside, to compare with and without them?"""
    ways = (("stash", "pop"), ("stash", "apply"))
    return any(part.program == "git" and part.words[:2] in ways for part in run.parts)


_TAKING_BACK = (("checkout",), ("restore",), ("revert",), ("stash",), ("reset",))


def _undoes(run: CommandRun, file: str) -> bool:
    return any(_takes_back(part) and _undoes_file(part, file) for part in run.parts)


def _undoes_file(part: CommandStep, file: str) -> bool:
    """Does a git command revert the changes of a file?"""
    verb = part.words[:1]
    if verb == ("revert",) or (verb == ("reset",) and "--hard" in part.flags):
        return True
    if verb == ("stash",):
        return part.words[1:2] in ((), ("push",), ("save",))
    if verb not in (("checkout",), ("restore",)) or part.flags & {"-b", "-B", "--staged"}:
        return False
    lower = file.lower()
    return any(
        word in (".", "*", "--") or lower == word or lower.endswith(f"/{word.removeprefix('./')}")
        for word in part.words[1:]
    )


def _is_meant(
    memory: ReadMemory, others: Sequence[ReadMemory], line: SessionTimeline, undone: TakenBack
) -> bool:
    """Were the changes those that the memory asks for?"""
    telling = memory.own - line.asked[undone.undone]
    words = _words_against(telling, line, undone.undone)
    if not undone.command:
        return len(words) >= 2 or bool(words and _is_about(memory, undone.file))
    error = undone.failed.step.text[-2_000:]
    in_error = {each.term for each in places_of(telling, error) if len(each.term) >= _SHORTEST_NAME}
    return bool(words or in_error or _is_about(memory, undone.file)) and not any(
        _is_about(other, undone.file) and not _is_about(memory, undone.file) for other in others
    )


def _is_about(memory: ReadMemory, file: str) -> bool:
    """Does a memory name a file, by its path or by its name alone?"""
    if names_file(memory, [file]):
        return True
    name = file.replace("\\", "/").rsplit("/", 1)[-1].partition(".")[0]
    named = any(
        command.words and name.lower() in map(str.lower, command.words) for command in memory.commands
    )
    return len(name) >= _SHORTEST_NAME and not named and bool(content_words(name) & memory.terms)


def _words_against(telling: frozenset[str], line: SessionTimeline, place: int) -> set[str]:
    """Return the words of a memory in the agent's later sentences on what did not work."""
    return {
        each.term
        for sentence in sentences_of(line.saying_after(place))
        if _TAKEN_BACK.search(sentence)
        for each in places_of(telling, sentence)
    }
