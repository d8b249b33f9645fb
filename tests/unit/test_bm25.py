"""BM25 over postings, held against a plain calculation and against SQLite's own full text."""

from __future__ import annotations

import math
import random
import sqlite3
from collections.abc import Sequence
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_layer.store.index import bm25
from memory_layer.store.index.bm25 import Corpus, SegmentTerms, Words, best, held, prepared
from memory_layer.store.index.postings import build, merged
from memory_layer.text.words import terms
from tests.proof import counted

VOCABULARY = ["wal", "lock", "error", "test", "build", "snake_case", "3_11", "東京"]
Text = tuple[str, str]

words = st.lists(st.sampled_from(VOCABULARY), max_size=8).map(" ".join)
segments = st.lists(st.lists(st.tuples(words, words), max_size=12), min_size=1, max_size=4)
questions = st.lists(st.sampled_from([*VOCABULARY, "unheard"]), max_size=6, unique=True)


def plain_scores(living: Sequence[Text], question: Sequence[str]) -> list[float]:
    """BM25 as SQLite writes it down, document by document."""
    split = [body.split() + labels.split() for body, labels in living]
    average = sum(map(len, split)) / max(1, len(split)) or 1.0
    scores = [0.0] * len(split)
    for term in question:
        containing = sum(term in each for each in split)
        idf = max(1e-6, math.log((len(split) - containing + 0.5) / (containing + 0.5)))
        for place, each in enumerate(split):
            count = each.count(term)
            norm = 1.2 * (0.25 + 0.75 * len(each) / average)
            scores[place] += idf * count * 2.2 / (count + norm) if count else 0.0
    return scores


def asked(parts: Sequence[SegmentTerms], question: Sequence[str], depth: int) -> Words:
    ready = prepared(question, parts, Corpus.of(parts))
    return best(ready, depth)


def drawn_part(chance: random.Random, group: Sequence[Text], share: float) -> SegmentTerms:
    """A segment of which about such a share is alive, and such a share of that may answer."""
    if share >= 1.0:
        return SegmentTerms(build(group))
    alive, allowed = (np.array([chance.random() < share for _ in group], np.bool_) for _ in range(2))
    return SegmentTerms(build(group), np.flatnonzero(~alive), alive & allowed)


def full_text(texts: Sequence[Text]) -> sqlite3.Connection:
    """The two tables as the store makes them, with the documents in rows 0, 1, 2 …"""
    schema = (files("memory_layer.store") / "sql/sqlite/0001_foundation.sql").read_text("utf-8")
    database = sqlite3.connect(":memory:")
    database.executescript(schema)
    database.executemany(
        "insert into memory_terms (row, body, labels) values (?, ?, ?)",
        [(place, *text) for place, text in enumerate(texts)],
    )
    return database


def by_sqlite(database: sqlite3.Connection, question: Sequence[str]) -> dict[int, float]:
    match = " OR ".join(f'"{term}"' for term in question)
    found = database.execute("select rowid, -rank from memory_fts where memory_fts match ?", [match])
    return dict(found.fetchall())


def zipf_texts(count: int, seed: int) -> list[Text]:
    """Texts of common and rare words, some very long, some empty."""
    chance = random.Random(seed)
    drawn = [min(int(chance.paretovariate(0.4)), 5_000) for _ in range(count * 30)]
    lengths = [chance.choice([0, 3, 12, 30, 30, 90]) for _ in range(count)]
    return [
        (" ".join(f"w{n}" for n in chance.sample(drawn, length)), "decis w1" if length else "")
        for length in lengths
    ]


