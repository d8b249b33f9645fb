"""One call of `mem`: its settings, its store, its caller and its output."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from time import monotonic
from typing import TYPE_CHECKING, TextIO, TypeVar

import click

from memory_layer.model.record import cached_property

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    from memory_layer.errors import NeedsConfirmation
    from memory_layer.model.agents import Terminal
    from memory_layer.model.memory import Writer
    from memory_layer.settings import Places, Settings
    from memory_layer.verbs.call import Dispatcher, Target

T = TypeVar("T")

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_NEEDS_A_DECISION = 4
EXIT_STORE_UNAVAILABLE = 5
EXIT_INTERRUPTED = 130

PATIENCE_SECONDS = 1.0  #: before a progress bar appears
BAR_WIDTH = 36  #: characters


class CommandCall:
    """The state that all commands share; data goes to stdout, everything else to stderr."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self.color: bool | None = None  #: None: only on a terminal
        self.input: str | None = None  #: the text of standard input, once read
        self._confirmed = False  #: whether a code was typed during this call
        self.project: str | None = None
        self.only_global = self.everything = False
        self.as_name: str | None = None
        self.session: str | None = None
        self._remarks: list[str] = []

    @cached_property
    def settings(self) -> Settings:
        from memory_layer import settings

        loaded = settings.load()
        self.color = False if loaded.no_color else None
        for warning in loaded.warnings:
            self.say(f"note: {warning}")
        return loaded

    @cached_property
    def places(self) -> Places:
        """The folders, known even if the settings cannot be read."""
        from memory_layer import settings

        return settings.places()

    @property
    def here(self) -> Path:
        from pathlib import Path

        try:
            return Path.cwd()
        except OSError:  # the working directory was removed under us
            return Path(os.sep)

    @property
    def width(self) -> int | None:
        """The number of columns of the terminal; None if stdout is not one."""
        return columns(sys.stdout)

    @property
    def at_terminal(self) -> bool:
        """Is there somebody to ask?"""
        return sys.stdin is not None and sys.stdin.isatty()

    @cached_property
    def terminal(self) -> Terminal | None:
        """The terminal in which the command was typed; None without one."""
        from memory_layer.wiring import terminal_of

        return terminal_of(self.settings) if self.at_terminal else None

    @property
    def why_agent(self) -> str | None:
        """The reason why a call at a terminal counts as an agent's; None if it does not."""
        from memory_layer.doors.cli.confirm import counted_as_agent
        from memory_layer.errors import InvalidInput

        try:
            return counted_as_agent(self.settings, self.terminal) if self.terminal else None
        except InvalidInput:  # the configuration file that the user is about to repair
            return None

    @property
    def target(self) -> Target:
        """The project named on the command line."""
        from memory_layer.verbs.call import Target

        return Target(self.project, self.only_global, self.everything)

    @contextmanager
    def open(self, target: Target | None = None, *, trial: bool = False) -> Iterator[Dispatcher]:
        """Open the store for the caller; a dry run creates none."""
        from memory_layer.verbs.call import Caller, Dispatcher
        from memory_layer.wiring import backups_of_nothing, claim_upkeep, open_engine

        orphans = backups_of_nothing(self.settings)
        with open_engine(self.settings, "cli", trial=trial) as engine:
            if orphans and not trial:
                self.say(
                    f"note: there was no store at {self.settings.database_path},"
                    f" but {orphans} {'backup was' if orphans == 1 else 'backups were'} found next to it;"
                    " `mem backup --list` shows what can be restored"
                )
            names = (self.as_name, self.session)
            caller = Caller(
                "cli",
                self.here,
                *names,
                terminal=lambda: self.terminal,
                confirmed=self.is_confirmed,
                remark=self._remark,
            )
            yield Dispatcher(engine, caller, target or self.target)
            if not trial and claim_upkeep(engine):
                click.get_current_context().call_on_close(self._start_upkeep)

    def _remark(self, remark: str) -> None:
        """Print a remark about the call, once."""
        if remark not in self._remarks:
            self._remarks.append(remark)
            self.say(f"note: {remark}")

    def _start_upkeep(self) -> None:
        """Start tidying the store behind the answer, which nobody should wait for."""
        from memory_layer.wiring import start_upkeep

        for stream in filter(None, (sys.stdout, sys.stderr)):
            with suppress(OSError, ValueError):  # nobody reads it
                stream.flush()
        start_upkeep(self.settings)

    def writer_without_file(self) -> Writer:
        """Identify the caller without the user's configuration file, which may be broken or name an agent."""
        from datetime import UTC, datetime

        from memory_layer.settings import load
        from memory_layer.usecases.who.identify import identify
        from memory_layer.wiring import terminal_of

        settings = load(config_path=os.path.join(os.devnull, "none"))
        terminal = terminal_of(settings) if self.at_terminal else None
        return identify(settings, datetime.now(UTC), door="cli", terminal=terminal)

    def is_confirmed(self, now: datetime) -> bool:
        """Was a code typed during this call, or at this terminal within the last 15 minutes?"""
        if self._confirmed or self.terminal is None or not os.path.isdir(self._confirmations):
            return self._confirmed
        from memory_layer.usecases.who.confirm import is_confirmed
        from memory_layer.wiring import terminal_key

        key = terminal_key()
        return key is not None and is_confirmed(self._confirmations, key, now)

    def confirm(self, needed: NeedsConfirmation) -> None:
        """Have the person type a code at the terminal; raise an error if anything else is typed."""
        if self.terminal is None:
            raise needed
        if self._confirmed:
            return
        from datetime import UTC, datetime

        from memory_layer.doors.cli.confirm import confirm
        from memory_layer.usecases.who.confirm import keep_confirmation
        from memory_layer.wiring import terminal_key

        confirm(needed.what)
        self._confirmed = True
        if key := terminal_key():
            keep_confirmation(self._confirmations, key, datetime.now(UTC))

    def confirmed(self, work: Callable[[], T]) -> T:
        """Do a part of a command, and ask the person first if it needs a confirmation."""
        from memory_layer.errors import NeedsConfirmation

        try:
            return work()
        except NeedsConfirmation as needed:
            self.confirm(needed)
            return work()

    @property
    def _confirmations(self) -> Path:
        return self.settings.state_folder / "confirmed"

    def reply(self, shape: object, text: str, *, exact: bool = False) -> None:
        """Print the answer, as JSON or as text; `exact` keeps lines that a person may copy from the terminal."""
        self.write(self.in_json(shape) if self.as_json else text, exact=exact)

    def in_json(self, shape: object) -> str:
        """Format an answer as JSON, indented on a terminal."""
        from memory_layer.doors import wire

        indent = 2 if sys.stdout and sys.stdout.isatty() else None
        return wire.text(wire.answer(shape), indent, only_ascii=not speaks_unicode(sys.stdout))

    def write(self, text: str, *, exact: bool = False) -> None:
        """Print the answer on stdout, unless it is empty."""
        if text:
            width = None if exact else self.width
            click.echo(text if self.as_json else _printable(text, width), color=self.color)

    def say(self, text: str) -> None:
        """Print a remark on stderr; with --json print nothing."""
        if not self.as_json:
            click.echo(_printable(text, columns(sys.stderr)), err=True, color=self.color)

    def say_more(self, place: str | None, shown: str) -> None:
        """Print how to get the next page, if there is one."""
        if place:
            self.say(f"{shown}. For the next page, add:\n  --from {place}")


