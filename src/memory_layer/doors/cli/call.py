"""One call of `mem`: its settings, its engine, who is calling, and where the answer goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
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


class CommandCall:
    """What the commands share: data goes to stdout, everything else to stderr."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self.color: bool | None = None  #: None leaves it to whether the stream is a terminal
        self.input: str | None = None  #: what was read from standard input
        self._confirmed = False  #: whether a code was typed during this call

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
        """What is known even while the settings cannot be read."""
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
        """How many columns the terminal has; None when the answer goes elsewhere."""
        if sys.stdout is None or not sys.stdout.isatty():
            return None
        try:
            return os.get_terminal_size(sys.stdout.fileno()).columns or 80
        except OSError:
            return 80

    @property
    def at_terminal(self) -> bool:
        """Whether somebody can be asked."""
        return sys.stdin is not None and sys.stdin.isatty()

    @cached_property
    def terminal(self) -> Terminal | None:
        """The terminal that this was typed in; None if it came from elsewhere."""
        from memory_layer.wiring import terminal_of

        return terminal_of(self.settings) if self.at_terminal else None

    @property
    def why_agent(self) -> str | None:
        """Why a call at a terminal counts as an agent's; None if it does not, or is at no terminal."""
        from memory_layer.doors.cli.confirm import counted_as_agent
        from memory_layer.errors import InvalidInput

        try:
            return counted_as_agent(self.settings, self.terminal) if self.terminal else None
        except InvalidInput:  # of a file that somebody wanted to repair
            return None

    @contextmanager
    def open(
        self,
        target: Target | None = None,
        as_name: str | None = None,
        session: str | None = None,
        *,
        trial: bool = False,
    ) -> Iterator[Dispatcher]:
        """Open the store for whoever typed the command; a trial makes none where there is none."""
        from memory_layer.verbs.call import Caller, Dispatcher, Target
        from memory_layer.wiring import backups_of_nothing, open_engine

        orphans = backups_of_nothing(self.settings)
        with open_engine(self.settings, "cli", trial=trial) as engine:
            if orphans and not trial:
                self.say(
                    f"note: there was no store at {self.settings.database_path}, so a new and empty one was made; but"
                    f" {orphans} {'backup lies' if orphans == 1 else 'backups lie'} beside it:"
                    " `mem backup --list` shows what can be restored"
                )
            caller = Caller(
                "cli",
                self.here,
                as_name,
                session,
                terminal=lambda: self.terminal,
                confirmed=self.is_confirmed,
            )
            yield Dispatcher(engine, caller, target or Target())

    def writer_without_file(self) -> Writer:
        """Who types this, told without the user's file: it may hold a mistake, or the name of an agent."""
        from datetime import UTC, datetime

        from memory_layer.settings import load
        from memory_layer.usecases.who.identify import identify
        from memory_layer.wiring import terminal_of

        settings = load(config_path=os.path.join(os.devnull, "none"))
        terminal = terminal_of(settings) if self.at_terminal else None
        return identify(settings, datetime.now(UTC), door="cli", terminal=terminal)

    def is_confirmed(self, now: datetime) -> bool:
        """Return whether a code was typed during this call, or at this terminal within the last quarter of an hour."""
        if self._confirmed or self.terminal is None or not os.path.isdir(self._confirmations):
            return self._confirmed
        from memory_layer.usecases.who.confirm import is_confirmed
        from memory_layer.wiring import terminal_key

        key = terminal_key()
        return key is not None and is_confirmed(self._confirmations, key, now)

    def confirm(self, needed: NeedsConfirmation) -> None:
        """Have the person type a code at the terminal; an error if somebody types anything else."""
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
        """Do something in the middle of a command; where it needs a confirmation, the person is asked first."""
        from memory_layer.errors import NeedsConfirmation

        try:
            return work()
        except NeedsConfirmation as needed:
            self.confirm(needed)
            return work()

    @property
    def _confirmations(self) -> Path:
        return self.settings.state_folder / "confirmed"

    def reply(self, shape: object, text: str) -> None:
        """Give the answer: its JSON shape, or the text for people."""
        self.write(self.in_json(shape) if self.as_json else text)

    def in_json(self, shape: object) -> str:
        """The answer as a program gets it, spread over lines where somebody reads along."""
        from memory_layer.doors import wire

        indent = 2 if sys.stdout and sys.stdout.isatty() else None
        return wire.text(wire.answer(shape), indent, only_ascii=not speaks_unicode(sys.stdout))

    def write(self, text: str) -> None:
        """Put the answer on stdout; an empty one takes no line."""
        if text:
            click.echo(text if self.as_json else _harmless(text), color=self.color)

    def say(self, text: str) -> None:
        """Tell a person something beside the answer; programs that asked for JSON are left alone."""
        if not self.as_json:
            click.echo(_harmless(text), err=True, color=self.color)


def _harmless(text: str) -> str:
    from memory_layer.doors.cli.render import harmless

    return harmless(text)


def speaks_unicode(stream: TextIO) -> bool:
    """Whether every character can be written to a stream."""
    return stream.encoding.lower().replace("-", "") == "utf8"


@contextmanager
def progress(total: int, label: str) -> Iterator[Callable[[int], None] | None]:
    """Something to report finished steps to; None where no terminal would show it."""
    if total <= 0 or sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=total, label=label, file=sys.stderr) as bar:
        yield bar.update


@contextmanager
def bars() -> Iterator[Callable[[str, int], Callable[[int], None] | None] | None]:
    """Give a verb something to announce long work to, one bar after the other; None where no terminal shows them."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield None
        return
    with ExitStack() as shown:

        def begin(label: str, total: int) -> Callable[[int], None] | None:
            shown.close()
            return shown.enter_context(progress(total, label))

        yield begin


def in_percent(advance: Callable[[int], None] | None) -> Callable[[int, int], None]:
    """Turns "so many of so many" into steps of a bar of 100."""
    shown = 0

    def report(done: int, total: int) -> None:
        nonlocal shown
        percent = 100 * done // max(1, total)
        if advance and percent > shown:
            advance(percent - shown)
            shown = percent

    return report
