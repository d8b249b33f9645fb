"""Compare the tokens and the passphrase with what the audit log says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from memory_layer.model.access import AccessToken, Passphrase
from memory_layer.model.history import Flaw, FlawKind
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Store
from memory_layer.rules.access import digest_of, logged_fields
from memory_layer.store.chain import MAKE_TOKEN, REVOKE_TOKEN, SET_PASSPHRASE
from memory_layer.usecases.govern import chain


class Logged(NamedTuple):
    """The tokens and the passphrase that the audit log names."""

    tokens: Mapping[str, object]  #: as they were made, by their ids
    revoked: frozenset[str]
    passphrase: str | None  #: digest of the last one

    def names_token(self, token: AccessToken, hashed: bytes) -> bool:
        """Was a token made just like this, and not revoked since?"""
        is_as_made = self.tokens.get(token.id) == logged_fields(token, hashed.hex())
        return is_as_made and token.id not in self.revoked

    def names_passphrase(self, passphrase: Passphrase) -> bool:
        """Was this the last passphrase to be set?"""
        return digest_of(passphrase) == self.passphrase


def logged(store: Store) -> Logged:
    """Read what the audit log says of tokens and the passphrase."""
    made: dict[str, object] = {}
    revoked: set[str] = set()
    passphrase = None
    for entry, told in chain.access_entries(store):
        if entry.action == SET_PASSPHRASE:
            passphrase = _part(told, "passphrase").get("digest")
        token = _part(told, "token")
        if entry.action == MAKE_TOKEN:
            made[str(token.get("id"))] = token
        if entry.action == REVOKE_TOKEN:
            revoked.add(str(token.get("id")))
    return Logged(made, frozenset(revoked), passphrase)


def _part(told: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    found = told.get(name)
    return found if isinstance(found, dict) else {}


def access_flaws(store: Store) -> Iterator[Flaw]:
    """Yield each token that works, and the passphrase, if it is not the one that the log names."""
    log = logged(store)
    for known, hashed in store.access.tokens():
        if known.revoked_at is None and not log.names_token(known, hashed):
            yield _flaw(f"the token {known.id} is not the one that the audit log names")
    current = store.access.passphrase()
    if current is not None and not log.names_passphrase(current):
        yield _flaw("the passphrase is not the one that the audit log names")


def _flaw(says: str) -> Flaw:
    return Flaw(FlawKind.ACCESS, None, None, says)
