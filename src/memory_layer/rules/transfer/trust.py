"""What of a file from elsewhere may count here: no secrets, and no more trust than its bearer can give."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memory_layer.model.context import SavedContext
from memory_layer.model.export import (
    Carried,
    CarriedChange,
    CarriedContext,
    CarriedEpisode,
    CarriedLink,
    CarriedMemory,
    CarriedProject,
    CarriedQuery,
    CarriedQueryVector,
    CarriedRecall,
    CarriedRun,
)
from memory_layer.model.memory import Draft, Memory, Writer
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import STARTING_CONFIDENCE, Attention, Reason, Source, Status, WriterKind
from memory_layer.rules import review
from memory_layer.rules.drafts import redacted_draft
from memory_layer.rules.permissions import Action, may
from memory_layer.text.secrets.redact import redact, redact_value

#: Values of old versions that only a person can have given.
_BY_A_PERSON = {"writer_kind": WriterKind.PERSON.value, "source": Source.HUMAN.value}


class Clean(NamedTuple):
    """A record without secrets, and the kinds that were in it."""

    record: Carried
    kinds: tuple[str, ...] = ()


def cleaned(record: Carried) -> Clean:
    """A record of an export as it may touch this disk; one without any text of its own stays as it is."""
    found: list[str] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.extend(result.kinds)
        return result.text

    if isinstance(record, CarriedMemory):
        memory, kinds = _clean_memory(record.memory, clean)
        found.extend(kinds)
        record = record._replace(memory=memory) if found else record
    elif isinstance(record, CarriedChange):
        found.extend(redact_value(record.payload)[1] if record.payload else ())
        clean(record.change.writer)
    else:
        record = _clean_log(record, clean)
    return Clean(record, tuple(dict.fromkeys(found)))


def _clean_memory(memory: Memory, clean: Callable[[str], str]) -> tuple[Memory, tuple[str, ...]]:
    draft = Draft(
        content=memory.content,
        tags=memory.tags,
        scope=memory.scope,
        metadata=memory.metadata,
        session=memory.session,
        source_run_id=memory.source_run_id,
        citations=memory.citations,
    )
    tidy, kinds = redacted_draft(draft)
    if kinds:
        memory = memory._replace(
            content=tidy.content,
            tags=tidy.tags,
            scope=tidy.scope,
            metadata=tidy.metadata,
            session=tidy.session,
            source_run_id=tidy.source_run_id,
            citations=tidy.citations,
        )
    memory = memory._replace(
        writer=clean(memory.writer),
        reason_detail=clean(memory.reason_detail) if memory.reason_detail else memory.reason_detail,
        approved_by=clean(memory.approved_by) if memory.approved_by else memory.approved_by,
    )
    return memory, kinds


def _clean_log(record: Carried, clean: Callable[[str], str]) -> Carried:
    if isinstance(record, CarriedProject):
        return record._replace(
            key=clean(record.key), name=clean(record.name), aliases=tuple(map(clean, record.aliases))
        )
    if isinstance(record, CarriedEpisode):
        return record._replace(session=clean(record.session))
    if isinstance(record, CarriedQuery):
        return record._replace(text=clean(record.text))
    if isinstance(record, CarriedQueryVector):
        return record._replace(query=clean(record.query))
    if isinstance(record, CarriedRecall):
        return record._replace(
            query=clean(record.query),
            kind=clean(record.kind),
            ranker=clean(record.ranker),
            session=clean(record.session),
            writer=clean(record.writer),
        )
    if isinstance(record, CarriedRun):
        ending = record.ending and record.ending._replace(by=clean(record.ending.by))
        return record._replace(write_scope=tuple(map(clean, record.write_scope)), ending=ending)
    if isinstance(record, CarriedContext):
        return record._replace(kept=_clean_context(record.kept, clean))
    if isinstance(record, OutcomeEvent):
        return record._replace(
            session=clean(record.session),
            writer=clean(record.writer),
            query=clean(record.query) if record.query else record.query,
            evidence=clean(record.evidence) if record.evidence else record.evidence,
        )
    return record


def _clean_context(kept: SavedContext, clean: Callable[[str], str]) -> SavedContext:
    asked = {clean(name): _clean_value(value, clean) for name, value in kept.asked.items()}
    lines = (line._replace(layer=clean(line.layer), note=clean(line.note)) for line in kept.lines)
    return kept._replace(form=clean(kept.form), asked=asked, lines=tuple(lines))


def _clean_value(value: object, clean: Callable[[str], str]) -> object:
    if isinstance(value, str):
        return clean(value)
    return [_clean_value(each, clean) for each in value] if isinstance(value, list) else value


def admitted(memory: Memory, writer: Writer) -> Memory:
    """A memory as this writer may bring it: an agent brings no approval and speaks for no person.

    What would be active and has to be looked at first waits for a review, whoever brings it.
    """
    may_vouch = may(writer, Action.BRING_APPROVALS)
    if not may_vouch:
        memory = _lowered(memory)
    if memory.status is Status.STAGED and memory.reason is Reason.WRITING:
        memory = memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None)
    if memory.status is Status.ACTIVE and (why := review.reasons(memory)):
        return review.held(memory, why)
    if memory.reason is Reason.REVIEW and not may_vouch:
        return memory._replace(reason_detail=_why_it_waits(memory))
    return memory


def _why_it_waits(memory: Memory) -> str:
    """Return why a memory waits by the rules of this store: agents read it, and a file can say anything."""
    return "; ".join(review.reasons_for_a_person(memory)) or "it waited for a person where it comes from"


def admitted_link(carried: CarriedLink, writer: Writer) -> CarriedLink:
    """A link as this writer may bring it: only a person can say that a person has looked at it."""
    if may(writer, Action.BRING_COMPARED) or carried.attention is not Attention.GIVEN:
        return carried
    return carried._replace(attention=Attention.WANTED)


def admitted_project(project: CarriedProject, writer: Writer, *, known: bool) -> CarriedProject | None:
    """A project as this writer may make it known: an agent gives none another name, which might be another's."""
    if may(writer, Action.BRING_ALIASES):
        return project
    return None if known else project._replace(aliases=())


