"""A browser logs in by a one-time link, keeps its session in a cookie, and other sites cannot use it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from memory_layer.doors.http.access import Access, Head
from memory_layer.doors.http.guard import Guard, _path
from memory_layer.doors.http.logins import Logins
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.settings import load
from tests.doors.rest_client import ADDRESS, PORT, browser_of, guarded_app, link_in

COOKIE = f"memory_layer_{PORT}"


@pytest.fixture
def app(machine) -> ASGIApp:
    return guarded_app(machine / "work")


@pytest.fixture
def browser(app, machine) -> Iterator[TestClient]:
    with browser_of(app) as made:
        assert made.get(link_in(machine / "work"), follow_redirects=False).status_code == 303
        yield made


def test_a_link_is_exchanged_for_a_cookie_that_no_script_reads(app, machine):
    with browser_of(app) as made:
        answer = made.get(link_in(machine / "work"), follow_redirects=False)

    cookie = answer.headers["set-cookie"]
    assert cookie.startswith(f"{COOKIE}=ses_")
    assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= {*cookie.split("; ")}
    assert answer.headers["location"] == f"{ADDRESS}/"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("/memories/mem_x?{}", "/memories/mem_x"),
        ("/memories?q=a%20b&{}&sort=-score", "/memories?q=a%20b&sort=-score"),
        ("//evil.example/?{}", "//evil.example/"),
        ("/a%0d%0aSet-Cookie:%20x=y?{}", "/a%0d%0aSet-Cookie:%20x=y"),
        ("/memories?%{}", "/memories"),
    ],
)
def test_a_link_leads_to_the_address_without_its_secret_on_this_server(app, machine, before, after):
    link = link_in(machine / "work").partition("?")[2]
    with browser_of(app) as made:
        address = before.format(link).replace("%t=", "%74=")
        answer = made.get(f"{ADDRESS}{address}", follow_redirects=False)

    assert answer.headers["location"] == f"{ADDRESS}{after}"
    assert answer.headers.get_list("set-cookie")[0].startswith(COOKIE)
    assert len(answer.headers.get_list("set-cookie")) == 1


def test_no_path_leads_to_another_host():
    """Only a request written by hand has a path without a slash."""
    for sent in (b"@evil.example/", b":80@evil.example", b".evil.example/", b"http://evil.example/"):
        assert _path(Head("/"), sent) == "/"


def test_a_link_works_once(app, machine):
    link = link_in(machine / "work")
    with browser_of(app) as first, browser_of(app) as second:
        assert first.get(link, follow_redirects=False).status_code == 303
        refused = second.get(link, follow_redirects=False)
        assert (refused.status_code, "set-cookie" in refused.headers) == (403, False)
        assert "mem serve --link" in refused.text
        assert second.get("/api/session").status_code == 401
        assert first.get(link, follow_redirects=False).status_code == 303, "it is logged in already"


def test_of_two_browsers_with_one_link_exactly_one_gets_in(machine):
    store = SharedEngine(load(), "rest", only_read=False, own=())
    logins = Logins(store, PORT)
    for link in (logins.new_link(), logins.first_link()):
        with ThreadPoolExecutor(8) as threads:
            secrets = [*threads.map(logins.log_in, [link] * 8)]
        assert len([each for each in secrets if each]) == 1
    store.close()


def test_a_session_reads_and_writes_as_an_agent(browser):
    session = browser.get("/api/session").json()
    added = browser.post("/api/memories?project=shop", json={"content": "The till needs Java 21"})
    memory = browser.get(f"/api/memories/{added.json()['id']}").json()["memory"]

    assert (session["role"], session["name"], session["is_person"]) == ("admin", "browser", False)
    assert (memory["writer"], memory["writer_kind"]) == ("browser", "agent")
    assert browser.patch(f"/api/projects/shop/memories/{memory['id']}/approve").status_code == 403


def test_a_session_survives_a_restart_of_the_server(browser, machine):
    with TestClient(guarded_app(machine / "work"), ADDRESS, cookies=dict(browser.cookies)) as again:
        assert again.get("/api/session").status_code == 200


def test_a_session_ends_when_the_browser_logs_out(browser):
    cookie = f"{COOKIE}={browser.cookies[COOKIE]}"
    answer = browser.delete("/api/session")

    assert (answer.status_code, f"{COOKIE}=;" in answer.headers["set-cookie"]) == (204, True)
    assert browser.get("/api/session", headers={"Cookie": cookie}).status_code == 401


def test_a_cookie_is_worth_nothing_on_another_port(browser, machine):
    secret = browser.cookies[COOKIE]
    store = SharedEngine(load(), "rest", only_read=False, own=())
    inner = guarded_app(machine / "work")
    other = Guard(inner, Access("tok_of_another_server", 9090, logins=Logins(store, 9090)))
    with TestClient(other, "http://localhost:9090") as elsewhere:
        for name in (COOKIE, "memory_layer_9090"):
            refused = elsewhere.get("/api/session", headers={"Cookie": f"{name}={secret}"})
            assert refused.status_code == 401
    store.close()


def test_a_cookie_that_another_port_has_set_locks_nobody_out(browser, app, machine):
    own = f"{COOKIE}={browser.cookies[COOKIE]}"
    with browser_of(app) as other:
        other.get(link_in(machine / "work"), follow_redirects=False)
        valid = f"{COOKIE}={other.cookies[COOKIE]}"
    browser.cookies.clear()
    for cookies, status in {
        f"{COOKIE}=evil; {own}": 200,
        f"{own}; {COOKIE}=evil": 200,
        f"{own}; {own}": 200,
        "; ".join([*(f"{COOKIE}=evil{number}" for number in range(20)), own]): 200,
        f"{COOKIE}=evil": 401,
        f"{valid}; {own}": 401,
        f"{own}; {COOKIE}=evil; {valid}": 401,
    }.items():
        assert browser.get("/api/session", headers={"Cookie": cookies}).status_code == status, cookies


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": ""},
        {"Origin": "null"},
        {"Origin": "http://evil.example"},
        {"Origin": f"http://127.0.0.1:{PORT}"},
        {"Origin": f"http://localhost:{PORT + 1}"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_no_other_page_changes_anything_with_the_cookie(browser, headers):
    sent = browser.post("/api/memories", json={"content": "planted"}, headers=headers)

    assert (sent.status_code, sent.json()["code"]) == (403, "foreign_origin")
    assert browser.get("/api/memories?all=true").json()["total"] == 0


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_form_changes_nothing_with_the_cookie(browser, kind):
    body = b'{"content": "planted"}'
    sent = browser.post("/api/memories", content=body, headers={"Content-Type": kind})

    assert (sent.status_code, sent.json()["code"]) == (415, "not_json")
    assert browser.get("/api/memories?all=true").json()["total"] == 0


def test_a_request_without_an_origin_changes_nothing_with_the_cookie(browser):
    del browser.headers["Origin"]
    assert browser.post("/api/memories", json={"content": "planted"}).status_code == 403
    assert browser.get("/api/memories?all=true").json()["total"] == 0


def test_every_answer_says_what_a_browser_must_not_do_with_it(browser):
    for path, status in {"/api/session": 200, "/nothing": 401, "/health": 200, "/?t=used": 303}.items():
        answer = browser.get(path, follow_redirects=False, headers={} if status != 401 else {"Cookie": ""})
        assert answer.status_code == status
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert "trusted-types 'none'" in answer.headers["content-security-policy"]
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
