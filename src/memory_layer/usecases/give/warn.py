"""Warn about an action that is known to go wrong, in a line or two, or say nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from memory_layer.errors import InvalidInput
from memory_layer.model.context import MOST_WARNINGS, AgentAction, Caution, Warned
from memory_layer.model.memory import Memory, Project, Writer
from memory_layer.model.query import Filters, Given
from memory_layer.model.vocabulary import AGAINST_IT, Category, LinkKind, Status, Tier
from memory_layer.ports import Engine
from memory_layer.ports.log import RecallFilter
from memory_layer.rules import context, lifecycle, limits
from memory_layer.rules.context_text import NEEDS_REVIEW, on_one_line, short
from memory_layer.rules.warnings.actions import Match, ReadAction, gone_wrong, matched, read_action
from memory_layer.rules.warnings.errors import is_meant
from memory_layer.rules.warnings.kinds import Rarity
from memory_layer.text.commands.error_text import ends
from memory_layer.text.secrets.redact import redact
from memory_layer.usecases.give.scoped import ContextScope, present_for_paths
from memory_layer.usecases.govern.visibility import given
from memory_layer.usecases.recall.failing import withheld
from memory_layer.usecases.recall.recording import Answer, keep_recall
from memory_layer.usecases.recall.vectors import matching
from memory_layer.usecases.who.expiry import ends_by_category

#: Candidates considered; each shares a word or a path with the action.
LOOKED_AT = 30
LONGEST_WARNING = 240  #: characters of what a memory says in it
#: A session is not warned of the same thing again within this time.
QUIET_MINUTES = 30
#: Warnings that expired by their category within this time are still heard, marked.
LAPSED_DAYS = 365
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
        judged = _by_words(engine, read_action(action), filters, around.project)
        found = _trusted(engine, _supported(engine, judged, action.error))
        recent = set() if repeat or writer.is_person else _recent_warnings(engine, writer)
        fresh = [each for each in found if each[0].id not in recent][:MOST_WARNINGS]
        drifted = _drifted(engine, [memory for memory, _ in fresh], around)
    cautions = tuple(
        Caution(given(engine, memory), why, _line(memory, drifted.get(memory.id), engine.now()))
        for memory, why in fresh
    )
    if not cautions or writer.is_person:
        return Warned(None, cautions, redacted)
    return Warned(_recorded(engine, text, cautions, writer, around.project), cautions, redacted)


def _trusted(engine: Engine, found: list[tuple[Memory, str]]) -> list[tuple[Memory, str]]:
    """Drop what is failing; of a procedure exactly that is the warning."""
    failing = withheld(engine, (memory for memory, _ in found if memory.tier is not Tier.PROCEDURAL))
    return [each for each in found if each[0].id not in failing]


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
    texts = [ends(text) for text in clean.values()]
    return AgentAction(**clean), "\n".join(texts), tuple(dict.fromkeys(kinds))


def _by_words(
    engine: Engine, action: ReadAction, filters: Filters, project: Project | None
) -> list[tuple[Memory, Match]]:
    """Return the memories that match the action by words and files, strongest first."""
    total, known = engine.store.search.frequencies(action.terms)
    rarity = Rarity(total, known)
    key = project.key if project else None
    judged = (
        (memory, matched(memory, action, rarity, key)) for memory in _candidates(engine, action, filters)
    )
    found = [(memory, match) for memory, match in judged if match is not None]
    return sorted(found, key=lambda each: -each[1].strength)


def _candidates(engine: Engine, action: ReadAction, filters: Filters) -> Iterator[Memory]:
    """Yield memories that share words with the action or apply to its files, and procedures that failed."""
    now = engine.now()
    tiers = (Tier.SEMANTIC, Tier.EPISODIC) if action.error else (Tier.SEMANTIC,)
    known = filters._replace(tiers=tiers)
    ways = filters._replace(tiers=(Tier.PROCEDURAL,), has_outcome=True)
    lapsed = _lapsed(filters, now)
    words = [matching(engine.store, action.terms, each, now, LOOKED_AT) for each in (known, ways, lapsed)]
    ids = dict.fromkeys(each for found in words for each in found)
    found = _oldest_first(engine, list(ids))
    if action.edited:
        scoped = present_for_paths(engine, filters, action.edited, LOOKED_AT)
        fitting = [each.id for each, _ in context.contextual(scoped, now, action.edited, ())]
        fitting += [each.id for each in present_for_paths(engine, lapsed, action.edited, LOOKED_AT)]
        found += engine.store.memories.get([each for each in dict.fromkeys(fitting) if each not in ids])
    old = [memory.id for memory in found if memory.expires_at is not None and memory.expires_at <= now]
    replaced = _replaced(engine, old)
    for memory in found:
        if memory.id in old and (memory.id in replaced or not _still_counts(engine, memory)):
            continue
        if memory.tier is not Tier.PROCEDURAL or gone_wrong(memory):
            yield memory


def _still_counts(engine: Engine, memory: Memory) -> bool:
    """Did a memory lapse by its category alone? An expiry that was chosen, or an archive, silences it."""
    return not lifecycle.is_put_away(memory) and ends_by_category(engine, memory)


def _replaced(engine: Engine, ids: Sequence[str]) -> set[str]:
    """Return those that another memory supersedes, even one that has lapsed itself."""
    links = engine.store.links.of(ids) if ids else ()
    return {link.target for link in links if link.kind is LinkKind.SUPERSEDES}


def _lapsed(filters: Filters, now: datetime) -> Filters:
    """Return the filters on warnings that nobody renewed: what was dangerous three months ago mostly still is."""
    return filters._replace(
        tiers=(Tier.SEMANTIC,),
        categories=(Category.WARNING,),
        statuses=(Status.ACTIVE, Status.ARCHIVED),
        expired=True,
        expired_since=now - timedelta(days=LAPSED_DAYS),
    )


def _supported(
    engine: Engine, found: list[tuple[Memory, Match]], error: str | None
) -> list[tuple[Memory, str]]:
    """Keep the sure matches, and of the others those whose meaning is close to the error."""
    kept = [(memory, match.because) for memory, match in found if match.sure]
    unsure = {memory.id: match.strength for memory, match in found if not match.sure}
    if kept or not unsure or error is None or (embedder := engine.embedder()) is None:
        return kept
    vector = embedder.embed_query(ends(error))
    cosines = engine.store.search.similarities(vector, embedder.fingerprint, list(unsure))
    close = [each for each, weight in unsure.items() if is_meant(weight, cosines.get(each, 0.0))]
    return [(memory, "meaning") for memory, _ in found if memory.id in close]


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


def _line(memory: Memory, drifted: str | None, now: datetime) -> str:
    text = on_one_line(memory)
    cut = text if len(text) <= LONGEST_WARNING else f"{text[:LONGEST_WARNING].rsplit(' ', 1)[0]} …"
    details = [f"failed {memory.failed}"] if memory.tier is Tier.PROCEDURAL else []
    details += [f"worked {memory.worked}"] if details and memory.worked else []
    details += [f"source {drifted}"] if drifted else []
    if memory.expires_at is not None and memory.expires_at <= now:
        details.append(f"expired on {memory.expires_at:%Y-%m-%d}")
    details += [NEEDS_REVIEW] if memory.reason in AGAINST_IT else []
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
