"""Exporting: everything is in the file, and the same store always gives the same bytes."""

from __future__ import annotations

import io
import json
import os
import stat
from hashlib import sha256

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.memory import Draft, Project
from memory_layer.model.query import Filters, Query, Reach
from memory_layer.model.vocabulary import Category, LinkKind, Outcome, Status
from memory_layer.usecases.learn.outcome import OutcomeReport, record_outcome
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.links import link
from memory_layer.usecases.transfer.export import export, export_to_file

HARBOUR = Project(
    id="harbour123", key="git.example/ferries/harbour", name="harbour", root="/somewhere/harbour"
)


def written(engine, **how) -> bytes:
    out = io.BytesIO()
    export(engine, out, **how)
    return out.getvalue()


def lines(engine, **how):
    return [json.loads(line) for line in written(engine, **how).splitlines()]


@pytest.fixture
def filled(engine, agent):
    """Two memories of a project, a global one and an archived one, with a search and an outcome."""
    ids = [
        add(
            engine, Draft(content="The build needs Java 21", category=Category.ENVIRONMENT), agent, HARBOUR
        ).id,
        add(engine, Draft(content="Refunds are booked by a worker"), agent, HARBOUR).id,
        add(engine, Draft(content="Ferries never leave before noon"), agent).id,
        add(engine, Draft(content="Lighthouses are painted in spring", tags=("paint",)), agent).id,
    ]
    found = search(engine, Query(text="java version of the build"), agent)
    record_outcome(engine, [ids[0]], OutcomeReport(result=Outcome.WORKED, recall=found.recall), agent)
    archive(engine, [ids[3]], agent)
    return ids


def test_the_first_line_says_what_follows_and_the_last_one_seals_it(engine, filled):
    content = written(engine)
    first, *records, last = [json.loads(line) for line in content.splitlines()]
    before_last = content[: content.rindex(b"\n", 0, -1) + 1]

    assert (first["format"], first["schema_version"], first["partial"]) == ("memory-layer", 1, False)
    count, last_hash = engine.store.chain.head()
    assert first["audit"] == {"count": count, "hash": last_hash.hex()}
    assert sum(first["counts"].values()) == len(records)
    assert last == {"lines": len(records) + 1, "sha256": sha256(before_last).hexdigest(), "type": "end"}


def test_every_status_and_the_whole_past_are_in_it(engine, filled):
    found = lines(engine)
    kinds = [line["type"] for line in found]

    assert {line["id"] for line in found if line["type"] == "memory"} == set(filled)
    assert kinds.count("audit") == engine.store.chain.head()[0]
    assert (kinds.count("query"), kinds.count("recall"), kinds.count("outcome")) == (1, 1, 1)
    assert "vector" not in kinds


def test_keys_are_sorted_and_two_exports_are_equal(engine, filled):
    content = written(engine, vectors=True)

    assert content == written(engine, vectors=True)
    assert all(list(line) == sorted(line) for line in map(json.loads, content.splitlines()))


def test_the_folder_of_a_project_stays_at_home(engine, filled):
    assert b"/somewhere/harbour" not in written(engine, vectors=True)


def test_vectors_are_carried_when_asked_for(engine, filled):
    kinds = [line["type"] for line in lines(engine, vectors=True)]

    assert (kinds.count("vector"), kinds.count("query_vector")) == (4, 1)


def test_a_part_carries_what_belongs_to_it_and_no_history(engine, filled):
    chosen = Filters(reach=Reach.PROJECT, project=HARBOUR.id, statuses=tuple(Status))
    first, *records, _ = lines(engine, chosen=chosen, vectors=True)
    recall = next(line for line in records if line["type"] == "recall")

    assert (first["partial"], first["audit"]) == (True, None)
    assert {line["id"] for line in records if line["type"] == "memory"} == set(filled[:2])
    assert {item["memory"] for item in recall["items"]} <= set(filled[:2])
    assert [line["type"] for line in records if line["type"] in ("audit", "outcome", "query")] == [
        "query",
        "outcome",
    ]
    assert {line["memory"] for line in records if line["type"] == "vector"} == set(filled[:2])


def test_a_part_of_nothing_is_an_export_too(engine, filled):
    first, last = lines(engine, chosen=Filters(categories=(Category.POLICY,)))

    assert sum(first["counts"].values()) == 0
    assert last["lines"] == 1


def test_one_moment_is_exported_while_others_write(engine, filled, agent, settings):
    from memory_layer.store.sqlite import SqliteStore
    from memory_layer.text import scopes

    other = engine._replace(store=SqliteStore(settings.database_path, busy_seconds=5, covers=scopes.matches))

    class Interrupted(io.BytesIO):
        def write(self, content):
            if b'"type":"project"' in content:
                add(other, Draft(content="Somebody writes in between"), agent)
            return super().write(content)

    out = Interrupted()
    export(engine, out)
    other.store.close()

    assert b"in between" not in out.getvalue()
    assert b"in between" in written(engine)


