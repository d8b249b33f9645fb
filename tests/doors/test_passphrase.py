"""In a browser a person confirms by the passphrase; nobody can guess it, and what it gives ends with the session."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest
from starlette.testclient import TestClient

from memory_layer.doors.http import guard
from memory_layer.errors import InvalidInput, NeedsConfirmation, OnlyPersons
from memory_layer.model.memory import Writer
from memory_layer.model.vocabulary import WriterKind
from memory_layer.rules import access as rules
from memory_layer.settings import load
from memory_layer.usecases.govern import passphrase as usecase
from memory_layer.wiring import open_engine
from tests.doors.rest_client import before_the_body, browser_of, guarded_app, link_in, rest_client

PHRASE = "four grey herons at noon"
RULE = {"type": "policy", "content": "Every release needs two approvals"}
PASSPHRASE = "/api/session/passphrase"


@pytest.fixture(autouse=True)
def cheap(monkeypatch):
    """Let a guess cost little; the cost itself is checked where it is computed."""
    monkeypatch.setattr(usecase, "COST", 2**4)


@pytest.fixture
def set_(machine, person) -> None:
    with open_engine(load(), "cli") as engine:
        usecase.set_passphrase(engine, PHRASE, person)


@pytest.fixture
def browser(machine) -> Iterator[TestClient]:
    with browser_of(guarded_app(machine / "work")) as made:
        made.get(link_in(machine / "work"), follow_redirects=False)
        yield made


def confirm(browser: TestClient) -> None:
    answer = browser.post(PASSPHRASE, json={"passphrase": PHRASE})
    assert answer.status_code == 200, answer.text
    browser.headers["Memory-Confirmation"] = answer.json()["confirmation"]


def waiting(browser: TestClient) -> str:
    """The address of a rule that waits for a person's approval."""
    memory = browser.post("/api/projects/shop/memories", json=RULE).json()
    assert memory["active"] is False
    return f"/api/projects/shop/memories/{memory['id']}"


def test_a_browser_asks_for_the_passphrase_and_then_has_a_persons_rights(browser, set_):
    rule = waiting(browser)
    refused = browser.patch(f"{rule}/approve")
    assert (refused.status_code, refused.json()["code"]) == (403, "needs_confirmation")

    confirm(browser)
    session = browser.get("/api/session").json()
    assert (session["is_person"], session["has_passphrase"]) == (True, True)
    assert session["confirmed_until"] is not None
    approved = browser.patch(f"{rule}/approve")
    assert (approved.status_code, approved.json()["confidence"]) == (200, 1.0)
    assert browser.delete(f"{rule}?erase=true").status_code == 204

    assert browser.delete(PASSPHRASE).json()["is_person"] is False
    assert browser.patch(f"{waiting(browser)}/approve").status_code == 403


def test_a_confirmed_page_that_names_an_agent_has_an_agents_rights(browser, set_):
    rule = waiting(browser)
    confirm(browser)
    named = {"Memory-Agent": "bob"}

    session = browser.get("/api/session", headers=named).json()
    assert (session["is_person"], session["name"], session["confirmed_until"]) == (False, "bob", None)
    assert browser.patch(f"{rule}/approve", headers=named).status_code == 403
    assert browser.get(rule).json()["active"] is False
    assert browser.patch(f"{rule}/approve").status_code == 200


def test_a_key_is_the_persons_after_confirming_again(browser, set_):
    body, key = {"content": "The till needs Java 21"}, {"Idempotency-Key": "a"}
    confirm(browser)
    first = browser.post("/api/memories", json=body, headers=key)
    confirm(browser)
    again = browser.post("/api/memories", json=body, headers=key)

    assert (first.status_code, again.status_code, again.json()) == (201, 201, first.json())


def test_the_audit_log_says_that_the_passphrase_confirmed(browser, set_, mem):
    rule = waiting(browser)
    confirm(browser)
    browser.patch(f"{rule}/approve")

    entries = mem("audit", "list", "--json").data["items"]
    assert {each["confirmed_by"] for each in entries if each["action"] == "approve"} == {"passphrase"}
    assert mem("audit", "verify").code == 0


def test_a_stolen_cookie_has_no_part_in_the_confirmation(browser, set_, machine):
    rule = waiting(browser)
    confirm(browser)
    for proof in ("", "con_guessed", "x" * 5_000):
        refused = browser.patch(f"{rule}/approve", headers={"Memory-Confirmation": proof})
        assert (refused.status_code, refused.json()["code"]) == (403, "needs_confirmation")


def test_a_confirmation_counts_for_its_own_session_and_server_only(browser, set_, machine):
    rule = waiting(browser)
    confirm(browser)
    proof = {"Memory-Confirmation": browser.headers["Memory-Confirmation"]}
    with browser_of(guarded_app(machine / "work")) as restarted:
        restarted.cookies = browser.cookies
        assert restarted.patch(f"{rule}/approve", headers=proof).status_code == 403
    with rest_client(machine / "work") as program:
        assert program.patch(f"{rule}/approve", headers=proof).json()["code"] == "not_allowed"


