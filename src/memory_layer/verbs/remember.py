"""Verbs that store and change memories: add, capture, edit, tag, link, settle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import NOTHING, Draft
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import (
    Category,
    LinkKind,
    MergeText,
    OnDuplicate,
    Priority,
    Relation,
    Source,
    category_named,
)
from memory_layer.verbs.call import Verb
from memory_layer.verbs.request import Future, coerced, own_name, shown, split_words

if TYPE_CHECKING:
    from memory_layer.model.capture import Captured
    from memory_layer.model.changes import Edited, Settled
    from memory_layer.model.memory import Added, Citation, Link
    from memory_layer.verbs.call import Call


#: Options of a single `add`, which make no sense where nobody is asked.
_NOT_FOR_MANY = ("on_duplicate", "merge_text", "allow_secret", *Relation)


class Add(NamedTuple):
    """A fact and its labels."""

    content: str
    category: Category = Category.GENERAL
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] | None = None
    scope: tuple[str, ...] = ()  #: patterns of the paths it applies to
    priority: Priority | None = None
    source: Source | None = None
    confidence: float | None = None
    relevance: float = 1.0
    expires_at: Future | None = None
    never_expires: bool = False
    cite: tuple[str, ...] = ()  #: `path[:line[-line]]` or addresses
    on_duplicate: OnDuplicate = OnDuplicate.ASK
    merge_text: MergeText = MergeText.FULLER
    allow_secret: bool = False
    supersedes: str | None = None  #: the known memory that it replaces
    same: str | None = None  #: the known memory that says the same
    conflicts: str | None = None  #: the known memory that it contradicts


def add(call: Call, request: Add) -> Added:
    """Store a memory, or name the known one it repeats."""
    call = call.in_project(_project_in(request.metadata or NOTHING))
    draft, decided = _draft(call, request), _decided(request)
    if not decided:
        from memory_layer.usecases.remember import add as usecase

        return usecase.add(call.engine, draft, call.writer, call.scope.project)
    from memory_layer.usecases.remember import relation

    if len(decided) > 1:
        raise InvalidInput(f"use only one of {', '.join(decided)}")
    return relation.add_settled(
        call.engine, draft, call.writer, call.scope.project, *next(iter(decided.items()))
    )


def _decided(request: Add) -> dict[Relation, str]:
    """Return the known memories to which the request says its relation."""
    named = {each: getattr(request, each) for each in Relation}
    return {each: other for each, other in named.items() if other}


def _draft(call: Call, request: Add) -> Draft:
    _check_expiry(request)
    fields = {name: value for name, value in request._asdict().items() if name not in tuple(Relation)}
    if request.category is Category.GENERAL and request.metadata:
        fields["category"] = _category_in(request.metadata)
    fields["citations"] = _cited(call, fields.pop("cite"))
    fields["metadata"] = fields["metadata"] or NOTHING
    return Draft(**fields)


def _project_in(metadata: Mapping[str, object]) -> str | None:
    """Return the project that metadata name; None if they name none."""
    name = metadata.get("project")
    return name if isinstance(name, str) else None


def _category_in(metadata: Mapping[str, object]) -> Category:
    """Return the category that metadata name as their `type`; metadata are free, so any other type is no error."""
    with suppress(ValueError):
        return category_named(str(metadata.get("type", Category.GENERAL)))
    return Category.GENERAL


def _check_expiry(request: Add | EditRequest) -> None:
    if request.expires_at is not None and request.never_expires:
        raise InvalidInput("use either an expiry time or never_expires, not both")


def _cited(call: Call, references: Sequence[str]) -> tuple[Citation, ...]:
    if not references:
        return ()
    from memory_layer.usecases.who.projects import citations

    return citations(call.engine, call.scope.place, references)


class AddMany(NamedTuple):
    """Texts, or dicts of the arguments of `add`."""

    memories: tuple[object, ...]


def add_many(call: Call, request: AddMany) -> list[Added]:
    """Store many memories in few durable steps; if one is invalid, store none."""
    from memory_layer.usecases.remember import add_many as usecase

    drafts = [_numbered(call, number, each) for number, each in enumerate(request.memories, 1)]
    calls = {name: call.in_project(name) for name in {_project_in(draft.metadata) for draft in drafts}}
    projects = [calls[_project_in(draft.metadata)].scope.project for draft in drafts]
    return usecase.add_many(call.engine, drafts, call.writer, projects=projects)


def _numbered(call: Call, number: int, memory: object) -> Draft:
    if isinstance(memory, str):
        return Draft(memory)
    try:
        return _draft(call, coerced(Add, _parts(memory), call.engine.now()))
    except InvalidInput as error:
        raise InvalidInput(f"memory {number}: {error}; none was stored") from None


def _parts(memory: object) -> Mapping[str, object]:
    if not isinstance(memory, Mapping) or "content" not in memory:
        raise InvalidInput(f"it must be a text or a dict with content, not {shown(memory)}")
    parts = [name for name in Add._fields if name not in _NOT_FOR_MANY]
    if refused := [name for name in memory if own_name(name, parts) not in parts]:
        raise InvalidInput(
            f"{shown(refused[0])} is not a field of a memory; the fields are {', '.join(parts)}"
        )
    return memory


class Capture(NamedTuple):
    """A message, or a file that holds one or a whole transcript."""

    text: str | None = None
    file: Path | None = None
    transcript: bool | None = None  #: None detects it
    dry_run: bool = False


def capture(call: Call, request: Capture) -> Captured:
    """Extract preferences, corrections, rules and decisions from what a person said."""
    from memory_layer.usecases.remember import capture as usecase  # its rules are dozens of patterns
    from memory_layer.usecases.who.projects import path_named

    file = None if request.file is None else path_named(request.file, call.caller.here)
    messages = usecase.heard(call.engine, request.text, file, request.transcript)
    return usecase.capture(
        call.engine,
        messages,
        call.writer,
        call.scope.project,
        overheard=file is not None,
        dry_run=request.dry_run or call.caller.only_read,
    )


class EditRequest(NamedTuple):
    """A memory and the fields to change; None or empty leaves a field as it is."""

    memory_id: str
    content: str | None = None
    category: Category | None = None
    priority: Priority | None = None
    confidence: float | None = None
    relevance: float | None = None
    expires_at: Future | None = None
    never_expires: bool = False
    scope: tuple[str, ...] | None = None  #: replaces the patterns
    add_tags: tuple[str, ...] = ()
    remove_tags: tuple[str, ...] = ()
    metadata: Mapping[str, object] | None = None  #: merged into the existing metadata
    unset_metadata: tuple[str, ...] = ()
    cite: tuple[str, ...] | None = None  #: replaces the citations
    version: int | None = None  #: change only this version


def edit(call: Call, request: EditRequest) -> Edited:
    """Change a memory; the old version stays in its history."""
    from memory_layer.model.changes import Changes
    from memory_layer.usecases.remember import edit as usecase

    _check_expiry(request)
    fields = request._asdict()
    memory_id, version, cite = fields.pop("memory_id"), fields.pop("version"), fields.pop("cite")
    fields["metadata"] = fields["metadata"] or NOTHING
    if cite is not None:
        fields["citations"] = usecase.citations_for(call.engine, memory_id, cite, call.scope.place)
    return usecase.edit(call.engine, memory_id, Changes(**fields), call.writer, version)


class Tag(NamedTuple):
    """A memory and its labels: a bare word is a tag, `key=value` is metadata."""

    memory_id: str
    words: tuple[str, ...]
    remove: bool = False


def tag(call: Call, request: Tag) -> Edited:
    """Add labels to a memory, or remove them."""
    from memory_layer.usecases.remember import edit as usecase

    words = [each for word in request.words for each in _tags_in(word)]
    return usecase.tag(call.engine, request.memory_id, words, call.writer, request.remove)


class TagMany(NamedTuple):
    """Memories and the labels for all of them."""

    memory_ids: tuple[str, ...]
    words: tuple[str, ...]
    remove: bool = False


def tag_many(call: Call, request: TagMany) -> list[Edited]:
    """Add labels to several memories, or remove them, as one operation."""
    from memory_layer.usecases.remember import edit as usecase

    words = [each for word in request.words for each in _tags_in(word)]
    return usecase.tag_many(call.engine, request.memory_ids, words, call.writer, request.remove)


def _tags_in(word: str) -> list[str]:
    """Split tags at commas; a value may have commas of its own."""
    return [word] if "=" in word else split_words(word)


class LinksRequest(NamedTuple):
    """A memory whose links to list."""

    memory_id: str


def links(call: Call, request: LinksRequest) -> list[Link]:
    """List the links of a memory, in both directions."""
    from memory_layer.usecases.remember import links as usecase

    return usecase.links(call.engine, request.memory_id)


class RelationRequest(NamedTuple):
    """A relation between two memories."""

    memory_id: str
    kind: LinkKind
    other: str


def link(call: Call, request: RelationRequest) -> list[Link]:
    """Link two memories."""
    from memory_layer.usecases.remember import links as usecase

    return usecase.link(call.engine, request.memory_id, request.kind, request.other, call.writer)


def unlink(call: Call, request: RelationRequest) -> list[Link]:
    """Remove a link."""
    from memory_layer.usecases.remember import links as usecase

    return usecase.unlink(call.engine, request.memory_id, request.kind, request.other, call.writer)


class Settle(NamedTuple):
    """A decision about two memories."""

    memory_id: str
    relation: Relation
    other: str


def settle(call: Call, request: Settle) -> Settled:
    """Settle that a memory replaces, repeats or contradicts another."""
    from memory_layer.usecases.remember import relation as usecase

    return usecase.settle(call.engine, request.memory_id, request.relation, request.other, call.writer)


ADD = Verb("add", Add, add, stores=True)
ADD_MANY = Verb("add_many", AddMany, add_many, stores=True)
CAPTURE = Verb("capture", Capture, capture, stores=True)
EDIT = Verb("edit", EditRequest, edit)
TAG = Verb("tag", Tag, tag)
TAG_MANY = Verb("tag_many", TagMany, tag_many)
LINKS = Verb("links", LinksRequest, links)
LINK = Verb("link", RelationRequest, link)
UNLINK = Verb("unlink", RelationRequest, unlink)
SETTLE = Verb("settle", Settle, settle)
