"""What the fifth design says about types, layers, decay and scope, row by row."""

from __future__ import annotations

import pytest

from memory_layer.model.context import ContextLayer, ContextOrder, ContextQuery
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.runs import Recipe
from memory_layer.model.vocabulary import Category, Outcome, Priority, Status
from memory_layer.rules.lifecycle import activation_of
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive, reinforce
from memory_layer.usecases.upkeep.consolidate import consolidate
from memory_layer.usecases.who.lookup import read_memory

EVERYWHERE = ContextScope(Reach.ALL)


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def kept(engine, person):
    def kept_(text, category=Category.FACT, **fields):
        return add(engine, Draft(text, category, **fields), person).id

    return kept_


@pytest.fixture
def layer_of(engine, agent):
    """Which layer gives each memory of a context."""

    def layer_of_(**wanted):
        wanted = {"order": ContextOrder.S4, "peek": True, **wanted}
        found = context(engine, ContextQuery(**wanted), agent, EVERYWHERE)
        return {line.memory.id: line.layer for line in found.lines}

    return layer_of_


@pytest.mark.parametrize(
    ("category", "priority"),
    [
        (Category.POLICY, Priority.CRITICAL),
        (Category.WORKFLOW, Priority.HIGH),
        (Category.PITFALL, Priority.HIGH),
        (Category.ARCHITECTURE, Priority.HIGH),
        (Category.DECISION, Priority.MEDIUM),
        (Category.PREFERENCE, Priority.MEDIUM),
        (Category.FACT, Priority.NORMAL),
    ],
    ids=lambda value: value.value,
)
def test_policy_is_critical_workflow_pitfall_architecture_high_decision_preference_medium_fact_normal(
    engine, kept, category, priority
):
    assert read_memory(engine.store, kept("a rule of the house", category)).priority is priority


@pytest.mark.parametrize(
    ("category", "priority", "always"),
    [
        (Category.POLICY, None, True),
        (Category.ARCHITECTURE, None, True),
        (Category.PREFERENCE, None, False),
        (Category.PREFERENCE, Priority.HIGH, True),
        (Category.POLICY, Priority.MEDIUM, False),
        (Category.ARCHITECTURE, Priority.NORMAL, False),
        (Category.PITFALL, None, False),
        (Category.WORKFLOW, None, False),
        (Category.FACT, Priority.CRITICAL, False),
    ],
)
def test_layer_a_holds_all_policy_architecture_and_preference_memories_with_priority_high_or_more(
    kept, layer_of, category, priority, always
):
    memory = kept("the harbour opens at six", category, priority=priority)

    assert layer_of()[memory] is (ContextLayer.BASELINE if always else ContextLayer.CONTEXTUAL)


def test_layer_a_is_always_injected_whatever_the_task_is(kept, layer_of):
    rule = kept("never commit secrets", Category.POLICY)
    fact = kept("cranes are painted yellow")

    for task in ("tune the parser", "why are cranes yellow", None):
        assert layer_of(task=task) == {rule: ContextLayer.BASELINE, fact: ContextLayer.CONTEXTUAL}


def test_layer_a_is_sorted_by_priority_descending_then_by_score(kept, layer_of, clock):
    older = kept("the house has two wings", Category.ARCHITECTURE)
    wish = kept("short answers", Category.PREFERENCE, priority=Priority.HIGH)
    rule = kept("never push to main", Category.POLICY)

    assert list(layer_of()) == [rule, older, wish]  # 1.5 of a critical one, then 1.3 before 1.0


def test_layer_b_scores_type_weight_times_decay_times_reinforcement(engine, agent, person, kept, clock):
    once = kept("the port is 8081", Category.PITFALL)
    often = kept("the queue is called harbour", Category.PITFALL)
    reinforce(engine, [often], person)
    clock.pass_(days=90)

    scores = {
        line.memory.id: line.score
        for line in context(engine, ContextQuery(peek=True), agent, EVERYWHERE).lines
    }
    assert scores[once] == pytest.approx(1.4 * 0.5 * 1.0)
    assert scores[often] == pytest.approx(1.4 * 0.5 * 1.6931, abs=1e-3)


def test_only_memories_above_the_threshold_of_03_inject(kept, layer_of, clock):
    fact, pitfall = kept("the port is 8081"), kept("the queue deadlocks", Category.PITFALL)
    assert set(layer_of()) == {fact, pitfall}

    clock.pass_(days=143)  # 0.9 halves to 0.3 in 142.6 days, 1.4 in 200
    assert set(layer_of()) == {pitfall}
    clock.pass_(days=58)
    assert layer_of() == {}


def test_policy_and_architecture_never_decay(kept, layer_of, clock):
    rule = kept("never push to main", Category.POLICY)
    clock.pass_(days=3650)

    assert layer_of() == {rule: ContextLayer.BASELINE}


@pytest.fixture
def way(engine, agent):
    """Keep a procedure of these steps that worked so often."""

    def way_(name, *steps, worked=0):
        memory = save(engine, Recipe(name, steps), agent).procedure.id
        for _ in range(worked):
            record_outcome(engine, [memory], OutcomeReport(Outcome.WORKED), agent)
        return memory

    return way_


