"""A secret that reaches the product by any way never reaches the disk, not even for a moment."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.capture import Said, Transcript
from memory_layer.model.changes import Changes
from memory_layer.model.context import AgentAction, ContextQuery
from memory_layer.model.episodes import Event, HandoffParts
from memory_layer.model.memory import Citation, Draft, Writer
from memory_layer.model.query import Query, Reach
from memory_layer.model.runs import Finish, Recipe, RunResult, RunTask
from memory_layer.model.sources import SourceState
from memory_layer.model.vocabulary import Outcome
from memory_layer.ports import Engine
from memory_layer.rules.identity import LONGEST_NAME
from memory_layer.usecases.give.context import context
from memory_layer.usecases.give.scoped import ContextScope
from memory_layer.usecases.give.warn import warn
from memory_layer.usecases.learn.episodes import hand_off, record
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.learn.procedures import save
from memory_layer.usecases.learn.run import finish, start
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.capture import capture
from memory_layer.usecases.remember.edit import edit, tag
from memory_layer.usecases.transfer.import_ import ImportTarget, import_from
from memory_layer.usecases.upkeep.verify import verify
from memory_layer.usecases.who.projects import project_of
from memory_layer.wiring import open_engine
from tests.cited import code_base, stored
from tests.faults.machine import Machine
from tests.faults.texts import fact
from tests.planted import PLANTED

#: Kinds that go through the real command line as well; the rest would only take longer.
BY_COMMAND = ("anthropic-key", "password", "private-key", "url-password", "jwt", "key")
#: How much of a secret must not be found either.
PART = 20


def found_on_disk(folder: Path, secrets: dict[str, str]) -> list[str]:
    """The files below a folder that hold a secret, or a good part of it, in any case and encoding."""
    contents = {file: file.read_bytes().lower() for file in folder.rglob("*") if file.is_file()}
    return [
        f"{kind} in {file.relative_to(folder)}"
        for file, content in sorted(contents.items())
        for kind, secret in secrets.items()
        if any(spelling in content for spelling in spellings(secret))
    ]


def spellings(secret: str) -> Iterator[bytes]:
    """The bytes by which a secret would be recognised."""
    part = telling_part(secret).lower()
    for text in {part, part.replace("\n", "\\n")}:
        for encoding in ("utf-8", "utf-16-le", "utf-16-be"):
            yield text.encode(encoding)


def telling_part(secret: str) -> str:
    """A stretch from the middle, where no public prefix stands any more."""
    if len(secret) <= PART * 2:
        return secret
    middle = len(secret) // 2
    return secret[middle - PART // 2 : middle + PART // 2]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_the_look_at_the_disk_finds_what_is_there(tmp_path, encoding):
    text, secret = PLANTED["private-key"]
    (tmp_path / "logs").mkdir()
    (tmp_path / "logs" / "mem.log").write_bytes(f"failed: {text.upper()}".encode(encoding))

    assert found_on_disk(tmp_path, {"private-key": secret}) == ["private-key in logs/mem.log"]


def said(*messages: str) -> Transcript:
    return Transcript(tuple(map(Said, messages)))


def write_everywhere(engine: Engine, agent: Writer, place: Path, number: int, text: str) -> None:
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
        lambda: record(engine, Event(text, tags=("diary",)), agent._replace(session=text)),
        lambda: record(engine, Event(fact("happened", number), tags=(text,)), agent),
        lambda: hand_off(engine, HandoffParts(text, *[(text,)] * 4), agent),
        lambda: save(engine, Recipe(f"steps {number}", (text,), text), agent),
        lambda: save(engine, Recipe(text, ("one step",)), agent),
        lambda: capture(
            engine, said(f"Remember that the note {number} says {text}. Always use {text} there."), agent
        ),
        lambda: capture(engine, said(f"The note {number} is {text}", "remember this"), agent),
        lambda: search(engine, Query(text=text), agent),
        lambda: record_outcome(
            engine, [added.id], OutcomeReport(result=Outcome.WORKED, evidence=text), agent
        ),
        lambda: record_outcome(engine, [added.id], OutcomeReport(result=Outcome.WORKED, query=text), agent),
        lambda: edit(engine, added.id, Changes(content=f"{fact('edited', number)}: {text}"), agent),
        lambda: edit(engine, added.id, Changes(metadata={text: {"deep": [text]}}, scope=(text,)), agent),
        lambda: tag(engine, added.id, [text, f"note={text}"], agent),
        lambda: warn(
            engine, AgentAction(command=text, path=text, error=text), agent, ContextScope(Reach.ALL)
        ),
        lambda: context(
            engine, ContextQuery(task=text, query=text, paths=(text,)), agent, ContextScope(Reach.ALL)
        ),
        lambda: ran(engine, agent, text),
    )
    for attempt in attempts:
        try:
            attempt()
        except InvalidInput:
            continue  # longer than that place allows, and so stored nowhere


def ran(engine: Engine, agent: Writer, text: str) -> None:
    """A run whose task, scope and notes hold the text."""
    run = start(engine, RunTask(text, write_scope=(text,)), agent)
    finish(engine, run.id, Finish(RunResult.WORKED, notes=(f"Note of the run: {text}",)), agent)


def citations(engine: Engine, folder: Path, text: str) -> tuple[Citation, ...]:
    """The text in a cited file, alone and after a long line that cuts it off."""
    place = engine.surroundings.locate(folder)
    (folder / "alone.txt").write_text(text, encoding="utf-8")
    (folder / "late.txt").write_text("#" * 150 + "\n" + text, encoding="utf-8")
    return tuple(engine.surroundings.cite(name, place) for name in ("alone.txt", "late.txt"))


def groups() -> list[dict[str, str]]:
    """All texts, those apart whose harmless words happen to spell a part of another kind's secret."""
    parts = {kind: telling_part(secret) for kind, (_, secret) in PLANTED.items()}
    together: dict[str, str] = {}
    apart: list[dict[str, str]] = []
    for kind, (text, secret) in PLANTED.items():
        harmless = text.replace(secret, "")
        if any(part in harmless for other, part in parts.items() if other != kind):
            apart.append({kind: text})
        else:
            together[kind] = text
    return [together, *apart]


