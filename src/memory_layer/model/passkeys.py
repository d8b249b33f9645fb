"""Passkeys, and the statements that they sign."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from memory_layer.model.record import NamedTuple

#: Passkeys belong to this name; WebAuthn takes no IP address.
SITE = "localhost"


class Means(StrEnum):
    """The means by which a person confirmed a change."""

    CODE = "terminal code"
    PASSPHRASE = "passphrase"
    TOKEN = "personal token"
    PASSKEY = "passkey"


class Passkey(NamedTuple):
    """A registered passkey. Its private key never leaves the person's device."""

    id: str
    name: str  #: chosen by the person
    credential: str  #: the authenticator's id for it, in base64url
    public_key: str  #: in base64url, as COSE encodes it
    counter: int  #: of signatures, as the authenticator last told it; 0 if it does not count
    created_at: datetime
    created_by: str
    last_used_at: datetime | None = None
    uses: int = 0  #: signatures in the audit log


class Asked(NamedTuple):
    """The terms under which an authenticator was asked for an answer."""

    challenge: bytes
    origin: str  #: the address of the page, such as http://localhost:8080


class NewCredential(NamedTuple):
    """The part of a checked registration that is kept."""

    credential: str
    public_key: str
    counter: int


class Assertion(NamedTuple):
    """A signature by an authenticator, with the data that it covers; all in base64url."""

    credential: str
    client_data: str
    authenticator_data: str
    signature: str


class SignedRequest(NamedTuple):
    """The request that a person confirms."""

    method: str
    path: str  #: with its query
    body: str  #: SHA-256 of its JSON in canonical form, in hex


class Statement(NamedTuple):
    """Everything that one signature vouches for; its hash is the challenge."""

    request: SignedRequest
    origin: str
    nonce: str
    expires: int  #: microseconds since 1970
    head: tuple[int, str]  #: number and hash of the last entry of the audit log when it was asked
    changes: tuple[tuple[object, ...], ...]  #: the entries of the operation, without numbers and hashes
