"""Made-up memories for speed runs: the same for everybody, and never two alike."""

from __future__ import annotations

import random
from collections.abc import Iterator


def _listed(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(";"))


_PARTS = _listed("""
    upload service; nightly export; billing worker; search page; login form; image resizer;
    order queue; report builder; mail sender; session store; audit log; price import
""")
_DOINGS = _listed("""
    retries a failed request; writes one line for every row; keeps its cache warm; splits large files;
    reads its limits from a table; drops old messages; checks the signature first; locks one account;
    compresses what it sends; counts every visitor; renews its certificate; batches small writes
""")
_WHENS = _listed("""
    when the network is slow; before the first visitor arrives; after the weekly release; at midnight;
    while the index is rebuilt; once the queue is empty; if the disk is nearly full; on every start
""")
_WHYS = _listed("""
    because the partner closes idle connections; since the old driver leaks handles; to spare the database;
    so that two runs never overlap; as the contract with the bank demands; to keep the bill small
""")
_NAMES = _listed("amber; birch; cedar; delta; ember; fjord; grove; heron; iris; jade; krill; lotus")


def memories(count: int, seed: int = 0) -> list[str]:
    """As many sentences of about twenty words, each about something of its own."""
    chance = random.Random(seed)
    names = (f"{_NAMES[number % len(_NAMES)]}_{seed}_{number:06d}" for number in range(count))
    return [_sentence(chance, name) for name in names]


def _sentence(chance: random.Random, name: str) -> str:
    part, doing, when, why = (chance.choice(words) for words in (_PARTS, _DOINGS, _WHENS, _WHYS))
    return f"The {part} {name} {doing} {when} {why}, at most {chance.randrange(2, 900)} times an hour"


def questions(count: int, seed: int = 1) -> Iterator[str]:
    """Questions of a few words that the memories answer, also for a search that wants every word."""
    chance = random.Random(seed)
    for _ in range(count):
        yield f"{chance.choice(_PARTS)} {chance.choice(_DOINGS)}"
