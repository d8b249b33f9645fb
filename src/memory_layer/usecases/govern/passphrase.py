"""Set and check the passphrase by which a person confirms on the page."""

from __future__ import annotations

from hashlib import scrypt
from hmac import compare_digest

from memory_layer.model.access import Entered, Passphrase
from memory_layer.model.memory import Writer
from memory_layer.ports import Edit, Engine
from memory_layer.rules import access as rules
from memory_layer.rules.permissions import Action, check
from memory_layer.store.chain import SET_PASSPHRASE
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.access_flaws import logged

#: Cost of one guess: 64 MiB and about a fifth of a second.
COST, BLOCK, MOST_MEMORY = 2**16, 8, 2**27
_FOREIGN = (
    "the stored passphrase is not the one that the audit log names; a person sets it anew at a terminal"
)


def set_passphrase(engine: Engine, passphrase: str, writer: Writer) -> None:
    """Set the passphrase, or replace it; wrong tries are forgotten."""
    check(writer, Action.SET_PASSPHRASE)
    rules.check_strength(passphrase)
    salt = engine.new_id("salt").encode()
    made = Passphrase(salt, _hashed(passphrase, salt), engine.now())
    edit = Edit(writer, engine.new_id("op"), SET_PASSPHRASE, made.set_at)
    with engine.store.writing():
        engine.store.access.put_passphrase(made)
        ledger.note_access(engine.store, edit, "passphrase", {"digest": rules.digest_of(made)})


def enter_passphrase(engine: Engine, passphrase: str) -> Entered:
    """Check a passphrase; wrong tries are counted in the store, and lead to growing pauses."""
    with engine.store.writing():
        known = _known(engine)
        if known is None:
            return Entered(right=False)
        if seconds := rules.seconds_to_wait(known, engine.now()):
            return Entered(right=False, wait_seconds=seconds)
        tried = rules.tried(known, engine.now())
        engine.store.access.put_passphrase(tried)
    right = len(passphrase) <= rules.MOST_CHARACTERS and compare_digest(
        _hashed(passphrase, known.salt), known.hash
    )
    if not right:
        return Entered(right=False, wait_seconds=rules.seconds_to_wait(tried, engine.now()))
    with engine.store.writing():
        current = engine.store.access.passphrase()
        if current is None or current.hash != known.hash:
            return Entered(right=False)  # it was replaced meanwhile
        engine.store.access.put_passphrase(current._replace(failures=0, locked_until=None))
    return Entered(right=True)


def has_passphrase(engine: Engine) -> bool:
    """Was a passphrase set?"""
    return _known(engine) is not None


def _known(engine: Engine) -> Passphrase | None:
    """Return the passphrase; one that the audit log does not name was written into the file, and is none."""
    found = engine.store.access.passphrase()
    return found if found is not None and logged(engine.store).names_passphrase(found) else None


def _hashed(passphrase: str, salt: bytes) -> bytes:
    text = passphrase.encode("utf-8", "surrogateescape")
    return scrypt(text, salt=salt, n=COST, r=BLOCK, p=1, maxmem=MOST_MEMORY)
