"""The page's files are served as they were built, and nothing else is."""

from __future__ import annotations

import gzip

import pytest
from starlette.applications import Starlette
from starlette.routing import Match
from starlette.testclient import TestClient

from memory_layer.doors.http.server import HttpServer
from memory_layer.doors.page.files import built_files
from memory_layer.doors.page.route import NOT_BUILT, PageRoute
from memory_layer.doors.rest import http
from memory_layer.doors.rest.serving import RestServing
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.settings import load

SCRIPT = b"console.log('here')\n"


@pytest.fixture
def folder(tmp_path):
    """A built page, beside a file that is none of its."""
    built = tmp_path / "built"
    (built / "assets").mkdir(parents=True)
    (built / "index.html").write_text("<!doctype html>the page")
    (built / "assets" / "main-abc.js").write_bytes(SCRIPT)
    (built / "assets" / "main-abc.js.gz").write_bytes(gzip.compress(SCRIPT))
    (tmp_path / "token.json").write_text("secret")
    return built


@pytest.fixture
def page(folder):
    return TestClient(Starlette(routes=[PageRoute(built_files(folder))]))


@pytest.mark.parametrize("path", ["/", "/memories", "/memories/mem_1", "/tasks/beads/bd-1.2", "/apis"])
def test_every_address_of_a_view_is_answered_with_the_page(page, path):
    answer = page.get(path)

    assert (answer.status_code, answer.text) == (200, "<!doctype html>the page")
    assert answer.headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    ["/assets/old-123.js", "/assets/", "/robots.txt", "/assets/main-abc.js.gz", "/assets/../../token.json"],
)
def test_a_file_that_was_not_built_is_not_found(page, path):
    assert page.get(path).status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/../token.json",
        "/assets/%2e%2e/%2e%2e/token.json",
        "//token.json",
        "/..%2ftoken.json",
        "/x/../../token.json",
    ],
)
def test_no_address_leads_out_of_the_folder(page, path):
    assert "secret" not in page.get(path).text


def test_links_are_not_served_wherever_they_lead(folder):
    (folder / "assets" / "link.js").symlink_to(folder.parent / "token.json")
    (folder / "linked").symlink_to(folder.parent, target_is_directory=True)

    assert sorted(built_files(folder)) == ["/assets/main-abc.js", "/index.html"]


def test_hashed_files_are_kept_forever_and_sent_compressed_to_those_who_take_it(page):
    packed = page.get("/assets/main-abc.js", headers={"Accept-Encoding": "gzip"})
    plain = page.get("/assets/main-abc.js", headers={"Accept-Encoding": "identity"})

    assert packed.content == plain.content == SCRIPT
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert packed.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_an_unchanged_page_is_not_sent_again(page):
    tag = page.get("/").headers["etag"]

    assert page.get("/", headers={"If-None-Match": tag}).status_code == 304


@pytest.mark.parametrize("path", ["/api", "/api/nothing", "/mcp", "/health"])
def test_paths_of_programs_are_left_to_them(page, path):
    assert page.get(path).status_code == 404


def test_an_address_without_a_slash_is_not_the_page(folder):
    scope = {"type": "http", "method": "GET", "path": "http://localhost:8080/api/stats", "headers": []}
    assert PageRoute(built_files(folder / "built")).matches(scope)[0] is Match.NONE


def test_health_is_a_view_for_a_browser_and_an_answer_for_programs(page):
    assert page.get("/health", headers={"Accept": "text/html,*/*"}).text == "<!doctype html>the page"
    assert page.get("/health").status_code == 404  # here nobody else answers it


def test_writing_is_not_the_page_s_business(page):
    assert page.post("/memories").status_code == 404


def test_without_a_built_page_its_address_says_how_to_build_it():
    answer = TestClient(Starlette(routes=[PageRoute({})])).get("/")

    assert (answer.status_code, answer.text) == (503, NOT_BUILT)
    assert "make page" in answer.text


def test_a_server_whose_page_is_not_built_says_how_to_build_it(machine, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(http, "built_files", dict)
    monkeypatch.setattr(HttpServer, "run", lambda *_: None)
    shared = SharedEngine(load(), "rest", only_read=False, own=())
    http.serve_rest(
        RestServing(shared.settings, shared, machine / "work", None),
        http.Address(0, "token", machine / "token"),
        said.append,
    )

    assert [line for line in said if "make page" in line]
