"""Conclude from a check that failed and passed after a memory's advice was followed, and from a file it names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.steps import EvidenceKind, SeenOutcome, Step, StepKind
from memory_layer.model.vocabulary import Outcome
from memory_layer.rules.sessions.advice import ReadMemory, advised_files, names_file, uses_setting
from memory_layer.rules.sessions.commands import Followed
from memory_layer.rules.sessions.evidence import quoted
from memory_layer.rules.sessions.timeline import Run, Timeline, is_same_call
from memory_layer.rules.sessions.words import places_of, sentences_of, telling_terms
from memory_layer.rules.warnings.errors import ENOUGH, weight_of
from memory_layer.rules.warnings.kinds import Rarity
from memory_layer.text.error_text import read_error
from memory_layer.text.words import content_words

_RARITY = Rarity(0, {})
LONGEST_READ = 4_000  #: characters of an output
#: The name of a rule at the end of a line, as linters and type checkers print it.
_RULE = re.compile(r"[\[(]([a-z][\w-]{4,40})[\])][ \t]*$", re.MULTILINE)


def by_fix(memory: ReadMemory, line: Timeline, done: Followed) -> SeenOutcome | None:
    """Conclude from a call that failed, and passed once the advice was followed."""
    for failed in (run for run in line.runs if run.failed):
        passed = next((run for run in line.runs if run.place > failed.place and run.passed and is_same_call(run, failed)), None)
        if passed is None or passed.step.at <= memory.at or (failed in done.runs and passed not in done.runs):
            continue
        if _is_cause(memory, line, failed, passed, done):
            evidence = f"{quoted(passed.step.command)} failed before and passed after its advice was followed"
            return SeenOutcome(memory.memory.id, Outcome.WORKED, EvidenceKind.FIXED, evidence, passed.step.at)
    return None


def _is_cause(memory: ReadMemory, line: Timeline, failed: Run, passed: Run, done: Followed) -> bool:
    """Is the advice what turned a failure into a success?"""
    between = [step for step in line.steps[failed.place + 1 : passed.place] if step.at > memory.at]
    runs = [run for run in done.runs if failed.place < run.place <= passed.place]
    edits = [step for step in between if step.kind is StepKind.EDIT and step.passed is not False]
    mine = [step for step in edits if names_file(memory, step.files)]
    setting = uses_setting(memory, passed.step.command) and not uses_setting(memory, failed.step.command)
    if describes(memory, failed):
        told = edits and _is_told(memory, line, failed, passed)
        return bool(runs or mine or setting or told) or (len(edits) == 1 and not _names_cure(memory))
    others = [step for step in edits if step not in mine]
    helped = bool([run for run in runs if run.place < passed.place and not run.failed] or advised_edits(memory, mine) or setting)
    return helped and not others and not _other_changes(line, failed, passed, runs)


def describes(memory: ReadMemory, failed: Run) -> bool:
    """Does a memory describe the error of a run?"""
    error = read_error(failed.step.text)
    rules = {each.lower() for each in _RULE.findall(failed.step.text[-LONGEST_READ:])}
    named = bool(rules) and any(token in rules for sentence in memory.said for token in sentence.tokens)
    return named or weight_of(memory.memory.content, memory.memory.category, error, _RARITY) >= ENOUGH


def _is_told(memory: ReadMemory, line: Timeline, failed: Run, passed: Run) -> bool:
    """Does the agent say afterwards that it did what only the memory speaks of?"""
    said = next((line.steps[each].text for each in line.places(StepKind.SAID) if each > passed.place), "")
    new = telling_terms(memory, (), line, passed.place) - content_words(failed.step.text[-LONGEST_READ:])
    found = {each.term for sentence in sentences_of(said) for each in places_of(new, sentence)}
    return len(found) >= 2 or any(not term.isalpha() for term in found)


def _names_cure(memory: ReadMemory) -> bool:
    return any(sentence.spans for sentence in memory.said)


def advised_edits(memory: ReadMemory, edits: Sequence[Step]) -> list[Step]:
    return [step for step in edits if advised_files(memory, step.files)]


def _other_changes(line: Timeline, failed: Run, passed: Run, mine: Sequence[Run]) -> bool:
    """Was anything else run between two places that may have changed something?"""
    between = [run for run in line.runs if failed.place < run.place < passed.place]
    return any(run.changes and run not in mine and not is_same_call(run, passed) for run in between)


def by_file(memory: ReadMemory, line: Timeline) -> SeenOutcome | None:
    """Conclude from a file that was changed as a memory demands, and a check that passed afterwards."""
    edited: list[tuple[int, str]] = []
    for place in line.places(StepKind.EDIT):
        step = line.steps[place]
        if files := advised_files(memory, step.files) if step.passed is not False else []:
            if step.at <= memory.at:
                return None
            edited.append((place, files[0]))
    if not edited or line.last_check_passed(edited[-1][0]) is not True:
        return None
    place, file = edited[0]
    if _is_named(line, place, file):
        return None
    evidence = f"{file.rsplit('/', 1)[-1]} was changed as it says, and the checks passed"
    return SeenOutcome(memory.memory.id, Outcome.WORKED, EvidenceKind.FILE, evidence, line.steps[place].at)


def _is_named(line: Timeline, place: int, file: str) -> bool:
    """Did a person name the file before?"""
    name = file.rsplit("/", 1)[-1].lower()
    return any(name in line.steps[each].text.lower() for each in line.places(StepKind.PROMPT) if each < place)
