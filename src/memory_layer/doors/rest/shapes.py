"""The answers of the REST interface as JSON Schemas, each as `doors/wire.py` and its neighbours write it."""

from __future__ import annotations

from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import (
    ANYTHING,
    COUNTS,
    FLAG,
    NUMBER,
    TEXT,
    TEXTS,
    WHOLE,
    Schema,
    extended,
    items_of,
    members,
    named,
    of_kind,
    optional,
    page_of,
    record,
    unnamed,
)
from memory_layer.model.access import AccessToken
from memory_layer.model.history import Difference, Operation, PassedOver, Undone, Version
from memory_layer.model.lists import Facets, Week
from memory_layer.model.memory import Added, Change, Citation, Link, Memory, Project
from memory_layer.model.outcome import Experience, OutcomeEvent
from memory_layer.model.overview import Overview
from memory_layer.model.query import Ranks, Reports, Signal, Stats, WordCount
from memory_layer.model.review import Decided, Waiting
from memory_layer.model.sources import SourceState, Verified
from memory_layer.model.upkeep import Consolidated
from memory_layer.model.vocabulary import Category, Family, Priority

CATEGORY = of_kind(Category)

_PLACE: dict[str, Schema] = {
    "path": optional(TEXT),
    "first_line": optional(WHOLE),
    "last_line": optional(WHOLE),
}
CITATION = named(
    "Citation",
    extended(
        unnamed(record(Citation)),
        {
            "state": of_kind(SourceState),
            "now": members({**_PLACE, "url": TEXT}),
        },
    ),
)
#: A citation beside a hit, of which only the place is told.
CITED = named(
    "Cited",
    members(
        {**CITATION["properties"], "url": optional(TEXT)},
        state=of_kind(SourceState),
    ),
)
MEMORY = named("Memory", record(Memory, citations=items_of(CITATION)))
PART = named(
    "MemoryPart",
    members(
        {"reason": MEMORY["properties"]["reason"]},
        **{name: MEMORY["properties"][name] for name in wire.HIT_FIELDS},
    ),
)
NEW_TOKEN = members(token=record(AccessToken), secret=TEXT)
_REST_OF_MEMORY = {
    name: schema for name, schema in MEMORY["properties"].items() if name not in wire.HIT_FIELDS
}
SIGNAL = record(Signal)
HIT = named(
    "Hit",
    members(
        {
            **_REST_OF_MEMORY,
            "citations": items_of(CITED),
            "signals": items_of(SIGNAL),
            "experience": optional(record(Experience)),
            "query_words": optional(record(WordCount)),
            "ranks": record(Ranks),
            "group": optional(TEXT),
            "more": WHOLE,
        },
        **{name: MEMORY["properties"][name] for name in wire.HIT_FIELDS},
        score=NUMBER,
        match=NUMBER,
        strength=TEXT,
        failing=FLAG,
        conflicts=TEXTS,
        citation=optional(of_kind(SourceState)),
    ),
)
FOUND = members(
    {"group_by": TEXT, "duplicates": WHOLE, "left_out": WHOLE},
    recall=optional(TEXT),
    mode=TEXT,
    ranker=TEXT,
    hits=items_of(HIT),
)
NEAR_MISS = named(
    "NearMiss",
    members(
        **{name: MEMORY["properties"][name] for name in wire.HIT_FIELDS},
        score=NUMBER,
        reason=TEXT,
        words=TEXT,
    ),
)
_PLAIN_HITS = items_of(named("PlainHit", extended(unnamed(PART), score=NUMBER, ranks=record(Ranks))))
_EXPLANATION = {
    "intent": optional(CATEGORY),
    "near_misses": items_of(NEAR_MISS),
    "by_words": _PLAIN_HITS,
    "by_meaning": _PLAIN_HITS,
    "took": members(embedding_ms=NUMBER, rest_ms=NUMBER),
    "notice": optional(TEXT),
}
EXPLAINED = extended(FOUND, **_EXPLANATION)
SEARCHED = extended(FOUND, _EXPLANATION)
SCORED = extended(PART, score=NUMBER)
RELATED = members(id=TEXT, mode=TEXT, hits=items_of(SCORED))

