"""Look back at what agents were given; looking never counts as use."""

from __future__ import annotations

from collections.abc import Iterator

from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.context import Format, Kept, Layer, Reproduced
from memory_layer.model.recalls import Recall
from memory_layer.policy import limits
from memory_layer.policy.context_text import FRAMES, SECTION, Printed, bare_line, line_of, printed, text_of
from memory_layer.policy.prompt_text import prompt_text
from memory_layer.ports import Engine
from memory_layer.usecases.browse import LIST_MOST
from memory_layer.usecases.compose import FORM, parts_from
from memory_layer.usecases.section import digest_of

FORMATS = tuple(form.value for form in Format)


def recalls(engine: Engine, session: str | None = None, limit: int = 20) -> list[Recall]:
    """The last answers, newest first, without what they held."""
    if not 1 <= limit <= LIST_MOST:
        raise InvalidInput(f"the limit must lie between 1 and {LIST_MOST}, not {limit}")
    if session is not None:
        limits.check_text(session, "the session", limits.NAME_CHARACTERS)
    with engine.store.reading():
        return engine.store.recalls(session, limit)


def recall(engine: Engine, prefix: str) -> Recall:
    """One answer with the exact list it gave, each with its score and signals then."""
    with engine.store.reading():
        return engine.store.recall(engine.store.resolve_recall(prefix))


def text_given(engine: Engine, prefix: str) -> Reproduced:
    """The text of an earlier context or prompt, made again from the versions that its memories had then."""
    with engine.store.reading():
        recall_id = engine.store.resolve_recall(prefix)
        kept = engine.store.giving().context(recall_id)
        if kept is None:
            raise NotFound(f"{recall_id} gave memories, but no text")
        text = _again(engine, kept)
    return Reproduced(recall_id, text, kept.digest, digest_of(text) == kept.digest)


def _again(engine: Engine, kept: Kept) -> str:
    lines = _printed(engine, kept)
    if kept.form in FORMATS:
        form = Format(kept.form)
        return text_of([line_of(line, form) for line in lines], FRAMES[form])
    section = text_of([bare_line(line) for line in lines], SECTION)
    return prompt_text(parts_from(kept.asked), section) if kept.form == FORM else section


def _printed(engine: Engine, kept: Kept) -> Iterator[Printed]:
    for line in kept.lines:
        versions = engine.store.versions(line.memory)
        then = next((each.memory for each in versions if each.number == line.version), None)
        if then is not None:
            layer = Layer.HANDOFF if line.layer == Layer.HANDOFF else Layer.CONTEXTUAL
            yield printed(then, layer, line.note, line.characters)
