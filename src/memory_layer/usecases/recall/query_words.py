"""Understand the words of a query: typing errors, abbreviations, other words for the same thing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from memory_layer.model.query import Filters
from memory_layer.ports import Engine, Store
from memory_layer.ranking.coverage import QueryTerms
from memory_layer.text import words
from memory_layer.text.trade_words import related, short_forms

MOST_TERMS = 24  #: of a longer query, such as a pasted error, every word is taken as it is
MOST_RELATED = 48
MOST_DEFINING = 5  #: memories read for the definition of one abbreviation
_ABBREVIATION = re.compile(r"\b[A-Z][A-Z0-9]{1,5}\b")


def query_terms(engine: Engine, text: str, filters: Filters) -> QueryTerms:
    """Return the terms of a query, and what may stand for them in a text; the store need not hold any of it."""
    terms = words.query_terms(text)
    if others := words.other_spellings(text, terms):
        known = engine.store.search.frequencies(others)[1]
        terms += [term for term in others if term in known]  # the others would only dilute
    if len(terms) > MOST_TERMS:
        return QueryTerms(tuple(terms))
    spellings: dict[str, str] = {}
    for term in terms:
        spellings |= {each: term for each in short_forms(term) if each not in terms and each not in spellings}
    defined = _defined(engine, text, filters, engine.now())
    return QueryTerms(tuple(terms), spellings, _related(terms, spellings) | defined)


def corrected(store: Store, query: QueryTerms, frequency: Mapping[str, int]) -> QueryTerms:
    """Add the words of the store that unknown terms may stand for; the same query if there are none."""
    if len(query.terms) > MOST_TERMS:
        return query
    spelled = {term for spelling, term in query.spellings.items() if frequency.get(spelling)}
    found: dict[str, str] = {}
    for term in query.terms:
        if frequency.get(term) or term in spelled:
            continue
        from memory_layer.text.near_words import is_worth_completing, near_words  # most words are known

        if is_worth_completing(term):
            found |= dict.fromkeys(near_words(term, store.search.terms_beginning(term[:2])), term)
    new = {each: term for each, term in found.items() if each not in query.terms}
    return query._replace(spellings={**query.spellings, **new}) if new else query


def _related(terms: Sequence[str], spellings: Mapping[str, str]) -> dict[str, str]:
    """Return other words for the same things, each with the term of the query that it stands for."""
    found: dict[str, str] = {}
    for word, term in [*zip(terms, terms, strict=True), *spellings.items()]:
        for each in related(word):
            if each not in terms and each not in spellings and len(found) < MOST_RELATED:
                found.setdefault(each, term)
    return found


def _defined(engine: Engine, text: str, filters: Filters, now: datetime) -> dict[str, str]:
    """Return the words of abbreviations that the store itself defines, such as "recovery point (RPO)"."""
    found: dict[str, str] = {}
    for short in dict.fromkeys(_ABBREVIATION.findall(text)):
        terms = words.terms(short)
        if len(terms) != 1:
            continue
        from memory_layer.usecases.recall.vectors import matching  # few queries name an abbreviation

        for memory in engine.store.memories.get(
            list(matching(engine.store, terms, filters, now, MOST_DEFINING))
        ):
            long = words.spelled_out(memory.content, short)
            found |= dict.fromkeys(words.terms(long), terms[0])
    return found
