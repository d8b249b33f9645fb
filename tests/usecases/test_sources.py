"""What memories cite is looked at just before they are given out."""

from __future__ import annotations

import os
import sqlite3
import subprocess
from pathlib import Path

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.memory import Citation, Draft
from memory_layer.model.query import Filters, Mode, Query
from memory_layer.model.review import Matter
from memory_layer.model.sources import SourceState
from memory_layer.surroundings.git import locate
from memory_layer.usecases.govern.review import review
from memory_layer.usecases.recall.search import search
from memory_layer.usecases.recall.why import why
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.edit import citations_for, edit
from memory_layer.usecases.upkeep.citations import checked_citations, cited
from memory_layer.usecases.upkeep.verify import verify
from memory_layer.usecases.who.lookup import read_memory
from memory_layer.usecases.who.projects import citations, project_of
from tests.cited import REFUNDS, TIDES, code_base, stored
from tests.clean_git import CLEAN
from tests.watched import watching


@pytest.fixture
def root(tmp_path):
    return code_base(tmp_path)


@pytest.fixture
def place(root):
    return locate(root)


@pytest.fixture
def refund(keyword_engine, agent, place):
    return stored(keyword_engine, agent, place, "A refund is never more than was paid", "src/refunds.py:2-3")


def states(engine, memory_id, place=None):
    memory = read_memory(engine.store, memory_id)
    return [check.state.value for check in checked_citations(engine, [memory], place)[memory_id].checks]


def found(engine, writer, text="refund paid", **fields):
    return search(engine, Query(text, mode=Mode.KEYWORD, **fields), writer)


def drifted(engine):
    return [item.memory.id for item in review(engine, Filters(), [Matter.DRIFTED]).items]


def test_a_source_is_fresh_as_long_as_its_lines_are_where_they_were(keyword_engine, root, refund):
    (root / "src/refunds.py").write_text(REFUNDS.replace("return order", "return order.saved()"))

    assert states(keyword_engine, refund) == ["fresh"]


def test_a_source_that_changed_is_marked_and_counts_less_in_the_same_answer(
    keyword_engine, root, place, agent, refund
):
    (before,) = found(keyword_engine, agent).hits
    (root / "src/refunds.py").write_text(REFUNDS.replace("paid_amount", "open_amount"))

    (hit,) = found(keyword_engine, agent).hits

    assert [each.standing and each.standing.state.value for each in (before, hit)] == ["fresh", "changed"]
    assert hit.score == pytest.approx(0.8 * before.score)
    (signal,) = [each for each in hit.signals if each.name == "citation_changed"]
    assert (signal.value, signal.share) == (1.0, pytest.approx(-0.2 * before.score))


def test_a_drifted_source_lets_a_memory_with_a_sound_one_go_first(keyword_engine, root, place, agent):
    one = stored(keyword_engine, agent, place, "refund orders paid by card at once", "src/refunds.py:4")
    two = stored(keyword_engine, agent, place, "refund orders paid by cash at once", "src/tides.py:2")
    first, second = (hit.memory.id for hit in found(keyword_engine, agent, "refund orders paid at once").hits)
    sources = {one: "src/refunds.py", two: "src/tides.py"}
    (root / sources[first]).write_text("nothing = 0\n")

    after = [hit.memory.id for hit in found(keyword_engine, agent, "refund orders paid at once").hits]

    assert after == [second, first]


def test_why_tells_the_share_of_a_changed_source(keyword_engine, root, refund):
    (root / "src/refunds.py").unlink()

    hit = why(keyword_engine, Query("refund paid", mode=Mode.KEYWORD)).hits[0]

    assert hit.standing
    assert hit.standing.state is SourceState.MISSING
    assert next(each.share for each in hit.signals if each.name == "citation_changed") < 0


def test_what_moved_counts_in_full(keyword_engine, root, agent, refund):
    (root / "src/refunds.py").write_text("import decimal\n\n\n" + REFUNDS)

    hit = found(keyword_engine, agent).hits[0]
    (check,) = hit.standing.checks

    assert check.state is SourceState.MOVED
    assert (check.now.first_line, check.now.last_line) == (5, 6)
    assert [each.share for each in hit.signals if each.name == "citation_changed"] == [0.0]


