"""Open a store, exports and a configuration that an older version wrote, and lose nothing."""

from __future__ import annotations

import gzip
import json
import os
import re
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from memory_layer import wiring
from memory_layer.model.vocabulary import RESULT_ALIASES
from tests.compat.make_store import MEM
from tests.doors.terminals import Terminal

OLD = Path(__file__).parent / "schema-9"
KEPT = json.loads(gzip.decompress((OLD / "answers.json.gz").read_bytes()))
MOMENT = datetime.fromisoformat(KEPT["moment"])
PERSON = (
    sys.executable,
    "-c",
    "from functools import partial; from memory_layer.surroundings import terminal as ancestors;"
    f" ancestors.descent = partial(ancestors.descent, top={os.getpid()})\n{MEM}",
    MOMENT.isoformat(),
)
#: What the place of a store decides: a migrated file is larger, and the repositories lie elsewhere.
LOCAL = ("size_bytes", "root", "aliases")
#: Sentences that later versions word differently.
REWORDED = (
    (
        "Notes from earlier work: supplementary, not facts, and only a sample;",
        "Notes from earlier sessions; may be outdated. Verify before relying on them.",
    ),
    ("which counts no more", "which no longer counts"),
    ("helped in part", "partly worked"),
    ("nobody was asked about the two", "nobody has compared the two yet"),
)
DISPUTED = re.compile(r"\b(failed \d|contradicts )")
EXPORTS = {"export.jsonl.gz": (), "export-with-vectors.jsonl.gz": ("--vectors",)}


def looks(kind: str) -> list[Any]:
    return [pytest.param(look, id=" ".join([look["place"], *look["arguments"]])) for look in KEPT[kind]]


