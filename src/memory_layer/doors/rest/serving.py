"""Run routes: one engine for all of them, one caller and one project for each call."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from secrets import token_urlsafe
from typing import TYPE_CHECKING

from memory_layer import __version__
from memory_layer.doors.http.grant import NOBODY, Grant
from memory_layer.doors.rest.events import Events
from memory_layer.doors.rest.replays import Replays, check_undone, digest_of, operation_of
from memory_layer.doors.rest.route import Reply, RestCall, Route, Shape, Values
from memory_layer.doors.rest.signing import Challenges, Signing, options_for
from memory_layer.doors.rest.versions import entity_tag, version_in
from memory_layer.doors.shared_engine import SharedEngine, check_folder
from memory_layer.errors import NeedsConfirmation, NotAllowed, OnlyPersons
from memory_layer.model.access import Role
from memory_layer.model.passkeys import Means
from memory_layer.model.record import NamedTuple
from memory_layer.usecases.upkeep.error_log import keep_mishap
from memory_layer.verbs.call import Caller, Dispatcher, Target
from memory_layer.verbs.operations import Operations
from memory_layer.verbs.passkeys import carry_out, prepare, prepare_read
from memory_layer.verbs.remember import ADD

if TYPE_CHECKING:
    from memory_layer.doors.http.logins import Logins
    from memory_layer.ports import Engine
    from memory_layer.settings import Settings

DOOR = "rest"
Acted = tuple[Shape | Reply | None, str | None]  #: what a route answers, and its operation
Act = Callable[["Engine"], Acted]


class Visit(NamedTuple):
    """Everything about a request besides its parameters."""

    target: Target = Target()
    grant: Grant = NOBODY
    session: str | None = None
    agent: str | None = None  #: the caller's name; its rights are an agent's then
    if_match: str | None = None
    if_none_match: str | None = None
    idempotency_key: str | None = None
    signing: Signing | None = None  #: with a passkey
    origin: Callable[[], str] = str  #: returns the address of the page, if passkeys work there


class Answered(NamedTuple):
    """A reply with its status and operation."""

    reply: Reply
    status: int
    operation: str | None = None


class RestServing:
    """A runner of routes for any number of clients."""

    def __init__(
        self,
        settings: Settings,
        store: SharedEngine,
        here: Path,
        project: str | None = None,
        logins: Logins | None = None,
    ) -> None:
        self.settings = settings
        self.store = store
        self.here = here
        self.logins = logins  #: the browser sessions of the server
        self.home = Target(project)  #: the project of calls that name none
        self.events = Events(self)
        self._challenges = Challenges()
        self._replays: Replays[Answered] = Replays()

    def run(self, route: Route, values: Values, visit: Visit) -> Answered:
        """Run a route, once for an `Idempotency-Key`; failures are MemoryLayerErrors with a message."""
        if visit.idempotency_key is None:
            return self._run(route, values, visit)
        first = operation_of(visit.idempotency_key, visit.grant.name)
        caller = visit.grant._replace(session=None, confirmed_until=None)
        sent = digest_of((route.name, values, visit._replace(grant=caller, origin=str)))
        return self._replays.once(first, sent, lambda: self._run(route, values, visit, first))

    def _run(self, route: Route, values: Values, visit: Visit, first: str | None = None) -> Answered:
        """Run a request, or rehearse it for a passkey; `first` is the id of its first operation."""
        self._check(route, visit)
        notices: dict[str, None] = {}  # in order, each once
        caller = self._caller(visit)._replace(remark=notices.setdefault)
        act = partial(self._act, route, values, visit, caller, first)
        store = self.store if visit.grant.covers(Role.WRITER) else self.store.for_reading()
        with store.engine() as engine:
            if visit.signing is not None and visit.signing.answer is None:
                return self._rehearsed(engine, route, visit.signing, act)
            found, operation = self._done(engine, route, visit.signing, act)
            store.keep_tidy(engine)
        reply = found if isinstance(found, Reply) else Reply(found)
        return _answered(route, reply, operation, list(notices), visit)

    def _check(self, route: Route, visit: Visit) -> None:
        """Refuse what the caller or this server may not do."""
        if not visit.grant.covers(route.role):
            raise NotAllowed(
                f"this needs a token with the role {route.role}, and this one's is {visit.grant.role or 'none'}"
            )
        if route.writes and self.store.only_read:
            raise NotAllowed("this server is read-only, so it changes nothing")
        if visit.target.project is not None:
            check_folder(visit.target.project, self.here)

    def _caller(self, visit: Visit) -> Caller:
        grant, signs = visit.grant, visit.signing is not None
        return Caller(
            DOOR,
            self.here,
            None if signs else visit.agent or grant.name,
            visit.session,
            home=self.home,
            means=Means.PASSKEY if signs else None if visit.agent else grant.means,
            only_read=self.store.only_read or not grant.covers(Role.WRITER),
        )

    def _act(
        self, route: Route, values: Values, visit: Visit, caller: Caller, first: str | None, engine: Engine
    ) -> Acted:
        """Run the function of a route."""
        if first is not None:
            check_undone(engine.store, first)
        operations, grant = Operations(engine, first), visit.grant
        target = self.home if visit.target == Target() else visit.target
        dispatcher = Dispatcher(operations.engine, caller, target)
        if_match = version_in(visit.if_match)
        call = RestCall(dispatcher, route, if_match, grant, self.logins, self._challenges, visit.origin)
        try:
            return route.run(call, values), operations.last() if route.writes else None
        except OnlyPersons as refused:
            if grant.session is not None and grant.means is None:
                refused.code = NeedsConfirmation.code  # a person can confirm in this browser
            raise

    def _rehearsed(self, engine: Engine, route: Route, signing: Signing, act: Act) -> Answered:
        """Rehearse a request that a passkey is to sign, and answer with its challenge."""
        asked = signing.request, signing.origin, token_urlsafe(16)
        changes = route.writes
        pending = prepare(_signable(engine, route), *asked, act) if changes else prepare_read(engine, *asked)
        self._challenges.put(pending)
        return Answered(Reply(options_for(pending)), 200)

    def _done(self, engine: Engine, route: Route, signing: Signing | None, act: Act) -> Acted:
        """Run a request; one with a signature must do what was rehearsed for it."""
        if signing is None:
            return act(engine)
        pending = self._challenges.take(signing)
        return carry_out(_signable(engine, route), pending, signing.answer, act)

    @contextmanager
    def dispatcher(self) -> Iterator[Dispatcher]:
        """Yield a dispatcher for what the server itself asks, about all projects."""
        with self.store.engine() as engine:
            caller = Caller(DOOR, self.here, home=self.home, only_read=self.store.only_read)
            yield Dispatcher(engine, caller, Target(everything=True))

    def log(self, failure: Exception) -> None:
        """Keep the details of an unexpected failure in the log."""
        keep_mishap(self.settings.log_folder, failure, datetime.now(UTC), f"mem serve {__version__}")


def _signable(engine: Engine, route: Route) -> Engine:
    """Return the engine for a request that is signed: a new memory is stored in one step, and compared by its words."""
    return engine._replace(fingerprint=lambda: None) if route.verb is ADD else engine


def _answered(
    route: Route, reply: Reply, operation: str | None, notices: list[str], visit: Visit
) -> Answered:
    if reply.version is not None and not route.writes and visit.if_none_match == entity_tag(reply.version):
        return Answered(reply._replace(shape=None, file=None), 304)
    shape = reply.shape
    if shape is not None and route.writes:
        shape = shape | {"operation": operation}
    if shape is not None and notices:
        shape = shape | {"notices": notices}
    return Answered(reply._replace(shape=shape), reply.status or route.status, operation)
