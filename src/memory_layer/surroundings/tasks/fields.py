"""Take known fields out of another program's record; the rest is kept as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, NoReturn

from memory_layer.model.tasks import Task, TaskOrigin, TaskStatus

OriginTasks = tuple[TaskOrigin, list[Task]]  #: tasks, and where they were read

LONGEST_ID = 200  #: characters
STATUSES = {
    "open": TaskStatus.OPEN,
    "pending": TaskStatus.OPEN,
    "in_progress": TaskStatus.IN_PROGRESS,
    "hooked": TaskStatus.IN_PROGRESS,  # claimed by a worker
    "blocked": TaskStatus.BLOCKED,
    "deferred": TaskStatus.DEFERRED,
    "closed": TaskStatus.COMPLETED,
    "completed": TaskStatus.COMPLETED,
    "tombstone": TaskStatus.CANCELLED,  # deleted, in files of older versions
    "deleted": TaskStatus.CANCELLED,
    "cancelled": TaskStatus.CANCELLED,
}


class Malformed(Exception):
    """A record that is no task."""


class Fields:
    """A record whose known fields are taken one by one; a value of an unexpected type stays in `rest`."""

    def __init__(self, record: object) -> None:
        if not isinstance(record, Mapping):
            raise Malformed
        self.rest: dict[str, Any] = dict(record)

    def id(self, fallback: str | None = None) -> str:
        """Take the id; it must be one short printable text, or a number."""
        value = self.rest.pop("id", fallback)
        text = str(value) if type(value) is int else value
        if not isinstance(text, str) or not 0 < len(text) <= LONGEST_ID or not text.isprintable():
            raise Malformed
        return text

    def text(self, name: str) -> str:
        return self.rest.pop(name) if isinstance(self.rest.get(name), str) else ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Take a list of texts; a list with anything else in it stays."""
        value = self.rest.get(name)
        if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
            return ()
        del self.rest[name]
        return tuple(value)

    def priority(self) -> int | str | None:
        value = self.rest.get("priority")
        return self.rest.pop("priority") if type(value) is int or isinstance(value, str) else None

    def moment(self, name: str) -> datetime | None:
        """Take a time; one that is not in UTC, or finer than microseconds, also stays as it was written."""
        value = self.rest.get(name)
        try:
            at = datetime.fromisoformat(value) if isinstance(value, str) else None
        except ValueError:
            return None
        if at is None:
            return None
        at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        if datetime.isoformat(at).removesuffix("+00:00") == str(value).removesuffix("Z"):
            del self.rest[name]
        return at

    def status(self) -> tuple[TaskStatus, str]:
        """Take the status: in our words, and in the program's own."""
        stated = self.text("status")
        return STATUSES.get(stated.lower(), TaskStatus.OTHER if stated else TaskStatus.OPEN), stated


def parsed(content: bytes | str) -> object:
    """Parse JSON from an untrusted source; raise Malformed if it is none."""
    try:
        text = content.decode("utf-8") if isinstance(content, bytes) else content
        return json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        raise Malformed from None


def _refuse(name: str) -> NoReturn:
    raise ValueError(name)
