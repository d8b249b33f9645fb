"""The Python door: typed, thread-safe, and the same answers as every other door."""

from __future__ import annotations

import subprocess
import sys
import threading

import pytest

import memory_layer
from memory_layer.errors import InvalidInput, NotFound, StoreUnavailable


@pytest.fixture
def memory(tmp_path, monkeypatch, model_folder):
    monkeypatch.setenv("MEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEM_MODEL", str(model_folder))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with memory_layer.open() as memory:
        yield memory


def test_a_memory_is_added_found_judged_and_counted(memory):
    added = memory.add("The build needs Java 21", category="environment", tags=["build"])
    found = memory.search("which java version")
    judged = memory.outcome(added.id, "worked", recall=found.recall)

    assert [hit.memory.id for hit in found.hits] == [added.id]
    assert judged[0].outcome_score == pytest.approx(0.2)
    assert memory.get(added.id).worked == 1
    assert memory.stats().total == 1
    assert [item.id for item in memory.list().items] == [added.id]


def test_a_search_belongs_to_the_same_session_as_what_is_done_after_it(memory):
    memory.add("The build needs Java 21")
    memory.search("which java version")

    assert memory.recalls()[0].session == memory.episode("The build is green").session


def test_archive_restore_and_reinforce_take_prefixes(memory):
    short = memory.add("The build needs Java 21").id[:9]

    assert memory.archive(short)[0].status == "archived"
    assert memory.search("java").hits == ()
    assert memory.restore(short)[0].status == "active"
    assert memory.reinforce(short)[0].memory.reinforcement_count == 2


def test_all_projects_are_looked_at_together_and_written_one_by_one(memory, tmp_path):
    ours = memory.add("The build needs Java 21").id
    (tmp_path / "shop").mkdir()
    with memory_layer.open(project=str(tmp_path / "shop")) as shop:
        theirs = shop.add("The shop needs Java 17").id

    with memory_layer.open(all_projects=True) as everywhere:
        assert {hit.memory.id for hit in everywhere.search("java").hits} == {ours, theirs}
        assert everywhere.stats().total == 2
        with pytest.raises(InvalidInput, match="belongs to one project"):
            everywhere.add("Java is everywhere")
    assert [hit.memory.id for hit in memory.search("java").hits] == [ours]


def test_why_takes_the_same_words_as_search(memory):
    memory.add("The build needs Java 21", category="environment", tags=["build"])
    memory.add("Java beans are sorted by name", category="convention")

    found = memory.why("java", categories=["environment"], tags=["build"])
    assert [hit.memory.category for hit in found.hits] == ["environment"]


def test_why_explains_and_projects_are_listed(memory):
    memory.add("The build needs Java 21")
    found = memory.why("java version")

    assert sum(signal.share for signal in found.hits[0].signals) == pytest.approx(found.hits[0].score)
    assert [count for _, count in memory.projects()] == [1]


def test_hits_are_grouped_and_repetitions_left_out(memory):
    for text, place in (
        ("The ferry waits at the pier in winter", "pier"),
        ("In winter the ferry waits at the pier", "quay"),
        ("The pier is closed to cars", "pier"),
    ):
        memory.add(text, metadata={"place": place}, on_duplicate="keep")
    grouped = memory.search("ferry at the pier", group_by="place")
    diverse = memory.search("ferry at the pier", diverse=True)

    assert (grouped.group_by, sorted((hit.group, hit.more) for hit in grouped.hits)) == (
        "place",
        [("pier", 1), ("quay", 0)],
    )
    assert (diverse.duplicates, len(diverse.hits)) == (1, 2)
    assert [miss.reason for miss in memory.why("ferry at the pier", diverse=True).near_misses] == [
        "duplicate"
    ]
    assert memory.why("ferry at the pier", group_by="place").near_misses[0].reason == "grouped"


def test_what_was_recalled_can_be_looked_at(memory):
    memory.add("The build needs Java 21")
    found = memory.search("which java version")
    memory.search("only a look", peek=True)
    (listed,) = memory.recalls()
    recall = memory.recall(found.recall[:10])

    assert (listed.id, listed.query, listed.memories) == (found.recall, "which java version", 1)
    assert [(hit.memory.id, hit.score) for hit in recall.hits] == [
        (hit.memory.id, pytest.approx(hit.score)) for hit in found.hits
    ]
    assert recall.hits[0].signals == {
        signal.name: pytest.approx(signal.value) for signal in found.hits[0].signals
    }
    assert memory.recalls(session="another") == []


def test_narrowing_by_category_and_tag(memory):
    memory.add("Java 21 builds it", category="environment", tags=["jdk"])
    memory.add("Java is an island", category="fact")

    assert len(memory.search("java").hits) == 2
    assert len(memory.search("java", categories=["environment"]).hits) == 1
    assert len(memory.search("java", tags=["jdk"]).hits) == 1


def test_the_default_writer_is_an_agent(memory):
    added = memory.add("The build needs Java 21")

    assert memory.get(added.id).writer_kind == "agent"


