"""Verify every signature in the audit log with the passkeys that the log registers."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Any

from memory_layer.errors import MemoryLayerError
from memory_layer.model.history import Flaw, FlawKind
from memory_layer.model.passkeys import SITE, Asked, Assertion, Means, Passkey, SignedRequest, Statement
from memory_layer.ports import Engine
from memory_layer.ports.store import AuditEntry, Entries
from memory_layer.rules import passkeys as rules
from memory_layer.store.chain import ADD_PASSKEY, CONFIRM, REMOVE_PASSKEY
from memory_layer.store.rows import moment
from memory_layer.usecases.govern.signing import changes_of

#: The members of a signature's entry that its statement is built from.
_TEXTS = ("passkey", "method", "path", "body", "origin", "nonce", *Assertion._fields)
MICROSECOND = timedelta(microseconds=1)
_MEANS = [each.value for each in Means]


class Signatures:
    """The confirmations and passkeys in the audit log of one store."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._store = engine.store
        self._keys: dict[str, Passkey] = {}  #: as the log registers them, up to the entry that is being read
        self._removed: dict[str, str] = {}  #: with the operation
        self._nonces: set[str] = set()
        self.count = 0  #: signatures that were verified

    def flaws(self) -> Iterator[Flaw]:
        """Yield each signature and passkey that does not fit, in one sentence."""
        proofs = list(self._store.chain.proofs())
        told = [_told(each) for each in proofs]
        operations = self._operations(proofs)
        anchors = self._hashes([_head(each)[0] for each in told])
        for entry, fields in zip(proofs, told, strict=True):
            if fields is None:
                yield _flaw(entry, "the confirmation of entry {} is missing or damaged")
            elif entry.action == CONFIRM:
                yield from self._confirmed(entry, fields, operations[entry.operation], anchors)
            else:
                yield from self._changed(entry, fields, operations[entry.operation])
        yield from self._not_in_step()

    def _operations(self, proofs: Sequence[AuditEntry]) -> dict[str, list[AuditEntry]]:
        """Return the entries of each operation with a proof, in one pass over the log."""
        found: dict[str, list[AuditEntry]] = {each.operation: [] for each in proofs}
        if found:
            for entry in self._store.chain.entries(Entries(operations=tuple(found))):
                found[entry.operation].append(entry)
        return found

    def _hashes(self, numbers: Sequence[int]) -> dict[int, str]:
        entries = self._store.chain.entries(Entries(numbers=tuple({*numbers}))) if numbers else ()
        return {0: bytes(32).hex()} | {each.number: each.hash.hex() for each in entries}

    def _changed(
        self, entry: AuditEntry, fields: Mapping[str, Any], own: Sequence[AuditEntry]
    ) -> Iterator[Flaw]:
        """Follow a registration or removal."""
        if not any(each.action == CONFIRM for each in own):
            yield _flaw(entry, "no person confirmed the passkey of entry {}")
        names = ("id", "name", "credential", "public_key")
        known_by, name, credential, public_key = (str(fields.get(each, "")) for each in names)
        key = Passkey(known_by, name, credential, public_key, 0, moment(entry.at), entry.writer)
        registered = self._keys.get(key.id)
        if entry.action == ADD_PASSKEY and registered is None:
            self._keys[key.id] = key
        elif entry.action == REMOVE_PASSKEY and registered and _same(registered, key):
            self._removed[key.id] = entry.operation
        else:
            yield _flaw(entry, "the passkey of entry {} is not as the log registered it before")

    def _confirmed(
        self,
        entry: AuditEntry,
        fields: Mapping[str, Any],
        own: Sequence[AuditEntry],
        anchors: Mapping[int, str],
    ) -> Iterator[Flaw]:
        if fields.get("by") not in _MEANS or len(own) == sum(each.action == CONFIRM for each in own):
            yield _flaw(entry, "entry {} confirms nothing")
        elif fields["by"] == Means.PASSKEY:
            try:
                self._check(entry, fields, own, anchors)
                self.count += 1
            except (Unsigned, MemoryLayerError) as error:
                yield _flaw(entry, f"the signature of entry {{}} is not valid: {error}")

    def _check(
        self,
        entry: AuditEntry,
        fields: Mapping[str, Any],
        own: Sequence[AuditEntry],
        anchors: Mapping[int, str],
    ) -> None:
        """Recompute the challenge from the log, and verify that the passkey in it signed just that."""
        if not all(isinstance(fields.get(name), str) for name in _TEXTS):
            raise Unsigned("it is missing")
        key = self._keys.get(fields["passkey"])
        if key is None or key.credential != fields["credential"]:
            raise Unsigned("the log registers no such passkey")
        if self._removed.get(key.id, entry.operation) != entry.operation:
            raise Unsigned("the passkey had been removed")
        if fields["nonce"] in self._nonces:
            raise Unsigned("it was used before")
        self._nonces.add(fields["nonce"])
        covered = [each for each in own if each.action != CONFIRM]
        if [each.number for each in covered] != [*range(entry.number - len(covered), entry.number)]:
            raise Unsigned("entries were added to the operation")
        head = _head(fields)
        if anchors.get(head[0]) != head[1] or head[0] >= covered[0].number:
            raise Unsigned("the log before it is not the one that it covers")
        if not str(fields["origin"]).startswith(f"http://{SITE}"):
            raise Unsigned("it was made for another page")
        expires = fields.get("expires")
        if type(expires) is not int or not entry.at < expires <= entry.at + rules.HOLDS // MICROSECOND:
            raise Unsigned("it had expired")
        statement = Statement(
            SignedRequest(fields["method"], fields["path"], fields["body"]),
            fields["origin"],
            fields["nonce"],
            expires,
            head,
            changes_of(covered),
        )
        asked = Asked(rules.challenge_of(statement), statement.origin)
        assertion = Assertion(*(fields[name] for name in Assertion._fields))
        rules.check_client(assertion.client_data, rules.SIGNING, asked)
        counter = rules.check_authenticator(assertion.authenticator_data, key.counter)
        self._engine.passkeys().check_signature(assertion, asked, key.public_key)
        self._keys[key.id] = key._replace(counter=counter, uses=key.uses + 1)

    def _not_in_step(self) -> Iterator[Flaw]:
        """Compare the passkeys that may sign with those that the log registers."""
        for known in self._store.passkeys.all():
            registered = self._keys.get(known.id)
            if registered is None or known.id in self._removed or not _same(registered, known):
                says = f"the passkey {known.id} is not the one that the audit log registers"
                yield Flaw(FlawKind.SIGNATURE, None, None, says)
            elif known.uses > registered.uses:
                says = f"of {known.uses} signatures of the passkey {known.id} the audit log has {registered.uses}"
                yield Flaw(FlawKind.SIGNATURE, None, None, says)


class Unsigned(Exception):
    """A signature that does not fit its operation."""


def _same(one: Passkey, other: Passkey) -> bool:
    return (one.credential, one.public_key) == (other.credential, other.public_key)


def _told(entry: AuditEntry) -> dict[str, Any] | None:
    """Return what an entry says of a confirmation or a passkey; None if it cannot be read."""
    try:
        told = json.loads(entry.payload or "null")
    except ValueError:
        return None
    found = (
        told.get("confirmed" if entry.action == CONFIRM else "passkey") if isinstance(told, dict) else None
    )
    return found if isinstance(found, dict) else None


def _head(fields: Mapping[str, Any] | None) -> tuple[int, str]:
    """Return the end of the log that a signature covers; of no entry if it names none."""
    match (fields or {}).get("head"):
        case [int(count), str(last)]:
            return count, last
    return 0, ""


def _flaw(entry: AuditEntry, says: str) -> Flaw:
    return Flaw(FlawKind.SIGNATURE, entry.number, None, says.format(entry.number))
