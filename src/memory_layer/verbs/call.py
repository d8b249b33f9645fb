"""Who calls, from where, about which project: decided once for each call of a verb."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memory_layer.model.context import Way
from memory_layer.model.lazy import cached_property
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.scope import Target, at_home, reading, writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from pathlib import Path
    from typing import BinaryIO

    from memory_layer.model.memory import Writer
    from memory_layer.model.terminal import Terminal
    from memory_layer.ports import Engine
    from memory_layer.verbs.scope import Scope


def _no_terminal() -> None:
    return None


def _unconfirmed(now: datetime) -> bool:
    return False


class Caller(NamedTuple):
    """Who uses a door, as far as the door knows."""

    door: str  #: cli, python, mcp, rest, hook
    here: Path  #: the folder that relative paths and the project start from
    name: str | None = None  #: of the writer; can only lower
    session: str | None = None
    home: Target | None = None  #: the project that a server was started for
    way: Way = Way.SHELL  #: how the caller can ask for more
    terminal: Callable[[], Terminal | None] = _no_terminal  #: looked up only where the writer matters
    confirmed: Callable[[datetime], bool] = _unconfirmed  #: whether a code was typed at the terminal
    only_read: bool = False  #: whether nothing may be written, not even what was recalled


class Call:
    """One call of a verb; each part is worked out when it is first needed, and once."""

    def __init__(
        self,
        engine: Engine,
        caller: Caller,
        target: Target,
        *,
        stores: bool = False,
        own_target: bool = False,
        progress: Callable[..., None] | None = None,
        begin: Callable[[str, int], Callable[[int], None] | None] | None = None,
        measure: Callable[[Any], str] | None = None,
        out: BinaryIO | None = None,
    ) -> None:
        self.engine = engine
        self.caller = caller
        self.target = target
        self.own_target = own_target  #: whether the project was named for this call alone
        self.progress = progress  #: told how far long work is
        self.begin = (
            begin  #: told what long work begins, of how many steps; returns what these are reported to
        )
        self.measure = measure  #: the answer as text, which a budget is measured on
        self.out = out  #: where an answer goes that does not fit into memory
        self._stores = stores

    @cached_property
    def scope(self) -> Scope:
        """Resolve the project; a code base met for the first time becomes one if something is to be stored."""
        find = writing if self._stores else reading
        return find(self.engine, self.target, self.caller.here)

    @cached_property
    def writer(self) -> Writer:
        """Identify the writer in the project of this call."""
        from memory_layer.usecases.who.identify import identify

        caller, engine = self.caller, self.engine
        return identify(
            engine.settings,
            engine.now(),
            door=caller.door,
            project=self.scope.project,
            as_name=caller.name,
            session=caller.session,
            terminal=caller.terminal(),
            confirmed=caller.confirmed(engine.now()),
        )

    def stage(self, label: str, total: Callable[[], int]) -> Callable[[int], None] | None:
        """Return what finished steps are reported to; they are counted only for a caller who is told the total."""
        return self.progress if self.begin is None else self.begin(label, total())

    def relative(self, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return paths as the project has them."""
        return tuple(self.scope.inside(path, self.caller.here) for path in paths)


def opened_for(engine: Engine, caller: Caller) -> Engine:
    """Return the engine for a caller: what an agent learns at home counts there, and only a person reads all."""

    reader = caller._replace(name=None)  # who takes another name reads with the same eyes

    def is_read_by_person() -> bool:
        return (
            caller.terminal() is not None and Call(engine, reader, Target(everything=True)).writer.is_person
        )

    return at_home(engine, caller.here, caller.home)._replace(is_read_by_person=is_read_by_person)
