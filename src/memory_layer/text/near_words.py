"""Find the known words that an unknown one was meant to be: its completions, or words a typing error away."""

from __future__ import annotations

from collections.abc import Iterable

LEAST_PREFIX = 3  #: letters of a word that may be the beginning of another
LONG = 8  #: letters from which two errors are one word's typing errors
MOST = 3  #: completions of one word


def is_worth_completing(term: str) -> bool:
    """May this term be a shortened or mistyped word?"""
    return len(term) >= LEAST_PREFIX and term.isascii() and term.isalpha()


def near_words(term: str, known: Iterable[tuple[str, int]], near_from: int) -> list[str]:
    """Return the known words a term may stand for; more frequent first.

    They complete it; if none does, and it has at least `near_from` letters, they are a typing error away.
    """
    words = [(word, count) for word, count in known if word != term and word.isalpha()]
    completed = [each for each in words if each[0].startswith(term)]
    if completed:
        return [word for word, _ in sorted(completed, key=lambda each: (-each[1], each[0]))[:MOST]]
    if len(term) < near_from:
        return []
    most = 1 if len(term) < LONG else 2
    letters = set(term)
    near = [
        (distance(term, word, most), -count, word)
        for word, count in words
        # An error brings in or takes away at most one letter: nearly all words are told apart by that.
        if abs(len(word) - len(term)) <= most and len(letters.difference(word)) <= most
    ]
    least = min((each[0] for each in near), default=most + 1)
    return [word for far, _, word in sorted(near) if far == least <= most][:MOST]


def distance(one: str, other: str, most: int) -> int:
    """Count the letters to insert, drop, replace or swap with their neighbour; `most` + 1 if there are more."""
    if abs(len(one) - len(other)) > most:
        return most + 1
    above: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, above, row = above, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(above[j] + 1, row[j - 1] + 1, above[j - 1] + (letter != wanted))
            if earlier and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, earlier[j - 2] + 1)
            row.append(cost)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)
