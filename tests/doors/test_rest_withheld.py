"""A person who confirms reads on the page what is withheld from agents; nobody else does."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from memory_layer.model.passkeys import Asked
from memory_layer.rules.passkeys import encoded
from memory_layer.settings import load
from memory_layer.usecases.govern import passkeys
from memory_layer.usecases.govern import passphrase as usecase
from memory_layer.wiring import open_engine
from tests.authenticator import Authenticator
from tests.doors.rest_client import ADDRESS, AUTHORIZED, browser_of, guarded_app, link_in
from tests.doors.test_passphrase import PASSPHRASE, PHRASE, RULE
from tests.doors.test_rest_passkeys import ADA, asked, header, sent

TEXT = RULE["content"]


@pytest.fixture
def phone(machine, person, monkeypatch) -> Authenticator:
    """A registered passkey of a person who also has a passphrase."""
    monkeypatch.setattr(usecase, "COST", 2**4)
    made, terms = Authenticator(), Asked(b"c" * 32, ADDRESS)
    with open_engine(load(), "rest") as engine:
        usecase.set_passphrase(engine, PHRASE, person)
        passkeys.register(engine, made.register(encoded(terms.challenge), ADDRESS), terms, "Phone", ADA)
    return made


@pytest.fixture
def page(machine, phone) -> Iterator[TestClient]:
    """A browser that has opened the link, as agents can; as browsers do, it names no origin when it only reads."""
    with browser_of(guarded_app(machine / "work")) as made:
        made.get(link_in(machine / "work"), follow_redirects=False)
        yield made


@pytest.fixture
def held(page) -> str:
    """The address of a memory that waits for a person."""
    made = page.post("/api/projects/shop/memories", json=RULE).json()
    assert made["active"] is False
    del page.headers["Origin"]
    return f"/api/memories/{made['id']}"


def told(page: TestClient, held: str) -> list[str]:
    """What the review and the memory itself say."""
    (item,) = page.get("/api/review?all=true").json()["items"]
    return [item["memory"]["content"], page.get(held).json()["memory"]["content"]]


def signature(page: TestClient, phone: Authenticator, path: str) -> dict[str, str]:
    page.headers["Origin"] = ADDRESS
    options = asked(page, "GET", path).json()["public_key"]
    del page.headers["Origin"]
    return header(phone.sign(options["challenge"], ADDRESS))


def test_a_browser_reads_it_after_the_passphrase_and_no_longer_than_that(page, held):
    before = told(page, held)
    page.headers["Memory-Confirmation"] = "con_guessed"
    guessed = told(page, held)
    page.headers["Origin"] = ADDRESS
    page.headers["Memory-Confirmation"] = page.post(PASSPHRASE, json={"passphrase": PHRASE}).json()[
        "confirmation"
    ]
    confirmed = told(page, held)
    page.delete(PASSPHRASE)

    assert confirmed == [TEXT, TEXT]
    for each in (*before, *guessed, *told(page, held)):
        assert each.startswith("[withheld: ")
        assert TEXT not in each


def test_a_passkey_lets_one_look_be_taken_which_is_in_no_log(page, phone, held):
    audit = page.get("/api/audit").json()
    signed = signature(page, phone, f"{held}?peek=true")
    looked = page.get(f"{held}?peek=true", headers=signed)
    again = page.get(f"{held}?peek=true", headers=signed)

    assert looked.json()["memory"]["content"] == TEXT
    assert (again.status_code, "used already" in again.json()["detail"]) == (403, True)
    assert all(each.startswith("[withheld: ") for each in told(page, held))
    assert page.get("/api/audit").json() == audit
    assert page.get("/api/audit/verdict").json()["intact"] is True


WRONG = {
    "another path": lambda page, held, signed: page.get(f"{held}/history", headers=signed),
    "another query": lambda page, held, signed: page.get(f"{held}?peek=false", headers=signed),
    "a change": lambda page, held, signed: page.post(
        "/api/memories/approve",
        json={"memory_ids": [held.rpartition("/")[2]]},
        headers={**signed, "Origin": ADDRESS},
    ),
    "a token": lambda page, held, signed: page.get(f"{held}?peek=true", headers=signed | AUTHORIZED),
    "an address of numbers": lambda page, held, signed: page.get(
        f"{held}?peek=true", headers={**signed, "Host": "127.0.0.1:8080"}
    ),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_signed_look_serves_nothing_else(page, phone, held, wrong):
    answer = wrong(page, held, signature(page, phone, f"{held}?peek=true"))

    assert answer.status_code in (403, 422)
    assert TEXT not in answer.text
    assert all(each.startswith("[withheld: ") for each in told(page, held))


def test_a_signature_of_another_device_shows_nothing(page, phone, held):
    thief = Authenticator()
    thief.credential = phone.credential
    answer = page.get(f"{held}?peek=true", headers=signature(page, thief, f"{held}?peek=true"))

    assert answer.status_code == 403
    assert TEXT not in answer.text


def test_a_change_is_signed_as_before(page, phone, held):
    page.headers["Origin"] = ADDRESS
    path = f"/api/review/{held.rpartition('/')[2]}/decide"

    assert sent(page, phone, "POST", path, {"decision": "approve"}).status_code == 200
    assert page.get(held).json()["memory"]["content"] == TEXT
