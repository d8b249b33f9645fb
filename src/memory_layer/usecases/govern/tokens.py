"""Make, list and revoke the tokens of programs; each change is in the audit log."""

from __future__ import annotations

from datetime import datetime

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.access import AccessToken, MadeToken, Role
from memory_layer.model.memory import Writer
from memory_layer.ports import Edit, Engine
from memory_layer.rules import access as rules
from memory_layer.rules.permissions import Action, check
from memory_layer.store.chain import MAKE_TOKEN, REVOKE_TOKEN
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.who.browser import hash_of


def make_token(
    engine: Engine, name: str, role: Role, expires: datetime | None, personal: bool, writer: Writer
) -> MadeToken:
    """Make a token; a personal one has the rights of the person who makes it."""
    if personal:
        check(writer, Action.MAKE_PERSONAL_TOKEN)
    now = engine.now()
    token = AccessToken(
        id=engine.new_id("acc"),
        name=rules.name_of_token(redact(name).text),
        role=role,
        person=writer.name if personal else None,
        made_by=writer.name,
        created_at=now,
        expires_at=rules.expiry_of(expires, now),
    )
    secret = engine.new_id("tok")
    hashed = hash_of(secret)
    edit = Edit(writer, engine.new_id("op"), MAKE_TOKEN, now)
    with engine.store.writing():
        if any(each.name == token.name and each.is_valid(now) for each, _ in engine.store.access.tokens()):
            raise InvalidInput(f"there is a token {token.name!r} already; revoke it, or choose another name")
        engine.store.access.put_token(token, hashed)
        ledger.note_access(engine.store, edit, "token", rules.logged_fields(token, hashed.hex()))
    return MadeToken(token, secret)


def tokens(engine: Engine) -> list[AccessToken]:
    """Return all tokens, oldest first; their secrets are stored nowhere."""
    return [each for each, _ in engine.store.access.tokens()]


def revoke_token(engine: Engine, which: str, writer: Writer) -> AccessToken:
    """Revoke a token by its id, the start of it, or its name; running servers refuse it at once."""
    now = engine.now()
    edit = Edit(writer, engine.new_id("op"), REVOKE_TOKEN, now)
    with engine.store.writing():
        known = [(each, hashed) for each, hashed in engine.store.access.tokens() if each.revoked_at is None]
        found = [pair for pair in known if pair[0].name == which] or [
            pair for pair in known if len(which) >= 4 and pair[0].id.startswith(which)
        ]
        if len(found) != 1:
            raise NotFound(f"there is no single token {which[:60]!r} to revoke; `mem token list` shows all")
        token, hashed = found[0]
        if token.person is not None:
            check(writer, Action.REVOKE_PERSONAL_TOKEN)
        engine.store.access.revoke_token(token.id, now)
        ledger.note_access(engine.store, edit, "token", rules.logged_fields(token, hashed.hex()))
    return token._replace(revoked_at=now)
