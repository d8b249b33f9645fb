"""Find the words by which a text in a session can refer to only one of the memories it was given."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from memory_layer.model.record import NamedTuple
from memory_layer.text.porter import stem
from memory_layer.text.words import ALIASES, content_words

LONGEST_READ = 4_000  #: characters of a text
_END = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")
_CHUNK = re.compile(r"[^\s,;()\"`]+")


def _stems(words: str) -> frozenset[str]:
    return frozenset(ALIASES.get(stem(word), stem(word)) for word in words.split())


#: Words that are in so many texts about code that they identify no memory.
_USUAL = _stems(
    "test tests run runs code file files project use used add new fix make work works change line error command name"
    " names one way thing time check pass passes passed fail fails need needs call set get first last good because"
    " instead only never before after else still than other same more most see look write read show start stop end"
    " back up down out here please thank thanks yes ok okay py js ts tsx jsx go rs rb java kt cs cpp md json yaml yml"
    " toml txt sh app src lib main index like per multiple several whole own"
)
#: Words that are frequent in texts about code, so that one of them alone identifies no memory.
_FREQUENT = _stems(
    "issue update key value data user build install version module function class type list item page api server"
    " config option default example feature task step problem message search create delete remove move rename method"
    " field table column row button form view model service request response string number object array package"
    " dependency library branch commit release deploy log logs output input result folder directory path format style"
    " variable parameter import export component event state query database plan doc docs comment specific common"
    " simple clear proper correct ensure prefer keep avoid define provide include follow require product contain"
    " repository custom context content practice best"
)


class Place(NamedTuple):
    """A word of a memory in a sentence."""

    term: str
    first: int
    last: int


def sentences_of(text: str) -> list[str]:
    """Split a text into sentences."""
    return [each for each in _END.split(text[:LONGEST_READ]) if each.strip()]


def own_terms(terms: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """Return for each text the words that no other one has, without common ones."""
    counts = Counter(term for each in terms for term in each)
    return [frozenset(term for term in each - _USUAL if counts[term] == 1) for each in terms]


def means_one(found: Collection[str]) -> bool:
    """Are these words enough to identify a memory: a rare one, or several?"""
    rare = [term for term in found if term not in _FREQUENT and not (term.isdigit() and len(term) < 3)]
    return bool(rare) or len(found) > 1


def places_of(wanted: frozenset[str], sentence: str) -> Iterator[Place]:
    """Yield the places in a sentence where one of the terms occurs."""
    for found in _CHUNK.finditer(sentence) if wanted else ():
        for term in wanted & content_words(found[0]):
            yield Place(term, found.start(), found.end())
