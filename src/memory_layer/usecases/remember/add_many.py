"""Add many memories at once, two thousand per durable step instead of one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext

from memory_layer.errors import InvalidInput
from memory_layer.model.imports import ForeignMemory
from memory_layer.model.memory import Added, Draft, Project, Writer
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.ports import Engine
from memory_layer.rules import identity, limits
from memory_layer.usecases.remember.add import add, answer_for
from memory_layer.usecases.remember.new_memory import Likeness, differences_from
from memory_layer.usecases.transfer.bulk_add import BulkItem, Intake, Manner, batch_size
from memory_layer.usecases.upkeep.embed import ready_to_search


def add_many(
    engine: Engine,
    drafts: Sequence[Draft],
    writer: Writer,
    project: Project | None = None,
    *,
    projects: Sequence[Project | None] | None = None,
) -> list[Added]:
    """Store memories, keeping similar ones; each answer is what `add` would return.

    They belong to one `project`, or each to its own of `projects`. Nothing is stored if one of them is invalid. They
    are written in durable batches; a known text is confirmed as by adding it again.
    """
    answers: dict[str, Added] = {}

    def told(candidate: BulkItem, found: Likeness) -> None:
        otherwise = differences_from(engine, candidate.item.draft, candidate.memory)
        hint = "; ".join(filter(None, (limits.hint(candidate.memory.content), otherwise))) or None
        answers[candidate.item.where] = answer_for(candidate.memory, found)._replace(
            redacted=candidate.redacted, hint=hint
        )

    manner = Manner("add", source=None, unattended=writer.door == "hook")
    home = projects or [project] * len(drafts)
    intake = Intake(engine, writer, lambda item: home[int(item.where) - 1], manner=manner, told=told)
    ready = [_checked(intake, number, draft) for number, draft in enumerate(drafts, 1)]
    size = batch_size(engine)
    for first in range(0, len(ready), size):
        batch = ready[first : first + size]
        intake.keep(batch)
        known = [candidate for candidate in batch if candidate.item.where not in answers]
        with engine.store.writing() if known else nullcontext():
            answers |= {candidate.item.where: _again(engine, candidate, writer) for candidate in known}
    ready_to_search(engine, intake.added)
    return [answers[candidate.item.where] for candidate in ready]


def _checked(intake: Intake, number: int, draft: Draft) -> BulkItem:
    try:
        limits.check_expiry(draft.expires_at, intake.engine.now())
        candidate = intake.candidate(ForeignMemory(where=str(number), draft=draft))
        identity.vet(intake.writer, lambda: None, candidate.memory)  # before the first batch is stored
        return candidate
    except InvalidInput as error:
        raise InvalidInput(f"memory {number}: {error}; none was stored") from None


def _again(engine: Engine, candidate: BulkItem, writer: Writer) -> Added:
    """Add one whose text is known already, or became known while its batch was written."""
    draft = candidate.item.draft._replace(on_duplicate=OnDuplicate.KEEP, allow_secret=False)
    return add(engine, draft, writer, candidate.project)
