"""Every argument of every verb can be reached through every door, but for a short list with reasons."""

from __future__ import annotations

import inspect
from contextlib import suppress
from functools import partial
from types import ModuleType
from typing import Any

import click
import pytest

import memory_layer
from memory_layer.doors.cli import arguments as cli_arguments
from memory_layer.doors.mcp.more_tools import FULL
from memory_layer.doors.python import Memories
from memory_layer.doors.rest.table import ROUTES
from memory_layer.errors import InvalidInput, MemoryLayerError
from memory_layer.model.query import Filters
from memory_layer.verbs import access, give, govern, learn, look_up, recall, remember, tasks, transfer, upkeep
from memory_layer.verbs import map as map_verbs
from memory_layer.verbs.call import Dispatcher, Verb
from memory_layer.verbs.request import own_name

FAMILIES: tuple[ModuleType, ...] = (
    *(remember, recall, give, look_up, learn, tasks, map_verbs, govern, upkeep, transfer, access),
)
VERBS: dict[str, Verb[Any, Any]] = {
    each.name: each for family in FAMILIES for each in vars(family).values() if isinstance(each, Verb)
}
DOORS = ("cli", "python", "mcp", "rest")

#: A command line for each verb; whatever it does not name has its default.
COMMAND_LINES = {
    "add": "add text",
    "add_many": None,
    "tag_many": None,
    "capture": "capture notes.txt",
    "edit": "edit abcd --content text",
    "tag": "tag abcd word",
    "links": "links abcd",
    "link": "links abcd --add relates_to efgh",
    "unlink": "links abcd --remove relates_to efgh",
    "settle": "link abcd same efgh",
    "search": "search text",
    "why": "why text",
    "show": "show abcd",
    "list": "list",
    "related": "related abcd",
    "context": "context",
    "compose": "compose --task text",
    "warn": "warn --command text",
    "recalls": "recalls",
    "last_session": "last",
    "recall": "recalls rec_abcd",
    "text_given": "recalls rec_abcd --text",
    "stats": "stats",
    "weekly": "stats --weeks 3",
    "overview": "",
    "projects": "projects",
    "stale_projects": "projects",
    "outcome": "outcome abcd worked",
    "reinforce": "reinforce abcd",
    "tasks": "tasks",
    "task": "tasks show abcd",
    "link_task": "tasks link abcd efgh",
    "unlink_task": "tasks unlink abcd efgh",
    "start_run": "run start text",
    "finish_run": "run finish run_abcd --worked",
    "run": "run show run_abcd",
    "runs": "run list",
    "save_procedure": "procedure save name --step text",
    "procedure": "procedure show name",
    "procedures": "procedure list",
    "procedure_done": "procedure done name --worked",
    "archive_procedure": "procedure archive name",
    "episode": "episode text",
    "timeline": "timeline",
    "handoff": "handoff text",
    "last_handoff": "handoff",
    "review": "review --list",
    "decide": "review abcd --decide keep",
    "decide_many": None,
    "archive": "archive abcd",
    "restore": "restore abcd",
    "approve": "approve abcd",
    "forget_preview": "forget abcd",
    "history": "history abcd",
    "revert": "revert abcd --to 1",
    "undo": "undo",
    "operations": "undo --list",
    "audit_log": "audit list",
    "verify_audit": "audit verify",
    "register_folder": "projects add .",
    "unregister_folder": "projects remove .",
    "registered": "projects",
    "consolidate": "consolidate",
    "verify": "verify --all",
    "insights": "insights",
    "embed": "embed",
    "lay_out": "map",
    "export": "export out.jsonl",
    "import_": "import notes.md",
    "import_history": "import history",
    "replay": "replay",
    "importable": "import",
    "sync": "sync shared",
    "make_token": "token create ci",
    "tokens": "token list",
    "revoke_token": "token revoke ci",
    "set_passphrase": "passphrase set",
}


class Stop(Exception):
    """Nothing more is to be seen."""


@pytest.fixture
def spy(monkeypatch):
    """Stop a call at a verb and return what the verb is given; None if the call does not come to it."""
    run = Dispatcher.run

    def reached(name, call):
        seen = []

        def spying(self, verb, values, **options):
            if verb.name == name:
                seen.append(values)
                raise Stop
            return run(self, verb, values, **options)

        with monkeypatch.context() as patch, suppress(Stop, MemoryLayerError):
            patch.setattr(Dispatcher, "run", spying)
            call()
        return seen[0] if seen else None

    return reached


