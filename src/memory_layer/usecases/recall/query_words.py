"""Understand the words of a query: typing errors, abbreviations, other words for the same thing."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime

from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple
from memory_layer.ports import Embedder, Engine, Store
from memory_layer.ranking.coverage import QueryTerms
from memory_layer.text import words
from memory_layer.text.trade_words import related, short_forms

MOST_TERMS = 24  #: of a longer query, such as a pasted error, every word is taken as it is
MOST_RELATED = 48
LEAST_MISTYPED = 5  #: letters of a word that may be mistyped; shorter ones are near to too many others
LEAST_NO_WORD = 4  #: letters of one that the model does not know either
MOST_DEFINING = 5  #: memories read for the definition of one abbreviation
_WORD = re.compile(r"[^\W\d_]+")
_ABBREVIATION = re.compile(r"\b[A-Z][A-Z0-9]{1,5}\b")


class Understood(NamedTuple):
    """A question with its typing errors corrected."""

    words: QueryTerms
    text: str  #: with the store's words in place of those that are none


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


def understood(
    engine: Engine,
    text: str,
    query: QueryTerms,
    frequency: Mapping[str, int],
    embedder: Embedder | None,
    filters: Filters,
) -> Understood:
    """Correct a question; a word that the model knows is what was meant, though no memory holds it."""
    if len(query.terms) > MOST_TERMS:
        return Understood(query, text)
    if embedder is None:
        return Understood(_corrected(engine.store, query, frequency, near_from=LEAST_MISTYPED), text)
    unknown = {term: word for term, word in _words_by_term(text).items() if not frequency.get(term)}
    mistyped = {term: word for term, word in unknown.items() if not embedder.knows(word)}
    if not mistyped:
        return Understood(query, text)
    words = _corrected(engine.store, query, frequency, mistyped, near_from=LEAST_NO_WORD)
    # A correction is in the store, an abbreviation's long form may not be.
    instead: dict[str, str] = {}
    for spelling, term in words.spellings.items():
        if term in mistyped and (spelling not in query.spellings or frequency.get(spelling)):
            instead.setdefault(term, spelling)
    for term, spelling in instead.items():
        if known := _written(engine, spelling, filters):
            text = re.sub(rf"\b{mistyped[term]}\b", known, text)
    return Understood(words, text)


def _corrected(
    store: Store,
    query: QueryTerms,
    frequency: Mapping[str, int],
    among: Collection[str] | None = None,
    *,
    near_from: int,
) -> QueryTerms:
    """Add the words of the store that unknown terms may stand for; the same query if there are none."""
    spelled = {term for spelling, term in query.spellings.items() if frequency.get(spelling)}
    found: dict[str, str] = {}
    for term in query.terms if among is None else [term for term in query.terms if term in among]:
        if frequency.get(term) or term in spelled:
            continue
        from memory_layer.text.near_words import is_worth_completing, near_words  # most words are known

        if is_worth_completing(term):
            near = near_words(term, store.search.terms_beginning(term[:2]), near_from)
            found |= dict.fromkeys(near, term)
    new = {each: term for each, term in found.items() if each not in query.terms}
    return query._replace(spellings={**query.spellings, **new}) if new else query


def _words_by_term(text: str) -> dict[str, str]:
    """Return the plain words of a text, each by its term."""
    read = ((words.query_terms(word), word) for word in _WORD.findall(text))
    return {terms[0]: word for terms, word in read if len(terms) == 1}


def _written(engine: Engine, term: str, filters: Filters) -> str | None:
    """Return the word behind a term as a memory writes it."""
    from memory_layer.usecases.recall.vectors import matching  # few queries are reworded

    for memory in engine.store.memories.get(list(matching(engine.store, [term], filters, engine.now(), 1))):
        return _words_by_term(memory.content).get(term)
    return None


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
