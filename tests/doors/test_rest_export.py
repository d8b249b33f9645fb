"""An export over HTTP is the one that the command writes."""

from __future__ import annotations

import json

from memory_layer.doors.rest.app import CHUNK_BYTES
from tests.doors.rest_client import rest_client


def test_an_export_has_every_memory_and_can_be_imported(machine, mem, monkeypatch):
    texts = [f"Pump {number} opens valve {number * 3} at {'noon ' * 200}" for number in range(200)]
    with rest_client(machine / "work") as rest:
        assert rest.post("/api/memories/batch", json={"memories": texts[:100]}).status_code == 413
        for start in range(0, 200, 50):
            rest.post("/api/memories/batch?project=shop", json={"memories": texts[start : start + 50]})
        answer = rest.get("/api/export")
        markdown = rest.get("/api/export?format=markdown&project=shop")
        wrong = rest.get("/api/export?format=pdf")
        many = rest.get("/api/export", params={"tags": [f"tag-{number}" for number in range(2_000)]})

    assert answer.headers["content-type"] == "application/jsonl"
    assert len(answer.content) > CHUNK_BYTES
    assert all(json.loads(line) for line in answer.text.splitlines())
    assert (markdown.headers["content-type"].partition(";")[0], wrong.status_code) == ("text/markdown", 422)
    assert (many.status_code, "the limit is 32" in many.json()["detail"]) == (422, True)
    (machine / "all.jsonl").write_bytes(answer.content)
    monkeypatch.setenv("MEM_HOME", str(machine / "other"))
    assert mem("import", str(machine / "all.jsonl"), "--json").code == 0
    assert mem("stats", "--json", "--all").data["total"] == len(texts)
