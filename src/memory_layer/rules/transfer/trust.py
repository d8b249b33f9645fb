"""Limit what a foreign file may bring: no secrets, and no more trust than its importer has."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from memory_layer.model.export import FORMS, ExportRecord, LineKind
from memory_layer.model.memory import Link, Memory, Writer
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import STARTING_CONFIDENCE, Attention, Reason, Source, Status, WriterKind
from memory_layer.rules import review
from memory_layer.rules.drafts import clean_citations
from memory_layer.rules.permissions import Action, may
from memory_layer.text.secrets.redact import redact, redact_value

Cleaner = Callable[[str], str]

#: Fields of old versions that only a person can set.
_BY_A_PERSON = {"writer_kind": WriterKind.PERSON.value, "source": Source.HUMAN.value}


#: Notes about confirmations and access, and their members that are base64url or hex by their nature.
_PROVING = frozenset(("confirmed", "passkey", "token", "passphrase"))
_PUBLIC = frozenset(
    "credential public_key client_data authenticator_data signature nonce body digest passkey id".split()
)
_ENCODED = re.compile(r"[\w-]{1,4096}", re.ASCII)


class Clean(NamedTuple):
    """A record without secrets, and the kinds of secrets found."""

    record: ExportRecord
    kinds: tuple[str, ...] = ()


def cleaned(kind: LineKind, record: ExportRecord) -> Clean:
    """Redact the secrets of an export record; one without secrets is unchanged."""
    found: list[str] = []

    def clean(text: str) -> str:
        result = redact(text)
        found.extend(result.kinds)
        return result.text

    form = FORMS[kind]
    values = list(form.values(record))
    for place, cleaner in _CLEANING[kind]:
        if value := values[place]:
            values[place] = cleaner(value, clean, found)
    return Clean(form.made(values), tuple(dict.fromkeys(found))) if found else Clean(record)


def _clean_mapping(value: Mapping[str, object], clean: Cleaner, found: list[str]) -> object:
    mapping, kinds = redact_value(dict(value))
    found.extend(kinds)
    return mapping


def _clean_payload(value: Mapping[str, Any], clean: Cleaner, found: list[str]) -> object:
    """Redact what an entry of the log says; signatures, public keys and digests are random and no secrets."""
    for kind in _PROVING & value.keys():
        if isinstance(told := value[kind], dict):
            public = {name: told[name] for name in _PUBLIC & told.keys() if _is_public(told[name])}
            rest = _clean_mapping(
                {"about": {name: told[name] for name in told.keys() - public}}, clean, found
            )
            cleaned_rest: Any = rest
            return {**value, kind: {name: {**cleaned_rest["about"], **public}[name] for name in told}}
    return _clean_mapping(value, clean, found)


def _is_public(value: object) -> bool:
    return isinstance(value, str) and _ENCODED.fullmatch(value) is not None


def _clean_lines(lines: Iterable[list[Any]], clean: Cleaner, found: list[str]) -> tuple[list[Any], ...]:
    return tuple([clean(part) if isinstance(part, str) else part for part in line] for line in lines)


#: Redaction by shape, for shapes that can contain a secret.
_CLEANERS: dict[str, Callable[[Any, Cleaner, list[str]], object]] = {
    **dict.fromkeys(
        ("content", "evidence", "name", "path", "query", "question"), lambda text, clean, found: clean(text)
    ),
    **dict.fromkeys(("labels", "paths"), lambda texts, clean, found: tuple(map(clean, texts))),
    **dict.fromkeys(("asked", "metadata"), _clean_mapping),
    "payload": _clean_payload,
    "citations": lambda citations, clean, found: tuple(clean_citations(citations, clean)),
    "lines": _clean_lines,
}
#: The positions of such fields in the values of each kind.
_CLEANING = {
    kind: [(field.place, _CLEANERS[field.shape]) for field in form.fields if field.shape in _CLEANERS]
    for kind, form in FORMS.items()
}


def admitted(memory: Memory, writer: Writer) -> Memory:
    """Return a memory with the trust this writer may give: an agent brings no approval and speaks for no person.

    An active memory that must be checked first is held for review, whoever imports it.
    """
    may_vouch = may(writer, Action.BRING_APPROVALS)
    if not may_vouch:
        memory = _lowered(memory)
    memory = _finished(memory)
    if memory.status is Status.ACTIVE and (why := review.reasons(memory)):
        return review.held(memory, why)
    if memory.reason is Reason.REVIEW and not may_vouch:
        return memory._replace(reason_detail=_why_it_waits(memory))
    return memory


def _why_it_waits(memory: Memory) -> str:
    """Return why a memory is held for review here: agents read it, and a file can claim anything."""
    return "; ".join(review.reasons_for_a_person(memory)) or "it was awaiting review in its original store"


def admitted_link(link: Link, writer: Writer) -> Link:
    """Return a link as this writer may import it: only a person can mark it as reviewed by a person."""
    if may(writer, Action.BRING_COMPARED) or link.attention is not Attention.GIVEN:
        return link
    return link._replace(attention=Attention.WANTED)


def admitted_project(project: ExportRecord, writer: Writer, *, known: bool) -> ExportRecord | None:
    """Return a project as this writer may add it: an agent cannot give aliases, which may be another project's."""
    if may(writer, Action.BRING_ALIASES):
        return project
    return None if known else project._replace(aliases=())


def brings_vectors(writer: Writer) -> bool:
    """Check whether vectors may come from a file: nothing proves that they fit their texts."""
    return may(writer, Action.BRING_VECTORS)


def _lowered(memory: Memory) -> Memory:
    most = (
        1 if memory.project is None else 2
    )  # an agent counts as one confirmation, and as none for a global memory
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


def needs_a_person(kind: LineKind, record: ExportRecord, writer: Writer) -> bool:
    """Check whether only a person may import this record unchanged."""
    if may(writer, Action.BRING_APPROVALS):
        return False
    if kind is LineKind.MEMORY:
        return _finished(record.memory) != admitted(record.memory, writer)
    if kind is LineKind.LINK:
        return bool(record != admitted_link(record, writer))
    payload = record.payload if kind is LineKind.AUDIT else None
    return payload is not None and (
        payload.get("approved_by") is not None
        or any(payload.get(name) == value for name, value in _BY_A_PERSON.items())
    )


def _finished(memory: Memory) -> Memory:
    """Return a memory as active if its writing was interrupted; it is checked on completion."""
    if memory.status is Status.STAGED and memory.reason is Reason.WRITING:
        return memory._replace(status=Status.ACTIVE, reason=None, reason_detail=None)
    return memory
