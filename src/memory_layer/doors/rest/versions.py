"""Versions of memories over HTTP: their ETags, and changes of no other version than the caller has seen."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from memory_layer.doors.rest.route import Conflict
from memory_layer.errors import ChangedMeanwhile, InvalidInput

if TYPE_CHECKING:
    from memory_layer.doors.rest.route import RestCall, Shape, Values

Result = TypeVar("Result")
_ENTITY_TAG = re.compile(r'"([0-9]{1,18})"')


def entity_tag(version: int) -> str:
    """Return the ETag of a version of a memory."""
    return f'"{version}"'


def version_in(tag: str | None) -> int | None:
    """Return the version that an `If-Match` names; None for any."""
    if tag is None or tag.strip() == "*":
        return None
    if found := _ENTITY_TAG.fullmatch(tag.strip()):
        return int(found[1])
    raise InvalidInput('If-Match takes one ETag as an answer has it, such as "3", or *')


def unless_changed(
    call: RestCall, change: Callable[[], Result], current: Callable[[], Shape], requested: Values
) -> Result:
    """Change a memory; if it has another version than the caller has seen, show both."""
    try:
        return change()
    except ChangedMeanwhile as error:
        if call.if_match is None:
            raise
        raise Conflict(
            str(error),
            error.code,
            412,
            "Nothing was changed. Compare `current` with `requested`, then send it with the new ETag.",
            current=current(),
            requested=dict(requested),
        ) from None
