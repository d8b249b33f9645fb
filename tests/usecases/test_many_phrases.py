"""Questions of very many quoted phrases: each must be there, and few are enough to look it up."""

from __future__ import annotations

from memory_layer.model.memory import Draft
from memory_layer.model.query import Mode, Query
from memory_layer.store.sqlite.search import MOST_LOOKED_UP, match_expression
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add


def test_an_expression_names_a_bounded_number_of_phrases():
    phrases = [(f"a{number}", f"b{number}") for number in range(1_000)]

    assert match_expression((), phrases).count(" AND ") == MOST_LOOKED_UP


def test_every_phrase_has_to_be_there_however_many_there_are(keyword_engine, agent):
    words = [f"ducks{number} swim{number}" for number in range(2 * MOST_LOOKED_UP)]
    known = add(keyword_engine, Draft(". ".join(words)), agent).id
    add(keyword_engine, Draft(". ".join(words[:-1])), agent)
    found = search(
        keyword_engine, Query(" ".join(f'"{each}"' for each in words), mode=Mode.KEYWORD), agent
    ).hits

    assert [hit.memory.id for hit in found] == [known]
