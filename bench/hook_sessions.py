"""Sessions of an agent on a made-up project, and what its hooks give over each of them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import stores
from memory_layer.doors.hook.answer import answer
from memory_layer.doors.hook.event import read_event
from memory_layer.model.context import Way
from memory_layer.model.memory import Draft
from memory_layer.model.vocabulary import Category, OnDuplicate
from memory_layer.ports import Engine
from memory_layer.text.tokens import estimate
from memory_layer.usecases.remember.add_many import add_many
from memory_layer.verbs.call import Caller, Dispatcher
from memory_layer.wiring import open_engine

PROMPTS, TOOL_CALLS = 30, 60  #: of a session
AGENT = "claude-code"


def _listed(text: str) -> tuple[str, ...]:
    return tuple(" ".join(each.split()) for each in text.split(";"))


_PARTS = _listed("""
    ticket printer; berth planner; tide reader; crew roster; fuel ledger; gate camera; cargo scale; fare
    table; booking page; refund desk; weather feed; radio log; anchor alarm; engine monitor; dock crane;
    customs form; mail relay; map tiles; lost luggage list; parking meter; night ferry timetable; staff
    badge reader; invoice archive; harbour webcam
""")
#: What is known of every part; `{slug}`, `{code}`, `{port}` and `{other}` are its own.
_FACTS = (
    (Category.ENVIRONMENT, "The {part} listens on port {port} behind the proxy"),
    (Category.PITFALL, "Never run make reset-{slug} on a live machine: it empties the queue of the {part}"),
    (
        Category.TROUBLESHOOTING,
        "{code} from the {part} means that its lease has expired; restart it and the error is gone",
    ),
    (Category.DECISION, "The {part} keeps its data in {place} because two offices write at the same time"),
    (
        Category.ARCHITECTURE,
        "The {part} sends its events to the {other} over a queue and never calls it directly",
    ),
    (
        Category.WORKFLOW,
        "Test the {part} with make test-{slug}; the whole suite takes half an hour and is for the night",
    ),
    (
        Category.CONVENTION,
        "Times in the {part} are stored in UTC and shown in the time of the port of departure",
    ),
    (
        Category.CONTEXT,
        "{person} wrote the {part} and knows why its retries stop after {tries} attempts",
    ),
    (Category.GENERAL, "The {part} answers within {port} microseconds if its table fits into memory"),
)
_PLACES, _PEOPLE = (
    ("Postgres", "SQLite", "Redis", "plain files"),
    ("Ada", "Bo", "Cleo", "Dag", "Edda", "Finn"),
)
#: Prompts of a session: about what is known, about other work, and those that need nothing.
_ABOUT = (
    "which port does the {part} use?",
    "how do I run the tests of the {part}?",
    "who can tell me about the retries of the {part}?",
    "where does the {part} keep its data, and why?",
    "add a button to the {part} that shows the last five entries",
    "the {part} is slow since yesterday, please find out why",
    "write a test for the rounding in the {part}",
)
_SHORT = _listed("""
    go on; yes; looks good, commit it; no, the other one; try again; thanks; ok; what do you think?;
    continue
""")
_ELSEWHERE = (
    "rename this variable to something shorter",
    "explain the regular expression in line twelve",
    "sort the imports of the open file",
    "undo your last edit",
)
_SAID = ("We always write dates as year, month, day.", "From now on use tabs in Makefiles only.")
_HARMLESS = _listed("""
    ls -la; git status; git diff --stat; cat README.md; grep -rn retry src; python -m pytest tests/unit; git
    log --oneline; npm run lint
