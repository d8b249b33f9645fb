"""Select the memories of a context in the balanced order; the caller holds the read transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache

from memory_layer.model.context import (
    LONGEST_HANDOFF,
    ContextLayer,
    ContextLine,
    ContextQuery,
    Present,
    Warrant,
)
from memory_layer.model.memory import Memory
from memory_layer.model.query import Filters, Giving
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import Category, Priority, Tier
from memory_layer.ports import Engine, Workspace
from memory_layer.ranking.rankers import CHANGED_CITATION
from memory_layer.rules import balance, context
from memory_layer.rules.balance import TASK_SHARE
from memory_layer.rules.context_text import note_of
from memory_layer.rules.permissions import (
    is_learned_in,
    is_rule,
    is_vouched,
    may_be_given,
    scope_counts,
)
from memory_layer.text.scope_overlap import meet, tag_meets
from memory_layer.text.words import content_words
from memory_layer.usecases.give.portions import LEAST_TOKENS, Portion
from memory_layer.usecases.give.scoped import ContextScope, filters_of, present_where
from memory_layer.usecases.recall.conflicts import given_out, rivals
from memory_layer.usecases.recall.failing import withheld
from memory_layer.usecases.recall.pool import MOST_CHECKED
from memory_layer.usecases.who.projects import stale_projects

LEAST_LOOKED_AT = 60
MOST_NAMING = 20  #: memories that are looked at because they may name a file of the task


class Files(NamedTuple):
    """The files of a task, as paths or as patterns."""

    paths: tuple[str, ...]
    patterns: tuple[str, ...]
    covers: Callable[[tuple[str, ...]], bool]  #: do the patterns of a memory apply to one of them?

    def fit(self, memory: Memory, project: str | None) -> bool | None:
        """Does a memory apply to one of the files? None without files, or without a scope."""
        if not self.paths and not self.patterns:
            return None
        if any(tag_meets(tag, self.patterns) for tag in memory.tags):
            return True
        if not memory.scope:
            return None
        return scope_counts(memory, project) and self.covers(memory.scope)


def files_of(wanted: ContextQuery) -> Files:
    """Return the files of a task, as paths or patterns."""
    covers = context.covering(wanted.paths)

    @cache
    def either(scope: tuple[str, ...]) -> bool:
        return covers(scope) or meet(scope, wanted.write_scope)

    return Files(wanted.paths, wanted.write_scope, either if wanted.write_scope else covers)


def looked_at(wanted: ContextQuery) -> int:
    """Return how many memories of each kind to look at for a budget."""
    return max(wanted.budget // LEAST_TOKENS, LEAST_LOOKED_AT)


def unasked(engine: Engine, filters: Filters, most: int) -> list[Present]:
    """Return the memories of the baseline, the most important first."""
    now = engine.now()
    always = filters._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS)
    important = always._replace(categories=context.BASELINE, priorities=(Priority.CRITICAL, Priority.HIGH))
    critical = always._replace(priorities=(Priority.CRITICAL,))
    present = engine.store.memories.present
    found = present(important, now, None, "presence") + present(critical, now, None, "presence")
    found = [each for each in dict.fromkeys(found) if may_be_given(each.warrant)]
    rules_first = sorted(
        found,
        key=lambda each: (
            not is_rule(each.category, each.priority),
            -each.priority.rank,
            -context.presence(each, now),
            each.id,
        ),
    )
    return rules_first[:most]


def by_score(lines: Iterable[ContextLine]) -> list[ContextLine]:
    """Sort lines by their score, the best first."""
    return sorted(lines, key=lambda line: (-line.score, line.memory.id))


def for_any_work(engine: Engine, wanted: ContextQuery, around: ContextScope) -> list[Portion]:
    """Return rules, preferences, everyday commands, the state of the project, hazards, design, and the rest."""
    now, files, most = engine.now(), files_of(wanted), looked_at(wanted)
    always = filters_of(around)._replace(tiers=(Tier.SEMANTIC,), giving=Giving.ALWAYS)
    has_files = bool(files.paths or files.patterns)
    unscoped = always._replace(exact_scopes=((),)) if has_files else always
    found = engine.store.memories.present(unscoped, now, most, "presence")
    if has_files:
        found += present_where(engine, filters_of(around), files.covers, most)
    fresh = [each for each in dict.fromkeys(found) if each.id not in wanted.exclude]
    groups = balance.grouped(fresh, now, files.covers, stale_projects(engine))
    chosen = [
        members[: int(group.share * wanted.budget) // LEAST_TOKENS + group.more]
        for group, members in zip(balance.START_GROUPS, groups, strict=True)
    ]
    others = [pair for members in groups for pair in members]
    others.sort(key=lambda pair: (-pair[1], pair[0].id))
    worth = {each.id: activation for members in chosen for each, activation in members}
    worth |= {each.id: activation for each, activation in others[: wanted.budget // LEAST_TOKENS]}
    lines = [_activated(memory, worth[memory.id]) for memory in read(engine, list(worth))]
    lines = marked(engine, list(map(_weighed, checked(engine, lines, around.place))))
    by_id = {line.memory.id: line for line in lines}
    portions = [
        Portion(
            _everyday_first([by_id[each.id] for each, _ in members if each.id in by_id]),
            group.share,
            short=True,
        )
        for group, members in zip(balance.START_GROUPS[:-1], chosen, strict=False)
    ]
    rest = by_score(lines)
    fitting = [line for line in rest if has_files and files.covers(line.memory.scope)]
    return [
        Portion(fitting, TASK_SHARE),
        *portions,
        Portion(rest, short=True),
    ]


def _activated(memory: Memory, worth: float) -> ContextLine:
    layer = (
        ContextLayer.BASELINE
        if balance.in_baseline(memory.category, memory.priority)
        else ContextLayer.CONTEXTUAL
    )
    return ContextLine(memory, layer, worth, {"activation": worth})


def _everyday_first(lines: list[ContextLine]) -> list[ContextLine]:
    """Sort the commands among the lines by how often they are needed; a command is the first of its group."""
    if not any(line.memory.category is Category.COMMAND for line in lines):
        return lines
    by_id = {line.memory.id: line for line in lines}
    return [by_id[each.id] for each in balance.everyday_first([line.memory for line in lines])]


def handoffs(engine: Engine, wanted: ContextQuery, around: ContextScope) -> list[ContextLine]:
    """Return the open handoffs with their age: all at a start, otherwise those that the task continues."""
    from memory_layer.usecases.learn.session_ends import open_ends

    lines = []
    for end in open_ends(engine.store, around.project, engine.now()):
        if not may_be_given(Warrant(is_vouched(end), is_learned_in(end, around.key))):
            continue
        if not wanted.start and not _continues(wanted, end):
            continue
        days = (engine.now() - end.created_at).days
        age = "today" if days <= 0 else f"{days} day{'s' if days > 1 else ''} ago"
        note = f"{age}, {note_of(end)}"
        lines.append(ContextLine(end, ContextLayer.HANDOFF, 1.0, {}, note, LONGEST_HANDOFF))
    return lines


def _continues(wanted: ContextQuery, end: Memory) -> bool:
    """Does a task continue the work of a handoff: does it share a third of its words, or one of its files?"""
    if any(path in end.content for path in wanted.paths):
        return True
    asked = content_words(wanted.question)
    return bool(asked) and 3 * len(asked & content_words(end.content)) >= len(asked)


def _weighed(line: ContextLine) -> ContextLine:
    """Lower the score of a line with drifted sources, which a search does by itself."""
    return line._replace(score=line.score * CHANGED_CITATION) if line.drifted else line


def read(engine: Engine, ids: Sequence[str]) -> list[Memory]:
    """Read memories by their ids, each once."""
    return engine.store.memories.get(list(dict.fromkeys(ids)))


def marked(engine: Engine, lines: Sequence[ContextLine], included: Collection[str] = ()) -> list[ContextLine]:
    """Add notes, and what contradicts each line; drop what is failing unless the caller included it."""
    failing = withheld(engine, (line.memory for line in lines if line.memory.id not in included))
    lines = [line for line in lines if line.memory.id not in failing]
    ids = [line.memory.id for line in lines]
    known = rivals(engine, ids)
    standing = set(ids) | given_out(engine, known.keys() - set(ids))
    noted = []
    for line in lines:
        against = known.get(line.memory.id, set()) & standing
        drifted = line.standing.state.value if line.standing and line.drifted else None
        note = note_of(line.memory, sorted(against), drifted)
        noted.append(line._replace(note=note, conflicts=tuple(sorted(against))))
    return noted


def beside_rivals(lines: Sequence[ContextLine]) -> list[ContextLine]:
    """Put contradicting lines next to each other, the newer first; otherwise keep the order."""
    placed: dict[str, ContextLine] = {}
    for line in lines:
        group = [other for other in lines if other is line or other.memory.id in line.conflicts]
        for each in sorted(group, key=lambda other: other.memory.created_at, reverse=True):
            placed.setdefault(each.memory.id, each)
    return list(placed.values())


def checked(engine: Engine, lines: Sequence[ContextLine], place: Workspace | None) -> list[ContextLine]:
    """Add the state of their sources to the lines."""
    citing = [line.memory for line in lines if line.memory.citations and line.standing is None][:MOST_CHECKED]
    if not citing:
        return list(lines)
    from memory_layer.usecases.upkeep.citations import checked_citations  # few memories cite anything

    standings = checked_citations(engine, citing, place)
    return [line._replace(standing=standings.get(line.memory.id, line.standing)) for line in lines]
