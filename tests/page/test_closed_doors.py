"""A browser without a session, and other sites, get nothing from a server."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator

import pytest

from tests.page.served_page import ServedPage, served_page
from tests.page.watched_page import Witness

PATHS = (
    "/",
    "/api/memories",
    "/api/stats",
    "/..%2f..%2ftoken",
    "/assets/..%2f..%2f..%2ftoken",
    "/%2e%2e/token",
)


@pytest.fixture(scope="module")
def bare_server(tmp_path_factory: pytest.TempPathFactory, model_folder) -> Iterator[ServedPage]:
    here = tmp_path_factory.mktemp("closed")
    with served_page(here / "home", here, model_folder) as running:
        running.mem("add", "The tide table is fetched at four in the morning", "--global")
        yield running


class _Elsewhere(http.server.BaseHTTPRequestHandler):
    """Another site, whose page tries to look into the server."""

    page = b""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(self.page)

    def log_message(self, *about: object) -> None:
        """Say nothing."""


@pytest.fixture
def another_site(bare_server) -> Iterator[str]:
    _Elsewhere.page = (
        f"<iframe src='{bare_server.address}/'></iframe><form method=post enctype=text/plain "
        f'action="{bare_server.address}/api/memories"><input name=\'{{"content":"planted","x":"\' value=\'"}}\'></form>'
    ).encode()
    site = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Elsewhere)
    threading.Thread(target=site.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{site.server_port}"
    site.shutdown()
    site.server_close()


def test_another_site_reads_nothing_shows_nothing_and_changes_nothing(browser, bare_server, another_site):
    context = browser.new_context()
    page = context.new_page()
    page.goto(another_site)

    read = page.evaluate(
        "(address) => fetch(address + '/api/stats').then(a => a.text(), () => 'refused')", bare_server.address
    )
    framed = page.frames[1].evaluate("document.body ? document.body.innerText : ''")
    page.evaluate("document.forms[0].submit()")
    page.wait_for_url(f"{bare_server.address}/**")

    assert read == "refused"
    assert "Memory Layer" not in framed
    assert "foreign_origin" in page.content()
    assert bare_server.mem("stats")["total"] == 1
    context.close()


#: Sees every request of a page, and lets it pass.
WORKER = b"""
const note = async (request) => (await caches.open("seen")).put(`/${Math.random()}`, new Response(request.url));
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => event.respondWith(note(event.request).then(() => fetch(event.request))));
"""
SEEN = """async () => {
  const kept = await caches.open("seen");
  const all = await Promise.all((await kept.keys()).map((each) => kept.match(each)));
  return await Promise.all(all.map((each) => each.text()));
}"""


class _Before(http.server.BaseHTTPRequestHandler):
    """A program that had the port first, and leaves a worker in the browser."""

    def do_GET(self) -> None:
        is_worker = self.path == "/worker.js"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_worker else "text/html")
        self.end_headers()
        self.wfile.write(WORKER if is_worker else b"<title>before</title>")

    def log_message(self, *about: object) -> None:
        """Say nothing."""


def test_a_worker_of_a_program_that_had_the_port_before_sees_no_memory(browser, tmp_path):
    context = browser.new_context()
    page = context.new_page()
    server = ServedPage(tmp_path / "home", tmp_path, tmp_path / "no-model")
    before = http.server.ThreadingHTTPServer(("127.0.0.1", server.port), _Before)
    threading.Thread(target=before.serve_forever, daemon=True).start()
    page.goto(f"{server.address}/")
    page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
    before.shutdown()
    before.server_close()
    server.start()
    try:
        page.goto(server.link)
        page.get_by_role("heading", level=1, name="Dashboard").wait_for()
        page.evaluate("fetch('/api/memories')")
        seen = page.evaluate(SEEN)
    finally:
        server.stop()
        context.close()

    assert any(each.startswith(f"{server.address}/assets/") for each in seen)
    assert [each for each in seen if "/api/" in each] == []


def test_a_browser_without_a_session_reads_no_memory(browser, bare_server):
    context = browser.new_context()
    witness = Witness(context, bare_server.address)
    page = context.new_page()

    for path in PATHS:
        answer = page.goto(f"{bare_server.address}{path}")
        assert answer is not None
        assert "tide table" not in page.content()
        assert bare_server.token not in page.content()

    assert witness.dialogs == witness.elsewhere == []
    context.close()
