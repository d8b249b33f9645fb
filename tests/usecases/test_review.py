"""What waits for a person: everything, each with its reason, in one order."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft
from memory_layer.model.query import Filters
from memory_layer.model.review import Decision, Matter
from memory_layer.model.sources import Checked, SourceState, Standing
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Outcome, Source
from memory_layer.ports.store import New
from memory_layer.rules.review_queue import OFFERED, PAIRS, SINGLES
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.govern.review import again, review
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.links import link

KNOWN = "Run the test suite with make check before every push."
REPEATED = "Always run the test suite with make check before every push."
CLAIM = "You can merge without a review"
DENIAL = "You must not merge without a review"


def kept(engine, writer, content, **fields):
    return add(engine, Draft(content=content, **fields), writer).id


def held(engine, agent, content="Never deploy on a Friday"):
    return kept(engine, agent, content, category=Category.POLICY)


def waits(engine, **asked):
    return [(item.kind, item.memory.id) for item in review(engine, Filters(), **asked).items]


@pytest.fixture
def everything(engine, agent, person, clock):
    """One thing of each kind, by kind."""
    made = {}
    made[Matter.EXPIRED] = kept(engine, agent, "Finish the ferry timetable", category=Category.TODO)
    clock.pass_(days=31)
    made[Matter.HELD] = held(engine, agent)
    made[Matter.PROPOSED] = kept(engine, agent, "Tests live beside the code", tags=("proposed",))
    kept(engine, agent, KNOWN)
    made[Matter.QUESTION] = kept(engine, agent, REPEATED)
    kept(engine, agent, CLAIM)
    made[Matter.CONFLICT] = kept(engine, agent, DENIAL)
    kept(engine, agent, "Use snake_case for Python names")
    made[Matter.SIMILAR] = kept(
        engine,
        agent,
        "Always use snake_case for Python names",
        source=Source.IMPORT,
        on_duplicate=OnDuplicate.KEEP,
    )
    made[Matter.DRIFTED] = drifted(engine, agent)
    made[Matter.FAILING] = kept(engine, person, "The lighthouse is always staffed")
    for _ in range(2):
        record_outcome(engine, [made[Matter.FAILING]], OutcomeReport(Outcome.FAILED), agent)
    made[Matter.DOUBTFUL] = kept(engine, agent, "The moon may be cheese", confidence=0.2)
    return made


def drifted(engine, agent):
    """A memory whose source was last seen missing."""
    cited = Citation(path="src/tides.py", first_line=1, last_line=2)
    memory_id = kept(engine, agent, "Tides are read from a table", citations=(cited,))
    gone = Checked(cited, SourceState.MISSING, marks=("", ""))
    with engine.store.writing():
        engine.store.log.put_checks({memory_id: Standing((gone,))}, engine.now())
    return memory_id


def test_everything_that_waits_is_there_in_one_order_with_its_reason(engine, everything):
    queue = review(engine, Filters())
    reasons = {item.kind: item.reason for item in queue.items}

    assert [(item.kind, item.memory.id) for item in queue.items] == [
        (kind, everything[kind]) for kind in Matter
    ]
    assert queue.by_kind == dict.fromkeys(Matter, 1)
    assert (queue.total, queue.next) == (9, None)
    assert "a person's approval" in reasons[Matter.HELD]
    assert reasons[Matter.FAILING] == "reported as failed; its score fell to -0.60"
    assert reasons[Matter.DOUBTFUL] == "confidence 0.20 is below 0.3"
    assert reasons[Matter.EXPIRED] == "expired on 2026-04-01"
    assert "contradicts mem_" in reasons[Matter.CONFLICT]
    assert "nobody has compared the two yet" in reasons[Matter.SIMILAR]
    assert reasons[Matter.DRIFTED] == "src/tides.py:1-2 is gone"


def test_a_pair_shows_both_and_how_alike_they_are(engine, everything):
    items = review(engine, Filters()).items
    others = {item.kind: item.other.content for item in items if item.other}
    alike = {item.kind: item.similarity for item in items if item.similarity}

    assert others == {
        Matter.QUESTION: KNOWN,
        Matter.CONFLICT: CLAIM,
        Matter.SIMILAR: "Use snake_case for Python names",
    }
    assert alike.keys() == others.keys()
    assert all(0.5 < similarity <= 1 for similarity in alike.values())


def test_every_kind_is_found_and_has_something_to_decide():
    assert set(OFFERED) == set(Matter) == set(PAIRS) | set(SINGLES)
    assert {decision for offered in OFFERED.values() for decision in offered} == set(Decision)


def test_only_the_kinds_asked_for_are_listed_and_counted(engine, everything):
    queue = review(engine, Filters(), [Matter.EXPIRED, Matter.HELD])

    assert [item.kind for item in queue.items] == [Matter.HELD, Matter.EXPIRED]
    assert queue.by_kind == {Matter.HELD: 1, Matter.EXPIRED: 1}


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 7, 8, 9])
def test_pages_of_any_size_give_the_same_list(engine, everything, limit):
    found, place, pages = [], None, 0
    while pages < 10:
        queue = review(engine, Filters(), limit=limit, after=place)
        found += [item.memory.id for item in queue.items]
        pages, place = pages + 1, queue.next
        assert len(queue.items) <= limit
        assert queue.total == len(Matter)
        if place is None:
            break

    assert found == [everything[kind] for kind in Matter]
    assert pages == -(-len(Matter) // limit)


@pytest.mark.parametrize("place", ["nonsense", "", "WzEsMl0", "WyJoZWxkIiwgNV0", "WyJoZWxkIiwgIngiXQ", "ł"])
def test_a_place_that_is_none_is_refused(engine, place):
    with pytest.raises(InvalidInput, match="not a cursor"):
        review(engine, Filters(), after=place)


def test_a_place_among_kinds_not_asked_for_is_refused(engine, everything):
    place = review(engine, Filters(), limit=1).next

    with pytest.raises(InvalidInput, match="not asked for"):
        review(engine, Filters(), [Matter.EXPIRED], after=place)


@pytest.mark.parametrize("limit", [0, 1001])
def test_a_limit_out_of_range_is_refused(engine, limit):
    with pytest.raises(InvalidInput, match="between 1 and 1000"):
        review(engine, Filters(), limit=limit)


def test_the_newest_of_a_kind_comes_first(engine, agent, clock):
    older = held(engine, agent, "Never deploy on a Friday")
    clock.pass_(hours=1)
    newer = held(engine, agent, "Never push on a Sunday")

    assert waits(engine) == [(Matter.HELD, newer), (Matter.HELD, older)]


def test_a_contradiction_waits_whoever_noted_it(engine, agent, person):
    one, two = kept(engine, agent, "Penguins eat fish"), kept(engine, agent, "Invoices are rounded")
    link(engine, two, LinkKind.CONFLICTS_WITH, one, person)

    assert [item.kind for item in review(engine, Filters()).items] == [Matter.CONFLICT]


def test_a_pair_waits_only_while_both_are_given_out(engine, person, everything, clock):
    newer = everything[Matter.CONFLICT]
    archive(engine, [newer], person)

    assert Matter.CONFLICT not in dict(waits(engine))


def test_what_expired_long_ago_waits_no_more(engine, everything, clock):
    clock.pass_(days=31)

    assert Matter.EXPIRED not in dict(waits(engine))


def test_a_question_whose_known_memory_is_gone_can_still_be_kept_or_dropped(engine, agent):
    known = kept(engine, agent, KNOWN)
    kept(engine, agent, REPEATED)
    archive(engine, [known], agent)
    (item,) = review(engine, Filters()).items

    assert (item.kind, item.other, item.similarity) == (Matter.QUESTION, None, None)
    assert item.offers == (Decision.KEEP, Decision.DROP)


def test_a_question_answered_by_adding_again_does_not_come_back_as_a_pair(engine, agent):
    kept(engine, agent, KNOWN)
    kept(engine, agent, REPEATED)
    answered = add(engine, Draft(content=REPEATED, on_duplicate=OnDuplicate.KEEP), agent)

    assert answered.status == "created"
    assert review(engine, Filters()).total == 0


def test_a_thing_looked_at_again_is_as_it_is_now(engine, agent, person, everything):
    (pair,) = [item for item in review(engine, Filters()).items if item.kind is Matter.CONFLICT]
    archive(engine, [pair.memory.id], person)

    assert again(engine, pair) is None


def test_looking_at_the_queue_changes_nothing(engine, everything):
    head = engine.store.chain.head()
    review(engine, Filters())

    assert engine.store.chain.head() == head


def test_without_a_model_pairs_have_no_similarity(keyword_engine, agent):
    one = kept(keyword_engine, agent, "Penguins eat fish")
    two = kept(keyword_engine, agent, "Penguins eat no fish")
    link(keyword_engine, one, LinkKind.CONFLICTS_WITH, two, agent)
    (item,) = review(keyword_engine, Filters()).items

    assert item.similarity is None


def test_ten_thousand_things_are_read_page_by_page(keyword_engine, agent, clock):
    from memory_layer.model.memory import Memory
    from memory_layer.model.vocabulary import Reason, Status
    from memory_layer.ports import Edit
    from memory_layer.ports.store import IndexedTerms
    from memory_layer.text.compare.duplicates import content_hash
    from memory_layer.wiring import new_id

    store, edit = keyword_engine.store, Edit(agent, "op_many", "add", clock())
    with store.writing():
        for number in range(10_000):
            text = f"Rule number {number}"
            memory = Memory(new_id("mem"), text, content_hash(None, text), clock(), clock())
            memory = memory._replace(status=Status.STAGED, reason=Reason.REVIEW, reason_detail="strong")
            ledger.stage(store, New(memory, IndexedTerms(text, ""), 3), clock())
            ledger.save(store, memory, edit)
    seen, place = set(), None
    while True:
        queue = review(keyword_engine, Filters(), limit=1000, after=place)
        seen |= {item.memory.id for item in queue.items}
        assert len(queue.items) == 1000
        place = queue.next
        if place is None:
            break

    assert len(seen) == queue.total == 10_000
