"""Search memories and explain the scores."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Writer
from memory_layer.model.query import Found, Given, Hit, Mode, Query, Strength
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Status
from memory_layer.ports import Embedder, Engine, Workspace
from memory_layer.ports.search import Phrase
from memory_layer.ranking.rankers import ranker_named
from memory_layer.rules import limits
from memory_layer.text import tokens, words
from memory_layer.text.secrets.redact import redact
from memory_layer.text.time_words import time_window
from memory_layer.usecases.govern import visibility
from memory_layer.usecases.recall.pool import PoolEntry, PreparedQuery, ranked_pool
from memory_layer.usecases.recall.query_words import query_terms
from memory_layer.usecases.recall.recording import Answer, keep_recall

#: The newer of two contradicting memories comes first if its score is at least this share of the other's: one that
#: answers the question far less well is hardly about the same thing.
ALIKE = 0.8
#: Words with which a question for a way of doing something begins, and the whole of its beginning.
_HOW = frozenset("how the step steps command commands procedure way what what's".split())
_ASKS_HOW = (
    r"\s*(?:how (?:do|can|should|would|must|to)\b|(?:the )?(?:steps?|commands?|procedure|way) (?:to|for)\b"
    r"|what(?:'s| is| are) the (?:\w+ )?(?:steps?|commands?|procedure|process)\b)"
)
NO_MODEL = "keyword search only: `mem model install` adds search by meaning"


def search(
    engine: Engine,
    query: Query,
    writer: Writer,
    shown: Callable[[Found], str] | None = None,
    place: Workspace | None = None,
) -> Found:
    """Return the best memories for a query, as many as fit the budget when `shown`; record an agent's recall.

    Citations are checked where the caller works, in `place`, or where their project was last seen.
    """
    prepared = prepare(engine, query)._replace(place=place)
    with engine.store.reading():
        best = best_hits(engine, prepared, query)
        if any(hit.memory.failed for hit in best.hits):
            from memory_layer.usecases.recall.failing import marked  # few have failed

            best = best._replace(hits=marked(engine, best.hits))
        notices = [prepared.notice or notice_of_waiting(engine, prepared.embedder)]
        if query.filters.statuses == (Status.ACTIVE,) and _lacks_answer(best.hits):
            from memory_layer.usecases.recall.archive_hint import archive_hint  # most questions are answered

            notices.append(archive_hint(engine, prepared, query))
    hits = visibility.shown(engine, best.hits)
    looking = query.peek or writer.is_person
    found = Found(
        recall=None if looking else engine.new_id("rec"),
        mode=prepared.mode,
        ranker=ranker_named(query.ranker).name,
        hits=hits,
        group_by=query.group_by,
        duplicates=len(best.repeated) if query.diverse else None,
        intent=prepared.intent,
        redacted=prepared.redacted,
        notice="; ".join(filter(None, notices)) or None,
    )
    if query.budget is not None:
        found = _within(found, query.budget, shown or _contents)
    return found if looking else found._replace(recall=_recorded(engine, prepared, query, found, writer))


def _lacks_answer(hits: tuple[Hit, ...]) -> bool:
    return not any(hit.strength in (Strength.STRONG, Strength.LIKELY) for hit in hits[:1])


def prepare(engine: Engine, query: Query) -> PreparedQuery:
    """Validate, redact, tokenise and embed a query."""
    limits.check_text(query.text, "the query", limits.QUERY_CHARACTERS)
    limits.check_limit(query.limit)
    if query.budget is not None and query.budget < 1:
        raise InvalidInput(f"the budget must be at least 1 token, not {query.budget}")
    ranker = ranker_named(query.ranker)
    clean = redact(query.text)
    embedder = None if query.mode is Mode.KEYWORD else engine.embedder()
    mode = query.mode if embedder else Mode.KEYWORD
    quoted = words.phrases(clean.text) if mode is Mode.KEYWORD else []
    window = time_window(clean.text, engine.now().date()) if ranker.to_best else None
    asked = window.rest if window else clean.text
    before = engine.now()
    vector = embedder.embed_query(clean.text) if embedder else None
    took_ms = (engine.now() - before).total_seconds() * 1000
    return PreparedQuery(
        text=clean.text,
        mode=mode,
        words=query_terms(engine, asked, query.filters),
        phrases=tuple(Phrase(tuple(words.terms(text)), text) for text in quoted),
        embedder=embedder,
        vector=vector,
        embedding_ms=took_ms if embedder else 0.0,
        intent=_intent(clean.text) if ranker.to_best or ranker.name == "five-signal" else None,
        redacted=clean.kinds,
        notice=NO_MODEL if query.mode is not Mode.KEYWORD and embedder is None else None,
        window=window,
        asks_how=_asks_how(clean.text),
        cut=query.mode is Mode.HYBRID and not query.nearest,
    )


def notice_of_waiting(engine: Engine, embedder: Embedder | None) -> str | None:
    """Return the notice for a semantic search while some memories have no vector."""
    count = engine.store.vectors.count_lacking(embedder.fingerprint, roughly=True) if embedder else 0
    if not count:
        return None
    subject = "1 memory is" if count == 1 else f"{count:,} memories are"
    return f"{subject} found by keywords only until `mem embed` has run"


def _asks_how(text: str) -> bool:
    first = text.split(maxsplit=1)[:1]
    return bool(first) and first[0].lower() in _HOW and re.match(_ASKS_HOW, text, re.IGNORECASE) is not None


def _intent(text: str) -> Category | None:
    # Some of its rules take milliseconds to compile.
    from memory_layer.rules.intent import intent

    return intent(text)


class Best(NamedTuple):
    """The hits of a search, and the hit that stands for each one left out."""

    hits: tuple[Hit, ...]
    repeated: Mapping[str, str]  #: the id of what says the same as a better hit, and of that hit
    grouped: Mapping[str, str]  #: the id of another of a hit's group, and of that hit
    pool: Sequence[PoolEntry] = ()  #: all candidates; only if explained


def best_hits(engine: Engine, prepared: PreparedQuery, query: Query, *, explained: bool = False) -> Best:
    """Find, rank and read hits; the caller holds the read transaction."""
    picking = query.diverse or query.group_by is not None
    every = ranked_pool(
        engine, prepared, query.filters, query.ranker, query.limit, whole=picking, explained=explained
    )
    best = _best_of(engine, prepared, query, [entry for entry in every if entry.ranked.answers])
    return best._replace(pool=every) if explained else best


def _best_of(engine: Engine, prepared: PreparedQuery, query: Query, pool: list[PoolEntry]) -> Best:
    picking = query.diverse or query.group_by is not None
    disputed = any(entry.disputed for entry in (pool if picking else pool[: query.limit]))
    if not picking:
        # What contradicts one of the best may stand right below them, and be the newer word.
        found = [_hit(entry) for entry in (pool if disputed else pool[: query.limit])]
        hits = _with_conflicts(engine, found)[: query.limit] if disputed else found
        return Best(tuple(hits), {}, {})
    found = [_hit(entry) for entry in pool]
    # Its rules are a dozen modules, and few searches ask for them.
    from memory_layer.usecases.recall.pick import pick

    chosen = pick(engine, [hit.memory for hit in found], query, prepared.embedder)
    hits = [found[line.place]._replace(group=line.group, more=line.more) for line in chosen.lines]
    return Best(tuple(_with_conflicts(engine, hits) if disputed else hits), chosen.repeated, chosen.grouped)


def _hit(entry: PoolEntry) -> Hit:
    return Hit(
        memory=entry.read(),
        score=entry.ranked.score,
        signals=entry.ranked.signals,
        match=entry.ranked.match,
        experience=entry.experience,
        standing=entry.standing,
    )


def _with_conflicts(engine: Engine, hits: list[Hit]) -> list[Hit]:
    """Mark contradictions, and put pairs with similar scores next to each other, the newer first."""
    from memory_layer.usecases.recall import conflicts  # few searches find a contradiction

    shown = {hit.memory.id for hit in hits}
    known = conflicts.rivals(engine, list(shown))
    standing = shown | conflicts.given_out(engine, known.keys() - shown)
    marked = [
        hit._replace(conflicts=tuple(sorted(known.get(hit.memory.id, set()) & standing))) for hit in hits
    ]
    placed: dict[str, Hit] = {}
    for hit in marked:
        against = [other for other in marked if other.memory.id in hit.conflicts]
        group = [hit, *(other for other in against if other.score >= ALIKE * hit.score)]
        for member in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            placed.setdefault(member.memory.id, member)
    return list(placed.values())


def _contents(found: Found) -> str:
    return "\n".join(hit.memory.content for hit in found.hits)


def _within(found: Found, budget: int, shown: Callable[[Found], str]) -> Found:
    """Keep the best hits whose printed text fits the budget."""

    def best(count: int) -> Found:
        return found._replace(hits=found.hits[:count], cut=len(found.hits) - count)

    counts = range(1, len(found.hits) + 1)
    too_long = bisect_left(counts, True, key=lambda count: tokens.estimate(shown(best(count))) > budget)
    return best(too_long)


def _recorded(
    engine: Engine, prepared: PreparedQuery, query: Query, found: Found, writer: Writer
) -> str | None:
    """Record the exact list; None if the store cannot be written."""
    answer = Answer(
        kind="search",
        query=prepared.text,
        ranker=found.ranker,
        hits=tuple(
            Given(hit.memory, hit.score, {signal.name: signal.value for signal in hit.signals})
            for hit in found.hits
        ),
        project=query.filters.project,
        mode=found.mode,
        embedder=prepared.embedder,
        vector=prepared.vector,
        standings={hit.memory.id: hit.standing for hit in found.hits if hit.standing},
    )
    return keep_recall(engine, answer, writer, found.recall)
