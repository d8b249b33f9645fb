"""Answers under an `Idempotency-Key`, so that a request that is sent twice is run once."""

from __future__ import annotations

import json
import threading
import time
from base64 import b32encode
from collections import OrderedDict
from collections.abc import Callable
from hashlib import sha256
from typing import TYPE_CHECKING, Generic, TypeVar

from memory_layer.doors.rest.route import Conflict
from memory_layer.verbs.operations import PREFIX, RUN, chosen_ids

if TYPE_CHECKING:
    from memory_layer.ports import Store

Answer = TypeVar("Answer")
MOST = 1_000  #: answers that are remembered
SECONDS = 24 * 3600.0  #: for which each is remembered
LONGEST_KEY = 200


class Replays(Generic[Answer]):
    """The answers of this process by their keys; a request that failed may be sent again under its key."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, most: int = MOST) -> None:
        self._clock = clock
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[str, tuple[bytes, float, Answer | None]] = OrderedDict()

    def once(self, key: str, request: bytes, run: Callable[[], Answer]) -> Answer:
        """Run a request, or return its answer if one with this digest was run under this key."""
        if found := self._find_or_begin(key, request):
            return found
        try:
            answer = run()
        except BaseException:
            with self._lock:
                del self._known[key]
            raise
        with self._lock:
            self._known[key] = (request, self._clock(), answer)
            self._drop_old()
        return answer

    def _find_or_begin(self, key: str, request: bytes) -> Answer | None:
        """Return a known answer, or note that the request has begun."""
        with self._lock:
            self._drop_old()
            if key not in self._known:
                self._known[key] = (request, self._clock(), None)
                return None
            known, _, answer = self._known[key]
        if known != request:
            raise _conflict(422, "idempotency_key", "this Idempotency-Key was used for another request")
        if answer is None:
            raise _conflict(409, "still_running", "a request with this Idempotency-Key is still running")
        return answer

    def _drop_old(self) -> None:
        """Forget answers that are too old, and the oldest of too many; requests under way stay."""
        oldest = self._clock() - SECONDS
        finished = [key for key, (_, _, answer) in self._known.items() if answer is not None]
        too_many = len(finished) - self._most
        for place, key in enumerate(finished):
            if place < too_many or self._known[key][1] < oldest:
                del self._known[key]


def digest_of(request: object) -> bytes:
    """Return the digest of a request as JSON, in which 1, 1.0 and true differ."""
    return sha256(json.dumps(request, sort_keys=True, default=str).encode()).digest()


def operation_of(key: str, caller: str | None) -> str:
    """Return the id of the operation that a request with a key begins, by which the log knows it after a restart."""
    if not 0 < len(key) <= LONGEST_KEY:
        raise _conflict(422, "idempotency_key", f"an Idempotency-Key has 1 to {LONGEST_KEY} characters")
    digest = sha256(f"{caller}\0{key}".encode()).digest()
    return f"{PREFIX}_{b32encode(digest).decode().lower()[:26]}"


def check_undone(store: Store, operation: str) -> None:
    """Refuse a request that was run before, by a server that no longer runs."""
    run = chosen_ids(operation)[RUN]
    if store.find_ids("operation", operation, 1):
        next_step = "GET /api/operations lists what was changed, and by which operation."
        raise _already_done(next_step, operation=operation)
    if store.find_ids("run", run, 1):
        raise _already_done(f"GET /api/runs/{run} shows the run that it began.", run=run)


def _already_done(next_step: str, **members: str) -> Conflict:
    message = "the request with this Idempotency-Key was run before, and its answer is no longer known"
    return Conflict(message, "already_done", 409, f"It was not run again. {next_step}", **members)


def _conflict(status: int, code: str, message: str) -> Conflict:
    return Conflict(message, code, status, "Nothing was changed. Use a new key for a new request.")
