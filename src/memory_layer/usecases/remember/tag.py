"""Label a memory with tags and metadata."""

from __future__ import annotations

from collections.abc import Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Changes, Edited
from memory_layer.model.memory import Writer
from memory_layer.ports import Engine
from memory_layer.rules import drafts, labels
from memory_layer.rules.procedures import check_kept_whole
from memory_layer.text.secrets.secrets import Redacted, redact
from memory_layer.usecases.govern.withhold import shown
from memory_layer.usecases.remember.edit import changed
from memory_layer.usecases.who.ids import read_memory, whole_id


def tag(engine: Engine, prefix: str, words: Sequence[str], writer: Writer, remove: bool = False) -> Edited:
    """Add bare words as tags and `key=value` as metadata, or take them away; the vector never moves."""
    if not words:
        raise InvalidInput("give at least one tag or key=value")
    memory_id = whole_id(engine.store, prefix)
    # Before they are split: what stands before the sign may be what shows that the rest is a secret.
    told = [Redacted(word) for word in words] if remove else [redact(word) for word in words]
    words = [word.text for word in told]
    changes = _fewer(engine, memory_id, words) if remove else _more(words)
    clean, kinds = drafts.redacted_changes(changes)
    redacted = tuple(dict.fromkeys([*(kind for word in told for kind in word.kinds), *kinds]))
    # Secrets are looked for in the text as it was written, so values become numbers only afterwards.
    values = {key: labels.coerced(str(value)) for key, value in clean.metadata.items()}
    clean = clean._replace(metadata=values)
    check_kept_whole(read_memory(engine.store, memory_id), clean)
    return shown(engine, changed(engine, memory_id, clean, writer, "tag")._replace(redacted=redacted))


def _more(words: Sequence[str]) -> Changes:
    tags, pairs = labels.split(words)
    return Changes(add_tags=tags, metadata=pairs)


def _fewer(engine: Engine, memory_id: str, words: Sequence[str]) -> Changes:
    """The named tags, and the metadata of the named keys."""
    tags, pairs = labels.split(words)
    memory = read_memory(engine.store, memory_id)
    names = [*tags, *pairs]
    unknown = [name for name in names if name not in memory.tags and name not in memory.metadata]
    if unknown:
        raise InvalidInput(f"{memory.id} has neither a tag nor a key {unknown[0][:40]!r}")
    return Changes(remove_tags=tags, unset_metadata=tuple(names))