@pytest.mark.parametrize("texts", groups(), ids=lambda texts: f"{len(texts)}-kinds")
def test_no_planted_secret_reaches_the_disk(plain_machine, agent, tmp_path, texts):
    project = tmp_path / "project"
    project.mkdir()
    secrets = {kind: PLANTED[kind][1] for kind in texts}
    with open_engine(plain_machine.settings, "python") as engine:
        for number, text in enumerate(texts.values()):
            write_everywhere(engine, agent, project, number, text)
        while_open = found_on_disk(plain_machine.home, secrets)
        changes = engine.store.sequence()
    afterwards = found_on_disk(plain_machine.home, secrets)

    assert changes > len(texts)
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


def test_no_secret_in_the_address_of_a_repository_reaches_the_disk(plain_machine, agent, tmp_path):
    _, token = PLANTED["github-token"]
    _, password = PLANTED["url-password"]
    with open_engine(plain_machine.settings, "python") as engine:
        for number, login in enumerate((f"ada:{password}", token, f"x-access-token:{token}")):
            folder = checkout(
                tmp_path / f"clone{number}", f"https://{login}@git.example.com/team/api{number}.git"
            )
            project = project_of(engine, engine.surroundings.locate(folder))
            add(engine, Draft(content=fact("cloned", number)), agent, project)
        names = [project.name for project in engine.store.projects.all()]

    assert names == ["api0", "api1", "api2"]
    assert found_on_disk(plain_machine.home, {"token": token, "password": password}) == []


#: A password in the name of a file, where neither a colon nor a blank stands before it.
NAMED = "tR7kLm9" + "Qx2vB4"


