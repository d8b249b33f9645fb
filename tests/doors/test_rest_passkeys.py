"""On the page a passkey signs one request; nothing else comes through that way."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from starlette.testclient import TestClient

from memory_layer.model.memory import Writer
from memory_layer.model.passkeys import Asked, Means
from memory_layer.model.vocabulary import WriterKind
from memory_layer.rules.passkeys import encoded
from memory_layer.settings import load
from memory_layer.usecases.govern import passkeys
from memory_layer.usecases.govern.audit import verify
from memory_layer.usecases.govern.passphrase import set_passphrase
from memory_layer.wiring import open_engine
from tests.authenticator import Authenticator
from tests.doors.rest_client import ADDRESS, AUTHORIZED, browser_of, guarded_app, link_in

ADA = Writer("ada", WriterKind.PERSON, "rest", "s", confirmed=True, means=Means.PASSPHRASE)
PASSPHRASE = "four unrelated words here"
APPROVE = "/api/review/{}/decide"


@pytest.fixture
def phone(machine) -> Authenticator:
    """A registered passkey."""
    made, asked = Authenticator(), Asked(b"c" * 32, ADDRESS)
    with open_engine(load(), "rest") as engine:
        answer = made.register(encoded(asked.challenge), ADDRESS)
        passkeys.register(engine, answer, asked, "Phone", ADA)
    return made


@pytest.fixture
def page(machine) -> Iterator[TestClient]:
    """A browser that was opened by the one-time link."""
    with browser_of(guarded_app(machine / "work")) as browser:
        browser.get(link_in(machine / "work"))
        yield browser


@pytest.fixture
def suggestion(page) -> str:
    """A policy of an agent, which waits for a person."""
    text = {"content": "Every release needs two approvals", "category": "policy"}
    return str(page.post("/api/memories?global=true", json=text).json()["id"])


def asked(page, method, path, body=None):
    return page.post("/api/passkeys/challenge", json={"method": method, "path": path, "body": body})


def header(answer: object) -> dict[str, str]:
    return {"Memory-Passkey": encoded(json.dumps(answer).encode())}


def sent(page, phone, method, path, body=None, **forged):
    """Send a request with a passkey's signature."""
    options = asked(page, method, path, body).json()["public_key"]
    answer = phone.sign(**{"challenge": options["challenge"], "origin": ADDRESS, **forged})
    return page.request(method, path, json=body, headers=header(answer))


def approval(memory_id):
    return "POST", f"/api/review/{memory_id}/decide", {"decision": "approve"}


def is_waiting(page, memory_id):
    return page.get(f"/api/memories/{memory_id}").json()["memory"]["status"] == "staged"


def test_a_passkey_approves_on_the_page(page, phone, suggestion):
    answered = sent(page, phone, *approval(suggestion))

    assert answered.status_code == 200
    assert answered.json()["memories"][0]["approved_by"] is not None
    entries = page.get("/api/audit").json()["items"]
    assert [each["confirmed_by"] for each in entries[:2]] == ["passkey", "passkey"]
    assert entries[0]["operation"] == answered.json()["operation"]
    verdict = page.get("/api/audit/verdict").json()
    assert (verdict["intact"], verdict["signatures"]) == (True, 1)


def test_the_challenge_names_the_site_and_the_passkeys(page, phone, suggestion):
    options = asked(page, *approval(suggestion)).json()["public_key"]

    assert options["rpId"] == "localhost"
    assert options["userVerification"] == "required"
    assert [each["id"] for each in options["allowCredentials"]] == [encoded(phone.credential)]
    assert is_waiting(page, suggestion)


def test_a_policy_is_made_with_a_signature(page, phone):
    rule = {"content": "Every release needs three approvals", "category": "policy"}

    answered = sent(page, phone, "POST", "/api/memories?global=true", rule)

    assert (answered.status_code, answered.json()["status"]) == (201, "created")
    assert not is_waiting(page, answered.json()["id"])
    assert page.get("/api/audit/verdict").json()["signatures"] == 1


def test_a_refusal_is_told_when_the_challenge_is_asked_for(page, phone):
    assert asked(page, *approval("mem_nobody")).status_code == 404
    assert asked(page, "POST", "/api/nothing", {}).status_code == 404
    assert asked(page, "POST", "/api/memories", {"colour": "red"}).status_code == 400
    assert asked(page, "POST", "/health").status_code == 422
    assert asked(page, "TRACE", "/api/memories").status_code == 400
    for unsigned in ("/api/memories", "/api/export", "/api/events", "/health"):
        assert asked(page, "GET", unsigned).status_code == 422


