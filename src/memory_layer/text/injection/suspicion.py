"""Texts that a person must look at before they count: a memory is data, and these read as orders.

A memory is shown to agents later, so whoever can write one can try to speak to them. Conventions
("always run the tests first") are what memories are for and pass; what addresses the agent itself,
undoes its instructions or hides something does not.
"""

from __future__ import annotations

from memory_layer.text.injection.detect import DISGUISED, FOREIGN, english
from memory_layer.text.unicode import ENCODING_STARTS, hiding


def suspicions(text: str) -> tuple[str, ...]:
    """Why the text must be reviewed before it counts, in sentences for a person; nothing if it need not."""
    bits = english().bits_of(text) if text.isascii() else 0
    if text.isascii() and not (
        bits & (DISGUISED | FOREIGN)
        or english().begun_by(bits)
        or any(map(text.__contains__, ENCODING_STARTS))
    ):
        return hiding(text)
    from memory_layer.text.injection.find import reasons_in  # most texts need none of its tables

    return reasons_in(text, bits)
