"""What a Python caller gives: a mistake is one sentence, says what would do, and changes nothing."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

import memory_layer
from memory_layer.errors import InvalidInput, MemoryLayerError, NotFound
from memory_layer.model.episodes import EpisodeKind
from memory_layer.model.imports import Origin
from memory_layer.model.query import Filters, Mode
from memory_layer.model.review import Decision, Matter
from memory_layer.model.vocabulary import (
    Category,
    LinkKind,
    MergeText,
    OnDuplicate,
    Outcome,
    Priority,
    Source,
    Status,
)


@pytest.fixture
def memory():
    with memory_layer.open() as opened:
        yield opened


@pytest.fixture
def known(memory):
    return memory.add("The build needs Java 21").id


@pytest.mark.parametrize("given", ["great", "", 7, "x" * 500])
@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda memory, _, word: memory.add("x", category=word), Category),
        (lambda memory, _, word: memory.episode("x", kind=word), EpisodeKind),
        (lambda memory, _, word: memory.episode("x", outcome=word), Outcome),
        (lambda memory, _, word: memory.timeline(kinds=[word]), EpisodeKind),
        (lambda memory, _, word: memory.add("x", priority=word), Priority),
        (lambda memory, _, word: memory.add("x", source=word), Source),
        (lambda memory, _, word: memory.add("x", on_duplicate=word), OnDuplicate),
        (lambda memory, _, word: memory.add("x", merge_text=word), MergeText),
        (lambda memory, _, word: memory.search("x", mode=word), Mode),
        (lambda memory, _, word: memory.why("x", mode=word), Mode),
        (lambda memory, known, word: memory.outcome(known, word), Outcome),
        (lambda memory, known, word: memory.edit(known, category=word), Category),
        (lambda memory, known, word: memory.edit(known, priority=word), Priority),
        (lambda memory, known, word: memory.link(known, word, known), LinkKind),
        (lambda memory, known, word: memory.unlink(known, word, known), LinkKind),
        (lambda memory, known, word: memory.decide(known, word), Decision),
        (lambda memory, known, word: memory.decide(known, "merge", text=word), MergeText),
        (lambda memory, _, word: memory.review(kinds=[word]), Matter),
        (lambda memory, _, word: memory.import_("x.md", origin=word), Origin),
    ],
)
def test_a_word_that_is_none_gets_the_list(memory, known, call, words, given):
    with pytest.raises(InvalidInput) as refused:
        call(memory, known, given)

    said = str(refused.value)
    assert not isinstance(given, str) or all(word.value in said for word in words)
    assert words.__name__ not in said
    assert "valid" not in said


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda memory, _: memory.add(None), "content must be a text, not None"),
        (lambda memory, _: memory.add("x", confidence="high"), "confidence must be a number, not 'high'"),
        (lambda memory, _: memory.add("x", relevance=None), "relevance must be a number, not None"),
        (lambda memory, _: memory.add("x", tags=b"red"), "tags must be a list of texts, not b'red'"),
        (lambda memory, _: memory.add("x", tags=[1]), "each of tags must be a text, not 1"),
        (lambda memory, _: memory.add("x", cite="a.py"), "cite must be a list of texts, not 'a.py'"),
        (lambda memory, _: memory.add("x", expires_at=7), "expires_at must be a datetime"),
        (
            lambda memory, _: memory.add("x", expires_at="soon"),
            "'soon' is not a time; write a span such as 7d",
        ),
        (lambda memory, _: memory.add("x", metadata=[1]), "the metadata must be a JSON object"),
        (lambda memory, _: memory.search(None), "text must be a text, not None"),
        (lambda memory, _: memory.search("x", limit="5"), "limit must be a whole number, not '5'"),
        (lambda memory, _: memory.search("x", categories={"fact": 1}), "categories must be a list of texts"),
        (lambda memory, _: memory.get(None), "memory_id must be a text, not None"),
        (lambda memory, known: memory.edit(known, content=5), "content must be a text, not 5"),
        (lambda memory, known: memory.edit(known, version="1"), "version must be a whole number, not '1'"),
        (lambda memory, known: memory.archive([known]), "each of memory_ids must be a text"),
        (lambda memory, _: memory.outcome(None, "worked"), "memory_ids must be a list of texts, not None"),
        (lambda memory, _: memory.import_(), "name at least one file or folder to import"),
    ],
)
def test_a_wrong_type_is_one_sentence(memory, known, call, says):
    with pytest.raises(InvalidInput, match=says):
        call(memory, known)

    assert (memory.stats().total, memory.get(known, peek=True).version) == (1, 1)


NAIVE = datetime(2026, 1, 1, tzinfo=UTC).replace(tzinfo=None)


def wanted(**fields: Any) -> Any:
    """Filters as a program without type checks writes them."""
    return Filters(**fields)


ASKED = {
    "search": lambda memory, known, filters: memory.search("java", filters=filters),
    "why": lambda memory, known, filters: memory.why("java", filters=filters),
    "list": lambda memory, known, filters: memory.list(filters=filters),
    "related": lambda memory, known, filters: memory.related(known, filters=filters),
    "export": lambda memory, known, filters: memory.export("part.jsonl", filters=filters),
}


@pytest.mark.parametrize("call", ASKED)
@pytest.mark.parametrize(
    ("filters", "says"),
    [
        ({"tags": ["red"]}, "filters must be memory_layer.Filters, not {'tags': "),
        (wanted(tags=None), "filters.tags must be a list of texts, not None"),
        (wanted(tags=[1]), "each of filters.tags must be a text, not 1"),
        (wanted(ids=None), "filters.ids must be a list of texts, not None"),
        (wanted(writers=b"ada"), "filters.writers must be a list of texts"),
        (wanted(categories=7), "filters.categories must be a list of texts, not 7"),
        (wanted(categories=["great"]), "great"),
        (wanted(tiers=["great"]), "each of filters.tiers must be one of semantic"),
        (wanted(statuses=("great",)), "each of filters.statuses must be one of staged"),
        (wanted(before=NAIVE), "filters.before needs a time zone"),
        (wanted(after=20260101), "filters.after must be a datetime, not 20260101"),
        (wanted(after="soon"), "'soon' is not a time; write a span such as 7d"),
        (wanted(expired_since=NAIVE), "filters.expired_since needs a time zone"),
        (wanted(min_confidence="high"), "filters.min_confidence must be a number"),
        (wanted(below_confidence=True), "filters.below_confidence must be a number"),
        (wanted(has_outcome="yes"), "filters.has_outcome must be True or False, not 'yes'"),
        (wanted(expired=1), "filters.expired must be True or False, not 1"),
        (wanted(superseded=None), "filters.superseded must be True or False"),
        (wanted(paths=3), "filters.paths must be a list of texts, not 3"),
        (wanted(reach="near"), "filters.reach must be one of project"),
    ],
)
def test_a_filter_of_the_wrong_type_is_one_sentence(
    memory, known, tmp_path, monkeypatch, call, filters, says
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput, match=re.escape(says)):
        ASKED[call](memory, known, filters)

    assert not (tmp_path / "part.jsonl").exists()


def test_lists_sets_and_words_stand_for_what_they_mean(memory):
    red = memory.add("The build needs Java 21", tags=["red"], category="gotcha").id
    memory.add("The tests need Java 17", tags=["blue"])
    for filters in (
        wanted(tags=["red"]),
        wanted(tags={"red"}),
        wanted(categories=["gotcha"]),
        wanted(categories=[Category.GOTCHA], statuses=["active"], tiers=["semantic"]),
    ):
        assert [hit.memory.id for hit in memory.search("java", filters=filters).hits] == [red]
        assert [each.id for each in memory.list(filters=filters).items] == [red]


def test_no_memory_is_born_or_made_expired(memory, known):
    with pytest.raises(InvalidInput, match="2020-01-01 00:00 UTC is in the past"):
        memory.add("The beta runs", expires_at=datetime(2020, 1, 1, tzinfo=UTC))
    with pytest.raises(InvalidInput, match="is in the past"):
        memory.edit(known, expires_at=datetime.now(UTC) - timedelta(seconds=1))

    assert memory.get(known).expires_at is None


def test_what_has_expired_travels_all_the_same(memory, tmp_path, monkeypatch):
    soon = memory.add("The beta runs", expires_at=datetime.now(UTC) + timedelta(hours=1)).id
    memory.export(tmp_path / "all.jsonl")
    later = datetime.now(UTC) + timedelta(days=1)
    with memory_layer.open(tmp_path / "other.db", now=lambda: later) as other:
        report = other.import_(tmp_path / "all.jsonl")

        assert (report.added, other.get(soon).content) == (1, "The beta runs")


def test_a_folder_that_is_not_there_is_said_at_the_opening(machine):
    with pytest.raises(NotFound, match=r"no folder './zzznope'"):
        memory_layer.open(project="./zzznope")
    with memory_layer.open(project=".") as memory:
        memory.add("The build needs Java 21")
    with memory_layer.open(project="work") as memory:
        assert memory.stats().total == 1


def test_a_read_of_an_unknown_project_warns_the_line_that_asks(machine):
    with memory_layer.open(project="zzznope") as memory:
        with pytest.warns(UserWarning, match="nothing is stored for a project 'zzznope'") as warned:
            assert not memory.list().items
        memory.add("The build needs Java 21")
        assert memory.list().total == 1

    assert {each.filename for each in warned} == {__file__}


@pytest.mark.parametrize("path", ["", "a\0b", "a\ud800b"])
def test_a_path_that_is_none_is_refused_in_a_sentence_before_anything_is_looked_up(memory, known, path):
    with pytest.raises(InvalidInput, match=r"path (is empty|contains a NUL byte|is not valid UTF-8 text)$"):
        memory.context(paths=[path])
    with pytest.raises(InvalidInput, match=r"path (is empty|contains a NUL byte|is not valid UTF-8 text)$"):
        memory.warn(path=path)


def test_two_names_of_one_argument_must_agree(memory):
    with pytest.raises(InvalidInput, match="type is an alias of category"):
        memory.add("The build needs Java 21", category="fact", type="gotcha")
    assert memory.stats().total == 0


def test_an_expiry_and_never_exclude_each_other(memory):
    with pytest.raises(InvalidInput, match="use either an expiry time or never_expires"):
        memory.add("The build needs Java 21", expires_at="7d", never_expires=True)


def test_a_time_of_another_zone_leaves_the_store_sound(memory):
    elsewhere = timezone(timedelta(hours=5))
    memory.episode("The tide came in", at=datetime(2026, 11, 10, 2, tzinfo=elsewhere))

    assert not [check for check in memory.doctor().checks if check.is_wrong]


def test_a_time_that_no_calendar_has_in_utc_is_refused(memory):
    with pytest.raises(InvalidInput, match="too far in the past or future"):
        memory.timeline(since=datetime.max.replace(tzinfo=timezone(timedelta(hours=-5))))


def test_only_active_memories_are_related(memory, known):
    with pytest.raises(InvalidInput, match="related memories are always active"):
        memory.related(known, filters=Filters(statuses=(Status.ARCHIVED,)))


class Unprintable:
    """Something whose own text cannot be made."""

    def __repr__(self) -> str:
        raise RuntimeError("no text")


def nested(levels: int) -> list[Any]:
    """Return lists in lists, deeper than a text of them can be made."""
    made: list[Any] = []
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize("given", [10**5000, nested(100_000), Unprintable()], ids=["long", "deep", "mute"])
def test_what_cannot_be_shown_is_refused_in_a_sentence_all_the_same(memory, given):
    with pytest.raises(InvalidInput, match="content must be a text, not a value of type"):
        memory.add(given)
    with pytest.raises(InvalidInput, match="not a value of type"):
        memory.add("x", tags=[given])


@pytest.mark.parametrize("number", [10**400, 10**5000, -(10**5000)], ids=["400", "5000", "below"])
def test_a_number_beyond_all_use_is_refused_in_a_sentence(memory, known, number):
    for call in (
        lambda: memory.add("x", confidence=number),
        lambda: memory.list(filters=Filters(min_confidence=number)),
        lambda: memory.search("x", limit=number),
        lambda: memory.context(budget=number),
        lambda: memory.context(max_characters=number),
        lambda: memory.revert(known, to=number),
    ):
        with pytest.raises(InvalidInput, match=r"finite number|at most 18 digits"):
            call()
    with pytest.raises(InvalidInput):
        memory.edit(known, metadata={"n": 10**5000})


@pytest.mark.parametrize("name", ["a\0b", "a\ud800b", "x" * 5_000], ids=["nul", "unicode", "long"])
def test_a_file_that_no_system_can_name_is_refused_in_a_sentence(memory, known, name):
    for call in (memory.export, memory.backup, memory.import_):
        with pytest.raises(MemoryLayerError):
            call(name)
    with pytest.raises(MemoryLayerError):
        memory.capture(file=name)


def test_an_export_needs_a_path(memory):
    with pytest.raises(InvalidInput, match="path must be a path, not None"):
        memory.export(None)


def test_labels_that_no_memory_can_hold_are_refused_before_they_are_looked_through(memory, known):
    with pytest.raises(InvalidInput, match="1000000 tags were given"):
        memory.edit(known, add_tags=map(str, range(1_000_000)))
    with pytest.raises(InvalidInput, match="the metadata takes"):
        memory.edit(known, metadata={"text": "word " * 2_000_000})


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"database": 5}, "database must be a path"),
        ({"database": b"x"}, "database must be a path"),
        ({"writer": 5}, "writer must be a text"),
        ({"session": ["a"]}, "session must be a text"),
        ({"project": 5}, "project must be a text"),
        ({"all_projects": 1}, "all_projects must be True or False"),
        ({"now": 5}, "now must be a clock"),
    ],
)
def test_a_store_is_not_made_by_what_is_refused(machine, given, says):
    with pytest.raises(InvalidInput, match=says):
        memory_layer.open(**given)
    assert not [*machine.rglob("*.db")]


@pytest.mark.parametrize(
    ("told", "says"),
    [
        (datetime(2026, 1, 1), "the result of now needs a time zone"),  # noqa: DTZ001 - the mistake
        (None, "the result of now must be a datetime"),
        ("2026-01-01", "the result of now must be a datetime"),
        (datetime.max.replace(tzinfo=UTC), "the result of now must be in the years 1970 to 9000"),
        (datetime.min.replace(tzinfo=UTC), "the result of now must be in the years 1970 to 9000"),
    ],
)
def test_a_clock_that_tells_no_time_is_refused_in_a_sentence(told, says):
    with pytest.raises(InvalidInput, match=says):
        memory_layer.open(now=lambda: told)


def test_a_clock_of_another_zone_is_read_in_utc():
    far = timezone(timedelta(hours=5))
    with memory_layer.open(now=lambda: datetime(2026, 1, 1, 3, tzinfo=far)) as memory:
        added = memory.get(memory.add("The build needs Java 21").id)
    assert added.created_at.isoformat() == "2025-12-31T22:00:00+00:00"


def test_many_take_the_names_that_one_takes(memory):
    stored = memory.add_many(
        [{"content": "Use tabs in makefiles", "scope_patterns": ["*.mk"], "type": "coding_style"}]
    )
    one = memory.get(stored[0].id)
    assert (one.scope, one.category) == (
        ("*.mk",),
        memory.get(memory.add("x y", type="coding_style").id).category,
    )