def test_no_secret_in_the_name_of_a_cited_file_reaches_the_disk(plain_machine, agent):
    token = PLANTED["github-token"][1]
    with open_engine(plain_machine.settings, "python") as engine:
        root = code_base(plain_machine.work)
        place = engine.surroundings.locate(root)
        for name in (f"notes-{token}.md", f"password-{NAMED}.md"):
            (root / name).write_text(f"see {len(name)} notes of the harbour\n")
            stored(engine, agent, place, f"A note of {len(name)}", name)
        moved = stored(engine, agent, place, "Refunds are booked in the ledger", "src/refunds.py:1-4")
        (root / "src/refunds.py").rename(root / f"src/{token}.py")
        verified = verify(engine, agent, ids=[moved], place=place)
        search(engine, Query(text="ledger"), agent)
        while_open = found_on_disk(plain_machine.home, {"token": token, "password": NAMED})

    assert verified.counts[SourceState.MOVED] == 1
    assert while_open == []


def test_no_secret_in_an_imported_folder_or_heading_reaches_the_disk(plain_machine, agent):
    repository = checkout(plain_machine.work / "repo", "https://git.example.com/team/repo.git")
    token = PLANTED["github-token"][1]
    for number, name in enumerate((token, f"password-{NAMED}", "plain")):
        folder = repository / name
        folder.mkdir()
        rules = f"# Password: {NAMED}\n\n- {fact('imported', number)}\n"
        (folder / "CLAUDE.md").write_text(rules)
        (folder / f"pw_{NAMED}.mdc").write_text(f"- {fact('ruled', number)}\n")
    with open_engine(plain_machine.settings, "python") as engine:
        report = import_from(engine, [repository], agent, ImportTarget(None, None))
        while_open = found_on_disk(plain_machine.home, {"token": token, "password": NAMED})

    assert report.added >= 3
    assert while_open == []


def checkout(folder: Path, address: str) -> Path:
    """A folder that looks like a clone of that address."""
    (folder / ".git").mkdir(parents=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (folder / ".git" / "config").write_text(f'[remote "origin"]\n\turl = {address}\n')
    return folder


@dataclass(frozen=True)
class Command:
    """A call of `mem` with a secret in it, and how it ends."""

    arguments: tuple[str, ...]
    fails: bool = False
    before: tuple[str, ...] = ()


def commands_with(text: str) -> list[Command]:
    """Calls that end well and calls that end in an error, up to one that is written to the log."""
    meta = json.dumps({"note": text, text: 1})
    return [
        Command(("add", f"the note says {text}", "--meta", meta)),
        Command(("add", "a tagged fact", "--tag", text), fails=len(text) > 100),
        Command(("add", "a fact of a strange session", "--session", text), fails=not text.isprintable()),
        Command(("add", "a fact by a strange writer", "--as", text), fails=not is_name(text)),
        Command(("add", "x" * 70_000 + text), fails=True),
        Command(("add", "a fact in a wrong category", "--category", text), fails=True),
        Command(("add", "a fact with a wrong citation", "--cite", text), fails=True),
        Command(("search", text)),
        Command(("search", text, "--json")),
        Command(("search", text, "--session", text), fails=not text.isprintable()),
        Command(("search", text, "--ranker", text), fails=True),
        Command(("why", text)),
        Command(("show", text), fails=True),
        Command(("outcome", text, "worked", "--evidence", text), fails=True),
        Command((text,), fails=True),
        Command(("config", "set", "writer", text), fails=True),
        Command(("config", "set", text, text), fails=True),
        Command(("search", text), fails=True, before=("sh", "-c", 'exec "$@" > /dev/full', "sh")),
    ]


def is_name(text: str) -> bool:
    return text.isprintable() and len(text) <= LONGEST_NAME


@pytest.mark.parametrize("kind", BY_COMMAND)
def test_no_secret_given_to_a_command_reaches_the_disk(plain_machine: Machine, kind):
    text, secret = PLANTED[kind]
    commands = commands_with(text)
    answers = [plain_machine.mem(*command.arguments, before=command.before) for command in commands]

    surprising = [
        (command.arguments[:3], answer.err)
        for command, answer in zip(commands, answers, strict=True)
        if (answer.code != 0) != command.fails
    ]
    assert surprising == []
    assert "details are in" in answers[-1].err
    assert found_on_disk(plain_machine.home, {kind: secret}) == []
    assert found_on_disk(plain_machine.work, {kind: secret}) == []
