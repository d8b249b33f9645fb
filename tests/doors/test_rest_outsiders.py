"""Every route against callers that may not use it, in this process: nothing is done, and nothing is told."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args, get_origin

import pytest
from starlette.testclient import TestClient

from memory_layer.doors.http.logins import Logins
from memory_layer.doors.http.pace import Pace
from memory_layer.doors.rest.route import Route
from memory_layer.doors.rest.table import ROUTES
from memory_layer.doors.shared_engine import SharedEngine
from memory_layer.model.access import Role
from memory_layer.settings import load
from memory_layer.verbs.access import MAKE_TOKEN
from memory_layer.verbs.call import Caller, Dispatcher
from memory_layer.wiring import open_engine
from tests.doors.rest_client import ADDRESS, AUTHORIZED, MOST_BYTES, PORT, TOKEN, guarded_app, rest_client
from tests.doors.test_rest_access import url_of
from tests.doors.test_rest_attacks import MARK
from tests.proof import FULL

ONE_IN = 1 if FULL else 12  #: of the routes; each attack begins at another one
OTHER_PORT = PORT + 1
OTHER_ADDRESS = f"http://localhost:{OTHER_PORT}"
FOREIGN = {"Origin": "http://evil.example"}
FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x")
VALUES: dict[str, Any] = {
    "q": MARK,
    "memories": [{"content": "planted"}],
    "to": 1,
    "row": [0],
    "credential": {},
    "path": "/api/memories",
}
OPTIONAL = {"/api/warn": {"command": "ls"}}  #: what a route needs, though it requires nothing
TABLES = ("audit", "recall", "browser_session", "browser_link", "access_token", "memory", "outcome")


class Scene(NamedTuple):
    """A store with one memory, and what callers know of it."""

    machine: Path
    memory: str
    recall: str
    secrets: dict[
        str, str
    ]  #: tokens by their kind, cookies by their port, and `another` one of the first port

    def bearer(self, kind: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.secrets[kind]}"}

    def cookie(self, named: int, of: int) -> dict[str, str]:
        """A cookie with the name of one port, and the secret of a session on a port."""
        return {"Cookie": f"memory_layer_{named}={self.secrets[str(of)]}"}

    def state(self, watch: sqlite3.Connection) -> object:
        """The last entry of the audit log and the sizes of all tables; the first number changes with each commit."""
        commits = watch.execute("pragma data_version").fetchone()
        head = watch.execute("select * from audit order by number desc limit 1").fetchone()
        return commits, head, [watch.execute(f"select count(*) from {each}").fetchone() for each in TABLES]

    def told(self, text: str) -> list[str]:
        """Find the memory and the secrets in a text."""
        return [each for each in (MARK, TOKEN, *self.secrets.values()) if each in text]


class Attack(NamedTuple):
    """The headers of requests that must not be done, and the status of the answer."""

    status: int
    headers: dict[str, str]
    on: Callable[[Route], bool] = lambda route: True
    body: bytes | None = None  #: instead of the route's own parameters


@pytest.fixture
def scene(machine: Path, mem: Callable[..., Any]) -> Scene:
    with rest_client(machine / "work") as rest:
        body = {"content": f"The {MARK} harbour opens at nine"}
        memory = rest.post("/api/memories?project=shop", json=body).json()["id"]
        recall = rest.get(f"/api/search?q={MARK}&project=shop").json()["recall"]
    roles = {"reader": "reader", "writer": "writer", "revoked": "admin"}
    secrets = {
        name: str(mem("token", "create", name, "--role", role, "--json").data["secret"])
        for name, role in roles.items()
    }
    mem("token", "revoke", "revoked")
    with open_engine(load(), "cli", now=lambda: datetime.now(UTC) - timedelta(days=2)) as engine:
        asked = Dispatcher(engine, Caller("cli", machine / "work"))
        secrets["expired"] = asked.run(MAKE_TOKEN, {"name": "old", "expires": "1d", "role": "admin"}).secret
    store = SharedEngine(load(), "rest", only_read=False, own=())
    for name, port in ((str(PORT), PORT), (str(OTHER_PORT), OTHER_PORT), ("another", PORT)):
        logins = Logins(store, port)
        secrets[name] = str(logins.log_in(logins.new_link()))
    store.close()
    return Scene(machine, memory, recall, secrets)


@pytest.fixture
def watch(scene: Scene) -> Iterator[sqlite3.Connection]:
    file = scene.machine / "home" / "memory.db"
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True, isolation_level=None)) as made:
        yield made


@contextmanager
def outside(scene: Scene, port: int = PORT) -> Iterator[TestClient]:
    """A client without any right, of a server on whose clock each failed login takes a second."""
    app = guarded_app(scene.machine / "work", port=port, pace=Pace(count().__next__))
    with TestClient(app, f"http://localhost:{port}", raise_server_exceptions=False) as made:
        yield made


def value(name: str, kind: Any, memory: str) -> Any:
    """A value that a route takes, so that nothing but the caller's rights can be wrong with a request."""
    if name == "memory_ids":
        return [memory]
    if get_origin(kind) is Literal:
        return get_args(kind)[0]
    return VALUES.get(name, ["x"] if get_origin(kind) is list else "x")


def request(client: TestClient, route: Route, scene: Scene, attack: Attack) -> Any:
    needed = {
        each.name: value(each.name, each.kind, scene.memory)
        for each in route.elsewhere
        if each.default is ...
    }
    needed |= OPTIONAL.get(route.path, {})
    query = {"project": "shop"} if route.scoped else {}
    sent: dict[str, Any] = {"headers": attack.headers}
    if attack.body is not None:
        sent["content"] = attack.body
    elif route.method in ("GET", "DELETE"):
        query |= needed
    elif needed:
        sent["json"] = needed
    path = url_of(route, scene.memory).replace("/recalls/relates_to", f"/recalls/{scene.recall}")
    path = path.replace("/runs/relates_to", "/runs/run_unknown")
    return client.request(route.method, path, params=query, **sent)


