"""Register, list and remove passkeys; each change is in the audit log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.memory import Writer
from memory_layer.model.passkeys import Asked, Passkey
from memory_layer.ports import Edit, Engine
from memory_layer.rules import passkeys as rules
from memory_layer.rules.permissions import Action, check
from memory_layer.store.chain import ADD_PASSKEY, REMOVE_PASSKEY
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.govern import ledger


def passkeys(engine: Engine) -> list[Passkey]:
    """Return the registered passkeys, in the order of their registration."""
    return engine.store.passkeys.all()


def check_may_register(engine: Engine, writer: Writer) -> None:
    """Refuse to begin a registration that could not end."""
    check(writer, Action.ADD_PASSKEY)
    if len(engine.store.passkeys.all()) >= rules.MOST_PASSKEYS:
        raise InvalidInput(f"{rules.MOST_PASSKEYS} passkeys are registered; remove one first")


def asked_with(challenge: str, origin: str) -> Asked:
    """Return the terms of a registration."""
    return Asked(rules.decoded(challenge), origin)


def register(engine: Engine, answer: Mapping[str, Any], asked: Asked, name: str, writer: Writer) -> Passkey:
    """Register the passkey that an authenticator has made for this challenge."""
    check_may_register(engine, writer)
    name = rules.name_of_passkey(redact(name).text)
    response = answer.get("response")
    if not isinstance(response, Mapping):
        raise InvalidInput("this is not the answer of a passkey")
    rules.check_client(str(response.get("clientDataJSON", "")), rules.REGISTERING, asked)
    made = engine.passkeys().registered(answer, asked)
    passkey = Passkey(engine.new_id("key"), name, *made, created_at=engine.now(), created_by=writer.name)
    edit = Edit(writer, engine.new_id("op"), ADD_PASSKEY, passkey.created_at)
    with engine.store.writing():
        check_may_register(engine, writer)
        if any(each.credential == passkey.credential for each in engine.store.passkeys.all()):
            raise InvalidInput("this passkey is registered already")
        ledger.note_passkey(engine.store, edit, logged_fields(passkey))
        engine.store.passkeys.put(passkey)
    return passkey


def remove(engine: Engine, passkey_id: str, writer: Writer) -> Passkey:
    """Remove a passkey; the signatures that it made stay valid."""
    check(writer, Action.REMOVE_PASSKEY)
    edit = Edit(writer, engine.new_id("op"), REMOVE_PASSKEY, engine.now())
    with engine.store.writing():
        known = next((each for each in engine.store.passkeys.all() if each.id == passkey_id), None)
        if known is None:
            raise NotFound(f"there is no passkey {passkey_id[:40]!r}")
        ledger.note_passkey(engine.store, edit, logged_fields(known))
        engine.store.passkeys.drop(known.id)
    return known


def logged_fields(passkey: Passkey) -> dict[str, object]:
    """Return the parts of a passkey that the audit log keeps."""
    return {
        "id": passkey.id,
        "name": passkey.name,
        "credential": passkey.credential,
        "public_key": passkey.public_key,
    }
