"""Let a passkey sign an operation: rehearse it to learn what it changes, then do exactly that with the signature."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from memory_layer.errors import ChangedMeanwhile, InvalidInput, NotAllowed
from memory_layer.model.memory import Writer
from memory_layer.model.passkeys import Asked, Assertion, Means, Passkey, SignedRequest, Statement
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import WriterKind
from memory_layer.ports import Edit, Engine
from memory_layer.ports.store import AuditEntry, Entries
from memory_layer.rules import passkeys as rules
from memory_layer.store.chain import CONFIRM
from memory_layer.store.rows import to_micros
from memory_layer.usecases.govern import ledger

if TYPE_CHECKING:
    from memory_layer.ports import Store

Result = TypeVar("Result")
_CHANGED = "this was changed by somebody else since you were asked; look at it again"


class Pending(NamedTuple):
    """A statement that waits for its signature, and what repeats its rehearsal."""

    statement: Statement
    at: datetime
    ids: tuple[str, ...]
    credentials: tuple[str, ...]  #: of the passkeys that may sign

    @property
    def challenge(self) -> bytes:
        return rules.challenge_of(self.statement)

    @property
    def asked(self) -> Asked:
        return Asked(self.challenge, self.statement.origin)


def request_of(method: str, path: str, body: bytes) -> SignedRequest:
    """Return a request as it is signed: with the digest of its body."""
    return SignedRequest(method, path, rules.digest_of_body(body))


def prepare(
    engine: Engine, request: SignedRequest, origin: str, nonce: str, act: Callable[[Engine], object]
) -> Pending:
    """Learn what a request would change, without changing it, and return what a passkey has to sign.

    `act` runs the request as the person; its first transaction is rolled back at its end, and nothing after it runs.
    """
    ids: list[str] = []

    def new_id(prefix: str) -> str:
        ids.append(engine.new_id(prefix))
        return ids[-1]

    pending = prepare_read(engine, request, origin, nonce)
    watched = cast("Store", _Watched(engine.store, _end_rehearsal))
    try:
        act(engine._replace(store=watched, now=lambda: pending.at, new_id=new_id))
        entries: list[AuditEntry] = []
    except _Rehearsed as rehearsed:
        entries = rehearsed.entries
    if not entries:
        raise InvalidInput("this request changes nothing, so there is nothing to sign")
    statement = pending.statement._replace(changes=changes_of(entries))
    return pending._replace(statement=statement, ids=tuple(ids))


def prepare_read(engine: Engine, request: SignedRequest, origin: str, nonce: str) -> Pending:
    """Return what a passkey has to sign for a request that changes nothing."""
    known = engine.store.passkeys.all()
    if not known:
        raise InvalidInput("no passkey is registered; confirm with the passphrase")
    at, head = engine.now(), engine.store.chain.head()
    expires = to_micros(at + rules.HOLDS) or 0
    statement = Statement(request, origin, nonce, expires, (head[0], head[1].hex()), ())
    return Pending(statement, at, (), tuple(each.credential for each in known))


def carry_out(engine: Engine, pending: Pending, answer: object, act: Callable[[Engine], Result]) -> Result:
    """Run a signed request; the signature is stored in the transaction of what it changes, or nothing is."""
    if not pending.at <= engine.now() < pending.at + rules.HOLDS:
        raise NotAllowed("this confirmation is too old; confirm again")
    assertion = rules.assertion_from(answer)
    check_signature(engine, _signer(engine, assertion), pending.asked, assertion)
    if not pending.statement.changes:  # it only reads, so there is nothing to store the signature with
        return act(engine)
    ids = iter(pending.ids)
    signed, key = False, None

    def new_id(prefix: str) -> str:
        if not (again := next(ids, "")).startswith(f"{prefix}_"):
            raise ChangedMeanwhile(_CHANGED)
        return again

    def begin() -> None:
        nonlocal key
        if not signed:
            key = _signer(engine, assertion)  # under the lock, and before the operation may remove it

    def sign(entries: list[AuditEntry]) -> None:
        nonlocal signed
        if not entries:
            return
        if signed or key is None or changes_of(entries) != pending.statement.changes:
            raise ChangedMeanwhile(_CHANGED)
        _add_signature(engine.store, pending, assertion, key, entries[-1])
        signed = True

    watched = cast("Store", _Watched(engine.store, sign, begin))
    result = act(engine._replace(store=watched, now=lambda: pending.at, new_id=new_id))
    if not signed:
        raise ChangedMeanwhile(_CHANGED)
    return result


def check_signature(engine: Engine, key: Passkey, asked: Asked, assertion: Assertion) -> None:
    """Refuse an assertion that this passkey has not made for these terms, or has made before."""
    rules.check_client(assertion.client_data, rules.SIGNING, asked)
    rules.check_authenticator(assertion.authenticator_data, key.counter)
    engine.passkeys().check_signature(assertion, asked, key.public_key)


def changes_of(entries: list[AuditEntry]) -> tuple[tuple[object, ...], ...]:
    """Return what a signature covers of entries: everything but their numbers and hashes, which follow from it."""
    return tuple(
        (
            each.at,
            each.operation,
            each.action,
            each.memory,
            each.writer,
            each.door,
            each.before.hex() if each.before else None,
            each.after.hex() if each.after else None,
        )
        for each in entries
    )


def _signer(engine: Engine, assertion: Assertion) -> Passkey:
    for each in engine.store.passkeys.all():
        if each.credential == assertion.credential:
            return each
    raise NotAllowed("this passkey is not registered, or was removed")


def _add_signature(
    store: Store, pending: Pending, assertion: Assertion, key: Passkey, last: AuditEntry
) -> None:
    statement = pending.statement
    counter = rules.check_authenticator(assertion.authenticator_data, key.counter)  # once more under the lock
    if len({each[1] for each in statement.changes}) != 1:
        raise InvalidInput("this request makes several operations, which one signature cannot cover")
    writer = Writer(last.writer, WriterKind.PERSON, last.door, "", confirmed=True, means=Means.PASSKEY)
    proof = {
        "by": Means.PASSKEY.value,
        "passkey": key.id,
        "name": key.name,
        "method": statement.request.method,
        "path": statement.request.path,
        "body": statement.request.body,
        "origin": statement.origin,
        "nonce": statement.nonce,
        "expires": statement.expires,
        "head": list(statement.head),
        **assertion._asdict(),
    }
    ledger.confirm(store, Edit(writer, last.operation, CONFIRM, pending.at), proof)
    store.passkeys.used(key.id, counter, pending.at)


class _Rehearsed(Exception):
    """The end of a rehearsal, which rolls its transaction back."""

    def __init__(self, entries: list[AuditEntry]) -> None:
        super().__init__()
        self.entries = entries


def _end_rehearsal(entries: list[AuditEntry]) -> None:
    raise _Rehearsed(entries)


class _Watched:
    """A store that shows the new entries of each write transaction before it is committed."""

    def __init__(
        self,
        store: Store,
        look: Callable[[list[AuditEntry]], None],
        begin: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._look = look
        self._begin = begin
        self._inside = False

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def writing(self, *, patient: bool = True) -> Iterator[None]:
        if self._inside:
            yield
            return
        with self._store.writing(patient=patient):
            count, _ = self._store.chain.head()
            self._inside = True
            try:
                self._begin()
                yield
                added = tuple(range(count + 1, self._store.chain.head()[0] + 1))
                self._look(list(self._store.chain.entries(Entries(numbers=added))) if added else [])
            finally:
                self._inside = False
