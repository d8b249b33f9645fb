"""`mem last`: a look back at one session, and a key for what was wrong in it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from itertools import groupby

import click

from memory_layer.doors.cli.arguments import command, scope_options
from memory_layer.doors.cli.call import CommandCall
from memory_layer.doors.cli.overview import FIRST_STEPS
from memory_layer.doors.cli.render import age, brief, entry, field, one_line, short_ids, status_text, visible
from memory_layer.errors import MemoryLayerError
from memory_layer.model.sessions import Part, SessionLine, SessionReport
from memory_layer.model.vocabulary import Outcome, Status
from memory_layer.usecases.who.privacy import pause_sentence
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.govern import ARCHIVE, UNDO
from memory_layer.verbs.learn import OUTCOME
from memory_layer.verbs.look_up import LAST_SESSION, STATS

LONGEST_CAUSE = 48  #: characters of the prompt, command or error that a memory was given for
HEADINGS = {
    Part.START: "Given at the start",
    Part.PROMPT: "Given with a prompt",
    Part.SEARCH: "Found by a search",
    Part.WARNING: "Warned of",
    Part.LEARNED: "Learned from what was said",
    Part.SEEN: "Seen to help or to mislead",
}
WRONG, UNDO_LAST, QUIT = "w", "u", "q"
_KEYS = "Wrong? Press the number of a line, then w.  [u]ndo last  [q]uit"


@command("last", "mem last", "mem last --session nightly --json")
@click.option("--session", metavar="ID", help="This session. Default: the last one of the project.")
@scope_options
@click.pass_obj
def last(call: CommandCall, session: str | None) -> None:
    """Show what the last session was given and what it learned.

    Each line has a number; warnings stand apart. At a terminal, press the number of a line and then w for what was
    wrong: what was learned is archived, what was given is reported as failed, and of what was seen the opposite is
    reported. u undoes it. Never counts as use.
    """
    from memory_layer.doors import wire

    with call.open() as memory:
        report = memory.run(LAST_SESSION, {"session": session})
        text = report_text(report, memory.engine.now(), call.width) if report else ""
        call.reply(wire.session_report(report), text)
        if paused := pause_sentence(call.settings.state_folder, memory.engine.now()):
            call.say(paused)
        if report is None:
            call.say(_why_none(call, memory))
        elif call.width is not None and not call.as_json and memory.call().writer.is_person:
            LookBack(call, memory, report).through()


def _why_none(call: CommandCall, memory: Dispatcher) -> str:
    """Say why there is no session, and what to do about it."""
    from memory_layer.agents.kept import has_notes

    if not has_notes(call.settings.state_folder):
        return "no session here yet; `mem install` connects your agents"
    if memory.run(STATS, {}).active:
        return "no session here yet; your agents are connected, and the next session is given what is stored"
    return f"no session was given anything yet: nothing is stored here; {FIRST_STEPS}"


def report_text(report: SessionReport, now: datetime, width: int | None) -> str:
    """Show a session: its lines under the headings of their parts."""
    short = short_ids(line.memory.id for line in report.lines)
    blocks = [f"Session {field(report.session)}  (by {field(report.writer)} · {age(report.ended, now)})"]
    for part, lines in groupby(report.lines, key=lambda line: line.part):
        blocks.append(f"\n{click.style(HEADINGS[part], bold=True)}")
        blocks += [_line(line, short[line.memory.id], width) for line in lines]
    return "\n".join(blocks if report.lines else [*blocks, "\nIt was given nothing and learned nothing."])


def _line(line: SessionLine, short: str, width: int | None) -> str:
    memory = line.memory
    head = [f"{line.number:>2}", click.style(short, fg="cyan"), click.style(memory.category, bold=True)]
    cause = one_line(line.query)
    cause = cause if len(cause) <= LONGEST_CAUSE else f"{cause[:LONGEST_CAUSE].rstrip()}…"
    notes = [f"for: {cause}"] if cause and line.part not in (Part.START, Part.LEARNED, Part.SEEN) else []
    notes += [f"{line.result}: {one_line(line.query)}"] if line.result else []
    notes += [] if memory.status is Status.ACTIVE and not memory.reason else [status_text(memory)]
    notes += ["changed since"] if line.recall and memory.updated_at > line.at else []
    return entry(head, memory.content, notes, width)


class LookBack:
    """A person who says what was wrong, one key after the other."""

    def __init__(self, call: CommandCall, memory: Dispatcher, report: SessionReport) -> None:
        self.call = call
        self.memory = memory
        self.lines = {line.number: line for line in report.lines}
        self.done: list[SessionLine] = []  #: what was reported, which can be undone

    def through(self) -> None:
        """Wait for keys until the person quits."""
        try:
            while self.lines and self._step():
                pass
        except (KeyboardInterrupt, EOFError, click.Abort):
            pass

    def _step(self) -> bool:
        """Ask for one key; return False to quit."""
        self.call.write(f"\n{_KEYS}")
        press = click.getchar().lower()
        if press in (QUIT, "\r", "\n", "\x1b"):
            return False
        if press == UNDO_LAST:
            self._carry_out(self._undo)
        else:
            number, following = self._number(press)
            self._ask_about(self.lines.get(number), following)
        return True

    def _number(self, digits: str) -> tuple[int, str]:
        """Read a number and the key that ended it; its last possible digit ends it without one."""
        while digits.isdecimal() and int(digits) and int(digits) * 10 <= len(self.lines):
            self.call.write(f"line {digits}_ (another digit, or Enter)")
            following = click.getchar().lower()
            if not following.isdecimal():
                return int(digits), following
            digits += following
        return int(digits) if digits.isdecimal() else 0, ""

    def _ask_about(self, line: SessionLine | None, following: str) -> None:
        """Ask what is wrong with a line, unless the key that ended its number says so."""
        if line is None:
            self.call.write("no such line")
            return
        self.call.write(_line(line, short_ids([line.memory.id])[line.memory.id], self.call.width))
        if following != WRONG:
            self.call.write("[w]rong; any other key goes back")
            following = click.getchar().lower()
        if following == WRONG:
            self._carry_out(lambda: self._report_wrong(line))

    def _carry_out(self, work: Callable[[], str]) -> None:
        """Do something, and say in one sentence what came of it."""
        try:
            said = self.call.confirmed(work)
        except MemoryLayerError as refusal:
            said = visible(brief(str(refusal)))
        self.call.write(said)

    def _report_wrong(self, line: SessionLine) -> str:
        ids = [line.memory.id]
        if line.part is Part.LEARNED:
            self.memory.run(ARCHIVE, {"memory_ids": ids})
            said = "archived; no agent is given it any more"
        elif line.result is not None:
            opposite = Outcome.FAILED if line.result is Outcome.WORKED else Outcome.WORKED
            self.memory.run(OUTCOME, {"memory_ids": ids, "result": opposite})
            said = f"reported as {opposite}, which outweighs what was seen"
        else:
            self.memory.run(OUTCOME, {"memory_ids": ids, "result": Outcome.FAILED, "recall": line.recall})
            said = "reported as failed; it counts for less from now on"
        self.done.append(line)
        return said

    def _undo(self) -> str:
        if not self.done:
            return "nothing to undo yet"
        self.memory.run(UNDO, {})
        return f"undone: line {self.done.pop().number}"
