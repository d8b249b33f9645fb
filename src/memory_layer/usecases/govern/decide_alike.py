"""Decide in one way about several items of the review queue."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import ChangedMeanwhile, InvalidInput
from memory_layer.model.memory import Writer
from memory_layer.model.review import Choice, Decided, Decision, Matter, Waiting
from memory_layer.ports import Engine, Workspace
from memory_layer.rules import limits
from memory_layer.rules import review_queue as policy
from memory_layer.usecases.govern.decide import decide_all
from memory_layer.usecases.govern.review import waiting_for
from memory_layer.usecases.who.lookup import whole_id


def decide_alike(
    engine: Engine,
    memory_ids: Sequence[str],
    kind: Matter,
    decision: Decision,
    seen: Sequence[Waiting],
    writer: Writer,
    place: Workspace | None = None,
) -> list[Decided]:
    """Decide in one way about several items of a kind; pairs and new words need a look of their own."""
    if kind in policy.PAIRS or kind is Matter.QUESTION or decision in (Decision.EDIT, Decision.MERGE):
        raise InvalidInput("only items that are no pairs can be decided together, and none can be edited so")
    ids = list(dict.fromkeys(whole_id(engine.store, each) for each in memory_ids))
    if not 0 < len(ids) <= limits.LIST_MOST:
        raise InvalidInput(f"name between 1 and {limits.LIST_MOST} memories")
    known = {each.memory.id: each for each in seen}
    waiting = {each.memory.id: each for each in waiting_for(engine, ids, [kind])}
    if gone := [each for each in ids if each not in waiting]:
        raise ChangedMeanwhile(f"{gone[0]} is not waiting as {kind} any more; nothing was decided")
    return decide_all(
        engine,
        [Choice(each, decision, seen=known.get(each, waiting[each])) for each in ids],
        writer,
        place,
    )