def by_command_line(spy, mem, name):
    """Return the fields that the command line gives to a verb; None if it has no command for it."""
    line = COMMAND_LINES.get(name)
    if line is None:
        return None
    values = spy(name, lambda: mem(*line.split()))
    return None if values is None else fields_of(name, values, filters_of_the_command_line())


def filters_of_the_command_line() -> set[str]:
    """Return the filters that have an option, by the names under which `filters_from` reads them."""
    filtering = cli_arguments.filter_options(click.Command("filtering"))
    return {str(each.name) for each in filtering.params} & set(Filters._fields)


def by_python(spy, name):
    """Return the fields that a method of the Python door gives to a verb; None if none does."""
    with memory_layer.open() as memory:
        for method in sorted(methods(), key=lambda each: each.__name__ != name):  # most have the verb's name
            values = spy(name, partial(called, memory, method))
            if values is not None:
                return fields_of(name, values, set(Filters._fields))
    return None


def methods():
    public = (each for each in vars(Memories).values() if inspect.isfunction(each))
    return [each for each in public if not each.__name__.startswith("_") and each.__name__ != "close"]


def called(memory, method, **wrong):
    """Call a method with what it needs, and with these arguments."""
    parameters = list(inspect.signature(method).parameters.values())[1:]
    given = {each.name: "abcd" for each in parameters if each.default is each.empty} | wrong
    several = [given.pop(each.name) for each in parameters if each.kind is each.VAR_POSITIONAL]
    first = [
        given.pop(each.name)
        for each in parameters
        if each.name in given and each.kind is not each.KEYWORD_ONLY
    ]
    return method(memory, *first, *several, **given)


ARGUMENTS = [
    (method, parameter.name)
    for method in methods()
    for parameter in list(inspect.signature(method).parameters.values())[1:]
]


@pytest.mark.parametrize(("method", "argument"), ARGUMENTS, ids=lambda each: getattr(each, "__name__", each))
def test_an_argument_of_a_wrong_type_is_one_kind_of_error(method, argument):
    with memory_layer.open() as memory, pytest.raises(InvalidInput):
        called(memory, method, **{argument: object()})


def by_mcp(name):
    """Return the fields that the tools give to a verb; None if no tool runs it."""
    found: set[str] = set()
    tools = [tool for tool in FULL if any(verb.name == name for verb in tool.verbs)]
    for tool in tools:
        found |= {each.field or argument for argument, each in tool.all_arguments.items()}
    return {own_name(field, VERBS[name].request._fields) for field in found} if tools else None


def by_rest(name):
    """Return the fields that the routes give to a verb; None if no route runs it."""
    routes = [route for route in ROUTES if route.verb is not None and route.verb.name == name]
    found = {each.field for route in routes for each in route.parameters}
    matched = {"version"} if any(route.matches for route in routes) else set()
    return found | matched if routes else None


def fields_of(verb, values, filters):
    """Return the names of values; for filters the fields that can be set."""
    named = {own_name(name, VERBS[verb].request._fields) for name in values}
    return named - {"filters"} | ({f"filters.{field}" for field in filters} if "filters" in named else set())


def wanted(name):
    """Return all that a verb takes; whose memories are looked at comes with the call and not with the filters."""
    fields = set(VERBS[name].request._fields)
    if "filters" in fields:
        filters = set(Filters._fields) - {"reach", "project"}
        fields = fields - {"filters"} | {f"filters.{field}" for field in filters}
    return fields


@pytest.fixture
def reached(spy, mem, monkeypatch):
    """Return the fields that a door gives to a verb."""

    def reached_(door, name):
        if door == "cli":
            return by_command_line(spy, mem, name)
        if door == "rest":
            return by_rest(name)
        return by_python(spy, name) if door == "python" else by_mcp(name)

    return reached_


def test_every_verb_stands_in_the_table():
    assert VERBS.keys() >= COMMAND_LINES.keys()


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("name", VERBS)
def test_a_door_reaches_every_argument_of_a_verb(reached, door, name):
    fields = reached(door, name)

    if fields is None:
        assert (door, name) in WITHOUT, f"{door} does not offer {name}"
        return
    assert (door, name) not in WITHOUT, f"{door} offers {name} now"
    fields |= {field.removeprefix("filters.") for field in fields} | {f"filters.{field}" for field in fields}
    missing = {field for field in wanted(name) - fields if not excepted(door, name, field)}
    assert not missing, f"{door} cannot say {sorted(missing)} to {name}"


