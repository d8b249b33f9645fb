"""Read the words that narrow a list: all of them have to occur, and the last one may be unfinished."""

from __future__ import annotations

import re

from memory_layer.model.lists import NO_WORDING, Wording
from memory_layer.ports import Engine
from memory_layer.rules import limits
from memory_layer.text import words

MOST_CHARACTERS = 1_000
LONGEST_ENDING = 5  #: letters that a stem may lack
SHORTEST_STEM = 3


def wording_of(engine: Engine, text: str | None) -> Wording:
    """Return the words that a text asks for."""
    if text is None or not text.strip():
        return NO_WORDING
    limits.check_text(text, "the text", MOST_CHARACTERS)
    phrases = words.phrases(text)
    rest = text
    for phrase in phrases:
        rest = re.sub(rf'["“]\s*{re.escape(phrase)}\s*["”]', " ", rest)
    wording = _of_words(engine, rest.replace('"', " ").split(), ends=not rest[-1:].isspace())
    terms = [*wording.terms, *(term for phrase in phrases for term in words.terms(phrase))]
    return wording._replace(terms=tuple(dict.fromkeys(terms)), texts=(*wording.texts, *phrases))


def _of_words(engine: Engine, given: list[str], *, ends: bool) -> Wording:
    """Read words without quotes; only one that ends the text may be unfinished."""
    if not given:
        return NO_WORDING
    last = given[-1] if ends else ""
    whole = given[:-1] if last else given
    terms = tuple(dict.fromkeys(term for word in whole for term in words.terms(word)))
    texts = tuple(word for word in whole if not words.terms(word) and not _is_stop_word(word))
    begun = _unfinished(engine, last, alone=not (terms or texts)) if last else NO_WORDING
    return begun._replace(terms=(*terms, *begun.terms), texts=(*texts, *begun.texts))


def _unfinished(engine: Engine, word: str, *, alone: bool) -> Wording:
    """Read a word of which more may follow: its complete parts, and any term that begins with the rest."""
    *parts, rest = re.split(r"[^\w]+", word.lower().rstrip("!?.,;:)]}'"))
    terms = tuple(term for part in parts for term in words.terms(part))
    if not rest:
        return Wording(terms=terms) if terms else Wording(texts=(word,))
    if _is_stop_word(rest) and not alone:
        return Wording(terms=terms)
    last = tuple(words.terms(rest))
    if engine.store.search.terms_beginning(rest) or (last and engine.store.search.frequencies(last)[1]):
        return Wording(terms=terms, last=last, prefix=rest)
    # Terms are stems, so a word typed beyond its stem begins none: "migratio" is looked for as "migrat".
    shorter = [rest[:-cut] for cut in range(1, LONGEST_ENDING + 1) if len(rest) - cut >= SHORTEST_STEM]
    known = engine.store.search.frequencies(shorter)[1]
    stems = tuple(stem for stem in shorter if stem in known)
    return Wording(terms=terms, last=stems or (rest,), texts=(rest,) if stems else ())


def _is_stop_word(word: str) -> bool:
    return word.lower() in words.STOP_WORDS