FORGED = {
    "another body": lambda page, phone, name, answer: page.post(
        APPROVE.format(name), json={"decision": "drop"}, headers=header(answer)
    ),
    "another path": lambda page, phone, name, answer: page.post(
        f"/api/memories/{name}/propose", json={"decision": "approve"}, headers=header(answer)
    ),
    "another query": lambda page, phone, name, answer: page.post(
        APPROVE.format(name) + "?all=true", json={"decision": "approve"}, headers=header(answer)
    ),
    "another method": lambda page, phone, name, answer: page.patch(
        f"/api/memories/{name}", json={"decision": "approve"}, headers=header(answer)
    ),
    "no JSON": lambda page, phone, name, answer: page.post(
        APPROVE.format(name), json={"decision": "approve"}, headers={"Memory-Passkey": "AAAA"}
    ),
    "two signatures": lambda page, phone, name, answer: page.post(
        APPROVE.format(name),
        json={"decision": "approve"},
        headers=[*header(answer).items(), *header(answer).items()],
    ),
    "a token": lambda page, phone, name, answer: page.post(
        APPROVE.format(name),
        json={"decision": "approve"},
        headers=AUTHORIZED | header(answer),
    ),
}


@pytest.mark.parametrize("forged", FORGED.values(), ids=FORGED)
def test_a_signature_serves_only_the_request_it_was_made_for(page, phone, suggestion, forged):
    options = asked(page, *approval(suggestion)).json()["public_key"]
    before = page.get("/api/audit").json()

    refused = forged(page, phone, suggestion, phone.sign(options["challenge"], ADDRESS))

    assert refused.status_code in (400, 403, 422)
    assert page.get("/api/audit").json() == before
    assert is_waiting(page, suggestion)


def test_a_signature_is_not_replayed(page, phone, suggestion):
    method, path, body = approval(suggestion)
    options = asked(page, method, path, body).json()["public_key"]
    signature = header(phone.sign(options["challenge"], ADDRESS))
    first = page.request(method, path, json=body, headers=signature)
    page.post(f"/api/operations/{first.json()['operation']}/undo", json={})

    again = page.request(method, path, json=body, headers=signature)

    assert (first.status_code, again.status_code) == (200, 403)
    assert "used already" in again.json()["detail"]


def test_a_token_gets_no_challenge(page, phone, suggestion):
    refused = page.post(
        "/api/passkeys/challenge",
        json={"method": "POST", "path": APPROVE.format(suggestion), "body": {}},
        headers=AUTHORIZED,
    )

    assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")


def test_a_page_at_a_number_is_led_to_the_name(machine, phone):
    with browser_of(guarded_app(machine / "work")) as browser:
        browser.headers["Origin"] = ADDRESS.replace("localhost", "127.0.0.1")
        browser.base_url = ADDRESS.replace("localhost", "127.0.0.1")
        browser.get(link_in(machine / "work"))

        refused = asked(browser, *approval("mem_x"))

        assert refused.status_code == 422
        assert "http://localhost" in refused.json()["detail"]


def test_an_unconfirmed_browser_registers_and_removes_no_passkey(page, phone):
    (known,) = page.get("/api/passkeys").json()["items"]

    assert page.post("/api/passkeys/options").status_code == 403
    assert page.post("/api/passkeys", json={"name": "Eve", "credential": {}}).status_code == 403
    assert page.delete(f"/api/passkeys/{known['id']}").status_code == 403
    assert [each["name"] for each in page.get("/api/passkeys").json()["items"]] == ["Phone"]


def test_a_passkey_removes_itself_with_its_signature(page, phone):
    (known,) = page.get("/api/passkeys").json()["items"]

    assert sent(page, phone, "DELETE", f"/api/passkeys/{known['id']}").status_code == 200

    assert page.get("/api/passkeys").json()["items"] == []
    with open_engine(load(), "rest") as engine:
        assert verify(engine).flaws == ()


@pytest.fixture
def confirmed(machine, page: TestClient) -> TestClient:
    """The browser after the person has entered the passphrase."""
    with open_engine(load(), "cli") as engine:
        set_passphrase(engine, PASSPHRASE, ADA._replace(means=Means.CODE))
    entered = page.post("/api/session/passphrase", json={"passphrase": PASSPHRASE})
    page.headers["Memory-Confirmation"] = entered.json()["confirmation"]
    return page


def test_a_person_registers_a_passkey_and_signs_with_it(confirmed):
    made = Authenticator()
    options = confirmed.post("/api/passkeys/options").json()["public_key"]
    answer = made.register(options["challenge"], ADDRESS)
    added = confirmed.post("/api/passkeys", json={"name": "Key on the ring", "credential": answer})
    again = confirmed.post("/api/passkeys", json={"name": "Again", "credential": answer})
    del confirmed.headers["Memory-Confirmation"]
    rule = {"content": "Every release needs two approvals", "category": "policy"}
    waiting = confirmed.post("/api/memories?global=true", json=rule).json()["id"]
    unconfirmed = confirmed.post(APPROVE.format(waiting), json={"decision": "approve"})
    approved = sent(confirmed, made, *approval(waiting))

    assert options["rp"]["id"] == "localhost"
    assert (added.status_code, added.json()["name"]) == (201, "Key on the ring")
    assert (again.status_code, again.json()["code"]) == (403, "not_allowed")
    assert confirmed.get("/api/session").json()["passkeys"] == 1
    assert (unconfirmed.status_code, unconfirmed.json()["code"]) == (403, "needs_confirmation")
    assert approved.status_code == 200
    verdict = confirmed.get("/api/audit/verdict").json()
    assert (verdict["intact"], verdict["signatures"]) == (True, 1)
