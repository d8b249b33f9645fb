"""One call of `mem`: its settings, its engine, who is calling, and where the answer goes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from pathlib import Path

    from memory_layer.doors.scope import Scope
    from memory_layer.model.memory import Writer
    from memory_layer.ports import Engine
    from memory_layer.settings import Places, Settings

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_NOT_FOUND = 3
EXIT_NEEDS_A_DECISION = 4
EXIT_STORE_UNAVAILABLE = 5
EXIT_INTERRUPTED = 130


class Call:
    """What the commands share: data goes to stdout, everything else to stderr."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self.color: bool | None = None  #: None leaves it to whether the stream is a terminal

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

    @contextmanager
    def engine(self, *, trial: bool = False) -> Iterator[Engine]:
        from memory_layer.wiring import backups_of_nothing, open_engine

        orphans = backups_of_nothing(self.settings)
        with open_engine(self.settings, "cli", trial=trial) as engine:
            if orphans and not trial:
                self.say(
                    f"note: there was no store at {self.settings.database_path}, so a new and empty one was made; but"
                    f" {orphans} {'backup lies' if orphans == 1 else 'backups lie'} beside it:"
                    " `mem backup --list` shows what can be restored"
                )
            yield self._read_here(engine)

    def _read_here(self, engine: Engine) -> Engine:
        """The engine for whoever typed the command, where it was typed."""
        from memory_layer.doors.scope import Scope, at_home
        from memory_layer.model.query import Reach

        def by_person() -> bool:
            return self.at_terminal and self.writer(engine, Scope(Reach.ALL)).is_person

        return at_home(engine, self.here)._replace(is_read_by_person=by_person)

    def writer(
        self, engine: Engine, scope: Scope, as_name: str | None = None, session: str | None = None
    ) -> Writer:
        from memory_layer.usecases.identify import identify
        from memory_layer.wiring import terminal_session

        return identify(
            engine,
            door="cli",
            project=scope.project,
            as_name=as_name,
            session=session,
            stdin_is_terminal=self.at_terminal,
            terminal_session=terminal_session() if self.at_terminal else None,
        )

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
