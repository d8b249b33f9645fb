"""Hostile text in every field that a view shows: it is shown, and nothing in it runs, loads or leads away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote_plus

import pytest

from tests.page.kit import VIEWS, log_in, tab
from tests.page.served_page import ServedPage, served_page

RUNS = "window.ran=(window.ran||0)+1"
SNEAKY = (
    f"<img src=x onerror='{RUNS};alert(1)'>",
    f"<script>{RUNS};alert(2)</script>",
    f"<svg onload={RUNS}><a href='javascript:{RUNS}'>x</a></svg>",
    f"[click](javascript:{RUNS}) ![x](http://evil.example/x.png)",
    f'"><iframe src="javascript:{RUNS}"></iframe>',
    "<style>body{display:none}</style><base href='http://evil.example/'>",
    "\u202egnp.exe \u2066hidden\u2069 \u200b\u0085 ltr \u200f\u05d0\u05d1\u05d2",
    "{{constructor.constructor('alert(3)')()}} ${alert(4)} %3Cscript%3E",
)
LONG = "A very long text: " + "the tide is high " * 3_500
#: Where all links lead, also those of drawings.
LINKS = "[...document.querySelectorAll('a')].map(a => new URL(a.href.baseVal ?? a.href, location.href).href)"
HEBREW = "A name: \u200f\u05d0\u05d1\u05d2 stands there"  #: other control characters wait for a person
WEB_LINKS = (
    "javascript:alert(5)",
    "data:text/html,<script>alert(6)</script>",
    "https://evil.example/%22onload=1",
)


@pytest.fixture(scope="module")
def hostile_server(tmp_path_factory, model_folder) -> Iterator[ServedPage]:
    """A store in which every text is hostile, written by an agent as agents write."""
    here = tmp_path_factory.mktemp("hostile") / "<img src=x onerror=alert(7)>"
    (here / ".git").mkdir(parents=True)
    (here / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
    (here / "src").mkdir()
    (here / "src" / "<b>.py").write_text("<script>alert(8)</script>\n")
    _tasks(here)
    home = here.parent / "home"
    with served_page(home, here, model_folder, person=here.parent / "person") as server:
        for number, text in enumerate(SNEAKY):
            _written(server, number, text)
        _added(server, HEBREW)
        _added(server, LONG, tags=["long"])
        _added(server, "A memory with many tags", tags=[f"tag-{number}-<b>" for number in range(60)])
        yield server


def _tasks(here) -> None:
    issues = [{"id": f"bd-{n}", "title": text, "status": "open"} for n, text in enumerate(SNEAKY)]
    (here / ".beads").mkdir()
    (here / ".beads" / "issues.jsonl").write_text("\n".join(map(json.dumps, issues)), encoding="utf-8")


def _added(server: ServedPage, content: str, **fields: object) -> str | None:
    """Store a memory as an agent; None if it is refused."""
    body = {"content": content, "on_duplicate": "keep", **fields}
    memory_id: str | None = server.ask("POST", "/api/memories", body).get("id")
    return memory_id


def _written(server: ServedPage, number: int, text: str) -> None:
    """Put a text wherever an agent can: content, tags, scope, metadata, citations, questions, events."""
    added = _added(
        server,
        f"Note {number}: {text}",
        tags=[f"t{number}<img/src=x/onerror=alert(9)>"],
        scope=[f"src/<i>{number}/**"],
        metadata={"note": text, "<b>": "javascript:alert(10)"},
        cite=[*(WEB_LINKS if number == 0 else ()), "src/<b>.py:1"],
    )
    server.ask("GET", f"/api/search?q={quote_plus(f'note {number} {text}'[:400])}")
    if added is not None:
        result = ("worked", "failed")[number % 2]
        report = {"memory_ids": [added], "result": result, "evidence": text, "query": f"why {text}"[:300]}
        server.ask("POST", "/api/outcomes", report)
    server.mem("episode", "add", f"Event {text}", "--session", f"s {text}"[:80], check=False)
    server.ask("POST", "/api/handoff", {"next_steps": [text], "questions": [text]})
    server.mem("procedure", "save", f"p{number} {text}"[:60], "--step", text, check=False)


def test_hostile_text_is_shown_and_nothing_of_it_runs(browser, hostile_server):
    state = log_in(browser, hostile_server)
    shown = hostile_server.mem("list", "--limit", "40")["items"]
    recalls = hostile_server.mem("recalls", "--limit", "3")["items"]
    addresses = [
        *VIEWS.values(),
        f"/search?q={'%3Cimg%20src%3Dx%20onerror%3Dalert(11)%3E'}",
        "/memories?q=%3Cscript%3Ealert(12)%3C/script%3E",
        "/review/%3Cimg%3E/%3Cscript%3E",
        *(f"/memories/{each['id']}" for each in shown),
        *(f"/recalls/{each['id']}" for each in recalls),
    ]
    with tab(browser, hostile_server, state) as hostile:
        links: set[str] = set()
        for address in addresses:
            hostile.open(address)
            hostile.page.get_by_role("heading", level=1).first.wait_for()
            links |= set(hostile.page.evaluate(LINKS))
            planted = hostile.page.locator(
                "#view :is(img, script, iframe, style, base, object, embed)"
            ).count()
            assert planted == 0, address
            assert hostile.page.evaluate("window.ran") is None, address
        print(
            f"hostile text: {len(SNEAKY)} kinds, {len(shown)} memories, {len(addresses)} addresses, {len(links)} links"
        )

        assert hostile.witness.complaints == []
        schemes = {link.partition(":")[0] for link in links if link}
        assert schemes <= {"http", "https"}


def test_a_long_text_is_folded_and_control_characters_are_visible(browser, hostile_server):
    state = log_in_again(browser, hostile_server)
    items = hostile_server.mem("list", "--limit", "40")["items"]
    with tab(browser, hostile_server, state) as hostile:
        long = next(each for each in items if each["content"].startswith("A very long"))
        hostile.open(f"/memories/{long['id']}")
        hostile.says("Show all")
        strange = next(each for each in items if each["content"] == HEBREW)
        hostile.open(f"/memories/{strange['id']}")
        hostile.page.locator(".control-character").first.wait_for()

        assert "RLM" in hostile.page.locator("#view").inner_text()


def log_in_again(browser, server):
    """Ask for another one-time link, as somebody whose browser is another one does."""
    link = server.mem_text("serve", "--link", "--port", str(server.port)).strip().split()[-1]
    context = browser.new_context()
    context.new_page().goto(link)
    kept = context.storage_state()
    context.close()
    return kept
