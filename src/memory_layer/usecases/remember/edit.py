"""Change the text or labels of a memory."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from memory_layer.errors import ChangedMeanwhile, InvalidInput
from memory_layer.model.changes import Changes, Edited
from memory_layer.model.memory import Citation, Memory, Writer
from memory_layer.model.vocabulary import Status
from memory_layer.ports import Edit, Engine, Workspace
from memory_layer.ports.search import Made
from memory_layer.rules import drafts, edits, limits
from memory_layer.rules.history import differences
from memory_layer.rules.procedures import check_kept_whole
from memory_layer.text import scopes
from memory_layer.text.secrets.redact import Redacted, redact
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.recall.vectors import embedded
from memory_layer.usecases.remember.new_memory import hashed, live_twin, save_indexed
from memory_layer.usecases.who.expiry import lasting
from memory_layer.usecases.who.lookup import named_ids, read_memory, whole_id
from memory_layer.usecases.who.origin import placed, touched

if TYPE_CHECKING:
    from memory_layer.ports import PassageVectors


#: With a change to one of these a memory is given where it was not.
_LOUDER = ("category", "priority", "scope")


def edit(engine: Engine, prefix: str, changes: Changes, writer: Writer, version: int | None = None) -> Edited:
    """Change one memory, merging with concurrent changes; given a `version`, change only that one."""
    if changes == Changes():
        raise InvalidInput("nothing to change: name at least one field")
    limits.check_expiry(changes.expires_at, engine.now())
    if changes.content is not None:
        limits.check_text(changes.content, "the content", limits.CONTENT_CHARACTERS)
    limits.check_labels(changes.add_tags, changes.metadata)
    if changes.scope is not None:
        changes = changes._replace(scope=scopes.validated(changes.scope))
    clean, redacted = drafts.redacted_changes(changes)
    before = read_memory(engine.store, whole_id(engine.store, prefix))
    check_kept_whole(before, clean)
    done = changed(engine, before.id, clean, writer, "edit", version)
    hint = limits.hint(done.memory.content) if changes.content is not None else None
    return shown(engine, done._replace(redacted=redacted, hint=hint))


def citations_for(
    engine: Engine, prefix: str, references: Sequence[str], place: Workspace | None
) -> tuple[Citation, ...]:
    """Resolve references for a memory in its own project, wherever the caller works."""
    from memory_layer.usecases.upkeep.citations import Sources
    from memory_layer.usecases.who.projects import citations  # few edits cite anything

    memory = read_memory(engine.store, whole_id(engine.store, prefix))
    if memory.project is not None and references:
        home = Sources(engine, place).home(memory.project)
        if home is None:
            raise InvalidInput(f"{memory.project} is not on this machine, so nothing in it can be cited")
        place = home.place
    return citations(engine, place, references)


def changed(
    engine: Engine,
    memory_id: str,
    changes: Changes,
    writer: Writer,
    action: str,
    version: int | None = None,
) -> Edited:
    """Apply redacted changes; the vectors are computed before the lock is taken."""
    store, now = engine.store, engine.now()
    read = read_memory(store, memory_id)
    after = _after(engine, read, changes, writer, now)
    reworded = after.content != read.content
    vectors = embedded(engine, after.content) if reworded else None
    with store.writing():
        current = read_memory(store, memory_id)
        edits.check_version([current], version)
        if current.version != read.version and edits.collide(changes, read, current, after):
            raise ChangedMeanwhile(
                f"{memory_id} was changed by somebody else in the meantime; look at it again"
            )
        after = _after(engine, current, changes, writer, now)  # counters and other fields may have moved
        if after == current:
            return Edited(current)
        saved = written(engine, current, after, Edit(writer, engine.new_id("op"), action, now), vectors)
        return Edited(saved, changes=differences(*shown(engine, (current, saved))))


def written(
    engine: Engine, before: Memory, after: Memory, edit: Edit, vectors: tuple[str, PassageVectors] | None
) -> Memory:
    """Write a memory, with new vectors if its text changed."""
    if after.status is not Status.ARCHIVED and (twin := live_twin(engine.store, after)):
        raise InvalidInput(f"{twin.id} already says this; nothing was changed")
    saved = save_indexed(engine.store, None, after, edit)
    if after.content != before.content:
        engine.store.vectors.drop([after.id])
        if vectors is not None:
            engine.store.vectors.put(vectors[0], [Made(after.id, vectors[1])])
    return saved


def _after(engine: Engine, memory: Memory, changes: Changes, writer: Writer, now: datetime) -> Memory:
    """Return the memory as it would be, if the writer may do that."""
    edits.check_changeable(memory)
    edits.check_rights(memory, changes, writer)
    after = edits.edited(memory, changes, now)
    if memory.project and after.content != memory.content:
        after = placed(engine, after, writer, engine.store.projects.get(memory.project))
    elif any(getattr(memory, name) != getattr(after, name) for name in _LOUDER):
        after = touched(engine, after, writer)
    after = lasting(engine, memory, edits.weighed(memory, after, writer), now)
    return hashed(engine, after)


def tag(engine: Engine, prefix: str, words: Sequence[str], writer: Writer, remove: bool = False) -> Edited:
    """Add words as tags and `key=value` as metadata, or remove them; the vector never changes."""
    if not words:
        raise InvalidInput("give at least one tag or key=value")
    memory_id = whole_id(engine.store, prefix)
    # Before they are split: what stands before the sign may be what shows that the rest is a secret.
    cleaned = [Redacted(word) for word in words] if remove else [redact(word) for word in words]
    words = [word.text for word in cleaned]
    changes = _fewer(engine, memory_id, words) if remove else _more(words)
    clean, kinds = drafts.redacted_changes(changes)
    redacted = tuple(dict.fromkeys([*(kind for word in cleaned for kind in word.kinds), *kinds]))
    # Secrets are looked for in the text as it was written, so values become numbers only afterwards.
    values = {key: drafts.coerced(str(value)) for key, value in clean.metadata.items()}
    clean = clean._replace(metadata=values)
    check_kept_whole(read_memory(engine.store, memory_id), clean)
    return shown(engine, changed(engine, memory_id, clean, writer, "tag")._replace(redacted=redacted))


def tag_many(
    engine: Engine, prefixes: Sequence[str], words: Sequence[str], writer: Writer, remove: bool = False
) -> list[Edited]:
    """Add or remove words on all of the named memories or on none, as one operation."""
    operation = engine.new_id("op")
    same = engine._replace(new_id=lambda prefix: operation if prefix == "op" else engine.new_id(prefix))
    with engine.store.writing():
        return [
            tag(same, memory_id, words, writer, remove) for memory_id in named_ids(engine.store, prefixes)
        ]


def _more(words: Sequence[str]) -> Changes:
    tags, pairs = drafts.split(words)
    return Changes(add_tags=tags, metadata=pairs)


def _fewer(engine: Engine, memory_id: str, words: Sequence[str]) -> Changes:
    """Return the changes that remove the named tags and metadata keys."""
    tags, pairs = drafts.split(words)
    memory = read_memory(engine.store, memory_id)
    names = [*tags, *pairs]
    unknown = [name for name in names if name not in memory.tags and name not in memory.metadata]
    if unknown:
        raise InvalidInput(f"{memory.id} has neither a tag nor a key {unknown[0][:40]!r}")
    return Changes(remove_tags=tags, unset_metadata=tuple(names))
