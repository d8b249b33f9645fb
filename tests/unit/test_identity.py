from datetime import UTC, datetime, timedelta, timezone
from itertools import product

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.agents import AGENT_NAMES
from memory_layer.rules.identity import CallerClues, session_of, usable_name, writer_of

NOON = datetime(2025, 3, 4, 12, 30, tzinfo=UTC)


def writer(**known):
    return writer_of(CallerClues(**{"door": "cli", **known}), project="github.com/a/api", now=NOON)


def session(**known):
    nothing = dict.fromkeys(("explicit", "env", "agent_session", "terminal_session"))
    return session_of(**{**nothing, "writer": "anna", "project": "github.com/a/api", "now": NOON, **known})


def test_only_someone_typing_at_a_terminal_without_an_agent_around_is_a_person():
    people = [
        (door, terminal, agent)
        for door, terminal, agent in product(
            ("cli", "python", "mcp", "rest", "hook"), (True, False), (None, "codex")
        )
        if writer(door=door, stdin_is_terminal=terminal, agent=agent).is_person
    ]

    assert people == [("cli", True, None)]


def test_a_person_is_named_after_the_account_and_an_agent_after_itself():
    assert writer(stdin_is_terminal=True, login="anna").name == "anna"
    assert writer(stdin_is_terminal=True).name == "person"
    assert writer(stdin_is_terminal=True, login="a\x1b[0m").name == "person"
    assert writer(agent="codex", login="anna").name == "codex"
    assert writer(login="anna").name == "agent"


def test_a_given_name_beats_the_variable_and_both_beat_the_rest():
    known = {"stdin_is_terminal": True, "login": "anna"}

    assert writer(**known, as_name="berta", env_name="carla").name == "berta"
    assert writer(**known, as_name=" ", env_name="carla").name == "carla"


def test_a_name_never_makes_a_person_of_an_agent():
    for name in ("anna", "person", "person:anna", "human"):
        assert not writer(agent="codex", stdin_is_terminal=True, as_name=name).is_person
        assert not writer(stdin_is_terminal=False, env_name=name, login="anna").is_person


@pytest.mark.parametrize("name", [*sorted(AGENT_NAMES), "Claude-Code", "agent:reviewer", "AGENT:x"])
def test_the_name_of_an_agent_makes_an_agent_of_a_person(name):
    assert not writer(stdin_is_terminal=True, as_name=name).is_person
    assert not writer(stdin_is_terminal=True, env_name=name).is_person


def test_an_ordinary_name_leaves_a_person_a_person():
    assert writer(stdin_is_terminal=True, as_name="berta").is_person


def test_the_prefix_that_marks_an_agent_is_not_part_of_its_name():
    assert writer(as_name="agent:reviewer").name == "reviewer"
    assert writer(as_name="agent:").name == "agent"


@pytest.mark.parametrize("name", ["x" * 65, "a\nb", "a\x1b[31m"])
def test_a_name_that_cannot_be_shown_is_refused(name):
    with pytest.raises(InvalidInput, match="1 to 64 printable characters"):
        writer(as_name=name)


def test_the_session_comes_from_the_strongest_sign():
    signs = {"explicit": "e", "env": "v", "agent_session": "a", "terminal_session": "t"}
    seen = []
    while signs:
        seen.append(session(**signs))
        signs.pop(next(iter(signs)))

    assert seen == ["e", "v", "a", "t"]


def test_without_any_sign_a_session_is_the_writers_hour_in_the_project():
    later = NOON + timedelta(minutes=29)

    assert session() == session(now=later) == "anna github.com/a/api 2025-03-04T12"
    assert session(now=NOON + timedelta(hours=1)) != session()
    assert session(project=None) == "anna global 2025-03-04T12"
    assert session(now=NOON.astimezone(timezone(timedelta(hours=5)))) == session()


def test_the_writer_carries_door_and_session():
    found = writer(door="mcp", as_name="codex", session="s-1")

    assert (found.door, found.session) == ("mcp", "s-1")


def test_a_session_that_cannot_be_shown_is_refused():
    for sign in ("explicit", "env", "agent_session"):
        with pytest.raises(InvalidInput, match="1 to 200 printable characters"):
            session(**{sign: "s" * 201})


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("claude-code", "claude-code"),
        ("  Some Editor\n", "Some Editor"),
        ("x" * 300, "x" * 64),
        ("\x1b[31mred", "[31mred"),
        ("", None),
        ("\n\t", None),
    ],
)
def test_of_a_programs_own_name_as_much_is_kept_as_can_be(given, kept):
    assert usable_name(given) == kept
