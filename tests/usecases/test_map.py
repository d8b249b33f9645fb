"""The map of a store: its binary form, what is on it, and when it is computed again."""

from __future__ import annotations

import numpy as np
import pytest

from memory_layer.errors import InvalidInput, ModelUnavailable
from memory_layer.model.map import MapState
from memory_layer.model.memory import Draft
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import FAMILIES, FAMILY_OF, Category, OnDuplicate, Outcome
from memory_layer.ranking import map_form
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.look_up import map as usecase
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.forget import forget
from memory_layer.usecases.upkeep.lay_out import FEW, GROWN, lay_out, outgrown
from tests.hashed import Hashed

ALL = Filters()
TEXTS = [f"ferry {number} leaves pier {number} at noon" for number in range(6)]
TEXTS += [f"invoice {number} is paid by the worker in euro" for number in range(6)]


def with_model(engine, starts=None):
    model = Hashed()

    def soon():
        if starts is not None:
            starts.append(1)
        return starts is not None

    return engine._replace(embedder=lambda: model, fingerprint=lambda: model.fingerprint, lay_out_soon=soon)


@pytest.fixture
def starts():
    return []


@pytest.fixture
def engine(keyword_engine, starts):
    return with_model(keyword_engine, starts)


def stored(engine, agent, *texts, category=Category.FACT):
    drafts = [Draft(content=text, category=category, on_duplicate=OnDuplicate.KEEP) for text in texts]
    return [add(engine, draft, agent).id for draft in drafts]


def unpacked(content):
    """Read the binary form as the documentation describes it."""
    magic, version, state, count, unplaced, size = map_form.HEADER.unpack_from(content)
    assert (magic, version) == (b"MEMM", 1)
    columns, at = {}, map_form.HEADER.size
    for name, kind in (("x", "<u2"), ("y", "<u2"), ("day", "<u2"), ("family", "u1"), ("score", "i1")):
        columns[name] = np.frombuffer(content, kind, count, at)
        at += columns[name].nbytes
    assert len(content) == at + size
    rows: list[int] = []
    value = shift = 0
    for byte in content[at:]:
        value |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            rows.append((rows[-1] if rows else 0) + value)
            value = shift = 0
    return list(MapState)[state], unplaced, columns | {"row": rows}


def test_gaps_of_any_size_survive_the_binary_form():
    rows = np.cumsum([1, 1, 127, 128, 5, 16_384, 2**31, 2**45])
    content = map_form.gaps(rows)
    found: list[int] = []
    value = shift = 0
    for byte in content:
        value, shift = value | (byte & 127) << shift, shift + 7
        if byte < 128:
            found.append(value + (found[-1] if found else 0))
            value = shift = 0

    assert found == rows.tolist()
    assert map_form.gaps(np.empty(0, np.int64)) == b""


