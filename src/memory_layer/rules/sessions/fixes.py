"""Conclude from a check that failed and passed after a memory's advice was followed, and from a file it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import EvidenceKind, SeenOutcome
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, advised_files, names_file, uses_setting
from memory_layer.rules.sessions.commands import FollowedAdvice
from memory_layer.rules.sessions.evidence import quoted
from memory_layer.rules.sessions.reverts import brings_back
from memory_layer.rules.sessions.runs import CommandRun, repeats
from memory_layer.rules.sessions.timeline import LONGEST_READ, SessionTimeline
from memory_layer.rules.sessions.words import places_of, sentences_of
from memory_layer.rules.warnings.errors import ENOUGH, weight_of
from memory_layer.rules.warnings.kinds import Rarity
from memory_layer.text.commands.error_text import ErrorText, read_error
from memory_layer.text.words import content_words

_RARITY = Rarity(0, {})
MOST_RETRIES = 100
#: The name of a rule at the end of a line, as linters and type checkers print it.
_RULE = re.compile(r"[\[(]([a-z][\w-]{4,40})[\])][ \t]*$", re.MULTILINE)


class Retry(NamedTuple):
    """A call that failed and passed later, and what its failure says."""

    failed: CommandRun
    passed: CommandRun
    error: ErrorText
    terms: frozenset[str]
    rules: frozenset[str]  #: of a linter


def retries(line: SessionTimeline) -> list[Retry]:
    """Find the calls that failed and passed later."""
    found: list[Retry] = []
    for failed in [run for run in line.runs if run.failed][-MOST_RETRIES:]:
        later = (run for run in line.runs if run.place > failed.place)
        passed = next((run for run in later if run.passed and repeats(run, failed)), None)
        if passed is not None:
            output = failed.step.text[-LONGEST_READ:]
            rules = frozenset(each.lower() for each in _RULE.findall(output))
            found.append(Retry(failed, passed, read_error(output), content_words(output), rules))
    return found


def by_fix(
    memory: ReadMemory, line: SessionTimeline, done: FollowedAdvice, retried: Sequence[Retry]
) -> SeenOutcome | None:
    """Conclude from a call that failed, and passed once the advice was followed."""
    for each in retried:
        abandoned = each.failed in done.runs and each.passed not in done.runs
        if each.passed.step.at > memory.at and not abandoned and _is_cause(memory, line, each, done):
            evidence = (
                f"{quoted(each.passed.step.command)} failed before and passed after its advice was followed"
            )
            return SeenOutcome(
                memory.memory.id, Outcome.WORKED, EvidenceKind.FIXED, evidence, each.passed.step.at
            )
    return None


def _is_cause(memory: ReadMemory, line: SessionTimeline, retry: Retry, done: FollowedAdvice) -> bool:
    """Is the advice what turned a failure into a success?"""
    first, last = retry.failed.place, retry.passed.place
    runs = [run for run in done.runs if first < run.place <= last]
    edits = [
        line.steps[each] for each in line.edits if first < each < last and line.steps[each].at > memory.at
    ]
    edits = [step for step in edits if step.passed is not False]
    mine = [step for step in edits if names_file(memory, step.files)]
    setting = uses_setting(memory, retry.passed.step.command) and not uses_setting(
        memory, retry.failed.step.command
    )
    if (runs or edits or setting) and describes(memory, retry):
        untold = len(edits) == 1 and not any(sentence.spans for sentence in memory.said)
        return bool(runs or mine or setting or (edits and (untold or _is_told(memory, line, retry))))
    applied = [run for run in runs if run.place < last and not run.failed]
    helped = applied or setting or any(advised_files(memory, step.files) for step in mine)
    return bool(helped) and len(mine) == len(edits) and not _has_other_changes(line, retry, runs)


def describes(memory: ReadMemory, retry: Retry) -> bool:
    """Does a memory describe the error of a run?"""
    if any(token in retry.rules for sentence in memory.said for token in sentence.tokens):
        return True
    if not memory.terms & retry.terms:
        return False
    return weight_of(memory.text, memory.memory.category, retry.error, _RARITY) >= ENOUGH


def _is_told(memory: ReadMemory, line: SessionTimeline, retry: Retry) -> bool:
    """Does the agent say afterwards that it did what only the memory mentions?"""
    new = memory.own - line.asked[retry.passed.place] - retry.terms
    told = sentences_of(line.saying_after(retry.passed.place))
    found = {each.term for sentence in told for each in places_of(new, sentence)}
    return len(found) > 1 or any(not term.isalpha() for term in found)


def _has_other_changes(line: SessionTimeline, retry: Retry, mine: Sequence[CommandRun]) -> bool:
    """Was anything else run between a failure and its success that may have changed something?"""
    between = (run for run in line.runs if retry.failed.place < run.place < retry.passed.place)
    return any(run.changes and run not in mine and not repeats(run, retry.passed) for run in between)


def by_file(memory: ReadMemory, line: SessionTimeline) -> SeenOutcome | None:
    """Conclude from a file that was changed as a memory demands, and a check that passed afterwards."""
    edited: list[tuple[int, str]] = []
    for place in line.edits if memory.names_files else ():
        step = line.steps[place]
        if files := advised_files(memory, step.files) if step.passed is not False else []:
            if step.at <= memory.at:
                return None
            edited.append((place, files[0]))
    if not edited or line.last_check_passed(edited[-1][0]) is not True:
        return None
    place, file = edited[0]
    if any(run.place > place and brings_back(run) for run in line.runs):
        return None  # it was set aside for a while, so that another cause was looked for
    name = file.replace("\\", "/").rsplit("/", 1)[-1]
    if any(name.lower() in line.steps[each].text.lower() for each in line.prompts if each < place):
        return None  # a person named the file
    evidence = f"{name} was changed as it says, and the checks passed"
    return SeenOutcome(memory.memory.id, Outcome.WORKED, EvidenceKind.FILE, evidence, line.steps[place].at)
