"""Compare the tokens and the passphrase with what the audit log says of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from memory_layer.model.access import AccessToken
from memory_layer.model.history import Flaw, FlawKind
from memory_layer.ports import Store
from memory_layer.rules.access import logged_fields
from memory_layer.store.chain import MAKE_TOKEN, REVOKE_TOKEN, SET_PASSPHRASE
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.passphrase import digest_of


def access_flaws(store: Store) -> Iterator[Flaw]:
    """Yield each token that works, and the passphrase, if it is not the one that the log names."""
    made: dict[str, Any] = {}
    revoked: set[str] = set()
    passphrase = None
    for entry, told in chain.access_entries(store):
        if entry.action == SET_PASSPHRASE:
            passphrase = (told.get("passphrase") or {}).get("digest")
        token = told.get("token") or {}
        if entry.action == MAKE_TOKEN:
            made[token.get("id", "")] = token
        if entry.action == REVOKE_TOKEN:
            revoked.add(token.get("id", ""))
    for known, hashed in store.access.tokens():
        if known.revoked_at is None and not _is_as_logged(known, hashed, made, revoked):
            yield _flaw(f"the token {known.id} is not the one that the audit log names")
    current = store.access.passphrase()
    if current is not None and digest_of(current) != passphrase:
        yield _flaw("the passphrase is not the one that the audit log names")


def _is_as_logged(token: AccessToken, hashed: bytes, made: dict[str, Any], revoked: set[str]) -> bool:
    return token.id not in revoked and made.get(token.id) == logged_fields(token, hashed.hex())


def _flaw(says: str) -> Flaw:
    return Flaw(FlawKind.ACCESS, None, None, says)
