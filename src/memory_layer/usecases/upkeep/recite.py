"""Cite sources as they are now, after a person has found that a memory still holds."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft, Memory
from memory_layer.model.record import NamedTuple
from memory_layer.model.sources import Checked, SourceState, lines_of
from memory_layer.ports import Engine, Place
from memory_layer.rules import drafts
from memory_layer.rules import sources as policy
from memory_layer.rules.citations import Text, anchor_of, comparable
from memory_layer.usecases.upkeep.citations import Home, Sources, cited


class Recited(NamedTuple):
    """The citations of a memory, and what becomes of them."""

    before: tuple[Citation, ...]
    after: tuple[Citation, ...]


def recited(engine: Engine, memory: Memory, place: Place | None = None) -> Recited:
    """Those that changed as they are now, those that moved where they are, without those that are gone."""
    sources = Sources(engine, place, thorough=True)
    standing = sources.standings([memory])[memory.id]
    home = sources.home(memory.project)
    now = [_now(engine, home, check) for check in standing.checks if check.state is not SourceState.MISSING]
    # What lies in the files today was never looked at for secrets.
    clean, _ = drafts.redacted_draft(Draft(content=memory.content, citations=tuple(now)))
    return Recited(memory.citations, clean.citations)


def _now(engine: Engine, home: Home | None, check: Checked) -> Citation:
    citation = check.now or check.citation
    if check.state is not SourceState.CHANGED or home is None or citation.path is None:
        return citation
    content = home.tree.read(citation.path).content
    if content is None:
        return citation
    span = policy.span_of(citation)
    if span is not None and policy.is_text(content):
        now = lines_of(content)
        span = policy.span_today(Text(now), anchor_of(citation), span) if comparable(now) else span
    lines = f":{span[0]}-{span[1]}" if span else ""
    try:
        return cited(engine, f"{home.place.root / citation.path}{lines}", home.place)
    except InvalidInput:
        return citation