def brings_vectors(writer: Writer) -> bool:
    """Whether vectors may come from a file: nothing shows that one fits its text, and a false one is found by any."""
    return may(writer, Action.BRING_VECTORS)


def _lowered(memory: Memory) -> Memory:
    most = 1 if memory.project is None else 2  # an agent's word counts once, and never for a global memory
    memory = memory._replace(reinforcement_count=min(memory.reinforcement_count, most))
    by_person = memory.writer_kind is WriterKind.PERSON or memory.source is Source.HUMAN
    source = Source.IMPORT if by_person else memory.source
    if not by_person and memory.approved_by is None and memory.confidence <= STARTING_CONFIDENCE[source]:
        return memory
    return memory._replace(
        source=source,
        writer_kind=WriterKind.AGENT,
        confidence=min(memory.confidence, STARTING_CONFIDENCE[source]),
        approved_by=None,
        approved_at=None,
    )


def needs_a_person(record: Carried, writer: Writer) -> bool:
    """Whether only a person may bring this record in exactly as it is."""
    if may(writer, Action.BRING_APPROVALS):
        return False
    if isinstance(record, CarriedMemory):
        return _unfinished(record.memory) != admitted(record.memory, writer)
    if isinstance(record, CarriedLink):
        return record != admitted_link(record, writer)
    return isinstance(record, CarriedChange) and _vouches(record.payload)


def _unfinished(memory: Memory) -> Memory:
    """One whose writing was cut short is checked when it is finished, so it may come as it is."""
    if memory.status is Status.STAGED and memory.reason is Reason.WRITING:
        return memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None)
    return memory


def _vouches(payload: Mapping[str, object] | None) -> bool:
    if payload is None:
        return False
    return payload.get("approved_by") is not None or any(
        payload.get(name) == value for name, value in _BY_A_PERSON.items()
    )
