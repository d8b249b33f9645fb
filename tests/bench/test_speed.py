"""A speed run on stores so small that it takes seconds: every table is filled, and says what it claims."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from argparse import Namespace
from types import SimpleNamespace

import pytest

from bench import filled, given, memori, searches, side_by_side, speed, stopwatch
from bench.at_size import AtSize
from bench.fresh import Prepared
from bench.prose import questions
from bench.searches import INSIDE, PARTS, REST
from bench.side_by_side import Contest
from bench.speed import SECTIONS
from memory_layer.model.query import Query
from tests.architecture.source import ROOT
from tests.bench import plain_peer

SIZE = 200
SMALL = [
    "--sizes",
    str(SIZE),
    "--questions",
    "6",
    "--seconds",
    "1",
    "--runs",
    "1",
    "--singles",
    "3",
    "--batches",
    "1",
]


def run(folder, *arguments: str) -> str:
    bare = {"MEM_MODEL": str(folder / "no-model"), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-m", "bench", "speed", *arguments],
        env={**os.environ, **bare},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A run without peers and without the model."""
    folder = tmp_path_factory.mktemp("speed")
    said = run(folder, *SMALL, "--json", str(folder / "kept.json"), "--keep", str(folder / "stores"))
    return folder, said, json.loads((folder / "kept.json").read_text())


def test_every_table_but_the_peers_is_filled(small):
    _, said, kept = small

    for name, section in SECTIONS.items():
        assert bool(kept[name]) == (name != "peers")
        assert (section.title in said) == (name != "peers")
        assert all(row["size"] == SIZE for row in kept[name])


def test_the_run_says_what_it_was_made_with(small):
    _, said, kept = small

    assert "made-up vectors in 2,000 clusters" in said
    assert "the embedding model is not installed" in said
    assert "load average" in said
    assert kept["machines"][0]["load_average_after"]


def test_each_way_of_searching_is_measured_by_the_kind_of_words(small):
    *_, kept = small

    shown = {(row["search"], row["words"]): row["runs"] for row in kept["warm"]}
    assert shown["hybrid", "all"] == 6
    assert shown["hybrid, recall recorded", "common"] == shown["keyword", "rare"] == 3


def test_the_parts_of_a_search_add_up_to_the_whole(small):
    *_, kept = small

    for search in ("hybrid", "hybrid, recall recorded"):
        mean = {row["part"]: row["mean_ms"] for row in kept["parts"] if row["search"] == search}
        whole = mean.pop("whole")
        assert sum(mean.values()) == pytest.approx(whole, abs=0.02)
        assert {"words", "vectors", "fetch", REST} <= mean.keys()
        assert ("recall" in mean) == (search != "hybrid")


def test_writes_are_measured_in_every_way_and_searches_beside_them(small):
    *_, kept = small

    (row,) = kept["writing"]
    ways = ("singles", "batch", "import", "short")
    assert all(row[f"{way}_per_second"] > 0 and row[f"{way}_cpu_us"] > 0 for way in ways)
    assert row["worn_ms"] > 0


def test_figures_of_another_benchmark_are_not_shown(tmp_path):
    (tmp_path / "other.json").write_text('{"benchmark": "retrieval", "rows": []}')

    with pytest.raises(SystemExit, match="holds no figures of `bench speed`"):
        speed.main(["--show", str(tmp_path / "other.json")])


def test_exact_search_finds_what_it_should(small):
    *_, kept = small

    (row,) = kept["recall"]
    assert row["questions"] == 6
    assert row["recall"] > 0.9


def test_who_reads_only_the_first_line_sees_no_traceback(small):
    folder, *_ = small
    kept = json.loads((folder / "kept.json").read_text())
    many = folder / "many.json"
    many.write_text(json.dumps(kept | {"warm": kept["warm"] * 2000}))  # more than a pipe holds
    command = [sys.executable, "-m", "bench", "speed", "--show", str(many)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert running.stdout.readline().strip() == b"Warm search, without embedding"
        running.stdout.close()
        said = running.stderr.read()

    assert (running.returncode, said) == (1, b"")


def test_figures_can_be_shown_again_as_markdown_and_drawn(small):
    folder, *_ = small
    picture = folder / "speed.svg"

    said = run(folder, "--show", str(folder / "kept.json"), "--markdown", "--plot", str(picture))

    assert "### Warm search, without embedding\n\n| memories | search |" in said
    assert "load average" in said
    assert "Memory Layer" in picture.read_text()
    ET.fromstring(picture.read_text())


def test_figures_of_several_runs_are_shown_together(small):
    *_, kept = small
    other = {**kept, "warm": [{**row, "size": 7} for row in kept["warm"]]}

    both = speed.together([kept, other])

    assert [row["size"] for row in both["warm"]] == [7] * len(kept["warm"]) + [SIZE] * len(kept["warm"])
    assert both["remarks"] == kept["remarks"]
    assert len(both["machines"]) == 2


def test_a_kept_store_is_filled_once_and_never_changed(small, tmp_path):
    folder, *_ = small
    (shelf,) = (folder / "stores").iterdir()
    before = {path: path.stat().st_mtime_ns for path in shelf.rglob("*")}

    copy = filled.filled(tmp_path / "copy", SIZE, given.cloud(None), "prepared", folder / "stores")

    assert {path: path.stat().st_mtime_ns for path in shelf.rglob("*")} == before
    with filled.opened(copy.folder) as engine:
        assert engine.store.sequence() == SIZE


def test_shares_are_exact_in_ten_thousand():
    for step in (filled.PROJECT_STEP, filled.TAG_STEP):
        assert filled.passing(10_000, step) == {"0.01 %": 1, "1 %": 100, "10 %": 1000}


def prepared(size: int, count: int = 4) -> Prepared:
    asked = questions(count, among=size)
    return Prepared("prepared", asked, given.cloud(None).asked(count))


def test_a_filter_lets_its_share_pass_and_nothing_else(tmp_path):
    size = 1000
    store = filled.filled(tmp_path, size, given.cloud(None), "prepared", None)
    wanted = {number for number in range(size) if filled.share_of(number, filled.PROJECT_STEP) == "10 %"}
    tagged = {number for number in range(size) if filled.share_of(number, filled.TAG_STEP) == "10 %"}

    with filled.opened(store.folder) as opened:
        engine = prepared(size).given_to(opened)
        question = prepared(size).questions[0]
        for filters, numbers in (
            (filled.project_filter("10 %"), wanted),
            (filled.tag_filter("10 %"), tagged),
        ):
            found = searches.answer(engine, question, Query("", filters=filters, limit=100, peek=True))
            assert searches.numbers(found) <= numbers
            assert found.hits


def test_an_index_beside_the_store_is_removed_before_its_building_is_measured(tmp_path):
    options = Namespace(questions=2, keep=None)
    at_size = AtSize(options, tmp_path, 20, given.cloud(None), "prepared", tmp_path / "no-model")
    store = filled.filled(tmp_path, 20, at_size.cloud, "prepared", None)
    left = store.file.with_name(store.file.name + "-index") / "left"
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"x" * 5000)

    assert filled.bytes_in(store.beside) >= 5000
    assert "open_ms" in at_size._building(store)
    assert not left.exists()


