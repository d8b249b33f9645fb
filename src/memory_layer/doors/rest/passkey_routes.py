"""Routes to the passkeys of the page, and to the challenge of a request that one signs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import OBJECT, TEXT, TIME, WHOLE, members, optional, page_of
from memory_layer.doors.rest.fields import Parameter
from memory_layer.doors.rest.route import RestCall, Route, Shape, Values
from memory_layer.doors.rest.signing import CHALLENGE, METHODS, check_browser, registration_options
from memory_layer.errors import InvalidInput
from memory_layer.model.passkeys import Passkey
from memory_layer.verbs.passkeys import ADD_PASSKEY, BEGIN_PASSKEY, PASSKEYS, REMOVE_PASSKEY

PATH = "/api/passkeys"
_SHOWN = ("id", "name", "created_at", "created_by", "last_used_at", "uses")
PASSKEY = members(
    id=TEXT, name=TEXT, created_at=TIME, created_by=TEXT, last_used_at=optional(TIME), uses=WHOLE
)
OPTIONS = members(public_key=OBJECT)


def of_passkey(passkey: Passkey) -> Shape:
    shape: Shape = wire.plain(passkey)
    return {name: shape[name] for name in _SHOWN}


def of_passkeys(known: list[Passkey]) -> Shape:
    return wire.listed(map(of_passkey, known))


def options(call: RestCall, values: Values) -> Shape:
    """Begin to register a passkey: answer what `navigator.credentials.create` takes; needs a confirmed person."""
    check_browser(call.grant)
    known = call.do(BEGIN_PASSKEY)
    challenge = call.challenges.begin_registration(call.origin())
    person = call.dispatcher.call().writer.name
    return registration_options(challenge, person, [each.credential for each in known])


def register(call: RestCall, values: Values) -> Shape:
    """Register the passkey that the browser has made; needs a confirmed person."""
    check_browser(call.grant)
    answer, origin = values["credential"], call.origin()
    if not isinstance(answer, Mapping):
        raise InvalidInput("credential is the answer of navigator.credentials.create as JSON")
    challenge = call.challenges.end_registration(answer, origin)
    made = call.do(ADD_PASSKEY, name=values["name"], answer=answer, challenge=challenge, origin=origin)
    return of_passkey(made)


def remove(call: RestCall, values: Values) -> Shape:
    """Remove a passkey; its signatures stay valid. Needs a confirmed person."""
    check_browser(call.grant)
    return of_passkey(call.do(REMOVE_PASSKEY, values))


def challenge(call: RestCall, values: Values) -> Shape:
    """Answer what `navigator.credentials.get` takes to sign a request, which is rehearsed and changes nothing.

    The request is then sent with the answer as the header `Memory-Passkey`: its JSON in base64url.
    """
    raise AssertionError("the application rehearses the request itself")


def _route(method: str, path: str, run: Any, schema: Mapping[str, Any], **more: Any) -> Route:
    return Route(method, path, None, None, schema, run=run, scoped=False, **more)


PASSKEY_ROUTES = (
    Route("GET", PATH, PASSKEYS, of_passkeys, page_of(PASSKEY), scoped=False),
    _route("POST", f"{PATH}/options", options, OPTIONS, writes=True),
    _route(
        "POST",
        PATH,
        register,
        PASSKEY,
        writes=True,
        status=201,
        parameters=(
            Parameter("name", "", str, ..., "the name that the person gives it"),
            Parameter("credential", "", dict[str, Any], ..., "the answer of the browser"),
        ),
    ),
    _route(
        "POST",
        CHALLENGE,
        challenge,
        OPTIONS,
        parameters=(
            Parameter("method", "", Literal[METHODS], ..., "of the request that is to be signed"),
            Parameter("path", "", str, ..., "its path, with its query"),
            Parameter("body", "", Any, None, "its JSON body"),
        ),
    ),
    _route(
        "DELETE",
        f"{PATH}/{{passkey_id}}",
        remove,
        PASSKEY,
        writes=True,
        parameters=(Parameter("passkey_id", "passkey_id", str, ..., "the id of a passkey"),),
    ),
)
