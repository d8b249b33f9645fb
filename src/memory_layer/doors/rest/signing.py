"""Requests that a passkey signs: first rehearsed for their challenge, then sent again with the signature."""

from __future__ import annotations

import json
import threading
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from secrets import token_bytes
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from memory_layer.doors.http.grant import Grant, grant_in
from memory_layer.doors.rest.route import Shape
from memory_layer.errors import InvalidInput, NotAllowed
from memory_layer.model.passkeys import SITE, SignedRequest
from memory_layer.model.record import NamedTuple
from memory_layer.verbs.passkeys import signed_request

if TYPE_CHECKING:
    from memory_layer.usecases.govern.signing import Pending

SIGNATURE = "Memory-Passkey"  #: the header with the signature of a request
CHALLENGE = "/api/passkeys/challenge"
_STATE = "memory_layer.signing"  #: in the state of a request
MOST_PENDING = 64
LONGEST_ANSWER = 16_384  #: characters of the header
TIMEOUT_MS = 120_000
METHODS = ("POST", "PATCH", "PUT", "DELETE", "GET")
READABLE = "/api/memories/"  #: the beginning of paths that a person may read with a signature
#: ES256, EdDSA and RS256, by their numbers in COSE.
ALGORITHMS = (-7, -8, -257)


class Signing(NamedTuple):
    """A request that is rehearsed for a passkey, or comes with its signature."""

    request: SignedRequest
    origin: str
    answer: Mapping[str, Any] | None = None  #: of the passkey; None for a rehearsal


class Challenges:
    """The challenges of one server that wait for an answer. Each is answered once."""

    def __init__(self) -> None:
        self._pending: OrderedDict[str, Pending] = OrderedDict()
        self._registering: OrderedDict[str, str] = OrderedDict()
        self._guard = threading.Lock()

    def put(self, pending: Pending) -> None:
        """Remember what was rehearsed; the oldest is forgotten if there are too many."""
        with self._guard:
            self._pending[_text(pending.challenge)] = pending
            _trim(self._pending)

    def take(self, signing: Signing) -> Pending:
        """Return what an answer is to, and forget it."""
        with self._guard:
            pending = self._pending.pop(_challenge_in(signing.answer or {}), None)
        if pending is None:
            raise NotAllowed("this confirmation was used already or is too old; confirm again")
        if (pending.statement.request, pending.statement.origin) != (signing.request, signing.origin):
            raise NotAllowed("the passkey confirmed another request than this one")
        return pending

    def begin_registration(self, origin: str) -> str:
        """Return a new challenge for a registration."""
        challenge = _text(token_bytes(32))
        with self._guard:
            self._registering[challenge] = origin
            _trim(self._registering)
        return challenge

    def end_registration(self, answer: Mapping[str, Any], origin: str) -> str:
        """Return the challenge that a new passkey answers, and forget it."""
        challenge = _challenge_in(answer)
        with self._guard:
            begun = self._registering.pop(challenge, None)
        if begun != origin:
            raise NotAllowed("this registration was not begun here, or ended already; begin again")
        return challenge


class SignedRequests:
    """Middleware that reads the signature of a request, and what exactly it was made for."""

    def __init__(self, inner: ASGIApp) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name = SIGNATURE.lower().encode()
        sent = [value for key, value in scope.get("headers", ()) if key == name]
        if scope["type"] != "http" or not sent:
            await self._inner(scope, receive, send)
            return
        body = await _read(receive)
        scope.setdefault("state", {})[_STATE] = sent, body
        await self._inner(scope, _replayed(body), send)


def signing_in(scope: Scope) -> Signing | None:
    """Return the rehearsal or signature of a request; None if it has neither."""
    found = scope.get("state", {}).get(_STATE)
    if found is None or isinstance(found, Signing):
        return found
    sent, body = found
    check_browser(grant_in(scope))
    return Signing(request_of(scope, body), origin_of(scope), _answer_from(sent))


def check_browser(grant: Grant) -> None:
    """Refuse a passkey anywhere but on the page."""
    if grant.session is None:
        raise NotAllowed("passkeys are used on the page only, not with a token")


def origin_of(scope: Scope) -> str:
    """Return the address of the page that sent a request; refuse one that no passkey works at."""
    origins = [value.decode("latin-1") for name, value in scope["headers"] if name == b"origin"]
    if not origins and scope["method"] == "GET":  # a browser names it with changes only; the host was checked
        origins = [f"http://{value.decode('latin-1')}" for name, value in scope["headers"] if name == b"host"]
    origin = origins[0] if len(origins) == 1 else ""
    if origin != f"http://{SITE}" and not origin.startswith(f"http://{SITE}:"):
        raise InvalidInput(f"passkeys work on the page at http://{SITE} only; open it there")
    return origin


