"""Tell how a command ended: it passed, was stopped, or failed because of the call, the code or something around it.

The agent's word counts first, where it has one, unless a pipe or a count of failed tests contradicts it; else what the
command printed.
"""

from __future__ import annotations

import re
from enum import Enum

from memory_layer.text.commands import output_signs as signs
from memory_layer.text.commands.shell import unquoted

LONGEST_READ = 4_000  #: characters of an output, from its ends
LONGEST_LINE = 400
SHORT = 15  #: lines; in so few an error is not one of many messages
_ECHOES = ("> ", "$ ")  #: before the commands that a task runner prints
#: Pipes and further commands, whose exit code hides that of the first.
_HIDDEN = re.compile(r"\|(?!\|)|\|\|\s*(?:true|:|echo)|;\s*\w")


class CommandEnding(Enum):
    """The way in which a command ended."""

    PASSED = "passed"
    CODE = "code"  #: it ran, and the code that it checks or builds fails
    CALL = "call"  #: something that was called does not exist
    SURROUNDINGS = "surroundings"  #: libraries, configuration, services, rights, data, versions
    NETWORK = "network"  #: trouble that passes by itself
    FAILED = "failed"  #: for a reason that is not known
    STOPPED = "stopped"  #: by a person or a time limit
    UNKNOWN = "unknown"

    @property
    def is_failure(self) -> bool:
        return self not in (CommandEnding.PASSED, CommandEnding.STOPPED, CommandEnding.UNKNOWN)

    @property
    def is_outside_code(self) -> bool:
        """Does the cause lie in the call or in what it needs, and stay until something is done about it?"""
        return self in (CommandEnding.CALL, CommandEnding.SURROUNDINGS)


def ending(command: str, output: str, passed: bool | None, *, checks: bool) -> CommandEnding:
    """Return how a command ended, by the agent's word and by what was printed; `checks` if it is a check."""
    lines = output_lines(output)
    text = "\n".join(lines)
    if signs.STOPPED.search(text) or signs.SIGNALLED.search(f"{output[:100]}\n{output[-100:]}"):
        return CommandEnding.STOPPED
    counted = signs.ZERO.sub(" ", text)
    if passed and not _HIDDEN.search(unquoted(command)):
        return CommandEnding.CODE if checks and signs.COUNTED_FAULTS.search(counted) else CommandEnding.PASSED
    if passed is False or _says_failed(counted, text, len(lines)):
        return _cause(text)
    silent = not checks or all(line.startswith(_ECHOES) for line in lines)
    return CommandEnding.PASSED if passed or silent or signs.SUCCESS.search(text) else CommandEnding.UNKNOWN


def _says_failed(counted: str, text: str, lines: int) -> bool:
    """Does an output report a failure? `counted` is the text without counts of zero."""
    if signs.COUNTED_FAULTS.search(counted) or signs.COUNTED_ERRORS.search(counted):
        return True
    if lines <= SHORT and not signs.SUCCESS.search(text) and _is_outside_code(text):
        return True
    return bool(signs.FAILED.search(counted) or signs.CODE.search(counted)) and not signs.PASSED.search(text)


def _is_outside_code(text: str) -> bool:
    return bool(signs.CALL.search(text) or signs.SURROUNDINGS.search(text))


def _cause(text: str) -> CommandEnding:
    """Return the cause of a failure; causes outside the code come first."""
    ran = bool(signs.RAN.search(text)) and not signs.NOT_SET_UP.search(text)
    if signs.CALL.search(text) and not ran:
        return CommandEnding.CALL
    if _is_outside_code(text):
        return CommandEnding.SURROUNDINGS
    if signs.NETWORK.search(text):
        return CommandEnding.NETWORK
    return CommandEnding.CODE if ran or signs.CODE.search(text) else CommandEnding.FAILED


def tells_of_code(output: str) -> bool:
    """Does an output report faults in the code: failed tests, compiler errors?"""
    return signs.CODE.search("\n".join(output_lines(output))) is not None


def wrong_calls(output: str) -> list[str]:
    """Return the lines of an output that say that the call itself is wrong, each with the next one."""
    lines = [line.strip() for line in output_lines(output)]
    return [
        line if signs.MARKED.search(following) else f"{line} {following}"
        for line, following in zip(lines, [*lines, ""][1:], strict=True)
        if is_refused_call(line) or (signs.BLAME.search(line) and not signs.CODE_PLACE.search(line))
    ]


def is_refused_call(line: str) -> bool:
    """Does a line say plainly that the call itself is wrong?"""
    return signs.CALL.search(line) is not None


def output_lines(output: str) -> list[str]:
    """Return the lines that a program printed, without colours and what the agent put around them."""
    half = LONGEST_READ // 2
    read = output if len(output) <= LONGEST_READ else f"{output[:half]}\n{output[-half:]}"
    lines = (
        signs.FRAMED.sub("", line.removeprefix("Output: ")[:LONGEST_LINE].rstrip())
        for line in signs.COLOURS.sub("", read).splitlines()
    )
    return [line for line in dict.fromkeys(lines) if line.strip() and not signs.AGENT_LINE.match(line)]