def test_a_confirmation_that_ends_while_the_body_is_sent_does_not_count(browser, set_, machine, monkeypatch):
    monkeypatch.setattr(guard, "MOMENT_SECONDS", -1.0)
    confirm(browser)
    ended = before_the_body(browser.app, lambda: browser.delete(PASSPHRASE))
    with browser_of(ended) as slow:
        slow.cookies, slow.headers = browser.cookies, browser.headers
        memory = slow.post("/api/projects/shop/memories", json=RULE).json()
    assert (memory["source"], memory["active"]) == ("agent", False)


def test_wrong_tries_lead_to_growing_pauses_that_a_restart_does_not_end(browser, set_, machine):
    for _ in range(rules.FREE_TRIES - 1):
        wrong = browser.post(PASSPHRASE, json={"passphrase": "open sesame please"})
        assert (wrong.status_code, wrong.json()["code"]) == (403, "wrong_passphrase")
    locked = browser.post(PASSPHRASE, json={"passphrase": "open sesame please"})
    assert (locked.status_code, locked.json()["code"]) == (429, "too_many_tries")
    assert int(locked.headers["retry-after"]) == locked.json()["retry_after"] > 0
    with browser_of(guarded_app(machine / "work")) as restarted:
        restarted.cookies = browser.cookies
        right = restarted.post(PASSPHRASE, json={"passphrase": PHRASE})
        assert (right.status_code, right.json()["code"]) == (429, "too_many_tries")


def test_pauses_double_up_to_a_day():
    pauses = [rules.pause_after(failures) for failures in range(40)]

    assert pauses[: rules.FREE_TRIES] == [rules.pause_after(0)] * rules.FREE_TRIES
    assert pauses[rules.FREE_TRIES + 1] == 2 * pauses[rules.FREE_TRIES]
    assert pauses[-1] == rules.LONGEST_PAUSE


@pytest.mark.parametrize("weak", ["short", "aaaaaaaaaaaaaaaa", "x" * 300, "ababababababababab"])
def test_a_weak_passphrase_is_refused(person, weak, machine):
    with open_engine(load(), "cli") as engine:
        with pytest.raises(InvalidInput):
            usecase.set_passphrase(engine, weak, person)
        assert not usecase.has_passphrase(engine)


def test_only_a_person_who_typed_the_code_sets_it(person: Writer, machine, mem):
    with open_engine(load(), "cli") as engine:
        with pytest.raises(NeedsConfirmation):
            usecase.set_passphrase(engine, PHRASE, person._replace(confirmed=False))
        with pytest.raises(OnlyPersons):
            usecase.set_passphrase(engine, PHRASE, person._replace(kind=WriterKind.AGENT))
    assert "only a person at a terminal" in mem("passphrase", "set").err


def test_the_passphrase_is_nowhere_in_the_store(set_, machine, mem):
    files = [file.read_bytes() for file in (machine / "home").iterdir() if file.is_file()]

    assert not any(PHRASE.encode() in content for content in files)
    assert mem("audit", "list", "--json").data["items"][0]["said"] == "the passphrase of the page"


def test_a_passphrase_that_somebody_wrote_into_the_file_is_found_by_the_audit(set_, machine, mem):
    with closing(sqlite3.connect(machine / "home" / "memory.db", isolation_level=None)) as db:
        db.execute("update passphrase set hash = zeroblob(64)")
    assert "the passphrase is not the one that the audit log names" in mem("audit", "verify").out


def test_a_passphrase_that_was_swapped_for_a_moment_confirms_nothing(browser, set_, machine):
    rule, own = waiting(browser), b"x" * 16
    with closing(sqlite3.connect(machine / "home" / "memory.db", isolation_level=None)) as db:
        before = db.execute("select * from passphrase").fetchone()
        db.execute(
            "update passphrase set salt = ?, hash = ?", [own, usecase._hashed("words of an agent", own)]
        )
        entered = browser.post(PASSPHRASE, json={"passphrase": "words of an agent"})
        db.execute("delete from passphrase")
        db.execute("insert into passphrase values (?, ?, ?, ?, ?, ?)", before)

    assert (entered.status_code, entered.json()["code"]) == (409, "no_passphrase")
    assert browser.patch(f"{rule}/approve").status_code == 403
    confirm(browser)
    assert browser.patch(f"{rule}/approve").status_code == 200


def test_a_browser_without_a_passphrase_is_told_how_to_set_one(browser):
    refused = browser.post(PASSPHRASE, json={"passphrase": PHRASE})

    assert (refused.status_code, refused.json()["code"]) == (409, "no_passphrase")
    assert "mem passphrase set" in refused.json()["detail"]