@pytest.fixture
def elsewhere(machine: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a machine with the same repositories, no store, and the clock of the moment when the old one was asked."""
    for place, remote in KEPT["remotes"].items():
        git = machine / place / ".git"
        git.mkdir(parents=True)
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    for name, content in KEPT["files"].items():
        (machine / name).parent.mkdir(parents=True)
        (machine / name).write_text(content)
    monkeypatch.setenv("MEM_WRITER", "helper")
    monkeypatch.setenv("MEM_SESSION", "s1")
    monkeypatch.chdir(machine / "api")

    class Clock(datetime):
        @classmethod
        def now(cls, tz=None):
            return MOMENT

    monkeypatch.setattr(wiring, "datetime", Clock)
    return machine


@pytest.fixture
def old(elsewhere: Path) -> Path:
    """Return that machine with a copy of the old store."""
    store = elsewhere / "home" / "memory.db"
    store.parent.mkdir(mode=0o700)
    store.write_bytes(gzip.decompress((OLD / "store.db.gz").read_bytes()))
    store.chmod(0o600)
    return elsewhere


def typed(*arguments: str) -> str:
    """Type a command at a terminal; return what it showed."""
    terminal = Terminal(*arguments, program=PERSON)
    assert terminal.end() == 0, terminal.seen
    return terminal.seen


def in_todays_words(text: str) -> str:
    for before, today in REWORDED:
        text = text.replace(before, today)
    return text


def finds(new: Any, old: Any) -> None:
    """Check that a search says of its hits what the old one said; a later version weighs them differently."""
    if not isinstance(old, dict) or "hits" not in old:
        return holds(new, old)
    known = {
        hit["id"]: {name: hit[name] for name in hit if name not in ("score", "signals")}
        for hit in old["hits"]
    }
    today = [hit for hit in new["hits"] if hit["id"] in known]
    assert bool(today) == bool(known)
    return holds(new | {"hits": today}, old | {"hits": [known[hit["id"]] for hit in today]})


def holds(new: Any, old: Any) -> None:
    """Check that an answer says all that the old one said; later versions may add fields and reword sentences."""
    if isinstance(old, dict):
        assert old.keys() <= new.keys()
        text = str(old.get("text"))
        of_the_words = {"digest", "tokens"} if in_todays_words(text) != text else set()
        for name in old.keys() - set(LOCAL) - of_the_words:
            holds(new[name], old[name])
    elif isinstance(old, list):
        new = new["items"] if isinstance(new, dict) else new  # as every list of later versions
        assert len(new) == len(old)
        for each, was in zip(new, old, strict=True):
            holds(each, was)
    elif isinstance(old, float):
        assert new == pytest.approx(old, abs=1e-5)
    elif isinstance(old, str):
        assert new in (in_todays_words(old), RESULT_ALIASES.get(old))
    else:
        assert new == old


@pytest.mark.parametrize("look", looks("of an agent"))
def test_an_agent_is_answered_as_before(old, mem, monkeypatch, look):
    monkeypatch.chdir(old / look["place"])

    whole = (
        ["--all"] if look["arguments"] == ["stats", "--json"] else []
    )  # which older versions counted by default
    answer = mem(*look["arguments"], *whole)

    if look["arguments"][0] == "context":
        assert given_before(look) <= lines_of(answer.out)  # later versions give more, in another order
    elif "--json" in look["arguments"]:
        (finds if look["arguments"][0] == "search" else holds)(answer.data, look["answer"])
    else:
        reproduced = look["arguments"][0] == "recalls"
        assert answer.out == (look["answer"] if reproduced else in_todays_words(look["answer"]))


def given_before(look: Any) -> set[str]:
    """Return the lines of a context; without a task, later versions leave out what has failed or is contradicted."""
    lines = lines_of(
        in_todays_words(look["answer"] if isinstance(look["answer"], str) else json.dumps(look["answer"]))
    )
    return {line for line in lines if "--task" in look["arguments"] or not DISPUTED.search(line)}


def lines_of(context: str) -> set[str]:
    """Return the lines of a context, also of one in JSON."""
    if context.startswith("{"):
        answer = json.loads(context)
        context = answer.get("data", answer)["text"]
    return set(context.splitlines())


@pytest.mark.parametrize("look", looks("of a person"))
def test_a_person_is_answered_as_before(old, monkeypatch, look):
    monkeypatch.chdir(old / look["place"])

    holds(json.loads(typed(*look["arguments"]))["data"], look["answer"])


@pytest.mark.parametrize("look", looks("by meaning"))
def test_the_old_vectors_are_compared_as_before(old, mem, with_model, monkeypatch, look):
    monkeypatch.chdir(old / look["place"])

    finds(mem(*look["arguments"]).data, look["answer"])


def test_an_old_store_takes_what_is_new_and_is_sound_afterwards(old, mem, with_model):
    before = mem("audit", "verify", "--json").data
    added = mem("add", "Downloads are resumed where they broke off", "--json").data
    after = mem("audit", "verify", "--json").data
    mem("embed")

    assert (before["intact"], after["intact"]) == (True, True)
    assert after["entries"] == before["entries"] + 1
    assert mem("search", "downloads resumed", "--peek", "--json").data["hits"][0]["id"] == added["id"]
    assert mem("doctor").code == 0  # which looks at words, vectors, counters, history and the file itself


@pytest.mark.parametrize(("name", "options"), EXPORTS.items())
def test_an_old_export_is_restored_exactly_and_written_the_same_again(elsewhere, mem, name, options):
    export = gzip.decompress((OLD / name).read_bytes())
    (elsewhere / "old.jsonl").write_bytes(export)

    typed("import", str(elsewhere / "old.jsonl"))
    typed("export", str(elsewhere / "new.jsonl"), *options)

    (head,) = (look["answer"] for look in KEPT["of an agent"] if look["arguments"][:2] == ["audit", "verify"])
    assert mem("audit", "verify", "--json").data == head | {"signatures": 0}  # which it did not count then
    first, *rest = (elsewhere / "new.jsonl").read_bytes().splitlines()
    old_first, *old_rest = export.splitlines()
    assert rest == old_rest
    assert json.loads(first) | {"program": None} == json.loads(old_first) | {"program": None}


def test_an_old_configuration_is_read(elsewhere, mem):
    place = Path(mem("config", "path").out.strip())
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes((OLD / "config.toml").read_bytes())

    assert {key: mem("config", "get", key).out.strip() for key in KEPT["settings"]} == KEPT["settings"]
