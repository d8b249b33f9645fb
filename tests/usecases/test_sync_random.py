"""Random work in clones of a git repository comes together: nothing conflicts, nothing is lost, all stores agree."""

from __future__ import annotations

import pytest

from memory_layer.usecases.govern.audit import verify
from tests.proof import FULL
from tests.synced import QUIET, Clone, Work, is_forgotten

SEEDS = range(8) if FULL else range(1)
CHANGES = 200 if FULL else 60  #: on each side
ROUNDS = 5 if FULL else 3
pytestmark = pytest.mark.prove


@pytest.fixture
def clones(tmp_path, clock, empty_store):
    first = Clone(tmp_path, "anna", clock, empty_store)
    others = [Clone(tmp_path, name, clock, empty_store, first.place) for name in ("ben", "cleo")]
    yield [first, *others]
    for each in (first, *others):
        each.close()


def quiet(clone: Clone) -> None:
    report = clone.sync()
    assert {name: getattr(report, name) for name in QUIET} == QUIET, clone.name
    assert report.skipped == ()
    assert report.notes == ()


def texts(clone: Clone) -> dict[str, str]:
    return {memory_id: str(fields[0]) for memory_id, fields in clone.active().items()}


def meet(order: str, anna: Clone, ben: Clone) -> None:
    """Merge and sync until both have everything, in one of three orders."""
    if order == "both at once":
        for _ in range(2):  # of two memories with one text, one is archived where it was written
            ours, theirs = anna.head(), ben.head()
            anna.merge(ben, theirs)
            ben.merge(anna, ours)
            anna.share()
            ben.share()
        return
    one, two = (anna, ben) if order == "anna first" else (ben, anna)
    for here, there in ((one, two), (two, one), (one, two)):
        here.merge(there)
        here.share()


def shared(clone: Clone, *others: Clone) -> dict[str, tuple[object, ...]]:
    """Return the active memories, without what somebody has forgotten and somebody else has restored.

    Such a text stays where it was restored, so nobody else's memory with the same text arrives there.
    """
    every = (clone, *others)

    def is_gone(memory_id: str) -> bool:
        return any(is_forgotten(each, memory_id) for each in every)

    restored = {text for each in every for name, text in texts(each).items() if is_gone(name)}
    found = {name: fields for name, fields in clone.active().items() if fields[0] not in restored}
    return {
        name: (*fields[:-1], {link for link in fields[-1] if link[1] in found})
        for name, fields in found.items()
    }


def agree(anna: Clone, ben: Clone) -> None:
    assert shared(anna, ben) == shared(ben, anna)
    assert anna.files() == ben.files()
    for raw in anna.files().values():
        assert b"<<<<<<<" not in raw
    for clone in (anna, ben):
        quiet(clone)
        assert verify(clone.engine).intact


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("order", ["anna first", "ben first", "both at once"])
def test_two_clones_have_the_same_memories_after_random_changes_in_both(clones, order, seed) -> None:
    anna, ben, _ = clones
    work = Work(seed)
    known: set[str] = set()  #: texts that both had before
    for _ in range(ROUNDS):
        work.some(anna, CHANGES // ROUNDS)
        work.some(ben, CHANGES // ROUNDS)
        said = {anna.name: texts(anna), ben.name: texts(ben)}
        anna.share()
        ben.share()
        meet(order, anna, ben)
        agree(anna, ben)
        after = set(texts(anna).values())
        for clone, other in ((anna, ben), (ben, anna)):
            for memory_id, text in said[clone.name].items():
                lost = text not in known and not is_in(text, after)
                assert not lost or is_forgotten(other, memory_id), text
        known.update(after, *(each.values() for each in said.values()))


def is_in(text: str, found: set[str]) -> bool:
    """Look for a text; a procedure may have got another name."""
    steps = text.partition("\n")[2]
    return text in found or bool(steps and any(each.endswith(steps) for each in found))


@pytest.mark.parametrize("seed", SEEDS)
def test_three_clones_have_the_same_memories_after_random_changes_in_all(clones, seed) -> None:
    work = Work(seed)
    for _ in range(ROUNDS):
        for clone in clones:
            work.some(clone, CHANGES // ROUNDS)
            clone.share()
        one, two, three = work.chance.sample(clones, 3)
        for here, there in ((one, two), (two, three), (three, one), (one, three), (two, three), (three, two)):
            here.merge(there)
            here.share()
        for here, there in ((one, three), (two, one), (three, two), (one, two), (two, one), (three, one)):
            here.merge(there)
            here.share()
        assert shared(one, two, three) == shared(two, three, one) == shared(three, one, two)
        for clone in clones:
            quiet(clone)