def test_lines_that_went_to_another_file_are_found_without_git(keyword_engine, root, refund):
    (root / "src/payments").mkdir()
    (root / "src/refunds.py").rename(root / "src/payments/returns.py")

    memory = read_memory(keyword_engine.store, refund)
    (check,) = checked_citations(keyword_engine, [memory])[refund].checks

    assert check.state is SourceState.MOVED
    assert check.now
    assert check.now.path == "src/payments/returns.py"


def test_an_agents_search_puts_a_drifted_source_into_review(keyword_engine, root, agent, refund):
    (root / "src/refunds.py").unlink()

    found(keyword_engine, agent)

    assert drifted(keyword_engine) == [refund]


def test_an_agent_that_knows_better_cites_anew_and_nothing_waits_any_more(
    keyword_engine, root, agent, place, refund
):
    (root / "src/refunds.py").write_text(REFUNDS.replace("paid", "charged"))
    found(keyword_engine, agent)
    assert drifted(keyword_engine) == [refund]

    anew = citations_for(keyword_engine, refund, ["src/refunds.py:2-3"], place)
    edited = edit(keyword_engine, refund, Changes(citations=anew), agent)

    assert [difference.field for difference in edited.changes] == ["citations"]
    assert states(keyword_engine, refund) == ["fresh"]
    assert drifted(keyword_engine) == []


def test_a_memory_cites_its_own_project_wherever_the_caller_works(
    keyword_engine, root, agent, tmp_path, refund
):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "notes.md").write_text("refunds\n")

    inside = citations_for(keyword_engine, refund, [str(root / "src/refunds.py:1")], locate(elsewhere))
    assert [citation.path for citation in inside] == ["src/refunds.py"]
    with pytest.raises(InvalidInput, match="outside"):
        citations_for(keyword_engine, refund, [str(elsewhere / "notes.md")], locate(elsewhere))


def test_what_is_not_on_this_machine_is_not_cited(keyword_engine, root, refund):
    root.rename(root.with_name("gone"))

    with pytest.raises(InvalidInput, match="not on this machine"):
        citations_for(keyword_engine, refund, ["src/refunds.py"], None)
    assert citations_for(keyword_engine, refund, [], None) == ()


def test_a_look_writes_nothing(keyword_engine, root, agent, person, refund):
    (root / "src/refunds.py").unlink()

    assert found(keyword_engine, person).hits[0].standing.drifted
    assert found(keyword_engine, agent, peek=True).hits[0].standing.drifted
    why(keyword_engine, Query("refund paid", mode=Mode.KEYWORD))
    assert drifted(keyword_engine) == []


def test_a_source_that_is_back_leaves_the_review_with_the_next_search(keyword_engine, root, agent, refund):
    (root / "src/refunds.py").unlink()
    found(keyword_engine, agent)
    (root / "src/refunds.py").write_text(REFUNDS)

    assert found(keyword_engine, agent).hits[0].standing.state is SourceState.FRESH
    assert drifted(keyword_engine) == []


def test_where_the_caller_works_counts_before_where_the_project_was_last_seen(
    keyword_engine, agent, tmp_path
):
    main = Path(os.path.realpath(tmp_path)) / "main"
    (main / "src").mkdir(parents=True)
    (main / "src/tides.py").write_text(TIDES)

    def git(*arguments):
        subprocess.run(["git", "-C", str(main), *arguments], check=True, capture_output=True, env=CLEAN)

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    git("worktree", "add", "-q", str(main.parent / "side"), "-b", "side")
    tide = stored(keyword_engine, agent, locate(main), "Tides come from a table", "src/tides.py:1-3")
    (main.parent / "side/src/tides.py").write_text("TIDES = {}\n")

    assert states(keyword_engine, tide) == ["fresh"]
    assert states(keyword_engine, tide, locate(main.parent / "side")) == ["changed"]
    assert states(keyword_engine, tide, locate(tmp_path)) == ["fresh"]


