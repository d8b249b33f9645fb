"""Tokens have a role and an end, are stored as hashes, and stop working at once when they are revoked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import pytest
from starlette.testclient import TestClient

from memory_layer.doors.http import guard
from memory_layer.doors.rest.table import ROUTES
from memory_layer.errors import NeedsConfirmation, OnlyPersons
from memory_layer.model.access import Role
from memory_layer.model.passkeys import Means
from memory_layer.ports import Engine
from memory_layer.settings import load
from memory_layer.usecases.govern.tokens import make_token
from memory_layer.verbs.access import MAKE_TOKEN, REVOKE_TOKEN, TOKENS
from memory_layer.verbs.call import Caller, Dispatcher
from memory_layer.wiring import open_engine
from tests.doors.rest_client import ADDRESS, before_the_body, guarded_app, rest_client
from tests.doors.test_rest_access import body_of, state, url_of

ROLES = [*Role]


@contextmanager
def asked(machine, token: str) -> Iterator[TestClient]:
    headers = {"Authorization": f"Bearer {token}"}
    with TestClient(guarded_app(machine / "work"), ADDRESS, headers=headers) as made:
        yield made


def made(mem, *options: str) -> str:
    return str(mem("token", "create", "ci", *options, "--json").data["secret"])


def test_a_token_is_shown_once_and_stored_as_a_hash(mem, machine):
    secret = made(mem, "--role", "reader", "--expires", "30d")
    listed = mem("token", "list", "--json").data["items"]

    assert [(each["name"], each["role"], each["person"]) for each in listed] == [("ci", "reader", None)]
    assert secret not in mem("token", "list").out
    files = [file.read_bytes() for file in (machine / "home").iterdir() if file.is_file()]
    assert not any(secret.encode() in content for content in files)


@pytest.mark.parametrize("role", ROLES)
def test_each_route_takes_the_roles_that_cover_its_own(machine, mem, role):
    secret = made(mem, "--role", role.value)
    with rest_client(machine / "work") as rest, asked(machine, secret) as caller:
        memory_id = rest.post("/api/memories?project=shop", json={"content": "A blue key"}).json()["id"]
        before = state(rest)
        for route in ROUTES:
            if route.role is Role.READER or role.covers(route.role):
                continue
            refused = caller.request(route.method, url_of(route, memory_id), **body_of(route))
            assert refused.status_code in (400, 403), f"{route.method} {route.path}"
            assert "blue key" not in refused.text
        assert state(rest) == before
        assert caller.get("/api/session").json()["role"] == role


def test_what_a_reader_reads_counts_as_no_use(machine, mem):
    secret = made(mem, "--role", "reader")
    with rest_client(machine / "work") as rest, asked(machine, secret) as reader:
        rest.post("/api/memories?project=shop", json={"content": "The harbour opens at nine"})
        before = state(rest)
        found = reader.get("/api/search?q=harbour&project=shop").json()
        assert (len(found["hits"]), found["recall"]) == (1, None)
        assert reader.get("/api/context?project=shop").status_code == 200
        assert state(rest) == before


def test_a_revoked_token_stops_working_in_a_running_server(machine, mem):
    secret = made(mem)
    with asked(machine, secret) as caller:
        assert caller.get("/api/session").json()["name"] == "ci"
        mem("token", "revoke", "ci")
        assert caller.get("/api/session").status_code == 401
    assert mem("audit", "verify").code == 0


def test_an_expired_token_opens_nothing(machine, mem):
    with open_engine(load(), "cli", now=lambda: datetime.now(UTC) - timedelta(days=2)) as engine:
        caller = Caller("cli", machine / "work")
        secret = Dispatcher(engine, caller).run(MAKE_TOKEN, {"name": "old", "expires": "1d"}).secret
    with asked(machine, secret) as client:
        assert client.get("/api/session").status_code == 401


@pytest.mark.parametrize("expires", ["2y", "1999-01-01"])
def test_a_token_ends_within_a_year(mem, expires):
    refused = mem("token", "create", "ci", "--expires", expires)
    assert "within 366 days" in refused.err


def test_the_audit_log_says_who_made_and_revoked_a_token(mem):
    made(mem)
    mem("token", "revoke", "ci")
    entries = mem("audit", "list", "--json").data["items"]

    assert [(each["action"], each["said"]) for each in entries] == [
        ("revoke token", "token 'ci' (writer)"),
        ("make token", "token 'ci' (writer)"),
    ]
    refused = mem("undo", entries[0]["operation"])
    assert "cannot be undone" in refused.err


def test_a_token_that_somebody_wrote_into_the_file_is_found_by_the_audit(machine, mem):
    made(mem)
    with closing(sqlite3.connect(machine / "home" / "memory.db", isolation_level=None)) as db:
        db.execute("update access_token set person = 'ann', role = 'admin'")
    verdict = mem("audit", "verify")
    assert "is not the one that the audit log names" in verdict.out


FORGED = {
    "an agent's, made personal": "update access_token set person = 'ann' where name = 'ci'",
    "a revoked one, revived": "update access_token set revoked_at = null where name = 'old'",
    "a personal one, with another secret": "update access_token set hash = :hash where name = 'mine'",
}


@pytest.mark.parametrize("forged", FORGED)
def test_a_personal_token_that_the_log_does_not_name_opens_nothing(machine, mem, person, forged):
    secrets = dict(zip(FORGED, [made(mem), "", "tok_of_an_agent"], strict=True))
    with open_engine(load(), "cli") as engine:
        secrets["a revoked one, revived"] = make_token(engine, "old", Role.ADMIN, None, True, person).secret
        own = make_token(engine, "mine", Role.ADMIN, None, True, person).secret
        of_person(engine, machine).run(REVOKE_TOKEN, {"token": "old"})
    with (
        closing(sqlite3.connect(machine / "home" / "memory.db", isolation_level=None)) as db,
        ExitStack() as opened,
    ):
        personal = opened.enter_context(asked(machine, own)).get("/api/session").json()
        db.execute(FORGED[forged], {"hash": sha256(b"tok_of_an_agent").digest()})
        refused = opened.enter_context(asked(machine, secrets[forged])).get("/api/session")

    assert personal["is_person"] is True
    assert refused.status_code == 401


def of_person(engine: Engine, machine) -> Dispatcher:
    """Somebody who has typed the code at a terminal."""
    return Dispatcher(engine, Caller("cli", machine / "work", means=Means.CODE))


def test_only_a_confirmed_person_makes_a_personal_token(machine, person):
    with open_engine(load(), "cli") as engine:
        agent = Dispatcher(engine, Caller("cli", machine / "work"))
        with pytest.raises(OnlyPersons):
            agent.run(MAKE_TOKEN, {"name": "mine", "personal": True})
        with pytest.raises(NeedsConfirmation):
            make_token(engine, "mine", Role.WRITER, None, True, person._replace(confirmed=False))
        assert agent.run(TOKENS, {}) == []
        of_person(engine, machine).run(MAKE_TOKEN, {"name": "mine", "personal": True})
        with pytest.raises(OnlyPersons):
            agent.run(REVOKE_TOKEN, {"token": "mine"})


def test_a_personal_token_approves_and_writes_as_its_person(machine):
    with open_engine(load(), "cli") as engine:
        values = {"name": "mine", "personal": True, "expires": "1d"}
        secret = of_person(engine, machine).run(MAKE_TOKEN, values).secret
    with asked(machine, secret) as ann:
        rule = {"type": "policy", "content": "Every release needs two approvals"}
        memory = ann.post("/api/projects/shop/memories", json=rule).json()
        assert (memory["source"], memory["active"]) == ("human", True)
        approved = ann.patch(f"/api/projects/shop/memories/{memory['id']}/approve")
        assert (approved.status_code, approved.json()["confidence"]) == (200, 1.0)
        assert approved.json()["approvedBy"] is not None
        assert ann.delete(f"/api/projects/shop/memories/{memory['id']}?erase=true").status_code == 204
        assert ann.get(f"/api/projects/shop/memories/{memory['id']}").json()["content"] != rule["content"]


@pytest.mark.parametrize("signed", [{}, {"Memory-Passkey": "e30"}], ids=["plain", "signed"])
def test_a_token_that_is_revoked_while_the_body_is_sent_changes_nothing(machine, mem, monkeypatch, signed):
    monkeypatch.setattr(guard, "MOMENT_SECONDS", -1.0)
    headers = {"Authorization": f"Bearer {made(mem)}"}
    app = before_the_body(guarded_app(machine / "work"), lambda: mem("token", "revoke", "ci"))
    with TestClient(app, ADDRESS, headers=headers) as caller, rest_client(machine / "work") as rest:
        late = caller.post("/api/memories", json={"content": "written too late"}, headers=signed)
        assert (late.status_code, late.json()["code"]) == (401, "unauthorized")
        assert late.headers["x-content-type-options"] == "nosniff"
        assert rest.get("/api/memories?all=true").json()["total"] == 0


def test_what_names_its_agent_is_not_the_person_of_a_personal_token(machine):
    rule = {"type": "policy", "content": "Every release needs two approvals"}
    with open_engine(load(), "cli") as engine:
        values = {"name": "mine", "personal": True, "expires": "1d"}
        secret = of_person(engine, machine).run(MAKE_TOKEN, values).secret
    with rest_client(machine / "work") as rest, asked(machine, secret) as ann:
        memory = rest.post("/api/projects/shop/memories", json=rule).json()["id"]
        for name in ("bob", "claude", ann.get("/api/session").json()["name"]):
            named = {"Memory-Agent": name}
            session = ann.get("/api/session", headers=named).json()
            read = ann.get(f"/api/memories/{memory}?peek=true", headers=named)
            approved = ann.patch(f"/api/projects/shop/memories/{memory}/approve", headers=named)
            assert (session["is_person"], session["name"]) == (False, name)
            assert rule["content"] not in read.text
            assert (approved.status_code, approved.json()["code"]) == (403, "not_allowed")
        assert ann.patch(f"/api/projects/shop/memories/{memory}/approve").is_success
