"""Secrets are taken out of every text before anything else sees it."""

from __future__ import annotations

import re
from functools import cache

from memory_layer.model.record import NamedTuple
from memory_layer.text.secrets.secret_glance import is_plain


class Redacted(NamedTuple):
    """A text without its secrets, and the kinds that were in it, each once, in order of appearance."""

    text: str
    kinds: tuple[str, ...] = ()


def redact(text: str) -> Redacted:
    """Put `[REDACTED:kind]` in place of every secret; what is already redacted stays as it is."""
    if is_plain(text) or _own_ids().fullmatch(text):
        return Redacted(text)
    from memory_layer.text.secrets.secret_removal import without_secrets  # most texts need none of its tables

    return Redacted(*without_secrets(text))


def redact_value(value: object) -> tuple[object, tuple[str, ...]]:
    """A JSON value without its secrets, in keys as in values, and the kinds that were in it."""
    from memory_layer.text.secrets.secret_fields import cleaned  # likewise

    kinds: list[str] = []
    return cleaned(value, kinds), tuple(dict.fromkeys(kinds))


@cache
def _own_ids() -> re.Pattern[str]:
    """Ids that this program makes: one may end like the name of a secret, and another stand behind it."""
    return re.compile(r"(?:mem|out|op|rec|run)_[a-z2-7]{26}(?::mem_[a-z2-7]{26})?")
