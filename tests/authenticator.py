"""An authenticator in software: it makes passkeys and signs what a page asks for, as a security key would."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

import cbor2
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from memory_layer.rules.passkeys import encoded

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One passkey; every argument of `sign` that a test changes makes a forged answer."""

    def __init__(self, number: int = 1) -> None:
        self.key = generate_private_key(SECP256R1())
        self.credential = sha256(b"credential %d" % number).digest()
        self.counter = 0

    def register(self, challenge: str, origin: str, *, verified: int = VERIFIED) -> dict[str, Any]:
        """Answer `navigator.credentials.create`."""
        numbers = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")}
        attested = bytes(16) + len(self.credential).to_bytes(2, "big") + self.credential + cbor2.dumps(cose)
        data = self._data("localhost", PRESENT | verified | ATTESTED, self.counter) + attested
        attestation = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = _client("webauthn.create", challenge, origin)
        response = {"clientDataJSON": encoded(client), "attestationObject": encoded(attestation)}
        return self._answer(response)

    def sign(
        self,
        challenge: str,
        origin: str,
        *,
        site: str = "localhost",
        flags: int = PRESENT | VERIFIED,
        counter: int | None = None,
        kind: str = "webauthn.get",
        **more: object,
    ) -> dict[str, Any]:
        """Answer `navigator.credentials.get`."""
        self.counter = self.counter + 1 if counter is None else counter
        client = _client(kind, challenge, origin, **more)
        data = self._data(site, flags, self.counter)
        signature = self.key.sign(data + sha256(client).digest(), ECDSA(SHA256()))
        response = {
            "clientDataJSON": encoded(client),
            "authenticatorData": encoded(data),
            "signature": encoded(signature),
        }
        return self._answer(response)

    def _answer(self, response: dict[str, str]) -> dict[str, Any]:
        name = encoded(self.credential)
        return {"id": name, "rawId": name, "type": "public-key", "response": response}

    @staticmethod
    def _data(site: str, flags: int, counter: int) -> bytes:
        return sha256(site.encode()).digest() + bytes([flags]) + counter.to_bytes(4, "big")


def _client(kind: str, challenge: str, origin: str, **more: object) -> bytes:
    told = {"type": kind, "challenge": challenge, "origin": origin, "crossOrigin": False, **more}
    return json.dumps(told).encode()
