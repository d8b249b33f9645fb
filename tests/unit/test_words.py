"""Terms are what people would search for, and full text keeps each of them in one piece."""

from __future__ import annotations

import hashlib
import inspect
import json
import re
import sqlite3
import unittest
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.text import words as reading
from memory_layer.text.porter import stem
from memory_layer.text.words import (
    MAX_TERMS,
    STOP_WORDS,
    content_words,
    date_words,
    other_spellings,
    phrases,
    query_terms,
    terms,
)


def full_text(tokenizer: str) -> sqlite3.Connection:
    """An index, and a view of the tokens it made of each row."""
    database = sqlite3.connect(":memory:")
    database.execute(f'create virtual table page using fts5(body, tokenize="{tokenizer}")')
    database.execute("create virtual table token using fts5vocab(page, 'instance')")
    return database


def tokens_made_of(words: list[str], database: sqlite3.Connection) -> dict[str, list[str]]:
    database.execute("delete from page")
    database.executemany("insert into page(rowid, body) values (?, ?)", enumerate(words))
    made: dict[str, list[str]] = {word: [] for word in words}
    for term, row in database.execute("select term, doc from token order by doc, offset"):
        made[words[row]].append(term)
    return made


KEEPS_TERMS = full_text("unicode61 tokenchars '_'")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Running the tests", "run test"),
        ("snake_case", "snake case snake_case"),
        ("getUserName", "getusernam get user name"),
        ("parseHTTPHeader", "parsehttphead pars http header"),
        ("MAX_RETRIES", "max retri max_retries"),
        ("user_idNumber", "user idnumb id number user_idnumber"),
        ("the APIs and URLs", "api url"),
        ("src/core/db.py", "src core db py db_py src_core_db_py"),
        ("Python 3.11.7", "python 3 11 7 3_11 3_11_7"),
        ("v2.0", "v2 v 2 0 2_0"),
        ("E1101", "e1101 e 1101"),
        ("ECONNRESET", "econnreset"),
        ("git commit --no-verify", "git commit verifi noverifi"),
        ("pre-commit", "pre commit precommit"),
        ("Next.js", "next js nextj"),
        ("C++ or C#", "cplusplu csharp"),
        (".NET", "dotnet net"),
        ("ann@example.com", "ann exampl com example_com ann_example_com"),
        ("65,536 rows", "65536 row"),
        ("2023-05-08", "2023 05 08 2023_05_08"),
        ("sha a1b2c3d4e5 and 9FCEB02", "sha a1b2c3d4e5 a1b2c3d 9fceb02"),
        ("__init__.py", "init __init__ py init_py"),
        ("Café naïve ＡＰＩ", "cafe naiv api"),
        ("東京都 犬", "東京 京都 犬"),
        ("Python開発", "python 開発"),
        ("ภาษา", "ภา าษ ษา"),
        ("don't — _ __ !?", ""),
    ],
)
def test_terms_of_technical_text_are_whole_and_in_parts(text, expected):
    assert terms(text) == expected.split()


def test_other_spellings_of_a_technical_word_meet_in_one_term():
    for spellings in (
        ("pre-commit", "precommit", "preCommit"),
        ("UTF-8", "utf8"),
        ("Node.js", "nodejs", "NodeJS"),
        ("dotnet", ".NET"),
        ("Python 3.11.7", "python 3.11"),
        ("src/core/db.py", "db.py"),
        ("naïve", "naive"),
    ):
        shared = set.intersection(*(set(terms(spelling)) for spelling in spellings))

        assert shared


def test_words_are_stemmed_as_sqlite_stems_them():
    modules = (text_of(module) for module in (unittest, json, inspect, sqlite3, re))
    words = sorted({word for text in modules for word in re.findall(r"[a-z]+", text.lower())} | set(ENDINGS))

    made = tokens_made_of(words, full_text("porter unicode61"))

    assert len(words) > 1_500
    assert {word: [stem(word)] for word in words} == made


def text_of(module: object) -> str:
    """A module of the standard library as a text with many English words."""
    found = [inspect.getdoc(value) or "" for _, value in inspect.getmembers(module)]
    return " ".join(found) + (inspect.getsource(module) if inspect.ismodule(module) else "")


#: Words for every rule of the stemmer.
ENDINGS = """
    caresses ponies ties caress cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned
    falling hissing fizzed failing filing happy sky relational conditional rational valenci hesitanci digitizer
    conformabli radicalli differentli vileli analogousli vietnamization predication operator feudalism decisiveness
    hopefulness callousness formaliti sensitiviti sensibiliti triplicate formative formalize electriciti electrical
    hopeful goodness revival allowance inference airliner gyroscopic adjustable defensible irritant replacement
    adjustment dependent adoption homologou communism activate angulariti homologous effective bowdlerize probate rate
    cease controll roll yes yellow saying toy syzygy archaeologi us as is oed
""".split()