@pytest.mark.parametrize(
    "wrong",
    [
        lambda memory: memory.add("x", category="nonsense"),
        lambda memory: memory.add("x", priority="urgent"),
        lambda memory: memory.search("x", mode="psychic"),
        lambda memory: memory.search("x", group_by=3),
        lambda memory: memory.why("x", group_by=""),
        lambda memory: memory.recalls(limit="all"),
        lambda memory: memory.recall(None),
        lambda memory: memory.outcome("abcdefgh", "meh"),
        lambda memory: memory.add(""),
    ],
)
def test_a_wrong_word_is_one_sentence(memory, wrong):
    with pytest.raises(InvalidInput):
        wrong(memory)


def test_an_unknown_id_is_not_found(memory):
    with pytest.raises(NotFound):
        memory.get("abcdefgh")


def test_after_closing_every_call_says_so(memory):
    memory.close()

    with pytest.raises(StoreUnavailable):
        memory.stats()


def test_threads_share_one_memory(memory):
    errors = []

    def work(n):
        try:
            for k in range(5):
                memory.add(f"worker {n} learned lesson {k} about topic {n * 7 + k}", on_duplicate="keep")
                memory.search(f"lesson {k}")
        except Exception as error:  # noqa: BLE001 - a thread must not swallow it
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert errors == []
    assert memory.stats().total == 20


def test_embedding_fills_in_what_was_added_without_a_model(tmp_path, monkeypatch, model_folder):
    monkeypatch.setenv("MEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEM_MODEL", str(tmp_path / "nowhere"))
    monkeypatch.chdir(tmp_path)
    with memory_layer.open() as memory:
        memory.add("The login flow redirects to the identity provider")
        assert memory.search("authentication").hits == ()
    monkeypatch.setenv("MEM_MODEL", str(model_folder))

    with memory_layer.open() as memory:
        assert memory.embed().done == 1
        assert memory.embed().done == 0
        assert len(memory.search("authentication").hits) == 1


def test_the_public_names_are_these():
    assert sorted(memory_layer.__all__) == memory_layer.__all__
    for name in memory_layer.__all__:
        assert getattr(memory_layer, name) is not None
    with pytest.raises(AttributeError):
        memory_layer.nonsense  # noqa: B018


def test_a_program_that_forgets_to_close_still_ends(tmp_path, model_folder):
    program = "import memory_layer; m = memory_layer.open(); m.add('The build needs Java 21'); print('done')"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        env={"MEM_HOME": str(tmp_path), "MEM_MODEL": str(model_folder), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )

    assert (ended.returncode, ended.stdout) == (0, "done\n")


def test_an_undo_without_a_name_keeps_to_the_project_at_hand(memory, tmp_path):
    memory.add("The build needs Java 21")
    (tmp_path / "elsewhere").mkdir()

    with memory_layer.open(project=str(tmp_path / "elsewhere")) as other:
        with pytest.raises(NotFound, match="nothing to undo"):
            other.undo()
        other.add("Deploy with make release")
        assert other.undo().actions == (("add", 1),)


def test_what_was_changed_is_looked_at_reverted_and_undone(memory):
    known = memory.add("The build needs Java 21").id
    memory.archive(known)
    done = memory.undo()

    assert [version.action for version in memory.history(known).versions] == ["undo", "archive", "add"]
    assert done.memories[0].status == "active"
    assert [each.undone for each in memory.operations()] == [False, True, False]
    assert memory.undo(done.operation[:12]).undoes == done.operation
    assert memory.revert(known, to=1).status == "active"
    assert memory.verify_audit().intact


def test_many_are_added_in_one_call_and_answered_in_their_order(memory):
    answers = memory.add_many(
        [
            "The build needs Java 21",
            {"content": "Deploy from main only", "category": "convention", "tags": ["release"]},
            "the build needs java 21",
        ]
    )

    assert [answer.status for answer in answers] == ["created", "created", "exists"]
    assert answers[0].id == answers[2].id
    assert memory.get(answers[1].id).tags == ("release",)
    assert [hit.memory.id for hit in memory.search("which java version").hits][:1] == [answers[0].id]


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ("The build needs Java 21", "memories must be a list"),
        ({"content": "x"}, "memories must be a list"),
        ([7], "memory 1: it must be a text or a dict with content, not 7; none was stored"),
        ([{"tags": ["a"]}], "memory 1: it must be a text or a dict with content"),
        (
            [{"content": "x", "on_duplicate": "skip"}],
            "'on_duplicate' is not a field of a memory; the fields are content",
        ),
        ([{"content": "x", "tags": 7}], "tags must be a list of texts"),
        (["The port is 8080", " "], "memory 2: the content is empty; none was stored"),
    ],
)
def test_many_that_are_given_wrongly_are_refused_as_a_whole(memory, given, says):
    with pytest.raises(InvalidInput, match=says):
        memory.add_many(given)

    assert memory.stats().total == 0
