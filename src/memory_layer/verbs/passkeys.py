"""Verbs about passkeys, and the two steps in which a request is signed; only the page's door has them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

from memory_layer.model.record import NamedTuple
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Nothing

if TYPE_CHECKING:
    from memory_layer.model.passkeys import Passkey, SignedRequest
    from memory_layer.ports import Engine
    from memory_layer.usecases.govern.signing import Pending
    from memory_layer.verbs.call import Call

Result = TypeVar("Result")


def passkeys(call: Call, request: Nothing) -> list[Passkey]:
    """List the registered passkeys."""
    from memory_layer.usecases.govern import passkeys as usecase

    return usecase.passkeys(call.engine)


def begin_passkey(call: Call, request: Nothing) -> list[Passkey]:
    """Check that a passkey may be registered, and list those that are; only a confirmed person can."""
    from memory_layer.usecases.govern import passkeys as usecase

    usecase.check_may_register(call.engine, call.writer)
    return usecase.passkeys(call.engine)


class NewPasskey(NamedTuple):
    """A passkey that an authenticator has made."""

    name: str
    answer: Mapping[str, object]  #: of the browser
    challenge: str  #: that it was asked with, in base64url
    origin: str


def add_passkey(call: Call, request: NewPasskey) -> Passkey:
    """Register a passkey; only a confirmed person can."""
    from memory_layer.usecases.govern import passkeys as usecase

    asked = usecase.asked_with(request.challenge, request.origin)
    return usecase.register(call.engine, request.answer, asked, request.name, call.writer)


class OnePasskey(NamedTuple):
    """A passkey by its id."""

    passkey_id: str


def remove_passkey(call: Call, request: OnePasskey) -> Passkey:
    """Remove a passkey; its signatures stay valid. Only a confirmed person can."""
    from memory_layer.usecases.govern import passkeys as usecase

    return usecase.remove(call.engine, request.passkey_id, call.writer)


def signed_request(method: str, path: str, body: bytes) -> SignedRequest:
    """Return the request that a signature has to be for."""
    from memory_layer.usecases.govern import signing

    return signing.request_of(method, path, body)


def prepare(
    engine: Engine, request: SignedRequest, origin: str, nonce: str, act: Callable[[Engine], object]
) -> Pending:
    """Rehearse a request, and return what a passkey has to sign for it."""
    from memory_layer.usecases.govern import signing

    return signing.prepare(engine, request, origin, nonce, act)


def prepare_read(engine: Engine, request: SignedRequest, origin: str, nonce: str) -> Pending:
    """Return what a passkey has to sign for a request that changes nothing."""
    from memory_layer.usecases.govern import signing

    return signing.prepare_read(engine, request, origin, nonce)


def carry_out(engine: Engine, pending: Pending, answer: object, act: Callable[[Engine], Result]) -> Result:
    """Run a rehearsed request with the signature of a passkey."""
    from memory_layer.usecases.govern import signing

    return signing.carry_out(engine, pending, answer, act)


PASSKEYS = Verb("passkeys", Nothing, passkeys)
BEGIN_PASSKEY = Verb("begin_passkey", Nothing, begin_passkey)
ADD_PASSKEY = Verb("add_passkey", NewPasskey, add_passkey)
REMOVE_PASSKEY = Verb("remove_passkey", OnePasskey, remove_passkey)