def test_layer_c_gives_the_top_3_workflows_matched_by_the_task(way, layer_of):
    deploys = [
        way(f"deploy the {name} service", "build", "push", "watch")
        for name in ("crane", "harbour", "gate", "ferry")
    ]
    way("bake bread", "flour", "water", "salt")

    found = layer_of(task="deploy a service")

    assert set(found.values()) == {ContextLayer.PROCEDURE}
    assert len(found) == 3
    assert set(found) < set(deploys)
    assert layer_of() == {}  # nothing is matched where there is no task


def test_proven_workflows_are_ranked_first(way, layer_of):
    untried = way("deploy the harbour service by hand", "copy", "restart")
    proven = way("deploy the harbour service with the pipeline", "tag", "wait", worked=1)

    assert list(layer_of(task="deploy the harbour service")) == [proven, untried]


def test_a_context_has_800_tokens_at_most_unless_said_otherwise(engine, agent, kept):
    for number in range(80):
        kept(f"rule {number}: the harbour crane number {number} is serviced on day {number}", Category.POLICY)

    found = context(engine, ContextQuery(), agent, EVERYWHERE)

    assert (found.budget, found.left_out > 0) == (800, True)
    assert 700 < found.tokens <= 800


def test_layers_compete_for_the_budget_a_then_b_then_c(kept, way, layer_of):
    rules = [
        kept(f"rule {number}: harbour cranes rest on day {number}", Category.POLICY) for number in range(3)
    ]
    facts = [kept(f"fact {number}: harbour cranes lift {number} tons") for number in range(3)]
    ways = [way("move harbour cranes", "lift", "turn", "lower")]
    task = "harbour cranes"
    order = [*[ContextLayer.BASELINE] * 3, *[ContextLayer.CONTEXTUAL] * 3, ContextLayer.PROCEDURE]

    assert list(layer_of(task=task).values()) == order
    held = [list(layer_of(task=task, budget=budget).values()) for budget in range(60, 240)]
    rooms = [each.count(ContextLayer.BASELINE) for each in held]
    assert all(each == sorted(each, key=order.index) for each in held)
    assert rooms == sorted(rooms)
    assert {tuple(each) for each in held} >= {tuple(order[:1]), tuple(order[:4]), tuple(order)}
    assert set(layer_of(task=task)) == {*rules, *facts, *ways}


def test_the_score_halves_every_90_days_without_access(engine, kept, clock):
    memory = read_memory(engine.store, kept("the port is 8081"))
    today = activation_of(memory, clock())

    assert activation_of(memory, clock()) == 0.9
    clock.pass_(days=90)
    assert activation_of(memory, clock()) == pytest.approx(today / 2)
    clock.pass_(days=90)
    assert activation_of(memory, clock()) == pytest.approx(today / 4)


def test_an_access_is_a_touch_but_no_confirmation(engine, agent, kept, clock):
    memory = kept("the port is 8081")
    clock.pass_(days=90)
    search(engine, Query("port 8081"), agent)

    found = read_memory(engine.store, memory)
    assert activation_of(found, clock()) == 0.9
    assert found.reinforcement_count == 1  # measured: what counts recalls feeds on itself


def test_remember_this_resets_the_decay_timer(engine, person, kept, clock):
    memory = kept("the port is 8081")
    clock.pass_(days=90)
    reinforce(engine, [memory], person)

    assert activation_of(read_memory(engine.store, memory), clock()) == pytest.approx(0.9 * 1.6931, abs=1e-3)


def test_consolidation_archives_memories_with_a_score_below_01(engine, agent, person, kept, clock):
    memory, rule = (
        add(engine, Draft("the port is 8081"), agent).id,
        kept("never push to main", Category.POLICY),
    )
    clock.pass_(days=286)  # 0.9 falls below 0.1 in 285.3 days
    consolidate(engine, person)

    assert read_memory(engine.store, memory).status is Status.ARCHIVED
    assert read_memory(engine.store, rule).status is Status.ACTIVE


def test_archived_memories_are_still_searchable_but_never_auto_inject(engine, person, agent, kept, layer_of):
    memory = kept("the port is 8081")
    archive(engine, [memory], person)

    everything = Filters(statuses=(Status.ACTIVE, Status.ARCHIVED))
    assert [hit.memory.id for hit in search(engine, Query("port 8081", everything), agent).hits] == [memory]
    assert layer_of(task="port 8081") == layer_of() == {}


def test_scope_matches_file_paths_with_glob_patterns(kept, layer_of):
    core = kept("the core needs the full test run", scope=("src/core/**/*.py",))
    docs = kept("docs are written in the present", scope=("docs/",))
    anywhere = kept("the port is 8081")

    assert list(layer_of(paths=("src/core/io/read.py",))) == [core, anywhere]
    assert list(layer_of(paths=("docs/index.md",))) == [docs, anywhere]
    assert set(layer_of()) == {core, docs, anywhere}


def test_what_applies_to_the_file_comes_first_also_with_a_task(kept, layer_of):
    anywhere = kept("the upload retries the upload until the upload is done")
    core = kept("the upload holds a lock", scope=("src/core/**",))

    assert list(layer_of(task="the upload", paths=("src/core/a.py",))) == [core, anywhere]


@pytest.mark.parametrize("text", ["harbour", "quay", "wharf"])
def test_scoped_queries_match_content_tags_and_scope(engine, agent, kept, text):
    memory = kept("the harbour crane", tags=("quay",), scope=("src/wharf/**",))

    assert [hit.memory.id for hit in search(engine, Query(text), agent).hits] == [memory]
