"""Measure how soon the page can be used in a real browser, in lived-in stores of several sizes.

Every visit is a new browser context with nothing in its cache. Browser and server are on the same machine.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from bench import lists, prose, report, stores
from bench.serve import serving
from bench.stopwatch import percentile
from npm import browser as chromium

HEADINGS = {
    "size": "memories",
    "what": "what a person waits for",
    "runs": "runs",
    "p50_ms": "p50 ms",
    "p95_ms": "p95 ms",
}
ROOM = {
    "size": "memories",
    "map_bytes": "bytes of the map",
    "rss_start_mb": "RSS at first, MB",
    "rss_mb": "RSS after all, MB",
}
COMMAND_SECONDS = 3600  #: the positions of a large store take minutes
PATIENCE_MS = 60_000
#: What a view shows once it can be used, by its address.
VIEWS = {
    "Dashboard: figures and latest": ("/?p=all", (".figures", ".latest li")),
    "Dashboard: everything": ("/?p=all", (".figures", ".latest li", ".told", ".bar-row", ".chart svg")),
    "Memories: 50 rows": ("/memories?p=all", (".memory-table tbody tr:nth-child(50)",)),
    "Memories by score": ("/memories?p=all&sort=-score", (".memory-table tbody tr:nth-child(50)",)),
    "Timeline": ("/timeline?p=all", (".timeline li",)),
    "Review": ("/review?p=all", (".review-item",)),
    "Insights": ("/insights?p=all", (".chart svg",)),
}
ROW, HIT, DETAIL, DRAWN = ".memory-table tbody tr", ".hit-text", ".detail-text", ".map-box[data-drawn]"


def main(arguments: Sequence[str]) -> int:
    parser = report.parser("page", __doc__)
    parser.add_argument(
        "--sizes", type=int, nargs="+", default=[1_000, 100_000], help="memories in each store"
    )
    parser.add_argument("--runs", type=int, default=10, help="visits of each view")
    parser.add_argument("--keep", type=Path, help="a folder in which filled stores are kept for the next run")
    parser.add_argument(
        "--map", action="store_true", help="compute the positions and open the map too (minutes)"
    )
    options = parser.parse_args(arguments)
    found = chromium.find()
    if found is None:
        print(chromium.MISSING)
        return 1
    before = report.surroundings()
    rows: list[report.Row] = []
    rooms: list[report.Row] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=str(found.program), args=chromium.FLAGS, env={**found.environment}
        )
        for size in options.sizes:
            with tempfile.TemporaryDirectory() as scratch:
                folder = lists.filled(Path(scratch), size, options.keep)
                if options.map:
                    command(folder, "map")
                found_rows, room = measured(browser, folder, size, options.runs, with_map=options.map)
            rows += found_rows
            rooms.append(room)
        browser.close()
    print(report.table(rows, HEADINGS), report.table(rooms, ROOM), sep="\n\n")
    report.show_surroundings(before)
    report.keep(options.json, "page", {"machine": before, "waits": rows, "room": rooms})
    return 0


def measured(
    browser: Browser, folder: Path, size: int, runs: int, *, with_map: bool
) -> tuple[list[report.Row], report.Row]:
    """Visit every view several times, and do what a person does in Memories and Search."""
    waits: dict[str, list[float]] = defaultdict(list)
    command(folder, "search", "which port", "--peek")  # builds the index, which a store in use has
    with serving(stores.environment(folder, stores.installed_model()), folder) as server:
        room: dict[str, object] = {"size": size, "rss_start_mb": server.megabytes}
        address = f"http://localhost:{server.port}"
        logged_in = log_in(browser, command(folder, "serve", "--link", "--port", str(server.port)))
        for number in range(runs):
            context = browser.new_context(storage_state=logged_in, viewport={"width": 1280, "height": 800})
            context.set_default_timeout(PATIENCE_MS)
            page = context.new_page()
            for what, (path, shown) in VIEWS.items():
                waits[what].append(visited(page, f"{address}{path}", shown))
            for what, milliseconds in work(page, address, number):
                waits[what].append(milliseconds)
            if with_map:
                with page.expect_response("**/api/map?*") as answered:
                    waits["Map: drawn"].append(visited(page, f"{address}/map?p=all", (DRAWN,)))
                room["map_bytes"] = len(answered.value.body())
            context.close()
        room["rss_mb"] = server.megabytes
    return [row(size, what, each) for what, each in waits.items()], room


def visited(page: Page, address: str, shown: Sequence[str]) -> float:
    """Open an address as for the first time; return the milliseconds until all of that is shown."""
    page.goto("about:blank")
    page.goto(address, wait_until="commit")
    everything = " && ".join(f"document.querySelector({each!r})" for each in shown)
    moment = page.wait_for_function(f"() => {everything} && performance.now()")
    return float(moment.json_value())


def work(page: Page, address: str, number: int) -> Sequence[tuple[str, float]]:
    """Turn a page, sort, filter, open a memory, ask; each until the answer is shown."""
    visited(page, f"{address}/memories?p=all", (f"{ROW}:nth-child(50)",))
    question = list(prose.questions(number + 1, 1000))[-1].text
    first = "document.querySelector('.memory-table tbody tr')?.innerText"
    return [
        ("next page", changed(page, first, lambda: page.get_by_role("button", name="Next").click())),
        ("sort by score", changed(page, first, lambda: page.get_by_role("button", name="Score").click())),
        ("open a memory", appeared(page, DETAIL, lambda: page.locator(ROW).nth(3).click())),
        ("search, from the last letter", searched(page, address, question)),
    ]


def searched(page: Page, address: str, question: str) -> float:
    """Type a question whose last letter is measured: with the 150 ms in which the page waits for another."""
    visited(page, f"{address}/search?p=all", ("input[data-filter]",))
    field = page.locator("input[data-filter]")
    return appeared(page, HIT, lambda: field.fill(question))


def changed(page: Page, text: str, act: Callable[[], Any]) -> float:
    before = page.evaluate(text)
    return _until(page, f"([before]) => {{ const now = {text}; return now && now !== before }}", before, act)


def appeared(page: Page, shown: str, act: Callable[[], Any]) -> float:
    return _until(page, "([shown]) => document.querySelector(shown) !== null", shown, act)


def _until(page: Page, condition: str, value: object, act: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    act()
    page.wait_for_function(condition, arg=[value])
    return (time.perf_counter() - begun) * 1000


def log_in(browser: Browser, printed: str) -> Any:
    """Open the link that a command printed; return the cookies."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(next(word for word in printed.split() if word.startswith("http")))
    page.get_by_role("heading", level=1).wait_for()
    kept = context.storage_state()
    context.close()
    return kept


def command(folder: Path, *words: str) -> str:
    """Run a command line on the store of a folder; return what it says."""
    environ = stores.environment(folder, stores.installed_model())
    done = subprocess.run(
        [*stores.mem(), *words], env=environ, cwd=folder, capture_output=True, text=True, check=True,
        stdin=subprocess.DEVNULL, timeout=COMMAND_SECONDS,
    )  # fmt: skip
    return done.stdout + done.stderr


def row(size: int, what: str, milliseconds: Sequence[float]) -> report.Row:
    p50, p95 = (round(percentile(milliseconds, share), 1) for share in (0.5, 0.95))
    return {"size": size, "what": what, "runs": len(milliseconds), "p50_ms": p50, "p95_ms": p95}
