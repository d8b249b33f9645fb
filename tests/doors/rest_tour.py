"""A tour of the REST interface: at least one real answer of every path, from a store with something in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

from starlette.testclient import TestClient

from memory_layer.doors.rest.table import ROUTES
from tests.doors.in_process import as_repository

SESSION = "11111111-2222-4333-8444-555555555555"
SAID = "I prefer tabs over spaces in this code base."


class Visited(NamedTuple):
    """An answer, and the route that gave it."""

    name: str  #: of the route
    status: int
    media_type: str
    body: str


class Tour:
    """A client that keeps what it was answered."""

    def __init__(self, client: TestClient) -> None:
        self._client = client
        self.visited: list[Visited] = []

    def ask(self, method: str, path: str, body: object = None, expected: int = 0, **query: Any) -> Any:
        """Call a path; any success is right unless a status is expected."""
        headers = {"Memory-Session": SESSION}
        answer = self._client.request(method, path, params=query, headers=headers, json=body)
        right = answer.status_code == expected if expected else answer.is_success
        assert right, f"{method} {path}: {answer.status_code} {answer.text[:600]}"
        kind = answer.headers.get("content-type", "").partition(";")[0]
        self.visited.append(Visited(route_of(method, path), answer.status_code, kind, answer.text))
        return answer.json() if kind.endswith("json") else answer.text

    def get(self, path: str, **query: Any) -> Any:
        return self.ask("GET", path, **query)

    def post(self, path: str, body: object = None, expected: int = 0) -> Any:
        return self.ask("POST", path, {} if body is None else body, expected)


def route_of(method: str, path: str) -> str:
    """The name of the first route of the table that takes a path."""
    for route in ROUTES:
        pattern = re.sub(r"\{\w+\}", "[^/]+", re.sub(r"\{\w+:path\}", ".+", route.path))
        if route.method == method and re.fullmatch(pattern, path):
            return route.name
    raise AssertionError(f"no route takes {method} {path}")


def with_tasks(folder: Path) -> None:
    """Make a repository with a cited file and two tasks."""
    as_repository(folder)
    issues = [
        {"id": "shop-1", "title": "Write the parser", "status": "in_progress", "priority": 1},
        {"id": "shop-2", "title": "Ship it", "dependencies": [{"depends_on_id": "shop-1"}]},
        {"id": "shop-3", "title": "Look at parsers", "status": "closed"},
    ]
    (folder / ".beads").mkdir()
    (folder / ".beads" / "issues.jsonl").write_text("\n".join([*map(json.dumps, issues), "{broken"]))
    (folder / "till.py").write_text("JAVA = 21\nPORT = 8080\n")


def take(tour: Tour, folder: Path) -> None:
    """Visit every route; `folder` is the one that the server works in."""
    till, tea = memories(tour, folder)
    project_memories(tour)
    judged(tour, till, tea)
    searches(tour, till)
    work(tour, till)
    runs(tour, till)
    tasks(tour, till)
    store(tour, till, folder)
    access(tour, till)


def memories(tour: Tour, folder: Path) -> tuple[str, str]:
    """Store memories, and change them in every way; the ids of two that stay."""
    cited = {"content": "The till needs Java 21", "category": "dependency", "cite": ["till.py:1"]}
    till = tour.post("/api/memories", cited | {"metadata": {"seen": [1, 2.5, None]}, "expires_at": "90d"})[
        "id"
    ]
    tour.post("/api/memories", cited)
    tour.post("/api/memories", {"content": "Deploys of the shop run on Tuesdays after lunch"})
    tour.post("/api/memories", {"content": "Deploys of the shop run on Tuesdays after the lunch"})
    batch = [
        {"content": "Tea is served at four", "category": "context"},
        {"content": "Never deploy on Fridays"},
    ]
    tea, policy = (each["id"] for each in tour.post("/api/memories/batch", {"memories": batch})["items"])
    one = f"/api/memories/{till}"
    tour.get("/api/memories", limit=1)
    tour.get("/api/facets")
    tour.get("/api/insights", weeks=2)
    tour.get(f"/api/memories/{till}/recalls")
    tour.get("/api/stats/weekly")
    tour.get("/api/memories", sort="updated", category=["dependency", "context"])
    tour.ask("PATCH", one, {"content": "The till needs Java 21 or newer", "priority": "high"})
    tour.post(f"{one}/tags", {"words": ["till", "java"]})
    tour.post(f"{one}/links", {"kind": "relates_to", "other": tea})
    tour.get(f"{one}/links")
    tour.get(f"{one}/related")
    (folder / "till.py").write_text("# The port is fixed\nJAVA = 21\nPORT = 8080\n")
    tour.get(one)
    tour.get("/api/search", q="which Java does the till need", full=True)
    (folder / "till.py").write_text("JAVA = 25\n")
    tour.ask("DELETE", f"{one}/links/relates_to/{tea}")
    tour.get(f"{one}/history")
    tour.post(f"{one}/revert", {"to": 1})
    tour.post(f"{one}/propose")
    tour.post("/api/memories/tag", {"memory_ids": [till, tea], "words": ["kiosk"]})
    tour.post("/api/memories/forget", {"memory_ids": [tea]}, 403)
    tour.post("/api/memories/archive", {"memory_ids": [policy]})
    tour.post("/api/memories/restore", {"memory_ids": [policy]})
    tour.post("/api/memories/reinforce", {"memory_ids": [policy]})
    old = tour.post("/api/memories", {"content": "The gateway is restarted by hand each Monday"})["id"]
    new = tour.post("/api/memories", {"content": "The gateway restarts itself since the move to v3"})["id"]
    tour.post(f"/api/memories/{new}/settle", {"relation": "supersedes", "other": old})
    return till, tea


def project_memories(tour: Tour) -> None:
    every = "/api/projects/shop/memories"
    made = tour.post(
        every, {"type": "warning", "content": "Run every test for src/core", "tags": ["src/core/**"]}
    )
    one = f"{every}/{made['id']}"
    tour.get(every, limit=1)
    tour.get(one)
    tour.ask("PATCH", one, {"relevanceScore": 0.5})
    tour.ask("PATCH", f"{one}/approve", expected=403)
    tour.ask("DELETE", one)


def judged(tour: Tour, *ids: str) -> None:
    tour.post("/api/outcomes", {"memory_ids": ids, "result": "worked", "evidence": "the build is green"})
    tour.post(
        "/api/outcomes", {"memory_ids": ids[:1], "result": "failed", "query": "which Java does the till need"}
    )


def searches(tour: Tour, till: str) -> None:
    for peek in (False, True):
        tour.get("/api/search", q="which Java does the till need", explain=True, peek=peek)
    tour.get("/api/search", q="deploy", group_by="category", diverse=True, budget=200)
    tour.get("/api/why", q="Java of the till")
    tour.get("/api/stats")
    tour.get("/api/stats/weekly", weeks=3)
    tour.get("/api/facets", q="tabs")
    for path in ("map", "map/labels"):
        tour.get(f"/api/{path}")
    tour.get("/api/map/memories", row=1)
    tour.get("/api/changes")
    tour.get("/api/overview")
    context = tour.get("/api/context", task="raise the Java of the till", start=True)
    tour.get(f"/api/recalls/{context['recall']}/text")
    (recall, *_) = tour.get("/api/recalls", limit=2)["items"]
    tour.get(f"/api/recalls/{recall['id']}")
    tour.get("/api/sessions/last", session=SESSION)
    tour.post("/api/compose", {"task": "raise the Java of the till", "role": "You are a worker"})
    tour.post("/api/warn", {"command": "java -version", "error": "the till needs Java"})


def work(tour: Tour, till: str) -> None:
    tour.post("/api/capture", {"text": SAID, "dry_run": True})
    tour.post("/api/capture", {"text": SAID})
    tour.post(
        "/api/episodes", {"text": "The deploy failed", "kind": "error", "outcome": "failed", "tags": ["ci"]}
    )
    tour.get("/api/timeline")
    tour.post("/api/handoff", {"text": "Nearly there", "next_steps": ["Ship it"], "files": ["till.py"]})
    tour.get("/api/handoff")
    one = "/api/procedures/deploy"
    tour.ask("PUT", one, {"steps": ["make test", "git push"], "when": "a release is due"})
    tour.get("/api/procedures")
    tour.get(one)
    tour.post(f"{one}/outcomes", {"result": "worked"})
    tour.ask("DELETE", one)


def runs(tour: Tour, till: str) -> None:
    run = tour.post("/api/runs", {"task": "raise the Java of the till", "include": [till]})
    tour.get("/api/runs")
    tour.get(f"/api/runs/{run['id']}")
    tour.post(
        f"/api/runs/{run['id']}/finish", {"result": "worked", "used": [till], "notes": ["Java 25 works too"]}
    )


def tasks(tour: Tour, till: str) -> None:
    tour.get("/api/tasks")
    tour.post("/api/tasks/shop-3/memories", {"memory_ids": [till]})
    tour.get("/api/tasks", status="completed")
    tour.get("/api/tasks/shop-3")
    tour.ask("DELETE", "/api/tasks/shop-3/memories", memory_ids=[till])


def store(tour: Tour, till: str, folder: Path) -> None:
    tour.post("/api/verify", {"dry_run": True})
    tour.post("/api/verify")
    (item, *_) = tour.get("/api/review", limit=50)["items"]
    tour.get("/api/review", kinds=[item["kind"]])
    drifted = next(each for each in tour.get("/api/review", kinds=["drifted"])["items"])
    tour.post(f"/api/review/{drifted['memory']['id']}/decide", {"decision": "archive"})
    (last, *_) = tour.get("/api/operations", limit=3)["items"]
    tour.post(f"/api/operations/{last['id']}/undo")
    again = {"memory_ids": [drifted["memory"]["id"]], "kind": "drifted", "decision": "archive"}
    tour.post("/api/review/decide", again)
    tour.get("/api/audit", limit=20)
    tour.get("/api/audit/verdict")
    tour.get("/api/projects")
    tour.post("/api/consolidate", {"dry_run": True})
    tour.post("/api/consolidate", {"if_due": True})
    tour.post("/api/consolidate")
    for form in ("jsonl", "markdown"):
        tour.get("/api/export", format=form)
    for path in ("health", "settings", "categories", "session"):
        tour.get(f"/api/{path}")
    tour.ask("DELETE", "/api/session", expected=404)


def access(tour: Tour, till: str) -> None:
    """Make and revoke a token; what needs a browser or a person is refused."""
    made = tour.post("/api/tokens", {"name": "reports", "role": "reader"})
    tour.get("/api/tokens")
    tour.ask("DELETE", f"/api/tokens/{made['token']['id']}")
    tour.post("/api/session/passphrase", {"passphrase": "wrong words"}, 404)
    tour.ask("DELETE", "/api/session/passphrase", expected=404)
    tour.get("/api/passkeys")
    tour.post("/api/passkeys", {"name": "key", "credential": {}}, 403)
    tour.post("/api/passkeys/options", expected=403)
    tour.post("/api/passkeys/challenge", {"method": "POST", "path": "/api/x", "body": ""}, 403)
    tour.ask("DELETE", "/api/passkeys/key", expected=403)
    tour.post("/api/memories/approve", {"memory_ids": [till]}, 403)