@pytest.mark.prove
@settings(max_examples=counted(50, 200))
@given(
    segments,
    questions,
    st.integers(0, 40),
    st.sampled_from([0.3, 0.9, 1.0]),
    st.sampled_from([3, 8192]),
    st.sampled_from([0, 1, 1_000]),
    st.randoms(use_true_random=False),
)
def test_the_best_are_those_of_the_plain_calculation_on_every_way_through_the_sums(
    groups, question, depth, share, steps, lookup_cost, chance
):
    parts = [drawn_part(chance, group, share) for group in groups]
    living = [
        (number, doc)
        for number, part in enumerate(parts)
        for doc in range(len(groups[number]))
        if part.alive[doc]
    ]
    scores = plain_scores([groups[number][doc] for number, doc in living], question)
    expected = {
        place: score
        for place, score in zip(living, scores, strict=True)
        if score > 0.0 and ((mask := parts[place[0]].allowed) is None or mask[place[1]])
    }

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bm25, "_AT_ONCE", steps)
        patch.setattr(bm25, "_LOOKUP_COST", lookup_cost)
        found = asked(parts, question, depth)

    places = list(zip(found.part.tolist(), found.doc.tolist(), strict=True))
    assert found.score.tolist() == pytest.approx(sorted(expected.values(), reverse=True)[:depth], rel=1e-9)
    assert [expected[place] for place in places] == pytest.approx(found.score.tolist(), rel=1e-9)
    assert len(set(places)) == len(places)
    assert places == [place for _, place in sorted(zip((-found.score).tolist(), places, strict=True))]


@given(segments, questions)
def test_every_term_that_a_document_holds_is_told_once(groups, question):
    parts = [SegmentTerms(build(group)) for group in groups]
    ready = prepared(question, parts, Corpus.of(parts))

    for number, group in enumerate(groups):
        found = held(ready, number, np.arange(len(group)))
        for doc, texts in enumerate(group):
            words = " ".join(texts).split()
            terms = [place for place, term in enumerate(question) if term in words]
            assert sorted(found.term[found.place == doc].tolist()) == terms


@given(segments, questions, st.randoms(use_true_random=False))
def test_documents_brought_by_somebody_else_get_the_same_numbers_to_the_last_bit(groups, question, chance):
    parts = [SegmentTerms(build(group)) for group in groups]
    ready = prepared(question, parts, Corpus.of(parts))
    found = best(ready, 100)

    for number, group in enumerate(groups):
        docs = np.array(chance.sample(range(len(group)), len(group)), dtype=np.intp)
        scores = held(ready, number, docs).score
        expected = {
            doc: score
            for part, doc, score in zip(*(column.tolist() for column in found), strict=True)
            if part == number
        }
        for doc, score in zip(docs.tolist(), scores.tolist(), strict=True):
            assert score == expected.get(doc, 0.0)


def test_scores_equal_those_of_sqlite_before_and_after_deletions_and_merges():
    texts = [*zipf_texts(900, seed=1), ("w1 " * 3_000 + "w2 " * 300, "w2"), ("w3", "")]
    groups = [texts[:400], texts[400:700], texts[700:]]
    chance = random.Random(2)
    alive = [np.array([chance.random() < 0.8 for _ in group]) for group in groups]
    survivors = np.flatnonzero(np.concatenate(alive)).tolist()
    database = full_text(texts)
    whole = [SegmentTerms(build(group)) for group in groups]
    thinned = [
        SegmentTerms(part.postings, np.flatnonzero(~mask)) for part, mask in zip(whole, alive, strict=True)
    ]
    together = [
        SegmentTerms(merged([(part.postings, mask) for part, mask in zip(whole, alive, strict=True)]))
    ]
    asking = [
        ["w1"],
        ["w2", "w1", "w40"],
        ["w7", "w11", "w2", "w900", "w1", "decis"],
        ["w4999", "w3"],
        ["none"],
    ]

    before = [by_sqlite(database, question) for question in asking]
    gone = sorted(set(range(len(texts))) - set(survivors))
    database.executemany("delete from memory_terms where row = ?", [[row] for row in gone])
    after = [by_sqlite(database, question) for question in asking]

    offsets = np.array([0, 400, 700])
    for question, all_rows, left_rows in zip(asking, before, after, strict=True):
        for parts, expected in ((whole, all_rows), (thinned, left_rows)):
            found = asked(parts, question, len(texts))
            assert dict(
                zip((offsets[found.part] + found.doc).tolist(), found.score.tolist(), strict=True)
            ) == (pytest.approx(expected, rel=1e-9))
        found = asked(together, question, len(texts))
        rows = [survivors[doc] for doc in found.doc]
        assert dict(zip(rows, found.score.tolist(), strict=True)) == pytest.approx(left_rows, rel=1e-9)


