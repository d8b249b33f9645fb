"""Warn about an action that is known to go wrong, in a line or two, or say nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.context import MOST_WARNINGS, AgentAction, Caution, Warned
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.query import Filters, Given
from memory_layer.model.vocabulary import Tier
from memory_layer.ports import Engine
from memory_layer.ports.log import RecallFilter
from memory_layer.rules import context, lifecycle, limits, warnings
from memory_layer.rules.context_text import on_one_line, short
from memory_layer.text.secrets.redact import redact
from memory_layer.text.words import query_terms
from memory_layer.usecases.govern.visibility import given
from memory_layer.usecases.recall.layers import ContextScope, present_for_paths
from memory_layer.usecases.recall.search import Answer, keep_recall
from memory_layer.usecases.recall.vectors import matching, nearest

#: Candidates considered; each shares a word or a path with the action.
LOOKED_AT = 30
LONGEST_WARNING = 240  #: characters of what a memory says in it
#: A session is not warned of the same thing again within this time.
QUIET_MINUTES = 30
#: The ranker that a warning's recall records.
RULE = "action"


def warn(
    engine: Engine, action: AgentAction, writer: Writer, around: ContextScope, *, repeat: bool = False
) -> Warned:
    """Return at most two warnings about an action; an agent's are recorded as a recall."""
    action, text, redacted = _checked(action)
    filters = Filters(
        reach=around.reach,
        project=around.project.id if around.project else None,
        min_confidence=lifecycle.LEAST_CONFIDENCE,
    )
    with engine.store.reading():
        found = _by_words(engine, action, text, filters, around.project)
        if not found and action.error:
            found = _by_meaning(engine, action.error, filters)
        recent = set() if repeat or writer.is_person else _recent_warnings(engine, writer)
        fresh = [each for each in found if each[0].id not in recent][:MOST_WARNINGS]
        drifted = _drifted(engine, [memory for memory, _ in fresh], around)
    cautions = tuple(
        Caution(given(engine, memory), why, _line(memory, drifted.get(memory.id))) for memory, why in fresh
    )
    if not cautions or writer.is_person:
        return Warned(None, cautions, redacted)
    return Warned(_recorded(engine, text, cautions, writer, around.project), cautions, redacted)


def _checked(action: AgentAction) -> tuple[AgentAction, str, tuple[str, ...]]:
    """Redact an action; also return it as one text, and the kinds of secrets found."""
    kinds: list[str] = []
    clean: dict[str, str] = {}
    for what, text in action._asdict().items():
        if text is not None:
            limits.check_text(text, f"the {what}", limits.QUERY_CHARACTERS)
            redacted = redact(text)
            kinds += redacted.kinds
            clean[what] = redacted.text
    if not clean:
        raise InvalidInput("name what is about to happen: a command, a file or an error")
    texts = [warnings.ends(text) for text in clean.values()]
    return AgentAction(**clean), "\n".join(texts), tuple(dict.fromkeys(kinds))


def _by_words(
    engine: Engine, action: AgentAction, text: str, filters: Filters, project: Project | None
) -> list[tuple[Memory, str]]:
    """Return the memories that match the action: commands first, then paths, then errors."""
    order = ("command", "path", "error")
    key = project.key if project else None
    judged = (
        (memory, warnings.because(memory, action, key))
        for memory in _candidates(engine, action, text, filters)
    )
    speaking = [(memory, why) for memory, why in judged if why is not None]
    return sorted(speaking, key=lambda each: order.index(each[1]))


def _candidates(engine: Engine, action: AgentAction, text: str, filters: Filters) -> Iterator[Memory]:
    """Yield memories that share words with the action or apply to its files, and procedures that failed."""
    now = engine.now()
    terms = list(dict.fromkeys(query_terms(text)))
    known = filters._replace(categories=warnings.SPEAKING, tiers=(Tier.SEMANTIC,))
    ways = filters._replace(tiers=(Tier.PROCEDURAL,), has_outcome=True)
    words = [matching(engine.store, terms, each, now, LOOKED_AT) for each in (known, ways)]
    ids = dict.fromkeys(each for found in words for each in found)
    found = _oldest_first(engine, list(ids))
    paths = warnings.paths_of(action)
    if paths:
        scoped = present_for_paths(engine, known, paths, LOOKED_AT)
        fitting = [each.id for each, _ in context.contextual(scoped, now, paths, ()) if each.id not in ids]
        found += engine.store.memories.get(fitting)
    for memory in found:
        if memory.tier is not Tier.PROCEDURAL or warnings.gone_wrong(memory):
            yield memory


def _by_meaning(engine: Engine, error: str, filters: Filters) -> list[tuple[Memory, str]]:
    """Return the memories that describe an error in other words."""
    if (embedder := engine.embedder()) is None:
        return []
    vector = embedder.embed_query(warnings.ends(error))
    known = filters._replace(categories=warnings.SPEAKING, tiers=(Tier.SEMANTIC,))
    near = nearest(engine.store, vector, embedder.fingerprint, known, engine.now(), MOST_WARNINGS)
    close = [each for each, cosine in near.items() if cosine >= warnings.MEANT_FROM]
    return [(memory, "meaning") for memory in _oldest_first(engine, close)]


def _oldest_first(engine: Engine, ids: Sequence[str]) -> list[Memory]:
    return sorted(engine.store.memories.get(ids), key=lambda memory: memory.created_at)


def _recent_warnings(engine: Engine, writer: Writer) -> set[str]:
    """Return the memories this session was warned about recently."""
    since = engine.now() - timedelta(minutes=QUIET_MINUTES)
    recent = engine.store.log.recalls(RecallFilter(session=writer.session), 20)
    warned = [each.id for each in recent if each.kind == "warning" and each.at >= since]
    if not warned:
        return set()
    found = engine.store.log.recalls(RecallFilter(ids=warned, hits=True))
    return {hit.memory.id for each in found for hit in each.hits}


def _drifted(engine: Engine, memories: Sequence[Memory], around: ContextScope) -> dict[str, str]:
    """Return the source states of the memories whose sources drifted."""
    if not any(memory.citations for memory in memories):
        return {}
    from memory_layer.usecases.upkeep.citations import checked_citations  # few memories cite anything

    standings = checked_citations(engine, memories, around.place)
    return {each: standing.state.value for each, standing in standings.items() if standing.drifted}


def _line(memory: Memory, drifted: str | None) -> str:
    text = on_one_line(memory)
    cut = text if len(text) <= LONGEST_WARNING else f"{text[:LONGEST_WARNING].rsplit(' ', 1)[0]} …"
    details = [f"failed {memory.failed}"] if memory.tier is Tier.PROCEDURAL else []
    details += [f"worked {memory.worked}"] if details and memory.worked else []
    details += [f"source {drifted}"] if drifted else []
    details.append(short(memory.id))
    return f"Note from memory [{memory.category}]: {cut} ({', '.join(details)})"


def _recorded(
    engine: Engine, text: str, cautions: Sequence[Caution], writer: Writer, project: Project | None
) -> str | None:
    """Record the warnings; None if the store cannot be written."""
    answer = Answer(
        kind="warning",
        query=text,
        ranker=RULE,
        hits=tuple(Given(each.memory, 1.0, {}) for each in cautions),
        project=project.key if project else None,
    )
    return keep_recall(engine, answer, writer)
