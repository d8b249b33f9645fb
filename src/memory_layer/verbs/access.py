"""Verbs about who may call over HTTP: tokens, and the passphrase of the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory_layer.model.access import Role
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Future, Nothing

if TYPE_CHECKING:
    from memory_layer.model.access import AccessToken, Entered, MadeToken
    from memory_layer.verbs.call import Call


class NewToken(NamedTuple):
    """A token to be made."""

    name: str
    role: Role = Role.WRITER
    expires: Future | None = None
    personal: bool = False


def make_token(call: Call, request: NewToken) -> MadeToken:
    """Make a token for a program; its secret is in this answer only."""
    from memory_layer.usecases.govern import tokens as usecase

    return usecase.make_token(call.engine, *request, writer=call.writer)


def tokens(call: Call, request: Nothing) -> list[AccessToken]:
    """List the tokens of programs, without their secrets."""
    from memory_layer.usecases.govern import tokens as usecase

    return usecase.tokens(call.engine)


class OneToken(NamedTuple):
    """A token by its name, its id, or the start of its id."""

    token: str


def revoke_token(call: Call, request: OneToken) -> AccessToken:
    """Revoke a token; running servers refuse it at once."""
    from memory_layer.usecases.govern import tokens as usecase

    return usecase.revoke_token(call.engine, request.token, call.writer)


class PassphraseRequest(NamedTuple):
    """A passphrase."""

    passphrase: str


def set_passphrase(call: Call, request: PassphraseRequest) -> None:
    """Set the passphrase by which a person confirms on the page; only a person at a terminal can."""
    from memory_layer.usecases.govern import passphrase as usecase

    usecase.set_passphrase(call.engine, request.passphrase, call.writer)


def enter_passphrase(call: Call, request: PassphraseRequest) -> Entered:
    """Check the passphrase; wrong tries lead to growing pauses."""
    from memory_layer.usecases.govern import passphrase as usecase

    return usecase.enter_passphrase(call.engine, request.passphrase)


def has_passphrase(call: Call, request: Nothing) -> bool:
    """Tell whether a passphrase was set."""
    from memory_layer.usecases.govern import passphrase as usecase

    return usecase.has_passphrase(call.engine)


MAKE_TOKEN = Verb("make_token", NewToken, make_token)
TOKENS = Verb("tokens", Nothing, tokens)
REVOKE_TOKEN = Verb("revoke_token", OneToken, revoke_token)
SET_PASSPHRASE = Verb("set_passphrase", PassphraseRequest, set_passphrase)
ENTER_PASSPHRASE = Verb("enter_passphrase", PassphraseRequest, enter_passphrase)
HAS_PASSPHRASE = Verb("has_passphrase", Nothing, has_passphrase)