def columns(stream: TextIO | None) -> int | None:
    """Return the width of a terminal; None if the stream is not one."""
    if stream is None or not stream.isatty():
        return None
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except OSError:
        return 80


def _printable(text: str, width: int | None) -> str:
    from memory_layer.doors.cli.render import fitted, harmless

    return fitted(harmless(text), width) if width else harmless(text)


def speaks_unicode(stream: TextIO) -> bool:
    """Can every character be written to the stream?"""
    return stream.encoding.lower().replace("-", "") == "utf8"


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[int], None] | None]:
    """Show a bar while a job takes longer than a second, then clear it; yield None where no terminal would show it."""
    width = columns(sys.stderr)
    if total <= 0 or width is None:
        yield None
        return
    begin, done, shown = monotonic(), 0, ""

    def advance(steps: int) -> None:
        nonlocal done, shown
        done += steps
        if monotonic() - begin >= PATIENCE_SECONDS:
            filled = min(BAR_WIDTH, BAR_WIDTH * done // total)
            bar = f"{label}  [{'#' * filled}{'-' * (BAR_WIDTH - filled)}]  {min(100, 100 * done // total)}%"
            shown = bar[: width - 1].ljust(len(shown))
            click.echo(f"\r{shown}", nl=False, err=True)

    try:
        yield advance
    finally:
        if shown:
            click.echo(f"\r{' ' * len(shown)}\r", nl=False, err=True)


@contextmanager
def bars() -> Iterator[Callable[[str, int], Callable[[int], None] | None] | None]:
    """Yield a function that starts a progress bar in place of the last one; None if stderr is not a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as shown:

        def begin(label: str, total: int) -> Callable[[int], None] | None:
            shown.close()
            return shown.enter_context(progress(total, label))

        yield begin


def in_percent(advance: Callable[[int], None] | None) -> Callable[[int, int], None]:
    """Convert "done of total" into the steps of a bar of 100."""
    shown = 0

    def report(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(1, total)
        if advance and percent > shown:
            advance(percent - shown)
            shown = percent

    return report
