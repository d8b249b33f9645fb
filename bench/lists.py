"""Measure a real server on the lists, counts, searches and contexts that a page asks for, in a lived-in store.

The time on the clock is what a client waits on loopback; the processor's time of the server is the fairer figure on a
busy machine.
"""

from __future__ import annotations

import http.client
import json
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bench import lived_in, prose, report, stores
from bench.serve import Served, serving
from bench.stopwatch import Lap, figures, timed
from memory_layer.model.lists import SORTS
from memory_layer.wiring import open_engine

HEADINGS = {
    "size": "memories", "what": "request", "runs": "runs", "p50_ms": "p50 ms", "p95_ms": "p95 ms",
    "cpu_p50_ms": "CPU p50 ms", "cpu_p95_ms": "CPU p95 ms",
}  # fmt: skip
ROOM = {
    "size": "memories", "start_ms": "start of `mem serve`, ms", "rss_start_mb": "RSS at first, MB",
    "rss_mb": "RSS after all, MB", "embed_ms": "embedding a question, ms",
}  # fmt: skip
PAGE = 50
FAR = 100  #: the page that is read far down a list
STRIDES = 9  #: requests that lead there
WAIT_SECONDS = 120
Query = dict[str, object]


class Client(NamedTuple):
    """A client of a server process."""

    server: Served

    def get(self, path: str, query: Query) -> dict[str, object]:
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=WAIT_SECONDS)
        try:
            address = f"{path}?{urlencode(query, doseq=True)}"
            connection.request("GET", address, headers={"Authorization": f"Bearer {self.server.token}"})
            answer = connection.getresponse()
            body = answer.read()
        finally:
            connection.close()
        if answer.status != 200:
            raise SystemExit(f"{path} {query}: {answer.status} {body[:300]!r}")
        found: dict[str, object] = json.loads(body)
        return found

    def lap(self, path: str, query: Query) -> Lap:
        """Measure a request on the clock and by the server's processor time."""
        before = self.busy_ns
        _, lap = timed(lambda: self.get(path, query))
        return Lap(lap.wall_ms, (self.busy_ns - before) / 1e6)

    @property
    def busy_ns(self) -> int:
        """The processor time of all threads so far."""
        tasks = Path(f"/proc/{self.server.process.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks)


def main(arguments: Sequence[str]) -> int:
    made = report.parser("lists", __doc__)
    made.add_argument("--sizes", type=int, nargs="+", default=[1_000, 100_000], help="memories in each store")
    made.add_argument("--runs", type=int, default=20, help="of each request")
    made.add_argument("--keep", type=Path, help="a folder in which filled stores are kept for the next run")
    options = made.parse_args(arguments)
    rows: list[report.Row] = []
    rooms: list[report.Row] = []
    for size in options.sizes:
        with tempfile.TemporaryDirectory() as folder:
            found, room = measured(filled(Path(folder), size, options.keep), size, options.runs)
        rows += found
        rooms.append(room)
    print(report.table(rows, HEADINGS), report.table(rooms, ROOM), sep="\n\n")
    report.keep(options.json, "lists", {"machine": report.surroundings(), "requests": rows, "room": rooms})
    return 0


def filled(folder: Path, size: int, keep: Path | None) -> Path:
    """A folder with a store of that size, filled now or copied."""
    shelf = keep / f"lived-{size}" if keep else folder / "filled"
    if not shelf.exists():
        environ = stores.environment(shelf, stores.installed_model())
        shelf.mkdir(parents=True)
        with open_engine(stores.settings_of(environ, shelf), "python") as engine:
            fingerprint = engine.fingerprint() or "prepared"
        lived_in.fill(shelf, size, fingerprint, datetime.now(UTC))
    copy = folder / "served"
    shutil.copytree(shelf, copy)
    return copy


def measured(folder: Path, size: int, runs: int) -> tuple[list[report.Row], report.Row]:
    environ = stores.environment(folder, stores.installed_model())
    with serving(environ, folder, "/health") as server:
        client = Client(server)
        room: dict[str, object] = {
            "size": size, "start_ms": round(server.first_ms), "rss_start_mb": round(server.megabytes),
        }  # fmt: skip
        rows: list[report.Row] = []
        for what, path, queries in requests(client):
            client.get(path, queries[0])  # unmeasured: pages of the file come into the cache
            laps = [client.lap(path, queries[number % len(queries)]) for number in range(runs)]
            rows.append({"size": size, "what": what, **figures(laps)})
        room |= {"rss_mb": round(server.megabytes), "embed_ms": embedding_ms(environ, folder)}
    return rows, room


def requests(client: Client) -> Iterator[tuple[str, str, list[Query]]]:
    """Each request, by its name in the table."""
    whole: Query = {"all": "true", "limit": PAGE}
    for sort in SORTS:
        yield f"list by {sort}", "/api/memories", [{**whole, "sort": sort}]
        yield f"list by {sort}, page {FAR}", "/api/memories", [{**whole, "sort": sort, **far(client, sort)}]
    project: Query = {"project": lived_in.PROJECTS[0].key, "limit": PAGE}
    yield "list of a project", "/api/memories", [project]
    yield "list of a project by score", "/api/memories", [{**project, "sort": "score"}]
    yield "list of a category", "/api/memories", [{**whole, "category": "gotcha", "sort": "updated"}]
    yield "list of a rare tag", "/api/memories", [{**whole, "tags": lived_in.TAGS[-1]}]
    yield "list of a frequent tag", "/api/memories", [{**whole, "tags": lived_in.TAGS[0]}]
    words: list[Query] = [{**whole, "q": question.text.split()[0]} for question in prose.questions(20, 1000)]
    yield "list with a word", "/api/memories", words
    yield "list with one letter", "/api/memories", [{**whole, "q": "b"}]
    yield "stats", "/api/stats", [{"all": "true"}]
    yield "overview", "/api/overview", [{"all": "true"}]
    yield "weekly sums", "/api/stats/weekly", [{"all": "true", "weeks": 12}]
    yield "facets", "/api/facets", [{"all": "true"}]
    yield "facets of a project", "/api/facets", [{"project": lived_in.PROJECTS[0].key}]
    yield "facets with a word", "/api/facets", [{"all": "true", "q": each["q"]} for each in words]
    yield "insights, 12 weeks", "/api/insights", [{"all": "true"}]
    for each in ("recalls", "operations", "review"):
        yield each, f"/api/{each}", [{"limit": PAGE}]
    asked: list[Query] = [
        {"all": "true", "peek": "true", "q": each.text} for each in prose.questions(20, 1000)
    ]
    yield "search, with embedding", "/api/search", asked
    yield "search, explained", "/api/search", [{**each, "explain": "true"} for each in asked]
    yield "search by words", "/api/search", [{**each, "mode": "keyword"} for each in asked]
    yield "context", "/api/context", [{"project": lived_in.PROJECTS[0].key, "peek": "true"}]


def far(client: Client, sort: str) -> Query:
    """The cursor of a page far down a list, or of the last one that has a next."""
    cursor: Query = {}
    for _ in range(STRIDES):
        query = {"all": "true", "limit": PAGE * (FAR - 1) // STRIDES, "sort": sort, **cursor}
        following = client.get("/api/memories", query)["next"]
        if following is None:
            break
        cursor = {"cursor": following}
    return cursor


def embedding_ms(environ: dict[str, str], folder: Path) -> float:
    """Measure the embedding of a question alone."""
    with open_engine(stores.settings_of(environ, folder), "python") as engine:
        embedder = engine.embedder()
        if embedder is None:
            return 0.0
        questions = [each.text for each in prose.questions(21, 1000)]
        laps = [timed(lambda: embedder.embed_query(text))[1] for text in questions]  # noqa: B023
    return round(float(figures(laps[1:])["p50_ms"]), 1)
