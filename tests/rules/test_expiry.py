"""What the second design says about expiration, sentence by sentence."""

from __future__ import annotations

from datetime import timedelta

import pytest

from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Query
from memory_layer.model.review import Choice, Decision, Matter
from memory_layer.model.vocabulary import Category, Status
from memory_layer.usecases.govern.decide import decide
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import approve
from memory_layer.usecases.who.lookup import read_memory


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def kept(engine, agent):
    def kept_(category=Category.GENERAL, **fields):
        draft = Draft("Full test suite required in the core", category=category, **fields)
        return read_memory(engine.store, add(engine, draft, agent).id)

    return kept_


@pytest.mark.parametrize(
    ("category", "days"),
    [
        (Category.WARNING, 90),
        (Category.LEARNING, 180),
        (Category.CONTEXT, 30),
        (Category.PROGRESS, 30),
        (Category.TODO, 30),
    ],
)
def test_a_warning_expires_after_90_days_a_learning_after_180_and_a_context_after_30(
    engine, agent, kept, clock, category, days
):
    memory = kept(category)
    assert memory.expires_at == clock() + timedelta(days=days)

    clock.pass_(days=days, seconds=-1)
    assert search(engine, Query("test suite"), agent).hits
    clock.pass_(seconds=1)
    assert not search(engine, Query("test suite"), agent).hits


@pytest.mark.parametrize("category", [Category.PATTERN, Category.CONVENTION, Category.FACT, Category.GENERAL])
def test_a_pattern_and_whatever_has_no_number_of_its_own_never_expires(engine, agent, kept, clock, category):
    assert kept(category).expires_at is None

    clock.pass_(days=10_000)
    assert search(engine, Query("test suite"), agent).hits


def test_approval_gives_a_warning_another_90_days(engine, kept, clock, person):
    memory = kept(Category.WARNING)
    clock.pass_(days=60)
    (approved,) = approve(engine, [memory.id], person)

    assert approved.expires_at == clock() + timedelta(days=90)


@pytest.fixture
def strict(keyword_engine, tmp_path):
    """The engine in a project whose warnings last 7 days, and that project."""
    (tmp_path / "harbour").mkdir()
    (tmp_path / "harbour" / ".memory-layer.toml").write_text("[memory.defaultExpiry]\nwarning = 7\n")
    return keyword_engine, Project("harbour", "git.example/harbour", "harbour", str(tmp_path / "harbour"))


@pytest.mark.parametrize(("by_project", "approved_for"), [(7, 90), (120, 120)])
def test_expiration_can_be_adjusted_per_project_but_not_shortened_for_what_a_person_approves(
    strict, tmp_path, agent, person, clock, by_project, approved_for
):
    file = tmp_path / "harbour" / ".memory-layer.toml"
    file.write_text(f"[memory.defaultExpiry]\nwarning = {by_project}\n")
    engine, project = strict
    memory = read_memory(
        engine.store, add(engine, Draft("The crane is loud", category=Category.WARNING), agent, project).id
    )
    assert memory.expires_at == clock() + timedelta(days=by_project)

    clock.pass_(days=3)
    (approved,) = approve(engine, [memory.id], person)
    assert approved.expires_at == clock() + timedelta(days=approved_for)


@pytest.mark.parametrize("decision", [Decision.RENEW, Decision.ARCHIVE])
def test_expiration_can_be_adjusted_per_project_until_a_person_renews_a_memory_for_their_own_term(
    strict, agent, person, clock, decision
):
    engine, project = strict
    added = add(engine, Draft("The crane is loud", category=Category.WARNING), agent, project)
    clock.pass_(days=8)

    (item,) = review(engine, Filters()).items
    assert (item.kind, item.memory.id, item.offers) == (
        Matter.EXPIRED,
        added.id,
        (Decision.RENEW, Decision.ARCHIVE),
    )
    decide(engine, Choice(added.id, decision), person)

    memory = read_memory(engine.store, added.id)
    lasting = memory.expires_at == clock() + timedelta(days=90)
    assert (lasting, memory.status is Status.ACTIVE) == ((decision is Decision.RENEW,) * 2)
    assert review(engine, Filters()).total == 0
