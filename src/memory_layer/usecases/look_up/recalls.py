"""List recalls, and reproduce the text an agent was given from the versions of that time."""

from __future__ import annotations

from collections.abc import Iterator

from memory_layer.errors import NotFound
from memory_layer.model.context import ContextLayer, Format, Reproduced, SavedContext, Way
from memory_layer.model.query import Recall
from memory_layer.model.runs import PROMPT
from memory_layer.ports import Engine
from memory_layer.ports.log import RecallFilter
from memory_layer.rules import limits
from memory_layer.rules.context_text import (
    FRAMES,
    SECTION,
    Printed,
    as_given,
    bare_line,
    digest_of,
    line_of,
    printed,
    text_of,
)
from memory_layer.rules.runs import parts_from, prompt_text
from memory_layer.usecases.govern import chain
from memory_layer.usecases.govern.visibility import shown
from memory_layer.usecases.learn import outcome
from memory_layer.usecases.who.lookup import whole_id

FORMATS = tuple(form.value for form in Format)


def recalls(engine: Engine, wanted: RecallFilter, limit: int = 20) -> list[Recall]:
    """Return the last recalls, newest first, without their hits."""
    limits.check_limit(limit)
    if wanted.session is not None:
        limits.check_text(wanted.session, "the session", limits.NAME_CHARACTERS)
    store = engine.store
    with store.reading():
        if wanted.memory is not None:
            wanted = wanted._replace(memory=whole_id(store, wanted.memory, "memory"))
        if wanted.before is not None:
            wanted = wanted._replace(before=whole_id(store, wanted.before, "recall"))
        return shown(engine, store.log.recalls(wanted, limit))


def recall(engine: Engine, prefix: str) -> Recall:
    """Return one recall with its exact hits, scores and signals."""
    with engine.store.reading():
        return shown(engine, outcome.recall_of(engine.store, whole_id(engine.store, prefix, "recall")))


def text_given(engine: Engine, prefix: str) -> Reproduced:
    """Reproduce the text of an earlier context or prompt."""
    with engine.store.reading():
        recall_id = whole_id(engine.store, prefix, "recall")
        saved = engine.store.log.context(recall_id)
        if saved is None:
            raise NotFound(f"{recall_id} returned memories, but no text")
        text = _again(engine, saved)
    return Reproduced(recall_id, text, saved.digest, digest_of(text) == saved.digest)


def text_of_recall(engine: Engine, recall_id: str) -> str | None:
    """Reproduce the text of a recall inside the caller's read transaction; None if it had none."""
    saved = engine.store.log.context(recall_id)
    return None if saved is None else _again(engine, saved)


def _again(engine: Engine, saved: SavedContext) -> str:
    way = Way.TOOLS if saved.asked.get("way") == Way.TOOLS else Way.SHELL
    lines = _printed(engine, saved, way)
    if saved.form in FORMATS:
        form = Format(saved.form)
        text = text_of([line_of(line, form) for line in lines], FRAMES[form, way])
        return as_given(text, way, saved.digest)
    section = text_of([bare_line(line) for line in lines], SECTION)
    return prompt_text(parts_from(saved.asked), section) if saved.form == PROMPT else section


def _printed(engine: Engine, saved: SavedContext, way: Way) -> Iterator[Printed]:
    for line in saved.lines:
        versions = chain.versions(engine.store, line.memory)
        then = next((each.memory for each in versions if each.number == line.version), None)
        then = shown(engine, then)
        if then is not None:
            layer = ContextLayer.HANDOFF if line.layer == ContextLayer.HANDOFF else ContextLayer.CONTEXTUAL
            yield printed(then, layer, line.note, line.characters, way, line.start)