def test_a_file_is_private_and_complete(engine, filled, tmp_path):
    done = export_to_file(engine, tmp_path / "all.jsonl")
    content = (tmp_path / "all.jsonl").read_bytes()

    assert content == written(engine)
    assert stat.S_IMODE(os.stat(tmp_path / "all.jsonl").st_mode) == 0o600
    assert (done.memories, done.size_bytes, done.sha256) == (4, len(content), sha256(content).hexdigest())
    assert (done.lines, done.partial) == (content.count(b"\n"), False)


def test_a_file_that_is_there_is_replaced_only_on_request(engine, filled, tmp_path):
    target = tmp_path / "all.jsonl"
    target.write_text("mine")

    with pytest.raises(InvalidInput, match="already exists"):
        export_to_file(engine, target)
    kept = target.read_text()
    export_to_file(engine, target, force=True)

    assert kept == "mine"
    assert target.read_bytes() == written(engine)


@pytest.mark.parametrize("name", ["", "no/such/folder/all.jsonl"])
def test_a_place_that_cannot_be_written_gets_a_sentence(engine, filled, tmp_path, name):
    with pytest.raises(InvalidInput, match=r"is a folder|cannot be written"):
        export_to_file(engine, tmp_path / name)


def test_a_failed_export_leaves_nothing_behind(engine, filled, tmp_path, monkeypatch):
    monkeypatch.setattr(type(engine.store.chain), "head", lambda self: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        export_to_file(engine, tmp_path / "all.jsonl")

    assert [path.name for path in tmp_path.iterdir() if "jsonl" in path.name] == []


def test_markdown_shows_what_counts_by_project_and_category(engine, filled):
    text = written(engine, format="markdown").decode()

    assert text.startswith("# Memories\n\n3 memories.\n\n## Everywhere\n\n### general\n")
    assert text.index("## Everywhere") < text.index("Ferries never") < text.index("## harbour")
    assert "### environment" in text
    assert f"#### {filled[0][:12]}\n\n```text\nThe build needs Java 21\n```\n\n- worked 1, failed 0\n" in text
    assert "Lighthouses" not in text
    assert text == written(engine, format="markdown").decode()


def test_markdown_shows_the_archive_on_request(engine, filled):
    text = written(engine, format="markdown", chosen=Filters(statuses=(Status.ARCHIVED,))).decode()

    assert "Lighthouses are painted in spring" in text
    assert "- status: archived (asked)\n- tags: paint\n" in text


def test_markdown_marks_what_is_superseded_and_what_contradicts(keyword_engine, agent, person):
    old, new, rival = (
        add(keyword_engine, Draft(content=text), agent).id
        for text in ("You can merge alone", "Two people look at a merge", "You must not merge at all")
    )
    link(keyword_engine, new, LinkKind.SUPERSEDES, old, agent)
    link(keyword_engine, rival, LinkKind.CONFLICTS_WITH, new, agent)

    def facts(memory):
        entry = written(keyword_engine, format="markdown").decode().partition(f"#### {memory[:12]}")[2]
        return entry.split("```")[2].split("\n\n")[1].replace("\\_", "_").splitlines()

    assert facts(old)[0] == f"- **superseded by {new[:12]}**"
    assert facts(new)[0] == f"- **contradicts {rival[:12]}**"
    assert facts(rival)[0] == f"- **contradicts {new[:12]}**"
    archive(keyword_engine, [new], person)
    assert [fact for memory in (old, rival) for fact in facts(memory) if "**" in fact] == []


def test_markdown_says_who_wrote_a_memory_when_and_how_it_came(keyword_engine, agent, clock):
    add(keyword_engine, Draft(content="The build needs Java 21"), agent)

    text = written(keyword_engine, format="markdown").decode()

    assert f"- written by tester on {clock():%Y-%m-%d}, source: agent\n" in text


def test_no_memory_breaks_the_document(engine, agent):
    hostile = "Use fences\n````\n# Stolen heading\n```\n- [x](javascript:alert(1)) <script>\x1b[31m"
    add(engine, Draft(content=hostile, tags=("# tag", "a\nb")), agent)

    text = written(engine, format="markdown", chosen=Filters(statuses=tuple(Status))).decode()
    outside: list[str] = []
    inside: list[str] = []
    fence = ""
    for line in text.splitlines():
        mark = line if line.startswith("```") else ""
        if mark and not fence:
            fence = mark.removesuffix("text")
        elif line == fence:
            fence = ""
        else:
            (inside if fence else outside).append(line)

    assert fence == ""
    assert "# Stolen heading" in inside
    assert [line for line in outside if line.startswith("#")] == [
        "# Memories",
        "## Everywhere",
        "### general",
        next(line for line in outside if line.startswith("#### mem_")),
    ]
    assert "\x1b" not in text
    assert "- tags: \\# tag, a b" in text
