"""A secret that reaches the product by any way never reaches the disk, not even for a moment."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Citation, Draft, Writer
from memory_layer.model.query import Query
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Engine
from memory_layer.usecases.add import add
from memory_layer.usecases.outcome import Report, record_outcome
from memory_layer.usecases.projects import remembered_project
from memory_layer.usecases.search import search
from memory_layer.wiring import open_engine
from tests.faults.machine import Machine
from tests.faults.texts import fact
from tests.planted import PLANTED

#: Kinds that go through the real command line as well; the rest would only take longer.
BY_COMMAND = ("anthropic-key", "password", "private-key", "url-password", "jwt", "key")
#: How much of a secret must not be found either.
PART = 20


def found_on_disk(folder: Path, secrets: dict[str, str]) -> list[str]:
    """The files below a folder that hold a secret, or its beginning, as any text encoding writes it."""
    found = []
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        content = file.read_bytes()
        folded = content.lower()
        for kind, secret in secrets.items():
            if any(spelling in content or spelling.lower() in folded for spelling in spellings(secret)):
                found.append(f"{kind} in {file.relative_to(folder)}")
    return found


def spellings(secret: str) -> Iterator[bytes]:
    """The bytes by which a secret would be recognised: the whole of it and its telling part."""
    quoted = secret.replace("\n", "\\n")
    for text in {secret, quoted, telling_part(secret)}:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            yield text.encode(encoding)


def telling_part(secret: str) -> str:
    """A stretch from the middle, where no public prefix stands any more."""
    if len(secret) <= PART * 2:
        return secret
    middle = len(secret) // 2
    return secret[middle - PART // 2 : middle + PART // 2]


def write_everywhere(engine: Engine, agent: Writer, place: Path, number: int, text: str, secret: str) -> None:
    """Put one secret into every place that takes words."""
    added = add(engine, Draft(content=f"{fact('leak', number)}: {text}"), agent)
    attempts: tuple[Callable[[], object], ...] = (
        lambda: add(engine, Draft(content=fact("tagged", number), tags=(text,)), agent),
        lambda: add(engine, Draft(content=fact("scoped", number), scope=(text,)), agent),
        lambda: add(
            engine, Draft(content=fact("noted", number), metadata={"note": text, text: "seen"}), agent
        ),
        lambda: add(engine, Draft(content=fact("deep", number), metadata={"a": [{"b": [text]}]}), agent),
        lambda: add(engine, Draft(content=fact("sat", number), session=text, source_run_id=text), agent),
        lambda: add(
            engine, Draft(content=fact("cited", number), citations=citations(engine, place, text)), agent
        ),
        lambda: search(engine, Query(text=text), agent),
        lambda: search(engine, Query(text=f"why does {secret} fail"), agent) if " " not in text else None,
        lambda: record_outcome(engine, [added.id], Report(result=Outcome.WORKED, evidence=text), agent),
        lambda: record_outcome(engine, [added.id], Report(result=Outcome.WORKED, query=text), agent),
    )
    for attempt in attempts:
        try:
            attempt()
        except InvalidInput:
            continue  # longer than that place allows, and so stored nowhere


def citations(engine: Engine, folder: Path, text: str) -> tuple[Citation, ...]:
    """The text in a cited file, alone and after a long line that cuts it off."""
    place = engine.surroundings.locate(folder)
    (folder / "alone.txt").write_text(text, encoding="utf-8")
    (folder / "late.txt").write_text("#" * 150 + "\n" + text, encoding="utf-8")
    return tuple(engine.surroundings.cite(name, place) for name in ("alone.txt", "late.txt"))


def test_no_planted_secret_reaches_the_disk(plain_machine, agent, tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    secrets = {kind: secret for kind, (_, secret) in PLANTED.items()}
    with open_engine(plain_machine.settings, "python") as engine:
        for number, (text, secret) in enumerate(PLANTED.values()):
            write_everywhere(engine, agent, project, number, text, secret)
        while_open = found_on_disk(plain_machine.home, secrets)
        rows = engine.store.sequence()
    afterwards = found_on_disk(plain_machine.home, secrets)

    assert rows > len(PLANTED)
    assert while_open == []
    assert afterwards == []


def test_no_secret_in_a_cited_address_reaches_the_disk(plain_machine, agent):
    secrets = {
        kind: secret for kind, (_, secret) in PLANTED.items() if secret.isprintable() and " " not in secret
    }
    with open_engine(plain_machine.settings, "python") as engine:
        place = engine.surroundings.locate(plain_machine.work)
        for number, secret in enumerate(secrets.values()):
            cited = engine.surroundings.cite(f"https://docs.example.com/page?token={secret}#part", place)
            add(engine, Draft(content=fact("address", number), citations=(cited,)), agent)
        while_open = found_on_disk(plain_machine.home, secrets)

    assert while_open == []


def test_a_project_named_like_a_secret_keeps_it_off_the_disk(plain_machine, agent, tmp_path):
    _, secret = PLANTED["github-token"]
    folder = tmp_path / f"checkout-{secret}"
    folder.mkdir()
    with open_engine(plain_machine.settings, "python") as engine:
        project = remembered_project(engine, engine.surroundings.locate(folder))
        add(engine, Draft(content=fact("homeless", 1)), agent, project)

    assert found_on_disk(plain_machine.home, {"github-token": secret}) == []


def commands_with(text: str, long: str) -> list[list[str]]:
    """Calls that end well and calls that end in an error, each with the secret in it."""
    return [
        ["add", f"the note says {text}", "--tag", text, "--meta", f'{{"note": {quoted(text)}}}'],
        ["add", long + text],
        ["add", "a fact with a wrong category", "--category", text],
        ["add", "a fact with a wrong citation", "--cite", text],
        ["search", text],
        ["search", text, "--ranker", text],
        ["search", text, "--json"],
        ["why", text],
        ["show", text],
        ["outcome", text, "worked", "--evidence", text],
        [text],
    ]


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


@pytest.mark.parametrize("kind", BY_COMMAND)
def test_no_secret_given_to_a_command_reaches_the_disk(plain_machine: Machine, kind):
    text, secret = PLANTED[kind]
    answers = [plain_machine.mem(*command) for command in commands_with(text, "x" * 70_000)]

    assert answers[0].code == 0, answers[0]
    assert answers[4].code == 0, answers[4]
    assert any(answer.code for answer in answers)
    assert found_on_disk(plain_machine.home, {kind: secret}) == []
    assert found_on_disk(plain_machine.work, {kind: secret}) == []