def test_the_verbs_of_the_store_that_are_known_exist(tmp_path):
    with filled.opened(tmp_path) as engine:
        inside = {name for names in INSIDE.values() for name in names}
        parts = [engine.store, *(getattr(engine.store, name) for name in stopwatch.PARTS)]
        known = {verb for verb in PARTS if any(hasattr(part, verb) for part in parts)}
        assert PARTS.keys() - inside - known == set()


@pytest.fixture
def only_plain(monkeypatch):
    """The peers are one made for tests, run by this very Python."""
    monkeypatch.setattr(side_by_side, "PEERS", {"plain": plain_peer})
    monkeypatch.setattr(memori, "installed", lambda folder: None)
    monkeypatch.setattr(side_by_side, "installed", lambda folder, package: sys.executable)
    monkeypatch.setattr(side_by_side, "PROBED", 1)


def contest(folder, most_seconds: float, remarks: list[str]) -> list[searches.Row]:
    size, cloud = 1100, given.cloud(None)
    (folder / "scratch").mkdir()
    store = filled.filled(folder / "ours", size, cloud, "prepared", None)
    exact, _ = given.nearest(cloud, size, prepared(size).vectors)
    with filled.opened(store.folder) as opened:
        engine = prepared(size).given_to(opened)
        peers = Contest(
            list(side_by_side.PEERS), folder / "peers", folder / "scratch", None, most_seconds, remarks
        )
        return peers.rows(engine, prepared(size), cloud, size, exact, seconds=1)


def test_a_peer_gets_the_same_texts_vectors_and_questions(tmp_path, only_plain):
    remarks: list[str] = []
    rows = contest(tmp_path, 600, remarks)

    by_way = {(row["product"], row["search"]): row for row in rows}
    theirs, ours = by_way["plain", "semantic"], by_way["Memory Layer", "semantic"]
    assert theirs["recall"] == 1.0
    assert theirs["hits"] == 10
    assert 0 < float(ours["hits"]) <= 10  # what is too far from a question is not shown
    assert ours["slower"] == 1.0
    assert {"slower", "slower_cpu", "fill_per_second", "bytes", "rss_mb"} <= theirs.keys()
    assert remarks == []


def test_a_peer_that_fills_too_slowly_is_named_and_left_out(tmp_path, only_plain):
    remarks: list[str] = []
    rows = contest(tmp_path, 0.0, remarks)

    assert {row["product"] for row in rows} == {"Memory Layer"}
    (said,) = remarks
    assert said.startswith("plain was left out at 1,100 memories: it had stored 1,000 at")


def test_a_peer_that_breaks_is_named_with_its_last_words_and_left_out(tmp_path, only_plain, monkeypatch):
    broken = SimpleNamespace(__name__="tests.bench.no_such_peer", PACKAGE="broken==1.0")
    monkeypatch.setattr(side_by_side, "PEERS", {"broken": broken})
    remarks: list[str] = []
    rows = contest(tmp_path, 600, remarks)

    assert {row["product"] for row in rows} == {"Memory Layer"}
    (said,) = remarks
    assert said.startswith("broken was left out at 1,100 memories: broken ended with 1 when told to fill")
    assert "No module named" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (
            ["--peers", "chromadb,faiss"],
            "unknown are: faiss; the peers are: py-memori, runtime-memory, chromadb",
        ),
        (["--sizes", "many"], "'many' are not numbers of memories, such as 10000,100000"),
        (["--sizes", "0,10"], "'0,10' are not numbers of memories"),
        (["--cache", "nowhere.db"], "there is no file 'nowhere.db'"),
        (["--questions", "1"], "at least 4, so that common and rare words are among them"),
    ],
)
def test_what_cannot_be_measured_is_one_clear_sentence(arguments, says, capsys):
    with pytest.raises(SystemExit):
        speed.main(arguments)

    assert says in capsys.readouterr().err


def test_a_peer_that_cannot_be_installed_is_named_and_left_out(tmp_path, only_plain, monkeypatch):
    monkeypatch.setattr(side_by_side, "installed", lambda folder, package: None)
    remarks: list[str] = []
    Contest(["plain"], tmp_path, tmp_path, None, 600, remarks)

    assert remarks == ["plain==1.0 could not be installed and was left out"]
