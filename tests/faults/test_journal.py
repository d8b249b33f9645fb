"""The ledger by which killed writers are judged notices every promise that is not kept."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from memory_layer.model.memory import Memory
from memory_layer.model.vocabulary import Status
from tests.conftest import NOON
from tests.faults.journal import Ledger, breaches

KEPT = Memory(id="mem_a", content="a fact", content_hash="00", created_at=NOON, updated_at=NOON, worked=1)
ADDED = {"event": "done", "action": "add", "id": "mem_a", "status": "active", "text": "a fact"}
JUDGED = {"event": "done", "id": "mem_a", "status": "active", "result": "worked", "counted": True}


def ledger_of(*lines: Mapping[str, object]) -> Ledger:
    ledger = Ledger()
    ledger.read([json.dumps({"event": "ready"}), *map(json.dumps, lines)])
    return ledger


def test_a_kept_promise_is_no_breach():
    assert breaches(ledger_of(ADDED, JUDGED), KEPT, events=1) == []


@pytest.mark.parametrize(
    ("memory", "events"),
    [
        (KEPT._replace(status=Status.ARCHIVED), 1),
        (KEPT._replace(status=Status.STAGED), 1),
        (KEPT._replace(content="another fact"), 1),
        (KEPT._replace(worked=0), 1),
        (KEPT, 0),
        (KEPT, 2),
    ],
)
def test_a_promise_that_is_not_kept_is_a_breach(memory, events):
    assert breaches(ledger_of(ADDED, JUDGED), memory, events)


def test_what_was_begun_and_never_answered_may_have_happened_or_not():
    ledger = ledger_of(ADDED, JUDGED, {"event": "begin", "action": "archive", "id": "mem_a"})

    assert breaches(ledger, KEPT, events=1) == []
    assert breaches(ledger, KEPT._replace(status=Status.ARCHIVED), events=1) == []
    assert breaches(ledger, KEPT._replace(worked=0), events=1)


def test_what_was_refused_has_not_happened():
    begun, refused = ({"event": event, "action": "restore", "id": "mem_a"} for event in ("begin", "refused"))
    ledger = ledger_of(ADDED, JUDGED, begun, refused)

    assert breaches(ledger, KEPT._replace(status=Status.ARCHIVED), events=1)
