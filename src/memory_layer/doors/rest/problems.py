"""Errors of the REST interface, each with its status and what is safe to do next."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from starlette.responses import Response

from memory_layer.doors import wire
from memory_layer.doors.http.problem import MEDIA_TYPE, problem
from memory_layer.doors.rest.route import Conflict
from memory_layer.errors import AmbiguousId, MemoryLayerError

LONGEST_DETAIL = 600  #: characters of an error, which may quote the caller
#: The status of each error, and the next step; none of them changes or removes anything.
_KNOWN = {
    "invalid_input": (422, "Nothing was changed. Correct the request and send it again."),
    "ambiguous_id": (409, "Nothing was changed. Send more of the id."),
    "not_found": (404, "Nothing was changed. Check the id or name; GET /api/search finds existing ids."),
    "not_allowed": (403, "Nothing was changed. Ask a person to do it at a terminal."),
    "needs_confirmation": (403, "Nothing was changed. A person confirms it, then it is sent again."),
    "changed_meanwhile": (409, "Nothing was changed. Read it again, then decide."),
    "model_unavailable": (503, "Nothing was changed. `mem model install` fetches the embedding model."),
    "store_busy": (503, "Nothing was changed. It is safe to send it again in a moment."),
}
_UNAVAILABLE = (503, "Nothing was changed. `mem doctor` says what is wrong with the store.")
#: The sentences for what the framework refuses by itself.
_REFUSED = {
    404: ("no_such_path", "there is nothing at this path", "GET /api/openapi.json lists the paths."),
    405: ("wrong_method", "this path does not take this method", "The Allow header lists the methods."),
    413: ("too_large", "the body is too large", "Nothing was changed. Send less at a time."),
}


def of_error(failure: MemoryLayerError | Conflict, folder: Path) -> dict[str, Any]:
    """Return the problem for an error of a verb, without the folder of the store, which is no caller's business."""
    if isinstance(failure, Conflict):
        return problem(failure.status, failure.code, str(failure), failure.next_step, **failure.members)
    status, next_step = _KNOWN.get(failure.code, _UNAVAILABLE)
    detail = str(failure).replace(f"{folder}{os.sep}", "")
    detail = detail if len(detail) <= LONGEST_DETAIL else f"{detail[:LONGEST_DETAIL]}…"
    more = {"candidates": failure.candidates[:10]} if isinstance(failure, AmbiguousId) else {}
    return problem(status, failure.code, detail, next_step, **more)


def response(members: dict[str, Any], **headers: str) -> Response:
    """Return the response with a problem."""
    return Response(wire.text(members), members["status"], headers, MEDIA_TYPE)


def of_status(status: int) -> dict[str, Any]:
    """Return the problem for a status that the framework chose."""
    code, detail, next_step = _REFUSED.get(
        status, ("bad_request", "the request cannot be read", "Nothing was changed. Correct the request.")
    )
    return problem(status, code, detail, next_step)


def of_flaws(flaws: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the problem for a request that does not fit the document."""
    errors = [{"at": ".".join(map(str, each["loc"])), "message": each["msg"]} for each in flaws[:20]]
    first = errors[0]
    detail = f"{first['at']}: {first['message']}"[:LONGEST_DETAIL]
    next_step = "Nothing was changed. GET /api/openapi.json says what the path takes."
    return problem(400, "malformed", detail, next_step, errors=errors)


def unexpected(failure: Exception) -> dict[str, Any]:
    """Return the problem for a failure that nobody foresaw; its details are in the log."""
    return problem(
        500,
        "unexpected",
        f"internal error ({type(failure).__name__}); details are in the log",
        "Continue without the memory, and tell the person you work for. It is safe to call again.",
    )
