"""The REST interface answers only programs of this machine that have the token, and changes nothing for others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient

from memory_layer.doors.rest.app import DOCUMENT
from memory_layer.doors.rest.route import IN_QUERY, Route
from memory_layer.doors.rest.table import ROUTES
from tests.doors.rest_client import AUTHORIZED, MOST_BYTES, PORT, TOKEN, guarded_app, rest_client

RULE = {"type": "policy", "content": "Every release needs two approvals"}
SECRET = "The harbour gate opens with a blue key"
#: Requests of somebody who must not be answered, with the status that each gets.
STRANGERS: dict[str, tuple[dict[str, str], int]] = {
    "no token": ({}, 401),
    "a wrong token": ({"Authorization": f"Bearer {TOKEN}x"}, 401),
    "an empty token": ({"Authorization": "Bearer "}, 401),
    "another scheme": ({"Authorization": f"Basic {TOKEN}"}, 401),
    "the token in a cookie": ({"Cookie": f"token={TOKEN}"}, 401),
    "a foreign host": (AUTHORIZED | {"Host": "evil.example"}, 421),
    "a foreign host on this port": (AUTHORIZED | {"Host": f"evil.example:{PORT}"}, 421),
    "another port": (AUTHORIZED | {"Host": f"localhost:{PORT + 1}"}, 421),
    "a foreign page": (AUTHORIZED | {"Origin": "http://evil.example"}, 403),
    "a page of another port": (AUTHORIZED | {"Origin": f"http://localhost:{PORT + 1}"}, 403),
    "a page without an origin": (AUTHORIZED | {"Origin": "null"}, 403),
    "a secure page": (AUTHORIZED | {"Origin": f"https://localhost:{PORT}"}, 403),
}


@pytest.fixture
def rest(machine) -> Iterator[TestClient]:
    with rest_client(machine / "work") as client:
        yield client


def url_of(route: Route, memory_id: str) -> str:
    path = route.plain_path.replace("{project}", "shop").replace("{memoryId}", memory_id)
    for each in route.in_path:
        path = path.replace(f"{{{each.name}}}", memory_id if each.name == "memory_id" else "relates_to")
    return path


def body_of(route: Route) -> dict[str, Any]:
    return {} if route.method in IN_QUERY else {"json": {each.name: "x" for each in route.elsewhere}}


def state(rest: TestClient) -> Any:
    """All that a stranger could have changed."""
    return [
        rest.get(path).json()
        for path in ("/api/memories?all=true", "/api/audit", "/api/recalls", "/api/runs")
    ]


@pytest.mark.parametrize("stranger", STRANGERS)
def test_no_route_answers_a_stranger(rest, machine, stranger):
    memory_id = rest.post("/api/memories?project=shop", json={"content": SECRET}).json()["id"]
    before = state(rest)
    headers, status = STRANGERS[stranger]
    with TestClient(guarded_app(machine / "work"), f"http://localhost:{PORT}") as outside:
        for route in ROUTES:
            refused = outside.request(
                route.method, url_of(route, memory_id), headers=headers, **body_of(route)
            )
            assert refused.status_code == status, f"{route.method} {route.path}"
            assert refused.headers["content-type"] == "application/problem+json"
            assert "harbour" not in refused.text
            assert memory_id not in refused.text
        assert outside.get(DOCUMENT, headers=headers).status_code == status
    assert state(rest) == before


def test_a_form_of_another_page_changes_nothing(rest, machine):
    before = state(rest)
    with TestClient(guarded_app(machine / "work"), f"http://localhost:{PORT}") as browser:
        sent = browser.post(
            "/api/memories",
            data={"content": SECRET},
            headers=AUTHORIZED | {"Origin": "http://evil.example"},
        )
    form = rest.post("/api/memories", data={"content": SECRET})

    assert (sent.status_code, form.status_code) == (403, 400)
    assert state(rest) == before


def test_no_page_of_another_site_may_read_an_answer(rest):
    asked = rest.options(
        "/api/memories",
        headers={"Origin": f"http://localhost:{PORT}", "Access-Control-Request-Method": "GET"},
    )

    assert asked.status_code == 405
    assert not [name for name in asked.headers if name.startswith("access-control")]


def test_health_says_only_ok_and_needs_no_token(machine):
    with TestClient(guarded_app(machine / "work"), f"http://localhost:{PORT}") as outside:
        answer = outside.get("/health")

        assert (answer.status_code, answer.json()) == (200, {"status": "ok"})
        assert outside.get("/health", headers={"Host": "evil.example"}).status_code == 421
        assert outside.get("/health/", headers={}).status_code == 401
        assert outside.get("/api/health").status_code == 401


@pytest.mark.parametrize("headers", [{}, {"Memory-Passkey": "e30"}], ids=["plain", "signed"])
def test_a_body_that_is_too_large_is_refused(rest, headers):
    refused = rest.post("/api/memories", json={"content": "x" * MOST_BYTES}, headers=headers)

    assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
    assert rest.get("/api/memories?all=true").json()["total"] == 0


def test_a_read_only_server_reads_and_changes_nothing(rest, machine):
    memory_id = rest.post("/api/memories?project=shop", json={"content": SECRET}).json()["id"]
    before = state(rest)
    with rest_client(machine / "work", only_read=True) as reader:
        assert reader.get("/api/search?q=harbour&project=shop").json()["hits"][0]["id"] == memory_id
        for route in ROUTES:
            if route.writes:
                sent = reader.request(route.method, url_of(route, memory_id))
                assert sent.status_code in (400, 403), f"{route.method} {route.path}"
        refused = reader.post("/api/memories", json={"content": "Another fact"})
        assert (refused.status_code, refused.json()["code"]) == (403, "not_allowed")
    assert state(rest) == before


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nothing", 404, "no_such_path"),
        ("GET", "/api/memories/", 404, "no_such_path"),
        ("PUT", "/api/memories", 405, "wrong_method"),
        ("GET", "/api/memories?limt=5", 400, "malformed"),
        ("GET", "/api/memories?limit=many", 400, "malformed"),
        ("GET", "/api/memories?limit=0", 422, "invalid_input"),
        ("GET", "/api/memories?cursor=nonsense", 422, "invalid_input"),
        ("GET", "/api/memories/mem_unknown", 404, "not_found"),
        ("GET", "/api/search", 400, "malformed"),
        ("GET", "/api/search?q=x&project=shop&all=true", 422, "invalid_input"),
        ("GET", "/api/search?q=x&project=/etc/passwd", 404, "not_found"),
        ("PATCH", "/api/memories/mem_unknown", 422, "invalid_input"),
    ],
)
def test_every_error_is_a_problem_with_a_code_and_a_next_step(rest, method, path, status, code):
    refused = rest.request(method, path)
    problem = refused.json()

    assert (refused.status_code, problem["status"], problem["code"]) == (status, status, code), refused.text
    assert refused.headers["content-type"] == "application/problem+json"
    assert problem["type"] == f"urn:memory-layer:problem:{code}"
    assert problem["next_step"].endswith(".")


def test_no_answer_says_where_a_damaged_store_is(machine):
    store = machine / "home" / "memory.db"
    store.parent.mkdir()
    store.write_bytes(b"this is not a store, however long it may be" * 100)
    with rest_client(machine / "work") as fresh:
        for headers in (
            *(given for given, _ in STRANGERS.values()),
            {},
            {"Cookie": f"memory_layer_{PORT}=x"},
        ):
            answer = fresh.get("/api/stats", headers=headers)
            assert str(machine) not in answer.text
            assert answer.status_code in (401, 403, 421, 503)
        damaged = fresh.get("/api/stats")
        assert (damaged.status_code, damaged.json()["code"]) == (503, "store_damaged")
        assert "memory.db" in damaged.json()["detail"]


def test_a_method_that_a_path_does_not_take_is_answered_with_those_it_takes(rest):
    assert rest.put("/api/memories").headers["allow"] == "GET, POST"


@pytest.mark.parametrize("name", ["root", "person", "human", "agent:claude", "x" * 64])
def test_no_name_makes_a_program_a_person(rest, name):
    named = {"Memory-Agent": name}
    sent = rest.post("/api/projects/shop/memories", json=RULE, headers=named)
    memory = sent.json()

    assert (sent.status_code, memory["source"], memory["active"]) == (201, "agent", False)
    assert rest.patch(f"/api/projects/shop/memories/{memory['id']}/approve", headers=named).status_code == 403
    decided = rest.post(f"/api/review/{memory['id']}/decide", json={"decision": "approve"}, headers=named)
    assert decided.status_code == 403
    assert (
        rest.patch(f"/api/memories/{memory['id']}", json={"confidence": 1.0}, headers=named).status_code
        == 403
    )
    assert rest.get(f"/api/projects/shop/memories/{memory['id']}").json()["active"] is False


def test_a_secret_is_redacted_before_it_is_stored(rest, machine):
    secret = "AKIAIOSFODNN7EXAMPLQ"
    added = rest.post(
        "/api/memories", json={"content": f"The key of the bucket is {secret}", "tags": [secret]}
    )
    refused = rest.post("/api/memories", json={"content": secret, "allow_secret": True})

    assert (added.status_code, refused.status_code) == (201, 400)
    assert added.json()["redacted"]
    assert not any(
        secret.encode() in file.read_bytes() for file in (machine / "home").iterdir() if file.is_file()
    )
