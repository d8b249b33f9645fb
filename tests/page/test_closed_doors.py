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