def changes(route: Route) -> bool:
    return route.method != "GET"


def attacks(scene: Scene) -> dict[str, Attack]:
    own, cookie = {"Origin": ADDRESS}, scene.cookie(PORT, PORT)
    rebound = {"Host": f"evil.example:{PORT}", "Origin": f"http://evil.example:{PORT}"}
    form = b'{"content": "planted", "memory_ids": ["x"]}'
    large = b'{"content": "' + b"x" * MOST_BYTES + b'"}'
    return {
        "foreign host": Attack(421, AUTHORIZED | {"Host": "evil.example"}),
        "rebound name, with the cookie": Attack(421, cookie | rebound),
        "foreign origin": Attack(403, AUTHORIZED | FOREIGN),
        "no token": Attack(401, {}),
        "wrong token": Attack(401, {"Authorization": f"Bearer {TOKEN}x"}),
        "expired token": Attack(401, scene.bearer("expired")),
        "revoked token": Attack(401, scene.bearer("revoked")),
        "reader, more than reading": Attack(
            403, scene.bearer("reader"), lambda route: route.role is not Role.READER
        ),
        "writer, of an admin": Attack(403, scene.bearer("writer"), lambda route: route.role is Role.ADMIN),
        "token of a foreign page": Attack(403, AUTHORIZED | {"Sec-Fetch-Site": "cross-site"}),
        "cookie of another port": Attack(401, scene.cookie(OTHER_PORT, OTHER_PORT) | own),
        "cookie of another port, renamed": Attack(401, scene.cookie(PORT, OTHER_PORT) | own),
        "cookies of two sessions": Attack(
            401, {"Cookie": f"{cookie['Cookie']}; memory_layer_{PORT}={scene.secrets['another']}"} | own
        ),
        "cookie, foreign origin": Attack(403, cookie | FOREIGN),
        "cookie, foreign page": Attack(403, cookie | own | {"Sec-Fetch-Site": "cross-site"}),
        "cookie, page of another port": Attack(403, cookie | own | {"Sec-Fetch-Site": "same-site"}),
        "cookie without origin": Attack(403, cookie, changes),
        **{
            f"form {kind.partition(';')[0]}{', no origin' * (not origin)}": Attack(
                415 if origin else 403, cookie | origin | {"Content-Type": kind}, changes, form
            )
            for kind in FORMS
            for origin in (own, {})
        },
        "large body": Attack(
            413,
            AUTHORIZED | {"Content-Type": "application/json"},
            lambda route: route.method in ("POST", "PUT", "PATCH") and bool(route.elsewhere),
            large,
        ),
    }


@pytest.mark.prove
def test_no_route_does_anything_for_a_caller_without_the_right(scene, watch, caplog):
    made, total = attacks(scene), Counter[int]()
    stolen = {"stolen cookie, on another port": Attack(401, scene.cookie(PORT, PORT))} | {
        "stolen cookie, on another port, renamed": Attack(401, scene.cookie(OTHER_PORT, PORT))
    }
    before = scene.state(watch)
    for port, kinds in ((PORT, made), (OTHER_PORT, stolen)):
        with outside(scene, port) as client:
            for number, (name, attack) in enumerate(kinds.items()):
                on = list(filter(attack.on, ROUTES))
                answered: Counter[int] = Counter()
                for route in on[number % ONE_IN :: ONE_IN]:
                    refused = request(client, route, scene, attack)
                    where = f"{name}: {route.method} {route.path}: {refused.status_code} {refused.text[:200]}"
                    assert refused.status_code == attack.status, where
                    assert not scene.told(refused.text + str(refused.headers)), where
                    answered[refused.status_code] += 1
                assert answered, name
                total += answered
                print(f"{name}: {dict(answered)} of {len(on)} routes")
                assert scene.state(watch) == before, name
    print(f"{total.total():,} requests: {dict(total)}; nothing was committed")
    assert not scene.told(caplog.text + _logs())


@pytest.mark.prove
def test_a_reader_reads_every_route_of_readers_and_leaves_no_trace(scene, watch, caplog):
    before, answered = scene.state(watch), Counter[int]()
    asked = Attack(200, scene.bearer("reader"))
    with outside(scene) as client:
        reads = [route for route in ROUTES if route.role is Role.READER]
        for route in reads[:: max(1, ONE_IN // 3)]:
            answer = request(client, route, scene, asked)
            where = f"{route.method} {route.path}: {answer.status_code} {answer.text[:200]}"
            assert answer.status_code in (200, 403, 404), where
            assert (answer.status_code == 403) == ("challenge" in route.path), where
            assert TOKEN not in answer.text, where
            assert not any(secret in answer.text for secret in scene.secrets.values()), where
            answered[answer.status_code] += 1
        found = client.get(f"/api/search?q={MARK}&project=shop", headers=asked.headers).json()
        assert [hit["id"] for hit in found["hits"]] == [scene.memory]
    print(f"reader: {dict(answered)} of {len(reads)} routes; nothing was committed")
    assert answered[200] > answered[404]
    assert scene.state(watch) == before
    assert not scene.told(caplog.text + _logs())


def _logs() -> str:
    """Everything that was written to the log files."""
    folder = load().log_folder
    files = [file for file in folder.rglob("*") if file.is_file()] if folder.exists() else []
    return "".join(file.read_text(errors="replace") for file in files)
