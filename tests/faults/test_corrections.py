"""Corrections are kept in full, contradictions linked, repetitions noticed: through the whole write path."""

from __future__ import annotations

import pytest

from memory_layer.model.memory import Added, Draft, Project
from memory_layer.model.vocabulary import LinkKind, Status
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.who.lookup import read_memory
from tests.fresh_pairs import FRESH_CORRECTIONS, FRESH_PARAPHRASES
from tests.pairs import CORRECTIONS, PARAPHRASES, Texts


@pytest.fixture
def written(engine, agent):
    """Write the two texts of a pair into a project of their own."""

    def write(number: int, known: str, new: str) -> tuple[Added, Added]:
        project = Project(id=f"id{number}", key=f"example.com/{number}", name=f"p{number}")
        first = add(engine, Draft(content=known), agent, project)
        return first, add(engine, Draft(content=new), agent, project)

    return write


@pytest.mark.parametrize(("name", "pairs"), [("known", CORRECTIONS), ("fresh", FRESH_CORRECTIONS)])
def test_no_correction_is_refused_or_overwrites_what_it_corrects(engine, written, figures, name, pairs):
    active = linked = 0
    for number, pair in enumerate(pairs):
        first, second = written(number, pair.known, pair.new)
        known, new = read_memory(engine.store, first.id), read_memory(engine.store, second.id)
        links = {link.kind for link in engine.store.links.of([new.id])}
        active += new.status is Status.ACTIVE
        linked += pair.contradicts and LinkKind.CONFLICTS_WITH in links

        assert first.id != second.id
        assert (known.content, known.status) == (pair.known, Status.ACTIVE)
        assert new.content == pair.new
        assert new.status is not Status.ARCHIVED

    contradicting = sum(pair.contradicts for pair in pairs)
    figures(
        f"corrections ({name}): {len(pairs)} of {len(pairs)} stored in full, {active} at once, "
        f"{len(pairs) - active} asked about; {linked} of {contradicting} contradictions linked"
    )
    assert active >= 0.95 * len(pairs)
    assert linked >= 0.75 * contradicting


@pytest.mark.parametrize(("name", "pairs"), [("known", PARAPHRASES), ("fresh", FRESH_PARAPHRASES)])
def test_most_repetitions_are_noticed(written, figures, name, pairs):
    caught = sum(written(number, *Texts(*pair))[1].status == "similar" for number, pair in enumerate(pairs))
    figures(f"paraphrases ({name}): {caught} of {len(pairs)} noticed as similar")

    assert caught >= 0.6 * len(pairs)


def test_the_design_s_own_example_is_noticed(written):
    assert written(0, "use snake_case", "always use snake_case for Python")[1].status == "similar"
    assert written(1, "always use snake_case for Python", "use snake_case")[1].status == "similar"