LINK = named("Link", record(Link, without="attention"))
LINKS = page_of(LINK)
ADDED = named(
    "Added",
    extended(record(Added, without="reason hint question"), {"reason": TEXT, "hint": TEXT, "question": TEXT}),
)
EDITED = members({"hint": TEXT}, memory=MEMORY, redacted=TEXTS)
TRACES = members(
    id=TEXT,
    content=TEXT,
    versions=WHOLE,
    links=WHOLE,
    outcomes=WHOLE,
    recalls=WHOLE,
    copies=TEXTS,
    lives_on=optional(TEXT),
)
FORGOTTEN = members({"swept": FLAG}, erased=FLAG, memories={"anyOf": [items_of(TRACES), items_of(MEMORY)]})
CURATED = extended(MEMORY, {"notice": TEXT})
SETTLED = members(id=TEXT, status=TEXT, notice=TEXT)
DETAILS = members(
    memory=MEMORY,
    links=items_of(LINK),
    outcomes=items_of(record(OutcomeEvent)),
    superseded_by=optional(TEXT),
    failing=FLAG,
)
DIFFERENCE = named(
    "Difference",
    extended(
        record(Difference, without="pieces"),
        {"pieces": record(Difference)["properties"]["pieces"]},
    ),
)
VERSION = named("Version", record(Version, changes=items_of(DIFFERENCE), memory=MEMORY))
HISTORY = members(id=TEXT, versions=items_of(VERSION), next=optional(TEXT))
_STATS = (
    "reach project total active archived staged by_category by_tier average_outcome tokens_stored size_bytes"
    " search_mode given_out expiring upkeep"
).split()
STATS = named(
    "Stats",
    members(
        **{name: record(Stats)["properties"][name] for name in _STATS},
        by_family=members(dict.fromkeys((each.value for each in Family), WHOLE)),
        outcomes=members(high=WHOLE, neutral=WHOLE, low=WHOLE),
    ),
)
FACETS = named("Facets", members(total=WHOLE, **{name: COUNTS for name in Facets._fields if name != "total"}))
WEEKLY = named(
    "Weekly",
    members(
        items=items_of(record(Week, week={"type": "string", "format": "date"})),
        before=record(Reports),
    ),
)
OVERVIEW = record(Overview, stats=STATS)

WAITING = named("Waiting", record(Waiting, memory=MEMORY, other=optional(MEMORY)))
QUEUE = page_of(WAITING, by_kind=COUNTS)
DECIDED = record(Decided, without="operation notice", memories=items_of(MEMORY))
OPERATION = named("Operation", record(Operation, actions=COUNTS))
UNDONE = record(
    Undone,
    without="operation",
    memories=items_of(MEMORY),
    actions=COUNTS,
    passed_over=items_of(record(PassedOver)),
)
ENTRY = named(
    "AuditEntry",
    extended(
        unnamed(record(Change)),
        undoes=optional(TEXT),
        about=items_of(members(id=TEXT, content=TEXT)),
        said=optional(TEXT),
        confirmed_by=optional(TEXT),
    ),
)
PROJECT = named(
    "Project",
    extended(record(Project, without="is_stored"), memories=WHOLE, stale=FLAG, registered=TEXTS),
)
VERIFIED = record(
    Verified,
    without="operation",
    findings=items_of(
        members(
            {**_PLACE, "url": TEXT, "now": members({**_PLACE, "url": TEXT})},
            memory=TEXT,
            content=TEXT,
            state=of_kind(SourceState),
        )
    ),
)
CONSOLIDATED = members(
    {name: schema for name, schema in record(Consolidated)["properties"].items() if name != "operation"},
    due=FLAG,
)
SETTING = members(key=TEXT, value=ANYTHING, origin=TEXT, default=ANYTHING, unset=TEXT, meaning=TEXT)
CATEGORY_LINE = members(
    name=CATEGORY,
    family=of_kind(Family),
    aliases=TEXTS,
    meaning=TEXT,
    priority=of_kind(Priority),
    expires_days=optional(NUMBER),
)
