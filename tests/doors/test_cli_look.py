"""`mem show`, `mem list`, `mem stats` and `mem projects`."""

from __future__ import annotations

import os
import re
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from memory_layer.doors import wire
from memory_layer.doors.cli.commands import show
from memory_layer.doors.python import open_memory
from memory_layer.model.memory import Memory
from memory_layer.model.query import Mode, Stats
from memory_layer.model.vocabulary import Category
from tests.doors.in_process import tools

MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z")

#: The picture that the seed of the command shows, with the white space of its page.
PICTURE = """\
Total: 247 memories
Active: 231
Archived: 16 (score < -0.5)
By category:
troubleshooting 52 (21%)
convention 45 (18%)
pattern 38 (15%)
decision 34 (14%)
gotcha 28 (11%)
architecture 22 (9%)
command 15 (6%)
workaround 10 (4%)
preference 3 (1%)
Outcome scores:
High (>0.5): 43
Neutral: 188
Low (<-0.5): 16 (archived)
Database size: 12.4 MB
"""


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def pictured() -> Stats:
    counts = dict(re.findall(r"^(\w+) (\d+) \(", PICTURE, re.MULTILINE))
    return Stats(
        total=247,
        active=231,
        archived=16,
        archived_by_outcome=16,
        staged=0,
        by_category={Category(name): int(count) for name, count in counts.items()},
        high=43,
        neutral=188,
        low=0,
        average_outcome=0.1,
        tokens_stored=5_000,
        size_bytes=12_400_000,
        search_mode=Mode.HYBRID,
    )


def test_the_picture_of_the_manual_is_what_stats_print():
    lines = squeezed(show.stats_text(pictured(), -0.5))

    assert [line for line in squeezed(PICTURE) if line not in lines] == []


def test_stats_tell_who_is_archived_for_another_reason():

    text = show.stats_text(pictured()._replace(archived_by_outcome=10, low=2), -0.5)

    assert "Archived: 16 (10 with score < -0.5)" in text
    assert "Low (<-0.5): 2, and 10 archived" in text


def test_stats_in_json_have_the_promised_shape(mem):
    mem("add", "Retry the upload", "-c", "gotcha")
    mem("add", "Never deploy on Fridays", "-c", "policy")
    data = mem("stats", "--json").data

    assert list(data) == [
        *("reach", "project", "total", "active", "archived", "staged", "by_family", "by_category", "by_tier"),
        *(
            "outcomes",
            "average_outcome",
            "tokens_stored",
            "size_bytes",
            "search_mode",
            "given_out",
            "expiring",
            "upkeep",
        ),
    ]
    assert (data["total"], data["active"], data["archived"], data["staged"]) == (2, 1, 0, 1)
    assert data["by_category"] == {"gotcha": 1, "policy": 1}
    assert data["by_family"] == {"rules": 1, "design": 0, "hazards": 1, "fixes": 0, "ops": 0, "notes": 0}
    assert data["by_tier"] == {"semantic": 2, "episodic": 0, "procedural": 0}
    assert data["outcomes"] == {"high": 0, "neutral": 1, "low": 0}
    assert data["search_mode"] == "keyword"
    assert data["size_bytes"] > 0


def test_stats_of_an_empty_store_are_zeros(mem):
    assert squeezed(mem("stats").out)[:3] == ["Total: 0 memories", "Active: 0", "Archived: 0 (score < -0.5)"]


@pytest.fixture
def three_places(mem, machine):
    """One memory here, one in another project, and a global one."""
    elsewhere = machine / "elsewhere"
    elsewhere.mkdir()
    mem("add", "Only here")
    mem("add", "Only there", "--project", str(elsewhere))
    mem("add", "Everywhere", "--global")


def test_stats_count_the_project_and_global_memories_unless_told_otherwise(mem, machine, three_places):
    answers = [mem("stats", *options, "--json").data for options in ((), ("--global",), ("--all",))]

    assert [each["total"] for each in answers] == [2, 1, 3]
    assert [each["reach"] for each in answers] == ["project", "global", "all"]
    assert [each["project"] for each in answers] == [str(machine / "work"), None, None]
    assert "Counted: the whole store" in mem("stats", "--all").out


