"""Decide about tokens and the passphrase: their names, lifetimes and strength, and the pauses after wrong tries."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256

from memory_layer.errors import InvalidInput
from memory_layer.model.access import AccessToken, Passphrase

LONGEST_NAME = 60
LONGEST_LIFE = timedelta(days=366)
USUAL_LIFE = timedelta(days=90)
LEAST_CHARACTERS = 12  #: of a passphrase: an agent could try many against the hash in the store
MOST_CHARACTERS = 200
LEAST_DIFFERENT = 5
FREE_TRIES = 3
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(days=1)


def name_of_token(name: str) -> str:
    """Return the name of a new token; refuse one that cannot serve."""
    if not 0 < len(name.strip()) <= LONGEST_NAME or not name.isprintable():
        raise InvalidInput(f"the name of a token has 1 to {LONGEST_NAME} printable characters")
    return name.strip()


def expiry_of(wanted: datetime | None, now: datetime) -> datetime:
    """Return when a new token expires; every token does."""
    expires_at = wanted or now + USUAL_LIFE
    if not now < expires_at <= now + LONGEST_LIFE:
        raise InvalidInput(
            f"a token expires within {LONGEST_LIFE.days} days from now; --expires takes 30d or a date"
        )
    return expires_at


def check_strength(passphrase: str) -> None:
    """Refuse a passphrase that could be guessed from its hash."""
    if not LEAST_CHARACTERS <= len(passphrase) <= MOST_CHARACTERS or len({*passphrase}) < LEAST_DIFFERENT:
        raise InvalidInput(
            f"a passphrase has {LEAST_CHARACTERS} to {MOST_CHARACTERS} characters, at least {LEAST_DIFFERENT}"
            " different ones; four or five unrelated words are good"
        )


def pause_after(failures: int) -> timedelta:
    """Return the time in which no try counts after so many wrong ones."""
    if failures < FREE_TRIES:
        return timedelta(0)
    doubled: int = 2 ** min(failures - FREE_TRIES, 20)
    return min(FIRST_PAUSE * doubled, LONGEST_PAUSE)


def tried(passphrase: Passphrase, now: datetime) -> Passphrase:
    """Count a try as wrong before it is checked, so that tries at the same time cannot slip through."""
    failures = passphrase.failures + 1
    return passphrase._replace(failures=failures, locked_until=now + pause_after(failures))


def seconds_to_wait(passphrase: Passphrase, now: datetime) -> int:
    """Return the seconds until the next try counts."""
    if passphrase.locked_until is None or now >= passphrase.locked_until:
        return 0
    return int((passphrase.locked_until - now).total_seconds()) + 1


def digest_of(passphrase: Passphrase) -> str:
    """Return what the audit log keeps of a passphrase: no guess can be checked by it without the salt."""
    return sha256(passphrase.salt + passphrase.hash).hexdigest()


def logged_fields(token: AccessToken, digest: str) -> dict[str, object]:
    """Return the parts of a token that the audit log keeps."""
    return {
        "id": token.id,
        "name": token.name,
        "role": token.role.value,
        "person": token.person,
        "digest": digest,
        "expires_at": token.expires_at.isoformat(),
    }


def is_access_note(fields: Mapping[str, object]) -> bool:
    """Is this a note that the program writes for a token or the passphrase?"""
    kinds = {
        "token": {"id", "name", "role", "person", "digest", "expires_at"},
        "passphrase": {"digest"},
    }
    (name, told), *rest = [(name, fields[name]) for name in fields if name != "writer_kind"] or [("", None)]
    return not rest and isinstance(told, dict) and told.keys() == kinds.get(name)


def describe_access(told: Mapping[str, object]) -> str | None:
    """Describe an entry about a token or the passphrase."""
    token = told.get("token")
    if isinstance(token, dict):
        whose = f"personal token of {token.get('person')}" if token.get("person") else "token"
        return f"{whose} {str(token.get('name', ''))[:LONGEST_NAME]!r} ({token.get('role')})"
    return "the passphrase of the page" if "passphrase" in told else None
