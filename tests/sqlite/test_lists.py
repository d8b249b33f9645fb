"""Pages of lists and counts beside them, each compared with reading every memory."""

from __future__ import annotations

import random
from collections import Counter
from datetime import timedelta

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.lists import SORTS, Wording
from memory_layer.model.memory import Link, Project
from memory_layer.model.outcome import drifted
from memory_layer.model.query import EXPIRING_DAYS, HIGH, LOW, Filters, Reach
from memory_layer.model.vocabulary import Category, LinkKind, Reason, Source, Status
from memory_layer.usecases.remember.new_memory import terms_of
from tests.conftest import NOON

MEMORIES = 60
WORDS = "anchor beacon current drift ebb ferry".split()
EVERYTHING = Filters(statuses=(), expired=True, superseded=True)
FILTERS = {
    "as agents see it": Filters(),
    "everything": EVERYTHING,
    "a project": Filters(reach=Reach.PROJECT, project="id-one"),
    "global ones": Filters(reach=Reach.GLOBAL),
    "two categories": Filters(categories=(Category.GOTCHA, Category.POLICY)),
    "the archive": Filters(statuses=(Status.ARCHIVED,)),
    "asked to be archived": Filters(statuses=(), reasons=(Reason.ASKED,)),
    "a source and a writer": Filters(sources=(Source.HUMAN,), writers=("ann",)),
    "judged": Filters(has_outcome=True),
    "never judged": Filters(has_outcome=False, statuses=()),
    "a tag": Filters(tags=("Even",)),
    "two tags": Filters(tags=("even", "third"), statuses=()),
    "trusted": Filters(min_confidence=0.8),
    "lately": Filters(after=NOON - timedelta(days=20)),
    "a path": Filters(paths=("src/a.py",)),
}
KEYS = {
    "created": lambda each: each.created_at,
    "updated": lambda each: each.updated_at,
    "score": lambda each: drifted(each.outcome_score, each.last_used_at, NOON),
    "used": lambda each: each.use_count + each.recall_count,
    "category": lambda each: each.category.value,
    "project": lambda each: each.project or "",
    "confidence": lambda each: each.confidence,
}


@pytest.fixture
def filled(store, put):
    """Store memories of all kinds; return them in the order in which they were stored."""
    chance = random.Random(7)
    with store.writing():
        for name in ("one", "two"):
            store.projects.save(Project(id=f"id-{name}", key=f"host/{name}", name=name), NOON)
    with store.writing():  # one commit for all
        made = [
            put(f"{WORDS[at % 6]} {WORDS[at // 6 % 6]} number {at}", **_fields(chance, at))
            for at in range(MEMORIES)
        ]
    with store.writing():
        for old, new in ((3, 4), (10, 11), (20, 21)):
            store.links.put(Link(made[new].id, made[old].id, LinkKind.SUPERSEDES, NOON))
    return made


def _fields(chance, at):
    score = chance.choice([0.0, 0.0, 0.2, 0.8, -0.3, -0.9])
    stored = NOON - timedelta(days=chance.randrange(60), minutes=at % 3)
    status = chance.choice([Status.ACTIVE] * 4 + [Status.ARCHIVED, Status.STAGED])
    reasons = {Status.ACTIVE: None, Status.ARCHIVED: Reason.ASKED, Status.STAGED: Reason.REVIEW}
    return {
        "project": chance.choice([None, "host/one", "host/two"]),
        "category": chance.choice([Category.GOTCHA, Category.POLICY, Category.FACT]),
        "status": status,
        "reason": reasons[status],
        "source": chance.choice([Source.HUMAN, Source.AGENT]),
        "writer": chance.choice(["ann", "codex"]),
        "confidence": chance.choice([0.5, 0.8, 1.0]),
        "tags": tuple(tag for tag, divisor in (("even", 2), ("third", 3)) if at % divisor == 0),
        "scope": ("docs/**",) if at % 5 == 0 else (),
        "expires_at": NOON + timedelta(days=chance.randrange(-5, 20)) if at % 4 == 0 else None,
        "outcome_score": score,
        "worked": int(score > 0),
        "failed": int(score < 0),
        "use_count": int(score != 0),
        "last_used_at": NOON - timedelta(days=chance.randrange(90)) if score else None,
        "recall_count": chance.choice([0, 0, 3, 5]),
        "created_at": stored,
        "updated_at": stored + timedelta(days=chance.randrange(3)),
    }


def matching(store, filters, wording=Wording()):  # noqa: B008 - it never changes
    """Return what a list has to contain, by the condition of the searches."""
    ids, after = [], None
    while True:
        page = store.memories.page(filters, NOON, "stored", 50, after)
        ids += [each for each in page.items if _contains(each, wording)]
        if (after := page.next) is None:
            return ids


