"""Routes to the session of a browser."""

from __future__ import annotations

from memory_layer import __version__
from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import FLAG, TEXT, TIME, WHOLE, members, optional
from memory_layer.doors.rest.route import Reply, RestCall, Route, Shape, Values
from memory_layer.errors import NotFound
from memory_layer.model.access import Role

SESSION = "/api/session"
SHAPE = members(
    role=TEXT,
    name=TEXT,
    is_person=FLAG,
    confirmed_until=optional(TIME),
    has_passphrase=FLAG,
    passkeys=WHOLE,
    read_only=FLAG,
    version=TEXT,
)


def session(call: RestCall, values: Values) -> Shape:
    """Show who the caller is, and what it may do."""
    dispatcher = call.dispatcher
    writer = dispatcher.call().writer
    return {
        "role": call.grant.role,
        "name": writer.name,
        "is_person": writer.is_person,
        "confirmed_until": None,
        "has_passphrase": False,
        "passkeys": 0,
        "read_only": dispatcher.caller.only_read,
        "version": __version__,
    }


def log_out(call: RestCall, values: Values) -> Reply:
    """End the session of the browser; others go on."""
    if call.logins is None or call.grant.session is None:
        raise NotFound("this caller has no browser session")
    call.logins.log_out(call.grant.session)
    return Reply(None, headers=(("Set-Cookie", call.logins.clear_cookie()),))


SESSION_ROUTES = (
    Route("GET", SESSION, None, wire.plain, SHAPE, about=session.__doc__ or "", run=session, scoped=False),
    Route(
        "DELETE",
        SESSION,
        None,
        wire.plain,
        {},
        about=log_out.__doc__ or "",
        run=log_out,
        role=Role.READER,
        status=204,
        scoped=False,
    ),
)
