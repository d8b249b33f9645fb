"""Recognise the same failure of a command in another session."""

from __future__ import annotations

from memory_layer.model.steps import Step, StepKind
from memory_layer.text.commands.error_text import read_error
from memory_layer.text.commands.shell import steps as programs_in

MOST_TERMS = 12  #: of the end of a message that names no class and no code

FailureKey = tuple[str, frozenset[str]]


def failure_key(step: Step) -> FailureKey | None:
    """Return the program that failed and the marks of its error; None if nothing failed or the error says nothing."""
    if step.kind is not StepKind.COMMAND or step.passed is not False:
        return None
    acting = [each for each in programs_in(step.command) if not each.only_reads]
    error = read_error(step.text)
    marks = error.classes | error.codes | error.quoted or frozenset(error.terms[-MOST_TERMS:])
    return (acting[-1].program, marks) if acting and marks else None
