"""A request that is sent twice under one key is run once."""

from __future__ import annotations

import threading
import tracemalloc
from datetime import timedelta

import pytest

from memory_layer.doors import shared_engine
from memory_layer.doors.rest.replays import SECONDS, Replays
from memory_layer.doors.rest.route import Conflict
from memory_layer.model.vocabulary import Reason, Status
from memory_layer.settings import load
from memory_layer.usecases.govern import ledger
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.wiring import open_engine
from tests.doors.rest_client import rest_client
from tests.usecases.kept import an_edit

REPORT = {"result": "worked", "query": "java"}


def test_an_outcome_that_is_sent_again_counts_once(machine):
    with rest_client(machine / "work") as rest:
        memory_id = rest.post("/api/memories", json={"content": "The till needs Java 21"}).json()["id"]
        report = REPORT | {"memory_ids": [memory_id]}
        first, second = (
            rest.post("/api/outcomes", json=report, headers={"Idempotency-Key": "a"}) for _ in range(2)
        )
        assert (first.status_code, first.json()) == (second.status_code, second.json())
        assert rest.get(f"/api/memories/{memory_id}").json()["memory"]["worked"] == 1

        other = rest.post("/api/outcomes", json=report | {"query": "c"}, headers={"Idempotency-Key": "a"})
        assert (other.status_code, other.json()["code"]) == (422, "idempotency_key")
        rest.post("/api/outcomes", json=report | {"query": "tills"}, headers={"Idempotency-Key": "b"})
        assert rest.get(f"/api/memories/{memory_id}").json()["memory"]["worked"] == 2


def test_a_key_is_the_callers_own(machine, mem):
    key = {"Idempotency-Key": "a"}
    other = mem("token", "create", "ci", "--json").data["secret"]
    with rest_client(machine / "work") as rest:
        first = rest.post("/api/memories", json={"content": "The till needs Java 21"}, headers=key)
        by_other = key | {"Authorization": f"Bearer {other}"}
        second = rest.post("/api/memories", json={"content": "Tea is served at four"}, headers=by_other)
        long = rest.post("/api/memories", json={"content": "x"}, headers={"Idempotency-Key": "a" * 201})

    assert (first.status_code, second.status_code) == (201, 201)
    assert (long.status_code, long.json()["code"]) == (422, "idempotency_key")


def test_a_request_that_failed_is_run_again(machine):
    with rest_client(machine / "work") as rest:
        wrong = {"content": "The till needs Java 21", "category": "nonsense"}
        key = {"Idempotency-Key": "a"}
        assert rest.post("/api/memories", json=wrong, headers=key).status_code == 422
        assert (
            rest.post("/api/memories", json={"content": "The till needs Java 21"}, headers=key).status_code
            == 201
        )


def test_what_a_killed_writer_left_is_finished_while_the_server_runs(machine, monkeypatch):
    monkeypatch.setattr(shared_engine, "LEFTOVER_SECONDS", 0.0)
    with rest_client(machine / "work") as rest:
        left = rest.post("/api/memories", json={"content": "The till needs Java 21"}).json()["id"]
        assert rest.get("/api/memories").json()["total"] == 1
        with open_engine(load(), "cli") as engine, engine.store.writing():
            begun = read_memory(engine.store, left)._replace(status=Status.STAGED, reason=Reason.WRITING)
            ledger.save(engine.store, begun, an_edit(engine), lease_until=engine.now() - timedelta(seconds=1))
        assert rest.get("/api/memories").json()["items"] == []
        assert [each["id"] for each in rest.get("/api/memories").json()["items"]] == [left]


def test_a_request_is_not_run_again_by_the_next_server(machine):
    key = {"Idempotency-Key": "a"}
    with rest_client(machine / "work") as rest:
        memory_id = rest.post("/api/memories", json={"content": "The till needs Java 21"}).json()["id"]
        report = REPORT | {"memory_ids": [memory_id]}
        operation = rest.post("/api/outcomes", json=report, headers=key).json()["operation"]
    with rest_client(machine / "work") as rest:
        again = rest.post("/api/outcomes", json=report, headers=key)
        assert (again.status_code, again.json()["code"]) == (409, "already_done")
        assert again.json()["operation"] == operation
        assert rest.get(f"/api/memories/{memory_id}").json()["memory"]["worked"] == 1
        assert rest.post(f"/api/operations/{operation}/undo", headers={"Idempotency-Key": "b"}).is_success


def test_a_run_is_not_begun_again_by_the_next_server(machine):
    key = {"Idempotency-Key": "a"}
    with rest_client(machine / "work") as rest:
        run = rest.post("/api/runs", json={"task": "paint the buoys"}, headers=key).json()["id"]
    with rest_client(machine / "work") as rest:
        again = rest.post("/api/runs", json={"task": "paint the buoys"}, headers=key)
        assert (again.status_code, again.json()["code"], again.json()["run"]) == (409, "already_done", run)
        other = rest.post("/api/runs", json={"task": "paint the buoys"}, headers={"Idempotency-Key": "b"})
        assert other.is_success
        assert [each["id"] for each in rest.get("/api/runs").json()["items"]] == [other.json()["id"], run]


@pytest.mark.parametrize("other", [True, 1.0, "1"])
def test_a_key_is_refused_for_a_request_that_only_seems_equal(machine, other):
    key = {"Idempotency-Key": "a"}
    memory = {"content": "The till needs Java 21"}
    with rest_client(machine / "work") as rest:
        first = rest.post("/api/memories", json=memory | {"metadata": {"a": 1}}, headers=key)
        second = rest.post("/api/memories", json=memory | {"metadata": {"a": other}}, headers=key)

    assert (first.status_code, second.status_code, second.json()["code"]) == (201, 422, "idempotency_key")


def test_no_request_is_kept_in_memory(machine):
    text = "the ferry leaves at nine " * 1_000
    tracemalloc.start()
    with rest_client(machine / "work") as rest:
        sizes = []
        for number in range(40):
            key = {"Idempotency-Key": str(number)}
            sent = rest.post("/api/capture", json={"text": f"{number} {text}", "dry_run": True}, headers=key)
            assert sent.is_success
            sizes.append(tracemalloc.get_traced_memory()[0])
    tracemalloc.stop()

    assert sizes[-1] - sizes[9] < 20 * len(text), "thirty requests fit into less than twenty of them"


def test_a_request_that_is_still_running_is_not_run_beside_itself():
    replays: Replays[str] = Replays()
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> str:
        begun.set()
        assert go_on.wait(20)
        return "done"

    first = threading.Thread(target=replays.once, args=("a", b"request", slow))
    first.start()
    assert begun.wait(20)
    with pytest.raises(Conflict) as refused:
        replays.once("a", b"request", lambda: "again")
    go_on.set()
    first.join(20)

    assert refused.value.status == 409
    assert replays.once("a", b"request", lambda: "again") == "done"


def test_answers_are_forgotten_after_a_day_and_the_oldest_of_too_many():
    now = 0.0
    replays: Replays[str] = Replays(lambda: now, most=2)
    for key in ("a", "b", "c"):
        replays.once(key, key.encode(), lambda: "first")

    assert replays.once("c", b"c", lambda: "second") == "first"
    assert replays.once("a", b"a", lambda: "second") == "second"
    now = SECONDS + 1
    assert replays.once("c", b"c", lambda: "third") == "third"