def excepted(door, name, field):
    """Return whether a list says why a door has no such argument; `*` stands for every verb, and for every filter."""
    listed = {**INTERNAL, **EXCEPTIONS.get((door, "*"), {}), **EXCEPTIONS.get((door, name), {})}
    return field in listed or (field.startswith("filters.") and "filters.*" in listed)


#: Arguments that carry what a door looked at before; no user writes them.
_READS = "use cases read the store by it: contexts, runs, verification and consolidation"
INTERNAL = {
    "seen": "what somebody was shown, so that nothing else is decided",
    **{
        f"filters.{name}": _READS
        for name in "exact_scopes labelled citing min_confirmations outlived_since giving sessions".split()
    },
}
PERSON = "only a person at a terminal may, and programs and servers count as agents"
FILE = "it reads or writes files that are named to it: work for a command or a program"
HOOKS = "only hooks ask, about the session that they are called in"
ACCESS = "who may call the server is decided at its commands, or by an admin over REST"
ON_THE_PAGE = "the page asks for the passphrase, over REST"
#: Verbs that a door does not offer.
WITHOUT = {
    **{
        (door, name): ACCESS
        for door in ("python", "mcp")
        for name in ("make_token", "tokens", "revoke_token", "set_passphrase")
    },
    **{(door, "enter_passphrase"): ON_THE_PAGE for door in DOORS},
    **{(door, "has_passphrase"): ON_THE_PAGE for door in DOORS},
    ("rest", "set_passphrase"): PERSON,
    **{
        (door, name): HOOKS
        for door in DOORS
        for name in ("notes_for_prompt", "has_context", "learn_from_session")
    },
    ("cli", "add_many"): "`mem import` stores many",
    ("cli", "tag_many"): "`mem tag` labels one memory; a page of memories is where many are chosen",
    ("cli", "forget"): "it asks for --yes after the preview; tests/doors/test_cli_forget.py runs it",
    ("cli", "rights"): "the walk through `mem review` shows only what may be decided",
    ("cli", "look_again"): "the walk through `mem review` looks again by itself",
    ("cli", "decide_many"): "the walk through `mem review` asks about each with one key",
    ("cli", "propose"): "`mem tag ID proposed` is the same",
    ("cli", "facets"): "`mem list` counts what it shows; a page wants counts beside its filters",
    ("cli", "changes"): "a command ends; programs that stay open ask",
    ("mcp", "insights"): "people look at it; an agent acts on one memory at a time",
    ("mcp", "changes"): "an agent asks anew, and nothing on its side is kept up to date",
    ("cli", "embedding"): "`mem embed --check`, in a store with the model",
    **{("python", name): PERSON for name in ("approve", "forget", "forget_preview")},
    ("python", "tag_many"): "a loop over `tag` is the same",
    **{("python", name): PERSON for name in ("register_folder", "unregister_folder")},
    ("python", "look_again"): "`review(memory_ids=…)` is the same",
    ("python", "registered"): "Project and `mem projects` show it",
    ("python", "stale_projects"): "`why` tells it with each answer",
    **{("mcp", name): PERSON for name in ("approve", "forget", "forget_preview")},
    **{("mcp", name): PERSON for name in ("register_folder", "unregister_folder")},
    **{
        ("mcp", name): FILE
        for name in ("export", "import_", "importable", "import_history", "replay", "sync")
    },
    ("mcp", "decide_many"): "an agent looks at each thing that it decides about",
    **{
        (door, name): "a picture for people, which the page draws"
        for door in ("cli", "python", "mcp")
        for name in ("map", "map_labels", "map_memories")
    },
    ("python", "lay_out"): "`mem map`, or the server by itself",
    ("mcp", "lay_out"): "`mem map`, or the server by itself",
    ("rest", "lay_out"): "looking at the map starts it in the background",
    ("mcp", "add_many"): "an agent stores one fact at a time, and hears about each",
    ("mcp", "embed"): "memory_consolidate and the command embed; it can take minutes",
    ("mcp", "embedding"): "memory_stats tells how many wait",
    ("mcp", "links"): "memory_get shows them",
    ("mcp", "settle"): "memory_learn takes the decision with the text",
    ("mcp", "overview"): "memory_stats, memory_review and memory_handoff tell it",
    ("mcp", "tag_many"): "an agent labels what it is looking at",
    ("mcp", "facets"): "counts beside filters are for a page; memory_stats sums up",
    ("mcp", "weekly"): "how it went is for people; memory_stats sums up",
    ("mcp", "tag"): "memory_update adds and removes tags",
    ("mcp", "rights"): "memory_review shows with each item what may be decided",
    ("mcp", "look_again"): "memory_review is the same",
    ("mcp", "operations"): "memory_history names the operations of a memory",
    ("mcp", "audit_log"): "memory_history shows it by memory",
    ("mcp", "verify_audit"): "memory_health checks the audit log too",
    ("mcp", "registered"): "whose files a server may read is its person's matter",
    ("mcp", "stale_projects"): "answers mark it",
    ("mcp", "archive_procedure"): "memory_archive with its id is the same",
    ("rest", "forget_preview"): "/api/memories/forget without `yes` is the same",
    **{("rest", name): PERSON for name in ("register_folder", "unregister_folder")},
    **{("rest", name): FILE for name in ("import_", "importable", "import_history", "replay", "sync")},
    ("rest", "embed"): "the command embeds; it can take minutes",
    ("rest", "embedding"): "/api/health tells how many wait",
    ("rest", "rights"): "each item of /api/review has its offers",
    ("rest", "look_again"): "/api/review with the memory's id is the same",
    **{("rest", name): "/api/projects tells it" for name in ("registered", "stale_projects")},
}
TOKENS = "the core set has to stay small; memory_recent has it"
#: Arguments that a door does not have.
EXCEPTIONS: dict[tuple[str, str], dict[str, str]] = {
    ("cli", "*"): {"filters.owner": "a store in one file has no owners"},
    ("cli", "projects"): {"limit": "it lists all of them", "after": "it lists all of them"},
    ("cli", "capture"): {"text": "a message comes by standard input"},
    ("cli", "export"): {"filters.*": "--category and --status narrow it"},
    ("python", "*"): {"allow_secret": PERSON, "without_history": PERSON},
    ("mcp", "*"): {
        "peek": "what an agent is given counts; a server that may only read peeks",
        "filters.owner": "a store in one file has no owners",
        "allow_secret": PERSON,
    },
    ("mcp", "add"): {
        "source": "what comes by MCP is an agent's",
        "merge_text": "the fuller text stays; memory_update rewords it",
    },
    ("mcp", "search"): {
        "filters.*": TOKENS,
        "ranker": "a setting of the person's",
        "group_by": TOKENS,
        "diverse": TOKENS,
    },
    ("mcp", "why"): {"filters.*": TOKENS, "group_by": TOKENS, "diverse": TOKENS},
    ("mcp", "related"): {"filters.*": "it is about one memory"},
    ("mcp", "capture"): {"file": FILE, "transcript": FILE},
    ("mcp", "context"): {
        "query": "task says it",
        "format": "a model reads the default",
        "max_characters": "budget bounds it",
    },
    ("mcp", "tasks"): {
        "sources": "every task names its program",
        "list_name": "the session of the call is its list",
        "limit": "as many as fit",
    },
    ("mcp", "consolidate"): {"if_due": "hooks ask whether it is due"},
    ("mcp", "procedures"): {"limit": "a cursor leads on"},
    ("mcp", "decide"): {"text": "the fuller text stays", "content": PERSON},
    ("mcp", "recalls"): dict.fromkeys(
        ("memory_id", "since", "until", "here", "after"), "people look back by them"
    ),
    ("mcp", "list"): {"text": "memory_recall finds by words", "ascending": "a cursor leads on"},
    ("mcp", "review"): {"memory_ids": "memory_get shows one memory"},
    ("mcp", "warn"): {"repeat": "it is a hook's switch"},
    ("rest", "*"): {"allow_secret": PERSON, "filters.owner": "a store in one file has no owners"},
    ("rest", "add"): {"source": "it follows from the token, which is an agent's"},
    ("rest", "make_token"): {"personal": PERSON},
    ("rest", "capture"): {"file": FILE},
    ("rest", "export"): {"path": "the answer is the file", "force": "the answer is the file"},
    ("rest", "stats"): {"everything": "`all` says it, as on every path"},
}
