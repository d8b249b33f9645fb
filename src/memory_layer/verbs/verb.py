"""Verbs and how they are run: one way from raw values to an answer, for every door."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO, Generic, TypeVar

from memory_layer.errors import InvalidInput
from memory_layer.verbs.call import Call, opened_for
from memory_layer.verbs.request import NO_NAMES, coerced, shown
from memory_layer.verbs.scope import Target

if TYPE_CHECKING:
    from memory_layer.ports import Engine
    from memory_layer.verbs.call import Caller

Request = TypeVar("Request")
Answer = TypeVar("Answer")

AROUND = Target()  #: the project around the caller's folder


class Verb(Generic[Request, Answer]):
    """Something that can be done: its name, what it takes, and the function that does it."""

    def __init__(
        self,
        name: str,
        request: type[Request],
        do: Callable[[Call, Request], Answer],
        *,
        stores: bool = False,
    ) -> None:
        self.name = name
        self.request = request
        self.do = do
        self.stores = stores  #: whether a code base met for the first time becomes a project


class Dispatcher:
    """Runs verbs on one open engine for one caller."""

    def __init__(self, engine: Engine, caller: Caller, target: Target = AROUND) -> None:
        self.engine = opened_for(engine, caller)
        self.caller = caller
        self.target = target

    def run(
        self,
        verb: Verb[Request, Answer],
        values: dict[str, Any],
        *,
        target: Target | None = None,
        progress: Callable[..., None] | None = None,
        begin: Callable[[str, int], Callable[[int], None] | None] | None = None,
        measure: Callable[[Any], str] | None = None,
        out: BinaryIO | None = None,
        names: Mapping[str, str] = NO_NAMES,
    ) -> Answer:
        """Coerce the values to the verb's request and do it, in the project that is named or the caller's.

        `names` are what the door calls some of the fields, for the errors about them.
        """
        for name, callback in (("progress", progress), ("shown", measure)):
            if callback is not None and not callable(callback):
                raise InvalidInput(f"{name} must be a function, not {shown(callback)}")
        now = self.engine.now()
        request = coerced(verb.request, values, now, names=names)
        if target is not None:
            target = coerced(Target, target._asdict(), now)
        call = self.call(target, stores=verb.stores, progress=progress, begin=begin, measure=measure, out=out)
        return verb.do(call, request)

    def call(self, target: Target | None = None, **options: Any) -> Call:
        """Return a call in the project that is named or the caller's."""
        meant = self.target if target is None else target
        return Call(self.engine, self.caller, meant, own_target=target is not None, **options)
