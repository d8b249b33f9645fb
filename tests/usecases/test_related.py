"""What lies close to a memory."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Reach
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.usecases.recall.related import related
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive

TEXTS = (
    "The build needs Java 21",
    "Gradle takes its JVM from the toolchain setting",
    "Penguins eat fish",
)


@pytest.fixture
def keep(engine, agent):
    def keep_(content, project=None):
        return add(engine, Draft(content=content, on_duplicate=OnDuplicate.KEEP), agent, project).id

    return keep_


def test_the_nearest_come_first_without_the_memory_itself(engine, keep):
    java, gradle, penguins = map(keep, TEXTS)
    found = related(engine, java[:9], Filters())

    assert (found.id, found.mode) == (java, "semantic")
    assert [hit.memory.id for hit in found.hits] == [gradle, penguins]
    assert found.hits[0].score > found.hits[1].score
    assert len(related(engine, java, Filters(), limit=1).hits) == 1


def test_looking_never_counts_as_use(engine, keep):
    java, gradle, _ = map(keep, TEXTS)
    related(engine, java, Filters())

    assert [(m.recall_count, m.use_count) for m in engine.store.memories.get([java, gradle])] == [
        (0, 0),
        (0, 0),
    ]


def test_the_archive_and_other_projects_are_left_out(engine, keep, agent):
    java, gradle, penguins = map(keep, TEXTS)
    project = Project(id="id-shop", key="example.com/shop", name="shop")
    with engine.store.writing():
        engine.store.projects.save(project, engine.now())
    keep("The shop is built with Java", project)
    archive(engine, [gradle], agent)
    found = related(engine, java, Filters(reach=Reach.GLOBAL))

    assert [hit.memory.id for hit in found.hits] == [penguins]


def test_the_best_passage_of_a_long_text_decides(engine, keep):
    ferries = " ".join(f"Ferry {n} crosses the strait in winter and waits at the pier." for n in range(20))
    birds = " ".join(f"Penguin {n} dives for small fish and eats it." for n in range(20))
    long = keep(f"{ferries} {birds}")
    penguins = keep("Penguins eat fish")
    keep("Invoices are rounded to whole cents")

    (best, other) = related(engine, penguins, Filters()).hits
    assert best.memory.id == long
    assert best.score > other.score + 0.3
    assert related(engine, long, Filters()).hits[0].memory.id == penguins


def test_a_memory_without_a_vector_is_embedded_for_the_question(engine, keep):
    java, gradle, _ = map(keep, TEXTS)
    with engine.store.writing():
        engine.store.vectors.drop([java])

    assert related(engine, java, Filters()).hits[0].memory.id == gradle


def test_without_a_model_words_decide(keyword_engine, agent):
    first = add(keyword_engine, Draft(content="The build needs Java 21"), agent).id
    second = add(keyword_engine, Draft(content="Java is needed by the importer"), agent).id
    add(keyword_engine, Draft(content="Penguins eat fish"), agent)
    found = related(keyword_engine, first, Filters())

    assert found.mode == "keyword"
    assert [hit.memory.id for hit in found.hits] == [second]


@pytest.mark.parametrize("limit", [0, 101])
def test_the_limit_has_bounds(engine, keep, limit):
    with pytest.raises(InvalidInput, match="between 1 and 100"):
        related(engine, keep("Penguins eat fish"), Filters(), limit)