def test_what_nobody_can_look_at_is_neutral(keyword_engine, root, place, agent):
    address = stored(keyword_engine, agent, place, "Refunds follow the law", "https://law.example/refunds")
    everywhere = add(
        keyword_engine,
        Draft(
            content="Everybody reads the tides", citations=citations(keyword_engine, place, ["src/tides.py"])
        ),
        agent,
    ).id
    gone = stored(keyword_engine, agent, place, "Tides come from a table", "src/tides.py:2")
    root.rename(root.with_name("elsewhere"))

    assert states(keyword_engine, address) == ["unverifiable"]
    assert states(keyword_engine, everywhere) == ["unverifiable"]
    assert states(keyword_engine, gone) == ["unverifiable"]
    assert not found(keyword_engine, agent, "tides table").hits[0].standing.drifted


HOSTILE = (
    "../secret.py",
    "src/../../secret.py",
    "/etc/passwd",
    "/proc/self/environ",
    "src/link.py",
    "away/secret.py",
    "self/environ",
    ".git/config",
    "pipe",
)


@pytest.fixture
def hostile(keyword_engine, root, place, agent):
    """Memories of an import whose citations lead out of the project, by paths, links and a pipe."""
    secret = root.parent / "secret.py"
    secret.write_text("the_secret_of_the_harbour = 42\n")
    (root / "src/link.py").symlink_to(secret)
    (root / "away").symlink_to(root.parent)
    (root / "self").symlink_to("/proc/self")
    os.mkfifo(root / "pipe")
    project = project_of(keyword_engine, place)
    true = cited(keyword_engine, str(secret), locate(root.parent))
    return [
        add(
            keyword_engine,
            Draft(content=f"The secret number {number}", citations=(true._replace(path=path),)),
            agent,
            project,
        ).id
        for number, path in enumerate(HOSTILE)
    ]


@pytest.fixture
def opened(monkeypatch):
    yield from watching(monkeypatch)


def test_citations_that_somebody_made_up_read_nothing_outside(keyword_engine, root, agent, hostile, opened):
    store = str(keyword_engine.settings.database_path.parent)
    hits = found(keyword_engine, agent, "secret number", limit=20).hits
    done = verify(keyword_engine, agent)

    assert len(hits) == len(HOSTILE)
    assert {hit.standing.state.value for hit in hits} <= {"unverifiable", "missing"}
    assert done.counts[SourceState.FRESH] == done.counts[SourceState.MOVED] == 0
    away = [path for path in opened if path.startswith(("/etc", "/proc", str(root.parent)))]
    assert [path for path in away if not path.startswith((str(root), store))] == []
    assert str(root / "pipe") not in opened


def test_more_than_one_answer_may_check_is_left_to_the_verification(
    keyword_engine, root, agent, refund, monkeypatch
):
    monkeypatch.setattr("memory_layer.usecases.upkeep.citations.COMPARED_AT_MOST", 10)
    (root / "src/refunds.py").write_text(REFUNDS.replace("paid_amount", "open_amount"))

    assert states(keyword_engine, refund) == ["unverifiable"]
    assert verify(keyword_engine, agent).counts[SourceState.CHANGED] == 1


def test_hits_past_the_number_that_is_checked_say_that_nobody_looked(
    keyword_engine, agent, refund, monkeypatch
):
    monkeypatch.setattr("memory_layer.usecases.recall.pool.MOST_CHECKED", 0)

    (hit,) = found(keyword_engine, agent).hits

    assert hit.standing
    assert hit.standing.state is SourceState.UNVERIFIABLE


def test_a_renamed_picture_is_found_by_git(keyword_engine, agent, root):
    def git(*arguments):
        subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=CLEAN)

    (root / "logo.png").write_bytes(b"\x89PNG\0\0" + bytes(100))
    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    memory_id = stored(keyword_engine, agent, locate(root), "The logo is round", "logo.png")
    git("mv", "logo.png", "src/logo.png")

    assert states(keyword_engine, memory_id) == ["moved"]