def _contains(memory, wording):
    terms = terms_of(memory)
    known = {*terms.body.split(), *terms.labels.split()}
    last = not (wording.last or wording.prefix) or any(
        term in wording.last or (wording.prefix and term.startswith(wording.prefix)) for term in known
    )
    return known >= {*wording.terms} and last and all(text in memory.content for text in wording.texts)


def pages(store, filters, sort, limit, **how):
    """Yield all pages of a list."""
    after = None
    while True:
        page = store.memories.page(filters, NOON, sort, limit, after, **how)
        yield page
        if (after := page.next) is None:
            return


@pytest.fixture(params=[None, 0], ids=["few", "as in a large store"])
def size(request, monkeypatch):
    """Read lists as in a small store, and as if there were far more."""
    if request.param is not None:
        monkeypatch.setattr("memory_layer.store.sqlite.lists.FEW", request.param)
        monkeypatch.setattr("memory_layer.store.sqlite.matching.FEW", request.param)


@pytest.mark.parametrize("ascending", [False, True], ids=["descending", "ascending"])
@pytest.mark.parametrize("sort", SORTS)
def test_pages_hold_every_match_once_in_order(store, filled, size, sort, ascending):
    rows = {each.id: number for number, each in enumerate(filled)}
    for name, filters in FILTERS.items():
        expected = sorted(
            matching(store, filters),
            key=lambda each: (KEYS[sort](each), rows[each.id]),
            reverse=not ascending,
        )
        read = list(pages(store, filters, sort, 7, ascending=ascending))
        assert [each.id for page in read for each in page.items] == [each.id for each in expected], name
        assert {page.total for page in read} == {len(expected)}, name


@pytest.mark.parametrize(
    "wording",
    [
        Wording(terms=("anchor",)),
        Wording(terms=("anchor", "beacon")),
        Wording(last=("fer",), prefix="fer"),
        Wording(terms=("number",), texts=("beacon number",)),
        Wording(terms=("nowher",)),
    ],
    ids=str,
)
@pytest.mark.parametrize("sort", ["created", "score", "category", "project"])
def test_words_narrow_a_list(store, filled, size, sort, wording):
    for name in ("as agents see it", "everything", "a project", "a tag"):
        expected = {each.id for each in matching(store, FILTERS[name], wording)}
        read = list(pages(store, FILTERS[name], sort, 4, wording=wording))
        found = [each.id for page in read for each in page.items]
        assert (len(found), {*found}) == (len(expected), expected), name
        assert {page.total for page in read} == {len(expected)}, name


@pytest.mark.parametrize("wording", [Wording(), Wording(terms=("anchor",))], ids=["all", "words"])
def test_facets_count_exactly_what_the_list_holds(store, filled, size, wording):
    for name, filters in FILTERS.items():
        listed = matching(store, filters, wording)
        facets = store.memories.facets(filters, NOON, wording)
        assert facets.total == len(listed), name
        for field in ("category", "status", "source", "writer"):
            assert getattr(facets, field) == Counter(getattr(each, field) for each in listed), (name, field)
        assert facets.project == Counter(each.project or "" for each in listed), name
        assert facets.tag == Counter(tag for each in listed for tag in each.tags), name
        judged = Counter("true" if each.worked + each.failed else "false" for each in listed)
        assert facets.reports == judged, name


def test_totals_and_scores_are_those_of_the_memories(store, filled):
    for name, filters in FILTERS.items():
        listed = matching(store, filters)
        scores = [drifted(each.outcome_score, each.last_used_at, NOON) for each in listed]
        found = store.memories.scores(filters, NOON)
        soon = NOON + timedelta(days=EXPIRING_DAYS)
        ending = [each for each in listed if each.status is Status.ACTIVE and each.expires_at]
        assert found.total == pytest.approx(sum(scores)), name
        assert found.high == sum(score > HIGH for score in scores), name
        assert found.low == sum(score < LOW for score in scores), name
        assert found.expiring == sum(NOON <= each.expires_at <= soon for each in ending), name
        assert sum(each.memories for each in store.memories.totals(filters, NOON)) == len(listed), name
        assert store.memories.count(filters, NOON) == len(listed), name


def test_a_cursor_of_another_order_is_refused(store, filled):
    after = store.memories.page(Filters(), NOON, "category", 5, None).next

    with pytest.raises(InvalidInput, match="not a cursor of this list"):
        store.memories.page(Filters(), NOON, "created", 5, after)


def test_words_of_very_many_memories_are_listed_without_a_total(store, filled, monkeypatch):
    for place in ("matching", "counting"):
        monkeypatch.setattr(f"memory_layer.store.sqlite.{place}.MOST_COUNTED", 5)
    monkeypatch.setattr("memory_layer.store.sqlite.matching.FEW", 2)
    wording = Wording(terms=("number",))
    read = list(pages(store, Filters(), "created", 7, wording=wording))

    assert {page.total for page in read} == {None}
    assert len([each for page in read for each in page.items]) == len(matching(store, Filters(), wording))
