"""Recognise callers over HTTP: browsers, which log in by one-time links, by their cookies, and programs by tokens.

The secrets are long and random, so a plain SHA-256 of each is stored: nobody can guess one from its hash.
"""

from __future__ import annotations

from hashlib import sha256

from memory_layer.model.access import LINK_HOLDS, SESSION_HOLDS, AccessToken, BrowserSession
from memory_layer.ports import Engine
from memory_layer.usecases.govern.access_flaws import logged


def hash_of(secret: str) -> bytes:
    """Return the stored form of a long random secret."""
    return sha256(secret.encode("utf-8", "surrogateescape")).digest()


def new_link(engine: Engine, port: int) -> str:
    """Return the secret of a link that logs one browser in to the server on a port."""
    secret, now = engine.new_id("link"), engine.now()
    with engine.store.writing():
        engine.store.access.drop_expired(now)
        engine.store.access.put_link(hash_of(secret), port, now + LINK_HOLDS)
    return secret


def log_in(engine: Engine, link: str, port: int) -> str | None:
    """Use up a link; return the secret of the new session, None if the link is not or no longer valid."""
    with engine.store.writing():
        is_valid = engine.store.access.take_link(hash_of(link), port, engine.now())
        return new_session(engine, port) if is_valid else None


def new_session(engine: Engine, port: int) -> str:
    """Begin a session of a browser; return the secret for its cookie."""
    secret, now = engine.new_id("ses"), engine.now()
    with engine.store.writing():
        engine.store.access.drop_expired(now)
        engine.store.access.put_session(BrowserSession(hash_of(secret), port, now, now + SESSION_HOLDS))
    return secret


def session_of(engine: Engine, secret: str, port: int) -> BrowserSession | None:
    """Return the session of a cookie; None if it has ended or belongs to another port."""
    found = engine.store.access.session(hash_of(secret))
    is_valid = found is not None and found.port == port and found.expires_at > engine.now()
    return found if is_valid else None


def log_out(engine: Engine, session: BrowserSession) -> None:
    """End a session."""
    with engine.store.writing():
        engine.store.access.drop_session(session.hash)


def token_of(engine: Engine, secret: str) -> AccessToken | None:
    """Return the token with this secret; None if there is none, or it has expired or was revoked.

    A personal one must also be in the audit log: a program that writes to the file leaves at least that trace.
    """
    hashed = hash_of(secret)
    found = engine.store.access.token(hashed)
    if found is None or not found.is_valid(engine.now()):
        return None
    return found if found.person is None or logged(engine.store).names_token(found, hashed) else None


def has_valid_token(engine: Engine) -> bool:
    """Is there a token that opens anything now?"""
    now = engine.now()
    return any(each.is_valid(now) for each, _ in engine.store.access.tokens())
