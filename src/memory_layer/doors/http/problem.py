"""Errors over HTTP: `application/problem+json` with a code, and what is safe to do next."""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

from memory_layer.doors import wire

MEDIA_TYPE = "application/problem+json"


def problem(status: int, code: str, detail: str, next_step: str, **more: object) -> dict[str, Any]:
    """Return the members of a problem."""
    return {
        "type": f"urn:memory-layer:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "code": code,
        "detail": detail,
        "next_step": next_step,
        **more,
    }


def problem_text(status: int, code: str, detail: str, next_step: str, **more: object) -> str:
    """Return a problem as JSON."""
    return wire.text(problem(status, code, detail, next_step, **more))
