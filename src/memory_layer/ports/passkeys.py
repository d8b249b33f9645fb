"""Interfaces to stored passkeys and to the library that checks their answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from typing import Any

    from memory_layer.model.passkeys import Asked, Assertion, NewCredential, Passkey


class Passkeys(Protocol):
    """The registered passkeys of a store."""

    def all(self) -> list[Passkey]: ...

    def put(self, passkey: Passkey) -> None: ...

    def drop(self, passkey_id: str) -> None: ...

    def used(self, passkey_id: str, counter: int, at: datetime) -> None: ...


class PasskeyAnswers(Protocol):
    """Checks of authenticators' answers; each raises NotAllowed for one that is not valid."""

    def registered(self, answer: Mapping[str, Any], asked: Asked) -> NewCredential: ...

    def check_signature(self, assertion: Assertion, asked: Asked, public_key: str) -> None: ...