""")


class Session(NamedTuple):
    """The texts that one session was given, and how often a prompt was embedded."""

    tokens: int
    answers: int
    prompts: int
    embedded: int  #: prompts that needed an embedding
    warned: int


def project() -> list[Draft]:
    """The memories of the project."""
    chance = random.Random(11)
    return [
        Draft(content=text.format(**_named(chance, number)), category=kind, on_duplicate=OnDuplicate.KEEP)
        for number in range(len(_PARTS))
        for kind, text in _FACTS
    ]


def _named(chance: random.Random, number: int) -> dict[str, object]:
    part = _PARTS[number]
    return {
        "part": part,
        "slug": part.replace(" ", "-"),
        "code": f"E_{part.replace(' ', '_').upper()}_LEASE",
        "port": 7000 + 13 * number,
        "place": _PLACES[number % len(_PLACES)],
        "person": _PEOPLE[number % len(_PEOPLE)],
        "tries": 3 + number % 5,
        "other": chance.choice(_PARTS),
    }


def events(seed: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the events of one session: its start, and after each prompt two calls of tools."""
    chance = random.Random(seed)
    yield "SessionStart", {"source": "startup"}
    prompts, tools = _prompts(chance), iter(_tools(chance))
    for prompt in prompts:
        yield "UserPromptSubmit", {"prompt": prompt}
        for _ in range(TOOL_CALLS // PROMPTS):
            call, error = next(tools)
            yield "PreToolUse", call
            output = {"stdout": "", "stderr": error, "exit_code": 1} if error else {"stdout": "done"}
            yield "PostToolUse", {**call, "tool_response": output}


def _prompts(chance: random.Random) -> list[str]:
    about = [chance.choice(_ABOUT).format(part=chance.choice(_PARTS)) for _ in range(16)]
    rest = [chance.choice(_SHORT) for _ in range(8)] + [chance.choice(_ELSEWHERE) for _ in range(4)]
    every = [*about, *rest, *_SAID]
    chance.shuffle(every)
    return every[:PROMPTS]


def _tools(chance: random.Random) -> list[tuple[dict[str, Any], str]]:
    """Return calls of tools, each with the error it ends with."""
    parts = [chance.choice(_PARTS) for _ in range(16)]
    calls = [(_shell(chance.choice(_HARMLESS)), "") for _ in range(44)]
    calls += [
        ({"tool_name": "Edit", "tool_input": {"file_path": f"src/{_slug(part)}.py"}}, "")
        for part in parts[:8]
    ]
    calls += [(_shell(f"make reset-{_slug(part)}"), "") for part in parts[8:11]]
    calls += [
        (_shell(f"make test-{_slug(part)}"), f"E_{_slug(part, '_').upper()}_LEASE: lost")
        for part in parts[11:13]
    ]
    calls += [
        (_shell("python -m pytest tests/unit"), "AssertionError: 3 != 4\n1 failed, 12 passed")
        for _ in parts[13:]
    ]
    chance.shuffle(calls)
    return calls


def _shell(command: str) -> dict[str, Any]:
    return {"tool_name": "Bash", "tool_input": {"command": command}}


def _slug(part: str, between: str = "-") -> str:
    return part.replace(" ", between)


class _Counting:
    """An embedder that counts the texts it is given."""

    def __init__(self, real: Any) -> None:
        self.real = real
        self.calls = 0

    def __getattr__(self, name: str) -> Any:
        self.calls += name.startswith("embed_")
        return getattr(self.real, name)


def replayed(folder: Path, model: Path, sessions: int) -> tuple[list[Session], int]:
    """Replay sessions on one store; also return the tokens of the whole store pasted."""
    folder.mkdir(parents=True)
    settings = stores.settings_of(stores.environment(folder, model), folder)
    with open_engine(settings, "python") as engine:
        drafts = project()
        add_many(engine, drafts, stores.WRITER)
        found = [_replay(engine, folder, number) for number in range(sessions)]
    return found, estimate("\n".join(draft.content for draft in drafts))


def _replay(engine: Engine, folder: Path, number: int) -> Session:
    real = engine.embedder()
    counting = _Counting(real) if real else None
    texts: list[tuple[str, str, bool]] = []
    for name, fields in events(number):
        payload = {"session_id": f"s-{number}", "cwd": str(folder), "hook_event_name": name, **fields}
        event = read_event(AGENT, name, json.dumps(payload).encode(), {})
        assert event is not None
        before = counting.calls if counting else 0
        text = "" if event.is_silent else _answer(engine._replace(embedder=lambda: counting), folder, event)
        texts.append((name, text, counting is not None and counting.calls > before))
    return _summed(texts)


def _answer(engine: Engine, folder: Path, event: Any) -> str:
    caller = Caller("hook", folder, event.agent.name, event.session, way=Way.TOOLS)
    return answer(event, Dispatcher(engine, caller))


def _summed(texts: Sequence[tuple[str, str, bool]]) -> Session:
    prompts = [embedded for name, _, embedded in texts if name == "UserPromptSubmit"]
    return Session(
        tokens=sum(estimate(text) for _, text, _ in texts if text),
        answers=sum(bool(text) for _, text, _ in texts),
        prompts=len(prompts),
        embedded=sum(prompts),
        warned=sum(bool(text) for name, text, _ in texts if name.endswith("ToolUse")),
    )