def test_stopping_early_loses_nothing():
    texts = zipf_texts(2_000, seed=3)
    parts = [SegmentTerms(build(texts[at : at + 250])) for at in range(0, len(texts), 250)]
    scores = plain_scores(texts, question := ["w300", "w50", "w9", "w3", "w2", "w1"])

    for depth in (1, 5, 50, 500):
        found = asked(parts, question, depth)

        assert found.score.tolist() == pytest.approx(
            sorted(scores, reverse=True)[: len(found.score)], rel=1e-9
        )
        assert len(found.score) == min(depth, sum(score > 0.0 for score in scores))


def test_a_filter_that_admits_few_and_one_that_admits_all_give_the_scores_of_the_whole():
    texts = zipf_texts(1_500, seed=4)
    postings, question = build(texts), ["w1", "w2", "w3"]
    scores = plain_scores(texts, question)
    everybody, few = np.ones(len(texts), dtype=np.bool_), np.zeros(len(texts), dtype=np.bool_)
    few[[7, 700, 1_499]] = True

    for allowed in (everybody, few, ~everybody):
        found = asked([SegmentTerms(postings, allowed=allowed)], question, 2_000)

        expected = {doc: scores[doc] for doc in np.flatnonzero(allowed).tolist() if scores[doc] > 0.0}
        assert dict(zip(found.doc.tolist(), found.score.tolist(), strict=True)) == pytest.approx(expected)


def test_equal_documents_have_equal_scores_in_every_part_and_the_first_of_them_win():
    group = [("lock error test", ""), ("wal", ""), ("lock error test", "")]
    parts = [
        SegmentTerms(build(group)),
        SegmentTerms(build([("build", "")] * 40 + group)),
        SegmentTerms(build(group * 9)),
    ]

    found = asked(parts, ["lock", "error", "test"], 6)

    assert len(set(found.score.tolist())) == 1
    assert list(zip(found.part.tolist(), found.doc.tolist(), strict=True)) == [
        (0, 0), (0, 2), (1, 40), (1, 42), (2, 0), (2, 2),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "parts",
    [
        [],
        [SegmentTerms(build([]))],
        [SegmentTerms(build([("", "")]))],
        [SegmentTerms(build([("wal", "")]), np.zeros(1, np.intp))],
    ],
)
def test_a_store_without_words_answers_nothing(parts):
    assert len(asked(parts, ["wal"], 5).doc) == 0


def test_no_terms_unknown_terms_and_no_depth_find_nothing():
    parts = [SegmentTerms(build([("wal lock", "")]))]

    assert len(asked(parts, [], 5).doc) == len(asked(parts, ["unheard"], 5).doc) == 0
    assert len(asked(parts, ["wal"], 0).doc) == 0


def test_one_document_is_found_with_the_least_weight_there_is():
    found = asked([SegmentTerms(build([("wal", "")]))], ["wal"], 5)

    assert found.score.tolist() == pytest.approx([1e-6 * 2.2 / 2.2])


def test_a_question_says_how_many_living_documents_hold_each_term():
    parts = [
        SegmentTerms(build([("wal lock", ""), ("wal", "")]), np.array([1])),
        SegmentTerms(build([("wal", "")])),
    ]
    corpus = Corpus.of(parts)

    assert (corpus.total, corpus.tokens) == (2, 3)
    assert prepared(["lock", "wal", "unheard"], parts, corpus).containing == [1, 2, 0]


@given(st.lists(st.text(max_size=30), max_size=5))
def test_the_words_of_a_segment_are_the_tokens_of_the_full_text(contents):
    texts = [(" ".join(terms(content)), " ".join(terms(content[::-1]))) for content in contents]
    database = full_text(texts)
    database.execute("create virtual table token using fts5vocab(memory_fts, 'instance')")
    rows = [row for (row,) in database.execute("select doc from token")]

    assert (
        np.bincount(np.array(rows, dtype=np.intp), minlength=len(texts)).tolist()
        == build(texts).lengths.tolist()
    )