def test_a_file_that_does_not_change_is_only_looked_at_once(keyword_engine, root, agent, refund, monkeypatch):
    os.utime(root / "src/refunds.py", (1, 1))
    found(keyword_engine, agent)
    read = []
    tree = keyword_engine.surroundings.tree(locate(root))
    monkeypatch.setattr(type(tree), "read", lambda self, path: read.append(path))

    hits = found(keyword_engine, agent).hits

    assert hits[0].standing.state is SourceState.FRESH
    assert read == []


def test_another_process_does_not_look_for_what_is_lost_again(
    keyword_engine, root, agent, refund, monkeypatch, clock
):
    (root / "src/refunds.py").unlink()
    found(keyword_engine, agent)
    keyword_engine.surroundings._trees.clear()
    tree = keyword_engine.surroundings.tree(locate(root))
    walked: list[int] = []
    real = type(tree).files

    def files(self, most):
        walked.append(most)
        return real(self, most)

    monkeypatch.setattr(type(tree), "files", files)

    assert states(keyword_engine, refund) == ["missing"]
    assert walked == []
    clock.pass_(minutes=11)
    assert states(keyword_engine, refund) == ["missing"]
    assert walked != []


def test_a_store_without_citations_is_asked_nothing_more(keyword_engine, agent, place, monkeypatch):
    for number in range(12):
        stored(keyword_engine, agent, place, f"The ferry number {number} leaves at noon")
    asked: list[str] = []

    def statements():
        asked.clear()
        found(keyword_engine, agent, "ferry noon", peek=True)
        return list(asked)

    with keyword_engine.store.connection.using() as db:
        assert isinstance(db, sqlite3.Connection)
        db.set_trace_callback(asked.append)
    statements()
    plain = statements()
    monkeypatch.setattr("memory_layer.usecases.recall.pool._standings", lambda *rest: {})

    assert [sql for sql in plain if "source_check" in sql] == []
    assert len(plain) == len(statements())


def test_citations_of_old_are_followed_by_the_commit_that_holds_them(keyword_engine, agent, root):
    def git(*arguments):
        subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=CLEAN)

    git("init", "-q")
    git("add", ".")
    git("commit", "-q", "-m", "first")
    place = locate(root)
    old = citations(keyword_engine, place, ["src/tides.py:2-3"])[0]._replace(anchor=None)
    project = project_of(keyword_engine, place)
    memory_id = add(keyword_engine, Draft(content="Tides", citations=(old,)), agent, project).id
    git("mv", "src/tides.py", "src/times.py")

    assert states(keyword_engine, memory_id) == ["moved"]


def test_a_whole_file_counts_as_changed_when_a_line_is_new_and_not_when_it_is_formatted(
    keyword_engine, root, place, agent
):
    memory_id = stored(keyword_engine, agent, place, "See the tides", "src/tides.py")
    (root / "src/tides.py").write_text(TIDES.replace("    ", "\t"))
    formatted = states(keyword_engine, memory_id)
    (root / "src/tides.py").write_text(TIDES + "\n\nmore = 1\n")

    assert formatted == ["fresh"]
    assert states(keyword_engine, memory_id) == ["changed"]


def test_a_binary_file_is_compared_as_a_whole(keyword_engine, root, place, agent):
    (root / "logo.png").write_bytes(b"\x89PNG\0\0" + bytes(100))
    memory_id = stored(keyword_engine, agent, place, "The logo is round", "logo.png")
    before = states(keyword_engine, memory_id)
    (root / "logo.png").write_bytes(b"\x89PNG\0\0" + bytes(101))

    assert (before, states(keyword_engine, memory_id)) == (["fresh"], ["changed"])


def test_an_excerpt_never_decides(keyword_engine, root, place, agent):
    made_up = Citation(path="src/tides.py", first_line=1, last_line=1, excerpt="def tides_for(harbour, day):")
    project = project_of(keyword_engine, place)
    memory_id = add(keyword_engine, Draft(content="Hm", citations=(made_up,)), agent, project).id

    assert states(keyword_engine, memory_id) == ["changed"]
