"""Filters as SQL conditions over `memory m`, values always bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from memory_layer.model.filters import HOURLY, RULES, Test, restricting
from memory_layer.model.query import Giving, Reach
from memory_layer.store.rows import to_json, to_micros

if TYPE_CHECKING:
    from memory_layer.model.filters import FilterRule
    from memory_layer.model.query import Filters


_DRIFTED = (
    "m.row in (select c.memory from source_check c join memory d on d.row = c.memory"
    " where c.state in ('changed', 'missing') and c.citations = d.citations)"
)


#: The condition of a partial index, verbatim; in JSON no other tag can contain the quoted word.
_PROPOSED = (
    "m.row in (select o.row from memory o indexed by memory_proposed"
    " where o.status = 'active' and o.approved_at is null and instr(o.tags, '\"proposed\"') > 0)"
)


#: Verbatim as in the index `memory_vouched`, or SQLite does not use it.
VOUCHED = "(m.writer_kind = 'person' or m.approved_by is not null)"
#: Learned in its project, and not written for it by an agent that worked elsewhere.
LEARNED = "(m.project is not null and json_type(m.metadata, '$.written_from') is null)"
#: The last time a memory was touched; verbatim as in the indexes.
TOUCHED = (
    "max(m.created_at, m.updated_at, coalesce(m.last_used_at, 0), coalesce(m.last_recalled_at, 0),"
    " coalesce(m.reinforced_at, 0))"
)
#: The score that counts at the moment bound to it; most memories have none.
SCORE = "case m.outcome_score when 0 then 0.0 else drifted(m.outcome_score, m.last_used_at, ?) end"
_RAN_OUT = "(m.status <> 'archived' or m.reason = 'expired')"
_BY_HOUR = tuple(rule for rule in RULES if rule.test in HOURLY)
_WITHOUT_HOUR: dict[str, Any] = {rule.field: rule.free for rule in _BY_HOUR}
_COMPILED_BY_HOUR: dict[Test, Callable[[Any, int | None], tuple[str, list[Any]]]] = {
    Test.UNEXPIRED: lambda value, hour: (
        "(m.status <> 'active' or m.expires_at is null or m.expires_at > ?)",
        [hour],
    ),
    Test.EXPIRED_SINCE: lambda since, hour: (
        f"m.expires_at > ? and m.expires_at <= ? and {_RAN_OUT}",
        [to_micros(since), hour],
    ),
    Test.OUTLIVED: lambda since, hour: (
        f"(m.expires_at <= ? or {TOUCHED} < ?)",
        [hour, to_micros(since)],
    ),
}
Part = tuple[str, list[Any]]
_STORED: dict[Test, Callable[[Any], str]] = {
    Test.ONE_OF: str,
    Test.EXACTLY: lambda each: to_json(list(each)),
}


def superseded(memory: str) -> str:
    """Return a condition that is true if an active memory has replaced the one of that alias."""
    return (
        "exists (select 1 from link r join memory s on s.row = r.source"
        f" where r.target = {memory}.row and r.kind = 'supersedes' and s.status = 'active')"
    )


_RIVALS = (
    "exists (select 1 from link l join memory o on o.row = l.{} where l.{} = m.row"
    f" and l.kind = 'conflicts_with' and l.review <> 2 and o.status = 'active' and not {superseded('o')})"
)
#: In an unresolved conflict with a visible memory, or failed and not worked since.
DISPUTED = (
    f"({_RIVALS.format('target', 'source')} or {_RIVALS.format('source', 'target')}"
    " or (m.failed > 0 and exists (select 1 from outcome f where f.memory = m.row and f.counted"
    " and f.result = 'failed' and not exists (select 1 from outcome w where w.memory = m.row and w.counted"
    " and w.result = 'worked' and (w.at, w.row) > (f.at, f.row)))))"
)


def where(filters: Filters, now: datetime) -> tuple[str, list[Any]]:
    """Compile filters to a condition that is true for matching memories, and its parameters.

    Expired or superseded memories are hidden only while active; a query for the archive gets all of it
    except the tombstones of forgotten memories.
    """
    parts, hour = [_lasting(filters._replace(**_WITHOUT_HOUR))], to_micros(now)
    for rule in _BY_HOUR:
        if (value := getattr(filters, rule.field)) != rule.free:
            parts.append(_COMPILED_BY_HOUR[rule.test](value, hour))
    return " and ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


@lru_cache(maxsize=16)
def _lasting(filters: Filters) -> tuple[str, list[Any]]:
    """Compile the rules that do not depend on the time; cached because they recur."""
    parts = [_COMPILED[rule.test](rule, value, filters) for rule, value in restricting(filters)]
    parts = parts or [("1", [])]
    return " and ".join(sql for sql, _ in parts), [value for _, values in parts for value in values]


def _one_of(rule: FilterRule, values: Sequence[str], filters: Filters) -> Part:
    return f"m.{rule.column} in (select value from json_each(?))", [
        json.dumps([str(each) for each in values])
    ]


def _each_of(column: str, values: Sequence[str]) -> Part:
    each = f"exists (select 1 from json_each(m.{column}) where value = ?)"
    return " and ".join([each] * len(values)), [*values]


def _tagged(tags: Sequence[str]) -> Part:
    each = "m.row in (select memory from memory_tag where tag = lower(?))"
    return " and ".join([each] * len(tags)), [*tags]


def _covers(rule: FilterRule, paths: Sequence[str], filters: Filters) -> Part:
    return f"({' or '.join(['scope_covers(m.scope, ?)'] * len(paths))})", [*paths]


def _bound(operator: str) -> Callable[[FilterRule, Any, Filters], Part]:
    def compiled(rule: FilterRule, value: Any, filters: Filters) -> Part:
        return f"m.{rule.column} {operator} ?", [to_micros(value) if isinstance(value, datetime) else value]

    return compiled


def _exactly(rule: FilterRule, values: Sequence[Sequence[str]], filters: Filters) -> Part:
    return _one_of(rule, [to_json(list(each)) for each in values], filters)


def column_values(filters: Filters) -> dict[str, list[str]]:
    """Return the columns that filters restrict to certain values, with these values as stored."""
    return {
        rule.column: [_STORED[rule.test](each) for each in values]
        for rule, values in restricting(filters)
        if rule.test in _STORED
    }


def only_vouched(filters: Filters, *, here: bool) -> bool:
    """Check whether filters admit only memories that a person vouches for, here or elsewhere."""
    return filters.giving is not None and not here


def _giving(rule: FilterRule, occasion: Giving, filters: Filters) -> Part:
    """Compile `may_be_given` and `scope_counts` for the project of the filters."""
    if filters.project is None:
        return VOUCHED, []
    learned = f"m.project = (select row from project where id = ?) and {LEARNED}"
    undisputed = f" and not {DISPUTED}" if occasion is Giving.ALWAYS else ""
    return f"({VOUCHED} or ({learned}{undisputed}))", [filters.project]


#: Each test as SQL; a single-file store has no owners, so everything in it is shared.
_COMPILED: dict[Test, Callable[[FilterRule, Any, Filters], Part]] = {
    Test.REACH: lambda rule, value, filters: reach(filters),
    Test.OWNER: lambda rule, value, filters: ("1", []),
    Test.ONE_OF: _one_of,
    Test.TAGS: lambda rule, values, filters: _tagged(values),
    Test.PATTERNS: lambda rule, values, filters: _each_of("scope", values),
    Test.COVERS: _covers,
    Test.AT_LEAST: _bound(">="),
    Test.BELOW: _bound("<"),
    Test.JUDGED: lambda rule, wanted, filters: (f"(m.worked + m.failed + m.partial > 0) = {int(wanted)}", []),
    Test.UNREPLACED: lambda rule, value, filters: (f"(m.status <> 'active' or not {superseded('m')})", []),
    Test.PROPOSED: lambda rule, value, filters: (_PROPOSED, []),
    Test.EXACTLY: _exactly,
    Test.LABELLED: lambda rule, value, filters: ("(m.scope <> '[]' or m.tags <> '[]')", []),
    Test.CITING: lambda rule, value, filters: ("m.citations <> '[]'", []),
    Test.GIVING: _giving,
    Test.DRIFTED: lambda rule, value, filters: (_DRIFTED, []),
    Test.UNFORGOTTEN: lambda rule, value, filters: ("m.reason is not 'forgotten'", []),
}


def reach(filters: Filters, project: str = "m.project", only_own: bool = False) -> tuple[str, list[Any]]:
    """Compile the projects to search, by the name of the project column in the statement."""
    ids = project_ids(filters)
    if ids is None:
        return "1", []
    if ids == (None,):
        return f"{project} is null", []
    own = f"{project} = (select row from project where id = ?)"
    return own if only_own else f"({project} is null or {own})", [filters.project]


def project_ids(filters: Filters) -> tuple[str | None, ...] | None:
    """Return the ids of the projects to search, including None for no project; None for all."""
    if filters.reach is Reach.ALL:
        return None
    if filters.reach is Reach.GLOBAL or filters.project is None:
        return (None,)
    return filters.project, None
