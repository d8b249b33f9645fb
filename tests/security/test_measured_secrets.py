"""How many secrets are caught before they are stored, and how many harmless texts stay as they are.

Each `secrets_*.jsonl` beside this file holds one text to a line, with the values that must vanish; a harmless text has
none. A broken bar may stand inside a token, so that scanners of public repositories do not stop at it.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

from memory_layer.model.memory import Draft, Writer
from memory_layer.ports import Engine
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.usecases.who.lookup import read_memory

SETS = sorted(Path(__file__).parent.glob("secrets_*.jsonl"))
#: The least shares of secrets caught and of harmless texts untouched: in the set that the rules were made with, and in
#: one by another hand.
LEAST = {"secrets_tuned": (0.95, 0.99), "secrets_untuned": (0.85, 0.99)}
SMALLEST = 250  #: texts of either sort
PART = 6  #: characters of a secret that must not be left either
#: How a token begins for everybody, and the address of a service.
PUBLIC = re.compile(r"https?://[^/]+/(?:[a-z0-9_]+/)*|[A-Za-z]{2,12}[-_.]")


class Text(NamedTuple):
    """What somebody might tell, and the secrets in it."""

    text: str
    secrets: tuple[str, ...]


def texts_of(file: Path) -> list[Text]:
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip())
    return [
        Text(_whole(line["text"]), tuple(_whole(secret) for secret in line.get("secrets", ())))
        for line in lines
    ]


def _whole(text: str) -> str:
    return text.replace("\u00a6", "")


def stored(engine: Engine, agent: Writer, texts: list[Text]) -> list[str]:
    """What the store holds of each text after it was added."""
    added = add_many(engine, [Draft(content=each.text) for each in texts], agent)
    return [read_memory(engine.store, each.id).content for each in added]


def is_left(told: Text, kept: str) -> bool:
    """Tell whether a secret, or a part of it that nothing public shares, is still to be read."""
    kept = re.sub(r"\[REDACTED:[a-z-]+\]", " ", kept)
    public = told.text
    for secret in told.secrets:
        public = f"{public.replace(secret, ' ')} {secret[: beginning(secret)]}"
    return any(part in kept and part not in public for secret in told.secrets for part in parts_of(secret))


def beginning(secret: str) -> int:
    """How much of a secret everybody knows."""
    found = PUBLIC.match(secret)
    return found.end() if found and len(secret) - found.end() >= PART else 0


def parts_of(secret: str) -> list[str]:
    body = secret[beginning(secret) :]
    return [body[place : place + PART] for place in range(max(1, len(body) - PART + 1))]


@pytest.mark.parametrize("file", SETS, ids=lambda file: file.stem)
def test_most_secrets_are_caught_and_harmless_texts_stay(file, keyword_engine, agent):
    texts = texts_of(file)
    kept = dict(zip(texts, stored(keyword_engine, agent, texts), strict=True))
    secret = [each for each in texts if each.secrets]
    harmless = [each for each in texts if not each.secrets]

    leaked = [each.text for each in secret if is_left(each, kept[each])]
    touched = [f"{each.text} => {kept[each]}" for each in harmless if kept[each] != each.text.strip()]
    caught, untouched = 1 - len(leaked) / len(secret), 1 - len(touched) / len(harmless)
    print(f"\n{file.stem}: {len(secret)} secrets, {caught:.1%} caught", end="; ")
    print(f"{len(harmless)} harmless texts, {untouched:.1%} untouched")
    print(
        *(f"  leaked:  {text!r}" for text in leaked), *(f"  touched: {text!r}" for text in touched), sep="\n"
    )

    assert min(len(secret), len(harmless)) >= SMALLEST
    assert caught >= LEAST[file.stem][0]
    assert untouched >= LEAST[file.stem][1]


def test_the_measure_finds_a_secret_and_a_part_of_it():
    told = Text("the password is Regenbogen#4711 today", ("Regenbogen#4711",))

    assert is_left(told, told.text)
    assert is_left(told, "the password is Regenb[REDACTED:password] today")
    assert not is_left(told, "the password is [REDACTED:password] today")