def request_of(scope: Scope, body: bytes) -> SignedRequest:
    """Return the request that a signature has to be for."""
    path = scope.get("raw_path") or scope["path"].encode()
    query = scope["query_string"]
    target = path.partition(b"?")[0] + (b"?" + query if query else b"")
    return signed_request(scope["method"], target.decode("latin-1"), body)


async def rehearse(
    app: ASGIApp, scope: Scope, method: str, path: str, body: object
) -> tuple[int, str, bytes]:
    """Send a request into the application to be rehearsed; return the status, media type and body of the answer."""
    check_browser(grant_in(scope))
    raw = b"" if body is None else json.dumps(body, allow_nan=False).encode()
    inner = _scope_of(scope, method, path, raw)
    signing = Signing(request_of(inner, raw), origin_of(scope))
    inner["state"] = {**scope.get("state", {}), _STATE: signing}
    parts: list[Message] = []

    async def keep(message: Message) -> None:
        parts.append(message)

    await app(inner, _replayed(raw), keep)
    kind = next((v for k, v in parts[0]["headers"] if k.lower() == b"content-type"), b"application/json")
    return parts[0]["status"], kind.decode("latin-1"), b"".join(each.get("body", b"") for each in parts[1:])


def options_for(pending: Pending) -> Shape:
    """Return what the browser needs to let a passkey sign."""
    return {
        "public_key": {
            "challenge": _text(pending.challenge),
            "rpId": SITE,
            "timeout": TIMEOUT_MS,
            "userVerification": "required",
            "allowCredentials": [{"type": "public-key", "id": each} for each in pending.credentials],
        }
    }


def registration_options(challenge: str, name: str, known: list[str]) -> Shape:
    """Return what the browser needs to make a passkey."""
    return {
        "public_key": {
            "challenge": challenge,
            "rp": {"id": SITE, "name": "Memory Layer"},
            "user": {"id": _text(sha256(name.encode()).digest()[:16]), "name": name, "displayName": name},
            "pubKeyCredParams": [{"type": "public-key", "alg": each} for each in ALGORITHMS],
            "timeout": TIMEOUT_MS,
            "attestation": "none",
            "authenticatorSelection": {"residentKey": "preferred", "userVerification": "required"},
            "excludeCredentials": [{"type": "public-key", "id": each} for each in known],
        }
    }


def _scope_of(scope: Scope, method: str, path: str, body: bytes) -> Scope:
    """Return the scope of a request that has the session of another one, and its address."""
    target, _, query = path.partition("?")
    below = READABLE if method == "GET" else "/api/"
    if method not in METHODS or not target.startswith(below) or not path.isascii() or target == CHALLENGE:
        raise InvalidInput("only a change under /api/ or a look at a memory can be signed")
    kept = [(name, value) for name, value in scope["headers"] if name in (b"host", b"origin")]
    length = str(len(body)).encode()
    headers = [*kept, (b"content-type", b"application/json"), (b"content-length", length)]
    names = ("type", "asgi", "http_version", "scheme", "server", "client", "root_path")
    same = {name: scope[name] for name in names if name in scope}
    return {
        **same,
        "method": method,
        "path": target,
        "raw_path": target.encode(),
        "query_string": query.encode(),
        "headers": headers if body else headers[:-2],
    }


def _answer_from(sent: list[bytes]) -> Mapping[str, Any]:
    """Read the header with an answer: one of base64url, of JSON."""
    try:
        if len(sent) != 1 or len(sent[0]) > LONGEST_ANSWER:
            raise ValueError
        answer = json.loads(urlsafe_b64decode(sent[0] + b"=" * (-len(sent[0]) % 4)))
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise InvalidInput(f"the header {SIGNATURE} takes the answer of a passkey as JSON in base64url")
    return answer


def _challenge_in(answer: Mapping[str, Any]) -> str:
    """Return the challenge that an answer names; an empty text if it names none."""
    try:
        told = answer["response"]["clientDataJSON"]
        return str(json.loads(urlsafe_b64decode(told + "=" * (-len(told) % 4)))["challenge"])
    except (KeyError, TypeError, ValueError, RecursionError):
        return ""


async def _read(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            raise HTTPException(400)
        body += bytes(message.get("body", b""))
        if not message.get("more_body"):
            return body


def _replayed(body: bytes) -> Receive:
    async def receive() -> Message:
        return {"type": "http.request", "body": body, "more_body": False}

    return receive


def _trim(kept: OrderedDict[str, Any]) -> None:
    while len(kept) > MOST_PENDING:
        kept.popitem(last=False)


def _text(raw: bytes) -> str:
    return urlsafe_b64encode(raw).rstrip(b"=").decode()