def test_every_door_counts_the_same(mem, machine, three_places):
    with open_memory() as memory, tools(machine / "work") as call:
        here = memory.stats(), memory.stats(everything=True)
        served = call("memory_stats"), call("memory_stats", everything=True)

    for options, python, tool in zip(((), ("--all",)), here, served, strict=True):
        assert wire.stats(python) == tool == mem("stats", *options, "--json").data


def test_stats_count_what_expires_within_a_week(mem):
    mem("add", "The freeze ends soon", "--expires", "3d")
    mem("add", "The certificate is replaced", "--expires", "30d")

    assert mem("stats", "--json").data["expiring"] == 1


def test_stats_list_categories_below_their_families(mem):
    mem("add", "Retry the upload", "-c", "gotcha")

    assert "By category:\n  hazards  1 (100%)\n    gotcha 1 (100%)\n" in mem("stats").out


def test_a_memory_object_has_every_field_and_iso_times(mem):
    added = mem("add", "Retry the upload", "--json").data
    data = mem("show", added["id"], "--json").data

    assert list(data) == ["memory", "links", "outcomes", "superseded_by", "failing"]
    assert list(data["memory"]) == list(Memory._fields)
    assert data["memory"]["approved_at"] is None
    assert data["memory"]["tags"] == []
    assert MOMENT.fullmatch(data["memory"]["created_at"])


def test_show_takes_the_beginning_of_an_id_and_tells_everything(mem):
    added = mem("add", "Retry the upload", "-t", "net", "--meta", '{"a": 1}', "-c", "gotcha", "--json").data
    mem("outcome", added["id"], "worked", "--query", "flaky upload", "--evidence", "exit code 0")
    text = mem("show", added["id"].removeprefix("mem_")[:6]).out

    for told in (
        *(added["id"], "Retry the upload", "gotcha (semantic), priority normal", "+0.20  worked 1"),
        *("net", '{"a": 1}', "agent (agent)", 'worked, just now, by agent, for "flaky upload", exit code 0'),
    ):
        assert told in text


def test_an_agent_that_opens_a_memory_uses_it(mem):
    added = mem("add", "Retry the upload", "--json").data
    mem("show", added["id"], "--peek")

    assert mem("show", added["id"], "--json").data["memory"]["use_count"] == 1


@pytest.mark.parametrize(
    ("prefix", "code", "name"), [("zzzz9999", 3, "not_found"), ("ab", 2, "invalid_input")]
)
def test_an_id_that_leads_nowhere_is_said_so(mem, prefix, code, name):
    answer = mem("show", prefix, "--json")

    assert answer.code == code
    assert answer.error["code"] == name


def test_a_list_goes_on_where_it_ended(mem):
    texts = [f"Fact number {number}" for number in range(5)]
    for text in texts:
        mem("add", text, "--on-duplicate", "keep")
    seen, cursor = [], None
    while True:
        data = mem("list", "--limit", "2", *(["--from", cursor] if cursor else []), "--json").data
        seen += [item["content"] for item in data["items"]]
        cursor = data["next"]
        if cursor is None:
            break

    assert list(data) == ["items", "next", "total", "failing"]
    assert data["total"] == 5
    assert seen == texts[::-1]


def test_a_list_says_how_to_go_on(mem):
    mem("add", "one")
    mem("add", "two")

    assert "2 in all. For the next page, add:\n  --from " in mem("list", "--limit", "1").err
    assert mem("list").err == ""


def test_a_list_is_filtered_and_sorted(mem):
    worse = mem("add", "Retry the upload", "-c", "gotcha", "--json").data["id"]
    better = mem("add", "Cache the seat map", "-c", "gotcha", "--json").data["id"]
    mem("add", "Python is snake_case", "-c", "convention")
    mem("outcome", better, "worked")
    mem("outcome", worse, "failed")
    items = mem("list", "-c", "gotcha", "--sort", "score", "--json").data["items"]

    assert [item["id"] for item in items] == [better, worse]


@pytest.mark.parametrize("options", [("--sort", "beauty"), ("--from", "nowhere"), ("--limit", "0")])
def test_a_wrong_list_is_a_usage_error(mem, options):
    assert mem("list", *options).code == 2