@given(st.text(max_size=80))
def test_full_text_keeps_every_term_in_one_piece(text):
    found = list(dict.fromkeys(terms(text)))

    made = tokens_made_of(found, KEEPS_TERMS)

    assert [term for term in found if not re.fullmatch(r"\w+", term)] == []
    assert [term for term in found if len(made[term]) != 1] == []


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_text_has_the_terms_of_its_parts(first, second):
    assert terms(f"{first}\n{second}") == terms(first) + terms(second)


@given(st.text(max_size=60))
def test_a_text_has_the_same_terms_however_often_it_is_read(text):
    assert terms(text) == terms(text)


def test_stop_words_are_no_terms():
    assert terms(" ".join(STOP_WORDS)) == []


@pytest.mark.parametrize(
    "unit", ["word ", "aB", "a_", "1.", "a-", "a/", "東京都", "\ufdfa", "x@", "+", "é", "😀"]
)
def test_the_longest_memory_has_a_bounded_number_of_bounded_terms(unit):
    text = (unit * 65_536)[:65_536]

    found = terms(text)

    assert len(found) <= MAX_TERMS
    assert sum(map(len, found)) <= 4 * len(text)


def test_a_question_keeps_each_term_once_in_order():
    assert query_terms("Which port does the port scanner scan?") == ["port", "scanner", "scan"]
    assert query_terms("who is it?") == []


def test_phrases_are_what_stands_in_double_quotes():
    asked = 'find "connection reset" or “broken pipe” near "" and "open'

    assert phrases(asked) == ["connection reset", "broken pipe"]


def test_a_day_reads_as_people_write_it():
    assert date_words(datetime(2023, 5, 8, 23, 59, tzinfo=UTC)) == "8 May 2023"


def test_content_words_leave_out_emphasis_and_join_spellings():
    assert content_words("Please always use snake_case") == content_words("use snake_case")
    assert content_words("the db config") == content_words("Database configuration")
    assert content_words("use snake_case") < content_words("always use snake_case for Python")


def test_the_stop_words_leave_out_what_people_search_for():
    assert len(STOP_WORDS) == 95
    assert not STOP_WORDS & {"like", "get", "all", "each", "before", "after", "most", "more", "only"}


CHUNKS = st.one_of(
    st.text(alphabet="aBzS09_.,-'()#+:/@İß", min_size=1, max_size=12),
    st.from_regex(r"[(\"']?[A-Za-z0-9_]{1,12}[.,;:!?)\"']{0,2}", fullmatch=True),
    st.sampled_from(
        ["APIs", "C++,", "C#.", ".NET", "(Node.js)", "3.11.7.", "1,234", "__init__", "Deadbeef1a2"]
    ),
)


@given(CHUNKS)
def test_words_that_are_read_at_once_have_the_terms_they_have_when_taken_apart(chunk: str) -> None:
    assert reading._read(chunk).split() == list(reading._chunk_terms(chunk))


def asked_for(text):
    return {*query_terms(text), *other_spellings(text, query_terms(text))}


@pytest.mark.parametrize("length", [*range(7, 16), 40])
def test_a_hash_and_whatever_it_begins_with_have_a_term_in_common(length):
    for number in range(500):
        written = hashlib.sha1(bytes([number % 256, number // 256])).hexdigest()

        beginning = written[:length]

        assert asked_for(beginning) & set(terms(written)), beginning
        assert beginning.isdigit() or asked_for(written) & set(terms(beginning)), beginning


@pytest.mark.parametrize(
    "written",
    ["2 October 2026", "on 2 Oct. 2026?", "October 2, 2026", "the 2nd of october 2026", "Oct 2nd 2026"],
)
def test_a_day_in_words_is_asked_for_in_numbers_too(written):
    assert "2026_10_02" in terms("2026-10-02")
    assert "2026_10_02" in asked_for(written)


@pytest.mark.parametrize("written", ["marches 2 2026", "may 2026", "2 october", "october 123 2026", "march"])
def test_what_is_no_whole_day_is_not(written):
    assert not other_spellings(written, query_terms(written))


def test_a_phrase_that_is_quoted_again_and_again_counts_once():
    assert phrases('"a b" "c" ' * 1_000) == ["a b", "c"]
