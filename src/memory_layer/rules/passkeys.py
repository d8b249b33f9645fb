"""Build what a passkey signs, and check what an authenticator answers."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import timedelta
from hashlib import sha256
from typing import Any

from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.passkeys import SITE, Asked, Assertion, Statement

SITE_HASH = sha256(SITE.encode()).digest()
#: No other program signs anything that begins like this.
DOMAIN = b"memory-layer passkey statement 1\n"
HOLDS = timedelta(minutes=2)
MOST_PASSKEYS = 20
LONGEST_NAME = 60
LONGEST_PART = 4_096  #: characters of one part of an answer
_PARTS = ("clientDataJSON", "authenticatorData", "signature")
#: Flags in the authenticator's data.
_PRESENT, _VERIFIED = 0x01, 0x04
_LEAST_DATA = 37  #: bytes: the hash of the site, the flags and the counter
SIGNING, REGISTERING = "webauthn.get", "webauthn.create"


def challenge_of(statement: Statement) -> bytes:
    """Return the challenge that binds a signature to a statement."""
    return sha256(DOMAIN + _spelled(statement).encode()).digest()


def digest_of_body(body: bytes) -> str:
    """Return the SHA-256 of a JSON body in canonical form; of nothing for an empty one."""
    if not body.strip():
        return sha256(b"").hexdigest()
    try:
        return sha256(_spelled(json.loads(body, parse_constant=_refused)).encode()).hexdigest()
    except (ValueError, RecursionError):
        raise InvalidInput("the body is not JSON") from None


def encoded(raw: bytes) -> str:
    """Write bytes in base64url without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Read base64url; raise InvalidInput if it is none."""
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        raw = b""
    if not text or encoded(raw) != text:
        raise InvalidInput("the passkey's answer is not in base64url")
    return raw


def assertion_from(answer: object) -> Assertion:
    """Read an authenticator's answer as the page sends it."""
    if not isinstance(answer, Mapping) or not isinstance(answer.get("response"), Mapping):
        raise InvalidInput("this is not the answer of a passkey")
    parts = [answer.get("id"), *(answer["response"].get(name) for name in _PARTS)]
    if not all(isinstance(part, str) and 0 < len(part) <= LONGEST_PART for part in parts):
        raise InvalidInput("this is not the answer of a passkey")
    for part in parts:
        decoded(part)
    return Assertion(*parts)


def check_client(client_data: str, kind: str, asked: Asked) -> None:
    """Refuse an answer to another challenge, or one that another page asked for."""
    told = _client(client_data)
    if told.get("type") != kind:
        raise NotAllowed("the passkey answered something else than it was asked")
    if told.get("origin") != asked.origin or told.get("crossOrigin", False) is not False:
        raise NotAllowed(f"the passkey was asked by another page than {asked.origin}")
    if told.get("challenge") != encoded(asked.challenge):
        raise NotAllowed("the passkey signed something else")


def check_authenticator(authenticator_data: str, counter: int) -> int:
    """Refuse the data of another site, without a verified person, or used before; return the new counter."""
    data = decoded(authenticator_data)
    if len(data) < _LEAST_DATA or data[:32] != SITE_HASH:
        raise NotAllowed(f"the passkey answered for another site than {SITE}")
    if not data[32] & _PRESENT or not data[32] & _VERIFIED:
        raise NotAllowed("the passkey did not verify who used it: a PIN, a fingerprint or a face is needed")
    new = int.from_bytes(data[33:37], "big")
    if (counter or new) and new <= counter:
        raise NotAllowed("the passkey's counter did not go up: it was copied, or its answer was used before")
    return new


def name_of_passkey(name: str) -> str:
    """Return a usable name for a passkey."""
    clean = " ".join(name.split())
    if not 0 < len(clean) <= LONGEST_NAME or not clean.isprintable():
        raise InvalidInput(f"the name of a passkey must be 1 to {LONGEST_NAME} printable characters")
    return clean


def is_confirmation(fields: Mapping[str, object]) -> bool:
    """Is this the payload of an entry that says by which means a person confirmed an operation?"""
    told = fields.get("confirmed")
    return fields.keys() <= {"confirmed", "writer_kind"} and _flat(told)


def is_registration(fields: Mapping[str, object]) -> bool:
    """Is this the payload of an entry that registers or removes a passkey?"""
    return fields.keys() <= {"passkey", "writer_kind"} and _flat(fields.get("passkey"))


def _flat(value: object) -> bool:
    """Is this a small object of short texts, numbers and lists of them?"""
    if not isinstance(value, dict) or len(value) > 16:
        return False
    parts = [part for each in value.values() for part in (each if isinstance(each, list) else [each])]
    return all(type(part) is int or (isinstance(part, str) and len(part) <= LONGEST_PART) for part in parts)


def _client(client_data: str) -> dict[str, Any]:
    try:
        told = json.loads(decoded(client_data))
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise InvalidInput("this is not the answer of a passkey")
    return told


def _spelled(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _refused(name: str) -> None:
    raise ValueError(name)