def test_projects_are_listed_with_their_memories(mem, machine):
    assert "no projects yet" in mem("projects").err
    mem("add", "Only here")
    (project,) = mem("projects", "--json").data["items"]

    assert project["name"] == "work"
    assert project["memories"] == 1
    dated = {"last_commit_at", "looked_at", "stale"}
    assert set(project) == {"id", "key", "name", "root", "aliases", "memories", "registered"} | dated
    assert "work  1 memory" in mem("projects").out
    assert mem("search", "only", "--project", project["id"], "--json").data["hits"]


def test_the_size_is_told_in_its_unit():
    assert [show.size(n) for n in (0, 999, 12_400, 3_000_000_000)] == [
        "0 bytes",
        "999 bytes",
        "12.4 KB",
        "3.0 GB",
    ]


@pytest.mark.parametrize(
    ("option", "values"),
    [
        ("--tag", "tags"),
        ("--scope", "scopes"),
        ("--id", "ids"),
        ("--category", "categories"),
        ("--writer", "writers"),
    ],
)
@pytest.mark.parametrize("command", [("list",), ("search", "x"), ("why", "x")])
def test_more_values_of_one_filter_than_can_be_asked_for_are_refused(mem, command, option, values):
    value = "fact" if option == "--category" else "x"
    most = 200 if values == "ids" else 32
    answer = mem(*command, *[option, value] * (most + 1))

    assert answer.code == 2
    assert answer.err == f"mem: too many {values}: {most + 1}; the limit is {most}\n"


def test_as_many_values_as_are_allowed_can_be_asked_for(mem):
    values = [part for number in range(32) for part in ("--tag", f"t{number}", "--scope", f"s{number}/**")]

    assert mem("list", *values).code == 0


def test_what_is_not_a_number_is_no_confidence(mem):
    assert mem("list", "--min-confidence", "nan").code == 2
    assert mem("add", "x", "--confidence", "nan").code == 2
    assert mem("add", "x", "--relevance", "nan").code == 2


def test_a_line_break_in_a_short_field_begins_no_line(mem, machine):
    folder = machine / "evil\nabcdefghij  other  9 memories"
    folder.mkdir()
    added = mem("add", "Retry the upload", "--tag", "a\nstatus:      active", "-p", str(folder), "--json")
    shown = mem("show", added.data["id"]).out
    listed = mem("projects").out

    assert "a\\nstatus:" in shown
    assert sum(line.startswith("status:") for line in shown.splitlines()) == 1
    assert listed.count("\n") == 1


def test_what_is_superseded_is_told_from_what_is_given_out(mem):
    old, new = (mem("add", text, "--json").data["id"] for text in ("Use tabs", "Use spaces"))
    mem("links", new, "--add", "supersedes", old)
    shown, totals = mem("show", old, "--peek"), mem("stats", "--json").data

    assert f"superseded by {new[:12]}, so no longer used" in shown.out
    assert mem("show", old, "--peek", "--json").data["superseded_by"] == new
    assert mem("show", new, "--peek", "--json").data["superseded_by"] is None
    assert (totals["active"], totals["given_out"]) == (2, 1)
    assert "Active: 2 (1 of them superseded or expired, so not used)" in mem("stats").out
    assert len(mem("list").out.splitlines()) == 1


def test_a_project_without_a_commit_for_90_days_is_called_stale(mem, machine, monkeypatch):
    folder = machine / "work" / "harbour"
    folder.mkdir()
    long_ago = datetime.now(UTC) - timedelta(days=120)
    identity = {f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dated = os.environ | identity | {"GIT_COMMITTER_DATE": long_ago.isoformat()}
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", "one"]):
        subprocess.run(["git", "-C", str(folder), *arguments], env=dated, check=True)
    monkeypatch.chdir(folder)
    mem("add", "the cranes need a permit")

    assert f"stale: no commit since {long_ago:%Y-%m-%d}" in mem("projects").out
    assert [each["stale"] for each in mem("projects", "--json").data["items"]] == [True]
    assert f"stale: no commit since {long_ago:%Y-%m-%d}" in mem("why", "cranes").out
    assert "stale" not in mem("search", "cranes").out
