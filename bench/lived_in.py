"""A store as it looks after a year of use: projects, categories, reports, recalls, an archive, what ran out.

Memories and their vectors are those of `bench.filled`; the rest is drawn from a seeded chance.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from bench import given, prose, stores
from bench.filled import opened, put
from memory_layer.model.memory import Draft, Link, Memory, Project
from memory_layer.model.outcome import OutcomeEvent
from memory_layer.model.query import Given, Mode, Recall
from memory_layer.model.vocabulary import Category, LinkKind, Outcome, Reason, Source, Status, WriterKind
from memory_layer.ports.store import New
from memory_layer.usecases.remember.new_memory import new_memory, terms_of

if TYPE_CHECKING:
    from memory_layer.ports import Engine

Word = TypeVar("Word")
DAYS = 365
PROJECTS = tuple(
    Project(f"p{at}", f"github.com/example/{name}", name)
    for at, name in enumerate("harbour ledger lantern orchard quarry relay signal tannery".split())
)
#: How many of a hundred memories belong to each project; the rest is global.
SHARES = (30, 20, 15, 10, 8, 6, 4, 2)
TAGS = tuple(f"topic-{number}" for number in range(300))
WRITERS = ("claude-code", "codex", "cursor", "ann")
MOST_REPORTS = 6
JUDGED, ARCHIVED, WAITING, TAGGED, ENDS, REPLACED = 0.2, 0.1, 0.01, 0.6, 0.02, 0.01
RECALLED = 5  #: memories for each recall
GIVEN = 8  #: memories that a recall gave
AWAY = (Reason.ASKED, Reason.OUTCOME, Reason.EXPIRED, Reason.FADED, Reason.MERGED)


def fill(folder: Path, size: int, fingerprint: str, now: datetime) -> None:
    """Fill the store of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    cloud = given.Clusters()
    with opened(folder) as engine:
        with engine.store.writing():
            for project in PROJECTS:
                engine.store.projects.save(project, now - timedelta(days=DAYS))
        for number, vectors in enumerate(given.blocks(cloud, size)):
            chance = random.Random(number)
            made = list(_block(engine, chance, number, len(vectors), size, now))
            put(
                engine,
                (
                    New(each, terms_of(each), len(each.content) // 4, (fingerprint, vectors[at : at + 1]))
                    for at, each in enumerate(made)
                ),
            )
            _lived(engine, chance, made, now)


def _block(
    engine: Engine, chance: random.Random, number: int, count: int, size: int, now: datetime
) -> Iterator[Memory]:
    first = number * prose.BLOCK
    for at, text in enumerate(prose.memories(first, count), first):
        stored = now - timedelta(days=DAYS) * (1 - at / size) - timedelta(hours=chance.random() * 6)
        yield _memory(engine, chance, text, stored, now)


def _memory(engine: Engine, chance: random.Random, text: str, stored: datetime, now: datetime) -> Memory:
    place = chance.randrange(100)
    bounds = [sum(SHARES[: end + 1]) for end in range(len(SHARES))]
    project = next((PROJECTS[end] for end, bound in enumerate(bounds) if place < bound), None)
    tags = tuple(dict.fromkeys(_often(chance, TAGS) for _ in range(3))) if chance.random() < TAGGED else ()
    category = _often(chance, tuple(Category))
    draft = Draft(
        content=text, tags=tags, category=category, scope=("src/**",) if chance.random() < 0.1 else ()
    )
    memory = new_memory(engine, draft, stores.WRITER, project)
    writer = _often(chance, WRITERS)
    person = writer == "ann"
    source = (
        Source.HUMAN if person else chance.choice((Source.AGENT, Source.AGENT, Source.IMPORT, Source.CAPTURE))
    )
    status, reason = Status.ACTIVE, None
    if chance.random() < ARCHIVED:
        status, reason = Status.ARCHIVED, chance.choice(AWAY)
    elif chance.random() < WAITING:
        status, reason = Status.STAGED, Reason.REVIEW
    ends = None
    if status is Status.ACTIVE and chance.random() < ENDS:
        ends = now + timedelta(days=chance.uniform(-20, 60))
    changed = stored + (now - stored) * chance.random() if chance.random() < 0.1 else stored
    return memory._replace(
        status=status, reason=reason, writer=writer, source=source, expires_at=ends,
        writer_kind=WriterKind.PERSON if person else WriterKind.AGENT,
        confidence=1.0 if person else chance.choice((0.5, 0.7, 0.8, 0.8)),
        created_at=stored, updated_at=changed,
        **_counters(chance, stored, now),
    )  # fmt: skip


def _counters(chance: random.Random, stored: datetime, now: datetime) -> dict[str, Any]:
    if chance.random() > JUDGED:
        return {}
    worked, failed, partial = chance.randrange(MOST_REPORTS), chance.randrange(2), chance.randrange(2)
    last = stored + (now - stored) * chance.random()
    score = round(max(-1.0, min(1.0, 0.2 * worked + 0.05 * partial - 0.3 * failed)), 6)
    return {
        "worked": worked, "failed": failed, "partial": partial, "outcome_score": score,
        "use_count": worked + failed + partial, "last_used_at": last,
        "recall_count": chance.randrange(20), "last_recalled_at": last,
    }  # fmt: skip


def _often(chance: random.Random, words: Sequence[Word]) -> Word:
    """Draw a word; the first ones come most often."""
    return words[int(len(words) * chance.random() ** 2)]


def _lived(engine: Engine, chance: random.Random, made: list[Memory], now: datetime) -> None:
    """Add what happened to a block: its reports, recalls, and what was replaced."""
    log = engine.store.log
    keys = {each.key: each for each in PROJECTS}
    with engine.store.writing():
        for each in made:
            results = (
                [Outcome.WORKED] * each.worked
                + [Outcome.FAILED] * each.failed
                + [Outcome.PARTIAL] * each.partial
            )
            for result in results:
                at = each.created_at + (now - each.created_at) * chance.random()
                log.put_outcome(
                    OutcomeEvent(engine.new_id("out"), each.id, result, True, at, "bench", each.writer)
                )
        for each in chance.sample(made, len(made) // RECALLED):
            given_ = tuple(Given(one, 0.5, {}) for one in chance.sample(made, min(GIVEN, len(made))))
            at = each.created_at + (now - each.created_at) * chance.random()
            question = f"what about {each.content[:60]}"
            engine.store.vectors.put_question(question, at, None, None)
            log.add_recall(
                Recall(
                    engine.new_id("rec"),
                    at,
                    question,
                    "search",
                    Mode.HYBRID,
                    "balanced",
                    each.writer,
                    "bench",
                    keys[each.project].id if each.project else None,
                    len(given_),
                    given_,
                )
            )
        for each in chance.sample(made, int(len(made) * REPLACED)):
            engine.store.links.put(Link(each.id, chance.choice(made).id, LinkKind.SUPERSEDES, now))
