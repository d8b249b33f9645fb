"""Links between memories: who may make them, and what they must not become."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput, NotAllowed, NotFound
from memory_layer.model.memory import Draft
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import LinkKind
from memory_layer.usecases.govern import chain
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import put_away
from memory_layer.usecases.remember.links import link, links, unlink
from memory_layer.usecases.who.lookup import read_memory

SUPERSEDES, CONFLICTS, RELATES = LinkKind.SUPERSEDES, LinkKind.CONFLICTS_WITH, LinkKind.RELATES_TO


@pytest.fixture
def three(engine, agent):
    texts = ("The build needs Java 21", "Penguins eat fish", "Invoices are rounded to cents")
    return [add(engine, Draft(content=text), agent).id for text in texts]


def test_a_link_is_seen_from_both_ends(engine, agent, three):
    one, two, _ = three
    link(engine, one[:9], RELATES, two[:9], agent)

    assert [each[:3] for each in links(engine, one)] == [(one, two, RELATES)]
    assert links(engine, two) == links(engine, one)


def test_what_is_superseded_is_not_found_until_the_link_goes(engine, agent, three):
    one, two, _ = three
    link(engine, one, SUPERSEDES, two, agent)
    hidden = [hit.memory.id for hit in search(engine, Query(text="penguins"), agent).hits]
    unlink(engine, one, SUPERSEDES, two, agent)
    shown = [hit.memory.id for hit in search(engine, Query(text="penguins"), agent).hits]

    assert two not in hidden
    assert shown[0] == two


def test_archiving_what_superseded_a_memory_names_it_unless_another_still_does(engine, agent, three):
    one, two, three_ = three
    for newer in (one, three_):
        link(engine, newer, SUPERSEDES, two, agent)
    first, second = (put_away(engine, [newer], agent)[0].notice for newer in (one, three_))

    assert first is None
    assert second == f"no longer superseded: {two}"
    assert put_away(engine, [three_], agent)[0].notice is None


def test_every_change_of_a_link_is_a_line_of_the_chain(engine, agent, three):
    one, two, _ = three
    for _ in range(2):
        link(engine, one, RELATES, two, agent)
    unlink(engine, one, RELATES, two, agent)

    assert [change.action for change in chain.changes(engine.store)][3:] == ["link", "unlink"]
    assert list(chain.chain_flaws(engine.store)) == []
    assert read_memory(engine.store, one).version == 1


@pytest.mark.parametrize("kind", [RELATES, CONFLICTS])
def test_a_mutual_relation_is_one_link_whichever_end_names_it(engine, agent, person, three, kind):
    one, two, _ = three
    link(engine, one, kind, two, agent)

    assert len(link(engine, two, kind, one, agent)) == 1
    assert unlink(engine, two, kind, one, person) == []


def test_memories_do_not_supersede_each_other_in_a_circle(engine, agent, three):
    one, two, three_ = three
    link(engine, one, SUPERSEDES, two, agent)
    link(engine, two, SUPERSEDES, three_, agent)

    for source in (two, three_):
        with pytest.raises(InvalidInput, match="already supersedes it"):
            link(engine, source, SUPERSEDES, one, agent)


def test_a_memory_has_no_link_with_itself(engine, agent, three):
    with pytest.raises(InvalidInput, match="itself"):
        link(engine, three[0], RELATES, three[0], agent)


def test_a_link_that_is_not_there_cannot_be_taken_away(engine, agent, three):
    one, two, _ = three
    link(engine, one, SUPERSEDES, two, agent)

    with pytest.raises(NotFound):
        unlink(engine, two, SUPERSEDES, one, agent)


def test_an_agent_cannot_put_aside_what_a_person_guards(engine, agent, person, three):
    guarded = add(engine, Draft(content="Deploy on Mondays"), person).id

    with pytest.raises(NotAllowed, match="may supersede it"):
        link(engine, three[0], SUPERSEDES, guarded, agent)
    link(engine, three[0], CONFLICTS, guarded, agent)
    with pytest.raises(NotAllowed, match="remove a link"):
        unlink(engine, three[0], CONFLICTS, guarded, agent)
    assert unlink(engine, three[0], CONFLICTS, guarded, person) == []
    assert len(link(engine, three[0], SUPERSEDES, guarded, person)) == 1
