"""Find what is known about a prompt, and give only what answers it well and is new to the session."""

from __future__ import annotations

from memory_layer.model.context import ContextLayer, Format, PromptNotes, Way
from memory_layer.model.memory import Writer
from memory_layer.model.query import Filters, Given, Hit, Query, Strength
from memory_layer.ports import Engine, Workspace
from memory_layer.rules import limits
from memory_layer.rules.context_text import FRAMES, Printed, line_of, note_of, printed, text_of
from memory_layer.text import words
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.give.session import given_in_session
from memory_layer.usecases.recall.recording import Answer, keep_recall

MOST = 3
LONGEST_LINE = 400  #: characters of one memory
LEAST_WORDS = 2  #: of a prompt that are worth a search; "go on" is none


def notes_for(
    engine: Engine, prompt: str, filters: Filters, writer: Writer, place: Workspace | None, way: Way
) -> PromptNotes:
    """Return the strong answers to a prompt that the session does not have yet; mostly none."""
    text = prompt[: limits.QUERY_CHARACTERS]
    if not _is_worth_a_search(engine, text):
        return PromptNotes()
    from memory_layer.usecases.recall.search import search  # many prompts share no word with the store

    query = Query(text, filters, limit=MOST * 3, peek=True)
    found = search(engine, query, writer, place=place)
    told = given_in_session(engine, writer)
    fresh = [hit for hit in found.hits if _is_strong(hit) and _is_new(hit, told, writer)][:MOST]
    if not fresh:
        return PromptNotes()
    lines = [line_of(_printed(hit, way), Format.COMPACT) for hit in fresh]
    answer = Answer(
        kind="prompt",
        query=redact(text).text,
        ranker=found.ranker,
        hits=tuple(Given(hit.memory, hit.score, {"match": hit.match}) for hit in fresh),
        project=filters.project,
        mode=found.mode,
    )
    return PromptNotes(
        keep_recall(engine, answer, writer), text_of(lines, FRAMES[Format.COMPACT, way]), tuple(fresh)
    )


def _is_worth_a_search(engine: Engine, text: str) -> bool:
    """Does the prompt share enough words with the store that an answer can be strong?"""
    terms = words.query_terms(text)
    if len(terms) < LEAST_WORDS:
        return False
    return bool(engine.store.search.frequencies(terms)[1])


def _is_new(hit: Hit, told: set[str], writer: Writer) -> bool:
    """Is a memory new to the session? What it was captured from stands in the session itself."""
    return hit.memory.id not in told and hit.memory.session != writer.session


def _is_strong(hit: Hit) -> bool:
    return hit.strength is Strength.STRONG and not hit.failing


def _printed(hit: Hit, way: Way) -> Printed:
    note = note_of(hit.memory, hit.conflicts)
    return printed(hit.memory, ContextLayer.CONTEXTUAL, note, LONGEST_LINE, way)
