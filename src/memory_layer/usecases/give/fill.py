"""Fill a text with the memories for a task; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from memory_layer.model.context import ContextLine, ContextOrder, ContextQuery, KeptLine
from memory_layer.model.query import Query
from memory_layer.ports import Engine
from memory_layer.rules.context_text import Frame
from memory_layer.text.words import content_words
from memory_layer.usecases.give.layers import beside_rivals, handoffs
from memory_layer.usecases.give.orders import portions_of
from memory_layer.usecases.give.portions import Filling, PortionLimits
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.recall.pool import PreparedQuery
from memory_layer.usecases.recall.search import prepare

#: Shares of the budget: of the last handoff, and of each further one.
LAST_HANDOFF, OTHER_HANDOFF = 0.25, 0.1
_STEP = 20  #: characters by which a handoff is shortened until it fits


def prepared_for(engine: Engine, wanted: ContextQuery, around: ContextScope) -> PreparedQuery | None:
    """Embed the task; None if a context is only about the location."""
    return prepare(engine, Query(wanted.question))._replace(place=around.place) if wanted.question else None


def fill(
    engine: Engine,
    wanted: ContextQuery,
    around: ContextScope,
    prepared: PreparedQuery | None,
    frame: Frame,
    write: Callable[[ContextLine], str],
) -> tuple[list[ContextLine], tuple[str, ...]]:
    """Return the lines that fit the budget, in the order of the text, and the ids of those that did not."""
    limits = PortionLimits(wanted.budget, wanted.characters, wanted.most)
    filling = Filling(engine, frame, limits, write, wanted.include)
    if wanted.start or (wanted.task and wanted.order is ContextOrder.BALANCED):
        _hand_over(handoffs(engine, wanted, around), wanted, filling)
    words = content_words(wanted.question) if wanted.question else ()
    for portion in portions_of(engine, wanted, around, prepared):
        filling.take(portion, words)
    ordered = filling.lines if wanted.order is ContextOrder.S1 else beside_rivals(filling.in_layers())
    return ordered, filling.left_out


def _hand_over(lines: Sequence[ContextLine], wanted: ContextQuery, filling: Filling) -> None:
    """Add the handoffs, each cut to its share."""
    for number, line in enumerate(lines):
        share = OTHER_HANDOFF if number else LAST_HANDOFF
        tokens, characters = int(share * wanted.budget), int(share * wanted.characters)
        for most in range(line.characters, 0, -_STEP):
            if written := filling.written(line._replace(characters=most), tokens, characters):
                filling.put_first(written)
                break


def kept_line(line: ContextLine, layer: str) -> KeptLine:
    """Return what is recorded of a line."""
    return KeptLine(line.memory.id, line.memory.version, layer, line.note, line.characters, line.start)
