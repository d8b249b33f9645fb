"""One short line for the person: how many memories a session was given, was warned of and has learned."""

from __future__ import annotations

from collections import Counter

from memory_layer.errors import NotFound
from memory_layer.model.sessions import Part, SessionReport
from memory_layer.verbs.call import Dispatcher
from memory_layer.verbs.look_up import LAST_SESSION

_WORDS = {Part.WARNING: "warned", Part.LEARNED: "learned"}


def status_line(memory: Dispatcher) -> str:
    """Return the line about the session that asks; empty if nothing happened in it."""
    try:
        report = memory.run(LAST_SESSION, {"session": memory.caller.session})
    except NotFound:
        return ""
    return counts(report) if report else ""


def counts(report: SessionReport) -> str:
    """Count the memories of a session: each once as given, however often that was."""
    found = {(_WORDS.get(line.part, "given"), line.memory.id) for line in report.lines}
    numbers = Counter(word for word, _ in found)
    parts = [f"{numbers[word]} {word}" for word in ("given", "warned", "learned") if numbers[word]]
    return f"memory: {' · '.join(parts)}" if parts else ""
