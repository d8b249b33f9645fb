"""Tell how a command ended: it passed, it found faults in the code, the call is wrong, or its surroundings are.

The agent's word counts first, where it has one, unless a pipe or a count of failed tests contradicts it; else what the
command printed.
"""

from __future__ import annotations

import re
from enum import Enum

from memory_layer.text.output_signs import (
    CODE_PLACE,
    COLOURS,
    COUNTED_FAULTS,
    FAULTS,
    MARKED,
    NOT_SET_UP,
    RAN,
    REFUSED_CALL,
    SUCCESS,
    SURROUNDINGS,
    WRONG_CALL,
    ZERO,
)
from memory_layer.text.shell import unquoted

LONGEST_READ = 4_000  #: characters of an output, from its end
_LONGEST_LINE = 500
#: Pipes and further commands, whose code hides that of the first.
_HIDDEN = re.compile(r"\|(?!\|)|\|\|\s*(?:true|:|echo)|;\s*\w")


class Ending(Enum):
    """The way in which a command ended."""

    PASSED = "passed"
    FAULTS = "faults"  #: it ran, and the code that it checks or builds fails
    WRONG_CALL = "wrong call"  #: the command, target, option or file that was called does not exist
    SURROUNDINGS = "surroundings"  #: network, permissions, a service, a time limit, an interruption
    UNKNOWN = "unknown"


def ending(command: str, output: str, passed: bool | None, *, checks: bool) -> Ending:
    """Return how a command ended, by the agent's word and by what was printed; `checks` if it is a check."""
    read = COLOURS.sub("", output[-LONGEST_READ:])
    if passed is False:
        return _failure(read)
    counted = ZERO.sub(" ", read)
    if passed and not _HIDDEN.search(unquoted(command)):
        return Ending.FAULTS if checks and COUNTED_FAULTS.search(counted) else Ending.PASSED
    if any(signs.search(counted) for signs in (FAULTS, REFUSED_CALL, SURROUNDINGS)):
        return _failure(read)
    silent = not checks or not read.strip()
    return Ending.PASSED if passed or silent or SUCCESS.search(read) else Ending.UNKNOWN


def _failure(output: str) -> Ending:
    """Return the kind of a failure; whatever says that tests were run tells of the code."""
    if RAN.search(output) and not NOT_SET_UP.search(output):
        return Ending.FAULTS
    if SURROUNDINGS.search(output):
        return Ending.SURROUNDINGS
    if wrong_calls(output):
        return Ending.WRONG_CALL
    return Ending.FAULTS if FAULTS.search(output) else Ending.UNKNOWN


def wrong_calls(output: str) -> list[str]:
    """Return the lines of an output that say that the call itself is wrong, each with the one behind it."""
    read = COLOURS.sub("", output[-LONGEST_READ:])
    lines = [line.strip()[:_LONGEST_LINE] for line in read.splitlines() if line.strip()]
    return [
        line if MARKED.search(following) else f"{line} {following}"
        for line, following in zip(lines, [*lines, ""][1:], strict=True)
        if is_refused_call(line) or (WRONG_CALL.search(line) and not CODE_PLACE.search(line))
    ]


def is_refused_call(line: str) -> bool:
    """Does a line say in the plainest words that the call itself is wrong?"""
    return REFUSED_CALL.search(line) is not None
