"""Read the commands of a session: what was called, whether it failed, and by whose fault."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.model.steps import Step, StepKind
from memory_layer.text.command_parts import CommandPart, is_same_call, parts
from memory_layer.text.failures import Fault, fault_of, has_failed, output_lines, tells_of_code
from memory_layer.text.shell_programs import READERS
from memory_layer.text.telling_line import telling_line

MOST_STEPS = 2_000  #: of a session, from its end
_DIGITS = re.compile(r"[\d\W_]+")
#: Programs with which an agent only looks around.
_LOOKING = READERS | frozenset(
    "find sed awk xargs fdfind strings nl lsof ss netstat pgrep journalctl".split()
)


_ASKING = frozenset(
    "psql mysql mariadb sqlite3 mongosh redis-cli curl http httpie duckdb bq clickhouse-client".split()
)
INLINE = frozenset("python python3 node ruby perl php bash sh".split())


class SessionRun(NamedTuple):
    """A command line that was run."""

    place: int  #: among the steps
    step: Step
    parts: tuple[CommandPart, ...]
    failed: bool | None  #: None if it was stopped
    fault: Fault = Fault.UNKNOWN
    error: str = ""  #: the telling line of a failure
    is_mixed: bool = False  #: whether its output tells of faults of the code as well

    @property
    def main(self) -> CommandPart | None:
        """Return the last part that does more than look around."""
        acting = [part for part in self.parts if part.step and part.step.program not in _LOOKING]
        return acting[-1] if acting else None

    @property
    def is_passed(self) -> bool:
        return self.failed is False


def runs_of(steps: Sequence[Step], folder: str = "") -> list[SessionRun]:
    """Return the runs of a session in order."""
    return [_run(place, step, folder) for place, step in enumerate(steps) if step.kind is StepKind.COMMAND]


def _run(place: int, step: Step, folder: str) -> SessionRun:
    failed = has_failed(step.command, step.text, step.passed)
    made = SessionRun(place, step, parts(step.command), failed)
    if not failed or made.main is None:
        return made
    if step.passed is not False and _only_shows(made.main):
        return made._replace(failed=False)  # it tells of other failures
    return made._replace(
        fault=fault_of(step.text), error=telling_line(step.text, folder), is_mixed=tells_of_code(step.text)
    )


def _only_shows(part: CommandPart) -> bool:
    return part.step is not None and part.step.only_reads and not part.step.only_checks


def shows_error(run: SessionRun, error: str) -> bool:
    """Does the output of a run still contain an error, whatever its numbers are?"""
    wanted = _bare(error.rstrip("…"))
    return bool(wanted) and any(wanted in _bare(line) for line in output_lines(run.step.text))


def _bare(text: str) -> str:
    return _DIGITS.sub(" ", text).strip().lower()


def is_question(part: CommandPart) -> bool:
    """Does a call only mean something with the text that it is given: a query, a request, a script in the line?"""
    step = part.step
    inline = (
        step is not None and step.program in INLINE and (bool(step.flags & {"-c", "-e"}) or not step.words)
    )
    return step is None or inline or step.program in _ASKING


def place_of(failed: SessionRun, later: SessionRun) -> int | None:
    """Return the place of the call that failed in a later line; None if it is not there."""
    if failed.main is None or (is_question(failed.main) and failed.step.command != later.step.command):
        return None
    return next((at for at, part in enumerate(later.parts) if is_same_call(failed.main, part)), None)
