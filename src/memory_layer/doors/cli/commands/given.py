"""What is typed for a memory: its text, its metadata, and when it ends."""

from __future__ import annotations

import json
import sys

import click

from memory_layer.doors.cli.call import Call
from memory_layer.errors import InvalidInput

LARGEST_INPUT = 1024 * 1024  #: bytes
NEVER = "never"


def standard_input(call: Call, largest: int = LARGEST_INPUT) -> str:
    """All of standard input as text, read once: a command that has to be confirmed runs a second time."""
    if call.input is None:
        call.input = _read(largest)
    return call.input


def _read(largest: int) -> str:
    read = sys.stdin.buffer.read(largest + 1) if sys.stdin else b""
    if len(read) > largest:
        raise InvalidInput(f"standard input holds more than {largest:,} bytes")
    try:
        return read.decode("utf-8").removeprefix("\ufeff").strip()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"standard input is not valid UTF-8 (byte {error.start + 1})") from None


def text(call: Call, words: tuple[str, ...]) -> str:
    """What to remember: the words given, or standard input."""
    if words and words != ("-",):
        return " ".join(words)
    if not words and call.at_terminal:
        raise click.UsageError("give the text to remember, or pipe it in")
    return standard_input(call)


def listed(each: tuple[str, ...], joined: str | None) -> tuple[str, ...]:
    """Return values that were typed one by one and with commas."""
    return tuple(value for value in (*each, *map(str.strip, (joined or "").split(","))) if value)


def metadata(text: str | None) -> dict[str, object]:
    if text is None:
        return {}
    try:
        given = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"--meta is not valid JSON: {error}") from None
    if not isinstance(given, dict):
        raise InvalidInput('--meta must be a JSON object such as {"ticket": 42}')
    return given


def expiry(text: str | None) -> dict[str, object]:
    """Return the fields that say when a memory ends."""
    is_never = text is not None and text.strip().lower() == NEVER
    return {"expires_at": None if is_never else text, "never_expires": is_never}
