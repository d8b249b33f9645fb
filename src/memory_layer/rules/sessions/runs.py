"""Read the commands of a session: what was called, how it ended, and whether a later line calls it again."""

from __future__ import annotations

import re

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step
from memory_layer.text.commands.calls import ProgramCall, calls, is_same_call
from memory_layer.text.commands.checks import is_check
from memory_layer.text.commands.endings import CommandEnding, ending, output_lines
from memory_layer.text.commands.error_line import error_line
from memory_layer.text.commands.programs import READERS
from memory_layer.text.commands.shell import CommandStep, program_name

_DIGITS = re.compile(r"[\d\W_]+")
#: Programs with which an agent only looks around.
_LOOKING = READERS | frozenset(
    "find sed awk xargs fdfind strings nl lsof ss netstat pgrep journalctl".split()
)
#: Programs that send a query or a request.
_ASKING = frozenset(
    "psql mysql mariadb sqlite3 mongosh redis-cli curl http httpie duckdb bq clickhouse-client".split()
)
_INLINE = frozenset("python python3 node ruby perl php bash sh".split())


class CommandRun(NamedTuple):
    """A command line that was run, and how it ended."""

    place: int  #: among the steps
    step: Step
    calls: tuple[ProgramCall, ...]
    names: frozenset[str]  #: every word as the name of a program
    ending: CommandEnding
    is_check: bool
    changes: bool  #: whether it may have changed anything
    error: str = ""  #: the line of its output that says why it failed

    @property
    def main(self) -> ProgramCall | None:
        """Return the last call that does more than look around."""
        return _main(self.calls)

    @property
    def parts(self) -> list[CommandStep]:
        """Return the programs of all calls."""
        return [part for call in self.calls for part in call.steps]

    @property
    def passed(self) -> bool:
        return self.ending is CommandEnding.PASSED

    @property
    def failed(self) -> bool:
        return self.ending.is_failure

    @property
    def may_have_passed(self) -> bool:
        return self.ending in (CommandEnding.PASSED, CommandEnding.UNKNOWN)


def read_run(place: int, step: Step, folder: str = "") -> CommandRun:
    """Read the command line of a step; the folder is cut from paths in its error."""
    called = calls(step.command)
    parts = [part for call in called for part in call.steps]
    checks = [is_check(part) for part in parts]
    ended = ending(step.command, step.text, step.passed, checks=any(checks))
    if step.passed is not False and ended.is_failure and _only_shows(_main(called)):
        ended = CommandEnding.PASSED  # it shows the errors of other commands
    return CommandRun(
        place,
        step,
        called,
        frozenset(program_name(word) for call in called for word in call.words),
        ended,
        any(checks),
        not all(check or _only_reads(part) for part, check in zip(parts, checks, strict=True)),
        error_line(step.text, folder) if ended.is_failure else "",
    )


def _main(called: tuple[ProgramCall, ...]) -> ProgramCall | None:
    acting = (call for call in reversed(called) if call.step and call.step.program not in _LOOKING)
    return next(acting, None)


def _only_reads(part: CommandStep) -> bool:
    finds = part.program == "find" and not part.flags & {"-delete", "-exec", "-execdir", "-ok"}
    return finds or part.only_reads


def _only_shows(call: ProgramCall | None) -> bool:
    return call is None or (call.step is not None and call.step.only_reads and not is_check(call.step))


def repeat_place(earlier: CommandRun, later: CommandRun) -> int | None:
    """Return the place of the main call of a run among the calls of a later one; None if it is not there."""
    main = earlier.main
    if main is None or (_is_question(main) and earlier.step.command != later.step.command):
        return None
    return next((at for at, call in enumerate(later.calls) if is_same_call(main, call)), None)


def repeats(later: CommandRun, earlier: CommandRun) -> bool:
    """Does a later run call the same program for the same purpose, whatever its options are?"""
    return repeat_place(earlier, later) is not None


def _is_question(call: ProgramCall) -> bool:
    """Does the meaning of a call depend on the text it is given: a query, a request, an inline script?"""
    return call.step is None or call.step.program in _ASKING or is_inline_script(call.step, _INLINE)


def is_inline_script(step: CommandStep, interpreters: frozenset[str]) -> bool:
    """Does an interpreter run a script from the command line itself or from its input?"""
    return step.program in interpreters and (bool(step.flags & {"-c", "-e"}) or not step.words)


def shows_error(run: CommandRun, error: str) -> bool:
    """Does the output of a run still contain an error, whatever its numbers are?"""
    wanted = _bare(error.rstrip("…"))
    return bool(wanted) and any(wanted in _bare(line) for line in output_lines(run.step.text))


def _bare(text: str) -> str:
    return _DIGITS.sub(" ", text).strip().lower()
