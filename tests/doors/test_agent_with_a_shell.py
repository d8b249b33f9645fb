"""An agent that has a shell, the files of its account and a browser tries every way to approve; none works."""

from __future__ import annotations

import sqlite3
from base64 import urlsafe_b64encode
from contextlib import closing

import pytest

from memory_layer.doors.rest.table import ROUTES
from memory_layer.model.access import Role
from memory_layer.settings import load
from memory_layer.usecases.govern import passphrase as usecase
from memory_layer.usecases.govern.tokens import make_token
from memory_layer.wiring import open_engine
from tests.doors.rest_client import AUTHORIZED, browser_of, guarded_app, link_in
from tests.doors.terminals import Terminal
from tests.doors.test_passphrase import PASSPHRASE, PHRASE, RULE
from tests.doors.test_rest_access import body_of, url_of

AGENT = {"CLAUDECODE": "1"}
SECRETS = (
    "select hash from browser_session union select hash from browser_link"
    " union select hash from access_token union select hash from passphrase union select salt from passphrase"
)


@pytest.fixture
def rule(machine, person, monkeypatch) -> str:
    """A rule that waits, in the store of a person with a passphrase and a personal token."""
    monkeypatch.setattr(usecase, "COST", 2**4)
    with open_engine(load(), "cli") as engine:
        usecase.set_passphrase(engine, PHRASE, person)
        make_token(engine, "mine", Role.ADMIN, None, True, person)
    with browser_of(guarded_app(machine / "work")) as made:
        made.headers |= AUTHORIZED
        return str(made.post("/api/projects/shop/memories", json=RULE).json()["id"])


def read_from_the_file(machine) -> list[str]:
    """Everything secret in the store's file, in the forms in which it could be shown to a server."""
    with closing(sqlite3.connect(machine / "home" / "memory.db")) as db:
        found = [bytes(row[0]) for row in db.execute(SECRETS)]
    forms = [[each.hex(), urlsafe_b64encode(each).decode(), each.decode("latin-1")] for each in found]
    return [form for each in forms for form in each if form.isascii() and form.isprintable()]


def approvals(client, rule: str) -> int:
    """The number of ways to approve, decide, erase or read by this client that were answered with success."""
    tried = [
        client.patch(f"/api/projects/shop/memories/{rule}/approve"),
        client.delete(f"/api/projects/shop/memories/{rule}?erase=true"),
        client.post("/api/memories/approve", json={"memory_ids": [rule]}),
        client.post("/api/memories/forget", json={"memory_ids": [rule], "yes": True}),
        client.post(f"/api/review/{rule}/decide", json={"decision": "approve"}),
        client.post("/api/tokens", json={"name": "mine2", "personal": True}),
    ]
    read = [client.get(f"/api/memories/{rule}"), client.get("/api/review?all=true")]
    worked = [each.status_code < 400 for each in tried]
    return sum([*worked, *(RULE["content"] in str(each.text) for each in read)])


def test_an_agent_approves_by_no_way_through_the_server(machine, rule):
    app, worked, tried = guarded_app(machine / "work"), 0, 0
    with browser_of(app) as client:
        client.get(link_in(machine / "work"), follow_redirects=False)
        cookie = dict(client.cookies)
        for secret in read_from_the_file(machine):
            for headers in (
                {"Memory-Confirmation": secret},
                {"Authorization": f"Bearer {secret}"},
                {"Cookie": f"memory_layer_8080={secret}"},
            ):
                client.cookies.clear()
                client.cookies.update(cookie if "Memory-Confirmation" in headers else {})
                client.headers |= headers
                worked, tried = worked + approvals(client, rule), tried + 8
                for name in headers:
                    del client.headers[name]
        client.cookies.update(cookie)
        for name in ("root", "person", "human", "ada"):
            client.headers["Memory-Agent"] = name
            worked, tried = worked + approvals(client, rule), tried + 8
        del client.headers["Memory-Agent"]
        for guess in [*read_from_the_file(machine), "password1234", "correct horse battery"]:
            worked += client.post(PASSPHRASE, json={"passphrase": guess}).status_code < 400
            tried += 1
        client.headers |= AUTHORIZED
        for route in ROUTES:
            client.request(route.method, url_of(route, rule), **body_of(route))
            tried += 1
        worked += approvals(client, rule)
        memory = client.get(f"/api/memories/{rule}").json().get("memory", {})
    print(f"{tried} tries by REST and browser, {worked} approvals")
    assert worked == 0
    assert memory.get("approved_by") is None
    with open_engine(load(), "cli") as engine:
        assert engine.store.memories.get([rule])[0].approved_by is None


@pytest.mark.parametrize(
    "words",
    [
        "approve {}",
        "review {} --decide approve",
        "forget {} --yes",
        "passphrase set",
        "token create evil --personal",
        "token revoke mine",
    ],
)
def test_an_agent_approves_by_no_command_with_or_without_a_terminal(process, rule, words):
    line = words.format(rule).split()
    assert process(*line, **AGENT).code != 0
    with_terminal = Terminal(*line, **AGENT)
    shown = with_terminal.read()
    assert "type " not in shown
    assert with_terminal.process.wait(60) != 0
    with open_engine(load(), "cli") as engine:
        known = engine.store.memories.get([rule])[0]
        assert (known.approved_by, known.content) == (None, RULE["content"])
        assert [each.name for each, _ in engine.store.access.tokens() if each.revoked_at is None] == ["mine"]
