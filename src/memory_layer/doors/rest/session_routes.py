"""Routes to the session of a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from memory_layer import __version__
from memory_layer.doors import wire
from memory_layer.doors.http.grant import BROWSER, Grant
from memory_layer.doors.rest.answer_schemas import FLAG, TEXT, TIME, WHOLE, Schema, members, optional
from memory_layer.doors.rest.fields import Parameter
from memory_layer.doors.rest.route import Conflict, Reply, RestCall, Route, Shape, Values
from memory_layer.errors import NotFound
from memory_layer.model.access import Role
from memory_layer.model.passkeys import Means
from memory_layer.verbs.access import HAS_PASSPHRASE
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.passkeys import PASSKEYS

if TYPE_CHECKING:
    from memory_layer.doors.http.logins import Logins
    from memory_layer.model.access import BrowserSession

SESSION = "/api/session"
Run = Callable[[RestCall, Values], Shape | Reply | None]
_MEMBERS: dict[str, Schema] = {
    "role": TEXT,
    "name": TEXT,
    "is_person": FLAG,
    "confirmed_until": optional(TIME),
    "has_passphrase": FLAG,
    "passkeys": WHOLE,
    "read_only": FLAG,
    "version": TEXT,
}
SHAPE = members(**_MEMBERS)
CONFIRMED = members(**_MEMBERS, confirmation=TEXT)


def session(call: RestCall, values: Values) -> Shape:
    """Show who the caller is, and what it may do."""
    dispatcher = call.dispatcher
    writer = dispatcher.call().writer
    return {
        "role": call.grant.role,
        "name": writer.name,
        "is_person": writer.is_person,
        "confirmed_until": wire.plain(call.grant.confirmed_until) if writer.is_person else None,
        "has_passphrase": call.do(HAS_PASSPHRASE),
        "passkeys": len(call.do(PASSKEYS)),
        "read_only": dispatcher.caller.only_read,
        "version": __version__,
    }


def log_out(call: RestCall, values: Values) -> Reply:
    """End the session of the browser; others go on."""
    logins, browser = _browser(call)
    logins.log_out(browser)
    return Reply(None, headers=(("Set-Cookie", logins.clear_cookie()),))


def enter_passphrase(call: RestCall, values: Values) -> Shape:
    """Confirm by the passphrase that a person sits at the browser; it counts for 15 minutes.

    The page sends the `confirmation` of the answer as the header `Memory-Confirmation` with its requests.
    """
    logins, browser = _browser(call)
    if not call.do(HAS_PASSPHRASE):
        raise Conflict(
            "no passphrase is set; run `mem passphrase set` at a terminal",
            "no_passphrase",
            409,
            "Nothing was changed. A person sets the passphrase at a terminal.",
        )
    entered = logins.enter_passphrase(values["passphrase"])
    if not entered.right:
        raise _wrong(entered.wait_seconds)
    proof, until = logins.confirm(browser)
    confirmed = call.dispatcher.caller._replace(name=None, means=Means.PASSPHRASE)
    grant = Grant(call.grant.role, None, browser, Means.PASSPHRASE, until)
    again = RestCall(Dispatcher(call.dispatcher.engine, confirmed), call.route, None, grant, logins)
    return session(again, values) | {"confirmation": proof}


def withdraw(call: RestCall, values: Values) -> Shape:
    """End the confirmation: the browser counts as an agent's again."""
    logins, browser = _browser(call)
    logins.withdraw(browser)
    caller = call.dispatcher.caller._replace(name=BROWSER, means=None)
    grant = Grant(call.grant.role, BROWSER, browser)
    return session(
        RestCall(Dispatcher(call.dispatcher.engine, caller), call.route, None, grant, logins), values
    )


def _browser(call: RestCall) -> tuple[Logins, BrowserSession]:
    if call.logins is None or call.grant.session is None:
        raise NotFound("this caller has no browser session")
    return call.logins, call.grant.session


def _wrong(seconds: int) -> Conflict:
    if not seconds:
        return Conflict(
            "this is not the passphrase", "wrong_passphrase", 403, "Nothing was changed. Enter it again."
        )
    return Conflict(
        f"after wrong tries no passphrase is looked at for {seconds} seconds",
        "too_many_tries",
        429,
        "Nothing was changed. Wait, or set a new passphrase at a terminal.",
        retry_after=seconds,
    )


def _route(method: str, path: str, run: Run, schema: Schema, **more: Any) -> Route:
    """Return a row that works for every role, and on a read-only server: it is about the caller alone."""
    return Route(method, path, None, None, schema, run=run, role=Role.READER, scoped=False, **more)


SESSION_ROUTES = (
    _route("GET", SESSION, session, SHAPE),
    _route("DELETE", SESSION, log_out, {}, status=204),
    _route(
        "POST",
        f"{SESSION}/passphrase",
        enter_passphrase,
        CONFIRMED,
        parameters=(
            Parameter("passphrase", "", str, ..., "the passphrase that `mem passphrase set` has set"),
        ),
    ),
    _route("DELETE", f"{SESSION}/passphrase", withdraw, SHAPE),
)
