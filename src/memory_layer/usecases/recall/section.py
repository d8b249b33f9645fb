"""Write memories as the section of a prompt, as many as its budget holds."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.model.context import LONGEST_LINE, KeptLine, Layer
from memory_layer.model.memory import Memory
from memory_layer.model.prompt import Section
from memory_layer.ports import Engine
from memory_layer.rules.limits import check_budget
from memory_layer.rules.prompt_text import SECTION, bare_line, printed, text_of
from memory_layer.rules.room import Room
from memory_layer.text.digests import digest_of
from memory_layer.text.tokens import estimate
from memory_layer.usecases.recall.unrepeated import Unrepeated


def section(engine: Engine, memories: Sequence[Memory], budget: int, asked: Sequence[str] = ()) -> Section:
    """The memories that fit, in their order; none says what another says, unless it was asked for."""
    check_budget(budget)
    room, said = Room(SECTION, budget, budget * LONGEST_LINE), Unrepeated(engine)
    taken: list[Memory] = []
    for memory in memories:
        repeated = memory.id not in asked and said.says(memory)
        if not repeated and room.take(written(memory)):
            said.say(memory)
            taken.append(memory)
    text = text_of([written(memory) for memory in taken], SECTION)
    kept = {memory.id for memory in taken}
    left_out = tuple(memory.id for memory in memories if memory.id not in kept)
    return Section(text, estimate(text), digest_of(text), tuple(taken), left_out)


def written(memory: Memory) -> str:
    return bare_line(printed(memory, Layer.CONTEXTUAL, ""))


def kept_lines(memories: Sequence[Memory]) -> tuple[KeptLine, ...]:
    """What is kept of each memory that stands in a prompt."""
    return tuple(KeptLine(each.id, each.version, "chosen", "", LONGEST_LINE) for each in memories)