def test_a_map_names_family_score_and_age_of_each_memory(engine, agent):
    ids = stored(engine, agent, *TEXTS[:6]) + stored(engine, agent, *TEXTS[6:], category=Category.GOTCHA)
    record_outcome(engine, ids[:1], OutcomeReport(Outcome.WORKED, query="when does the ferry leave"), agent)
    assert lay_out(engine).memories == len(TEXTS)
    state, unplaced, columns = unpacked(usecase.map_of(engine, ALL).content)
    items = usecase.memories_at(engine, columns["row"], ALL).items

    assert (state, unplaced) == (MapState.READY, 0)
    assert [memory.id for _, memory in items] == ids
    families = list(FAMILIES)
    for at, (row, memory) in enumerate(items):
        assert row == columns["row"][at]
        assert families[columns["family"][at]] is FAMILY_OF[memory.category]
        assert columns["score"][at] == round(100 * memory.outcome_score)
        assert columns["day"][at] == int(memory.created_at.timestamp() // 86_400)
    assert columns["score"][0] > 0


def test_memories_with_words_in_common_lie_together(engine, agent):
    stored(engine, agent, *TEXTS)
    lay_out(engine)
    _, _, columns = unpacked(usecase.map_of(engine, ALL).content)
    places = np.stack([columns["x"], columns["y"]], axis=1).astype(float)
    ferries, invoices = places[:6], places[6:]

    apart = np.linalg.norm(ferries.mean(axis=0) - invoices.mean(axis=0))
    assert apart > np.linalg.norm(ferries - ferries.mean(axis=0), axis=1).mean()


def test_what_is_missing_is_computed_in_the_background(engine, agent, starts):
    stored(engine, agent, *TEXTS)
    state, unplaced, columns = unpacked(usecase.map_of(engine, ALL).content)
    assert (state, unplaced, columns["row"]) == (MapState.COMPUTING, len(TEXTS), [])
    assert starts == [1]

    lay_out(engine)
    assert unpacked(usecase.map_of(engine, ALL).content)[0] is MapState.READY
    assert starts == [1]


def test_a_new_memory_is_placed_and_the_others_stay(engine, agent):
    stored(engine, agent, *(f"{text} on day {day}" for text in TEXTS for day in range(20)))
    lay_out(engine)
    before = engine.store.map.positions(engine.fingerprint())
    stored(engine, agent, TEXTS[0])
    assert unpacked(usecase.map_of(engine, ALL).content)[:2] == (MapState.COMPUTING, 1)

    done = lay_out(engine)
    after = engine.store.map.positions(engine.fingerprint())

    assert (done.placed, done.anew) == (1, False)
    assert np.array_equal(after.places[:-1], before.places)


def test_archived_and_forgotten_memories_are_not_on_the_map(engine, agent, person):
    ids = stored(engine, agent, *TEXTS)
    lay_out(engine)
    archive(engine, ids[:2], agent)
    forget(engine, ids[2:3], person)
    lay_out(engine)
    _, _, columns = unpacked(usecase.map_of(engine, ALL).content)
    items = usecase.memories_at(engine, columns["row"], ALL).items

    assert [memory.id for _, memory in items] == ids[3:]


def test_labels_are_the_words_that_set_groups_apart(engine, agent):
    stored(engine, agent, *TEXTS)
    lay_out(engine)
    found = usecase.labels(engine, ALL)
    words = {word for each in found.labels for word in each.words}

    assert found.state is MapState.READY
    assert {"ferry", "invoice"} <= words
    assert "the" not in words


@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_map_of_hardly_any_memories(engine, agent, count):
    stored(engine, agent, *TEXTS[:count])
    lay_out(engine)

    assert len(unpacked(usecase.map_of(engine, ALL).content)[2]["row"]) == count
    assert usecase.labels(engine, ALL).labels == ()


def test_without_a_model_the_map_says_what_to_do(keyword_engine, agent):
    stored(keyword_engine, agent, *TEXTS[:3])
    found = usecase.labels(keyword_engine, ALL)

    assert found.state is MapState.NO_MODEL
    assert "mem model install" in str(found.sentence)
    with pytest.raises(ModelUnavailable, match="mem model install"):
        lay_out(keyword_engine)


def test_a_damaged_file_of_positions_is_computed_again(engine, agent, settings):
    stored(engine, agent, *TEXTS)
    lay_out(engine)
    file = settings.database_path.with_name(f"{settings.database_path.name}-index") / "map.columns"
    content = file.read_bytes()
    file.write_bytes(content[:-40] + b"\xff" * 40)

    assert unpacked(usecase.map_of(engine, ALL).content)[0] is MapState.COMPUTING
    assert lay_out(engine).anew
    assert unpacked(usecase.map_of(engine, ALL).content)[0] is MapState.READY


def test_too_many_rows_are_refused(engine):
    with pytest.raises(InvalidInput, match="the limit is 200"):
        usecase.memories_at(engine, range(201), ALL)


def test_all_are_laid_out_again_once_the_store_has_grown_by_half():
    assert not outgrown(1000, 1000)
    assert not outgrown(int(GROWN * 1000), 1000)
    assert outgrown(int(GROWN * 1000) + 1, 1000)
    assert outgrown(FEW, FEW - 1)
