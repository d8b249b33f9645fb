"""Who may do what: every action with an agent, a person, and a person who has typed a code."""

from __future__ import annotations

from string import Formatter

import pytest

from memory_layer.errors import NeedsConfirmation, NotAllowed, OnlyPersons
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.rules.permissions import (
    Action,
    Permission,
    Who,
    check,
    check_allowed,
    check_confirmed,
    is_unconfirmed,
    may,
    sentence,
)

AGENT = Writer(name="claude", kind=WriterKind.AGENT, door="mcp", session="s1")
PERSON = Writer(name="ada", kind=WriterKind.PERSON, door="cli", session="terminal-1")
CONFIRMED = PERSON._replace(confirmed=True)

YES, NO, CODE = None, OnlyPersons, NeedsConfirmation
#: What an agent, a person, and a person who has typed a code get to hear.
ANSWERS: dict[str, tuple[type[NotAllowed] | None, ...]] = {
    "APPROVE": (NO, CODE, YES),
    "FORGET": (NO, CODE, YES),
    "RESTORE_BACKUP": (NO, CODE, YES),
    "RESUME_HOOKS": (NO, YES, YES),
    "STORE_SECRET": (NO, CODE, YES),
    "REGISTER_FOLDER": (NO, CODE, YES),
    "UNREGISTER_FOLDER": (NO, YES, YES),
    "ADD_PASSKEY": (NO, CODE, YES),
    "REMOVE_PASSKEY": (NO, CODE, YES),
    "MAKE_PERSONAL_TOKEN": (NO, CODE, YES),
    "REVOKE_PERSONAL_TOKEN": (NO, YES, YES),
    "SET_PASSPHRASE": (NO, CODE, YES),
    "CONFIGURE": (NO, YES, YES),
    "MAKE_RULE": (NO, CODE, YES),
    "MERGE": (YES, CODE, YES),
    "CHANGE_GUARDED": (NO, YES, YES),
    "LABEL_GUARDED": (NO, YES, YES),
    "ARCHIVE_GUARDED": (NO, YES, YES),
    "SUPERSEDE_GUARDED": (NO, YES, YES),
    "PROPOSE_MORE": (NO, YES, YES),
    "UNLINK_GUARDED": (NO, YES, YES),
    "CHANGE_ORIGIN": (NO, YES, YES),
    "PROPOSE_VOUCHED": (NO, YES, YES),
    "RAISE_CONFIDENCE": (NO, YES, YES),
    "REWORD_SUGGESTION": (NO, YES, YES),
    "RESTORE_RETIRED": (NO, YES, YES),
    "CONFIRM_AGAIN": (NO, YES, YES),
    "OUTLAST_PROJECT_FILE": (NO, YES, YES),
    "DECIDE": (NO, YES, YES),
    "END_REVIEW": (NO, YES, YES),
    "MOVE_APPROVAL": (NO, YES, YES),
    "REVERT_GUARDED": (NO, YES, YES),
    "WEAKEN_RULE": (NO, YES, YES),
    "REVERT_TO_HIDDEN": (NO, YES, YES),
    "REVERT_REVIEW": (NO, YES, YES),
    "TAKE_BACK_NOTE": (NO, YES, YES),
    "HIDE_LEARNED": (NO, YES, YES),
    "LEARN_ELSEWHERE": (NO, YES, YES),
    "BRING_APPROVALS": (NO, CODE, YES),
    "BRING_UNCHECKED": (NO, YES, YES),
    "BRING_VECTORS": (NO, YES, YES),
    "BRING_COMPARED": (NO, YES, YES),
    "BRING_ALIASES": (NO, YES, YES),
}
#: What an agent may do to its own.
OWN = {"TAKE_BACK_NOTE", "HIDE_LEARNED"}
ACTIONS = {name: action for name, action in vars(Action).items() if isinstance(action, Permission)}
EVERY = pytest.mark.parametrize("name", ACTIONS)


def details(action: Permission) -> dict[str, object]:
    """Something for every gap in a sentence."""
    fields = [field for _, field, _, _ in Formatter().parse(action.otherwise) if field]
    return {field: 0.7 if field == "most" else f"<{field}>" for field in fields}


def answer(writer: Writer, action: Permission, *, own: bool = False) -> type[NotAllowed] | None:
    try:
        check(writer, action, own=own, **details(action))
    except NotAllowed as refused:
        return type(refused)
    return None


def test_the_answers_are_about_every_action():
    assert list(ACTIONS) == list(ANSWERS)


@EVERY
def test_the_table_answers_each_kind_of_caller(name):
    action = ACTIONS[name]

    assert tuple(answer(each, action) for each in (AGENT, PERSON, CONFIRMED)) == ANSWERS[name]
    assert tuple(may(each, action) for each in (AGENT, PERSON, CONFIRMED)) == tuple(
        each is not NO for each in ANSWERS[name]
    )


@EVERY
def test_that_it_is_its_own_helps_an_agent_only_where_the_table_says_so(name):
    action = ACTIONS[name]

    assert may(AGENT, action, own=True) is (name in OWN or may(AGENT, action))
    assert answer(AGENT, action, own=True) is (YES if name in OWN else ANSWERS[name][0])


@EVERY
def test_no_agent_gets_further_by_a_code(name):
    typed = AGENT._replace(confirmed=True)

    assert answer(typed, ACTIONS[name]) is ANSWERS[name][0]


@EVERY
def test_a_code_is_named_exactly_where_one_is_needed_and_a_sentence_where_somebody_is_refused(name):
    action = ACTIONS[name]

    assert bool(action.confirming) is (action.who in (Who.CONFIRMED, Who.AGENT_OR_CONFIRMED))
    assert bool(action.otherwise) is (action.who is not Who.AGENT_OR_CONFIRMED)


def test_an_agent_hears_the_sentence_and_a_person_what_the_code_is_for():
    with pytest.raises(NotAllowed, match=r"^only a person at a terminal can erase a memory$"):
        check(AGENT, Action.FORGET)
    with pytest.raises(NeedsConfirmation, match=r"^erasing a memory needs a code typed at the terminal"):
        check(PERSON, Action.FORGET)


def test_a_preview_asks_for_no_code_and_a_code_alone_refuses_no_agent():
    check_allowed(PERSON, Action.FORGET)
    check_confirmed(AGENT, Action.FORGET)
    check_confirmed(PERSON, Action.DECIDE)


def test_what_the_refusal_is_about_stands_in_its_sentence():
    said = sentence(Action.RAISE_CONFIDENCE, most=0.70, source="{agent}")

    assert said == "only a person may raise the confidence above 0.7, where the source {agent} starts"


def test_only_a_person_without_a_code_is_unconfirmed():
    assert [is_unconfirmed(each) for each in (AGENT, PERSON, CONFIRMED)] == [False, True, False]
