"""Check the answers of passkeys with the WebAuthn library, which is loaded when the first one comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memory_layer.errors import NotAllowed
from memory_layer.model.passkeys import SITE, Asked, Assertion, NewCredential


class WebAuthn:
    """The checks of `ports.passkeys.PasskeyAnswers`, by the library `webauthn`."""

    def registered(self, answer: Mapping[str, Any], asked: Asked) -> NewCredential:
        """Return the credential that an authenticator has made."""
        from webauthn import verify_registration_response
        from webauthn.helpers import bytes_to_base64url
        from webauthn.helpers.exceptions import WebAuthnException

        try:
            made = verify_registration_response(
                credential=dict(answer),
                expected_challenge=asked.challenge,
                expected_rp_id=SITE,
                expected_origin=asked.origin,
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise NotAllowed(f"this passkey cannot be registered: {error}") from error
        return NewCredential(
            bytes_to_base64url(made.credential_id),
            bytes_to_base64url(made.credential_public_key),
            made.sign_count,
        )

    def check_signature(self, assertion: Assertion, asked: Asked, public_key: str) -> None:
        """Refuse an answer whose signature the public key does not verify."""
        from webauthn import verify_authentication_response
        from webauthn.helpers import base64url_to_bytes
        from webauthn.helpers.exceptions import WebAuthnException

        answer = {
            "id": assertion.credential,
            "rawId": assertion.credential,
            "type": "public-key",
            "response": {
                "clientDataJSON": assertion.client_data,
                "authenticatorData": assertion.authenticator_data,
                "signature": assertion.signature,
            },
        }
        try:
            verify_authentication_response(
                credential=answer,
                expected_challenge=asked.challenge,
                expected_rp_id=SITE,
                expected_origin=asked.origin,
                credential_public_key=base64url_to_bytes(public_key),
                credential_current_sign_count=0,  # `rules/passkeys.py` compares the counters
                require_user_verification=True,
            )
        except (WebAuthnException, ValueError, TypeError, KeyError) as error:
            raise NotAllowed("the signature was not made by this passkey") from error
