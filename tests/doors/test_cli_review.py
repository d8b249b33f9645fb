"""`mem review`: the list for everybody, the walk for a person at a real terminal."""

from __future__ import annotations

import contextlib
import os
import re
import select
import stat
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_layer.doors.cli.commands import review
from memory_layer.model.memory import Memory
from memory_layer.model.review import Matter, Waiting
from tests.doors.terminals import Terminal, flat, plain, typed

KNOWN = "Run the test suite with make check before every push."
REPEATED = "Always run the test suite with make check before every push."


class Walk(Terminal):
    """`mem review` at a terminal, driven by single keys."""

    def __init__(self, *arguments, **environ):
        super().__init__("review", *arguments, **environ)
        self.start = 0

    def press(self, key):
        """Press a key once the walk waits for one, and see that it was taken."""
        self.until_it_listens()
        while select.select([self.master], [], [], 0)[0]:
            self.read_some()
        self.start = len(self.seen)
        self.type(key)
        self.read_some()

    def shows(self, words):
        """What came after the last key, up to these words."""
        while words not in plain(self.seen[self.start :]):
            before = self.seen
            self.read_some()
            assert self.seen != before, f"{words!r} never came: {plain(self.seen)}"
        return plain(self.seen[self.start :])


@pytest.fixture
def walk():
    """Start a walk; it is ended with the test."""
    started = []

    def start(*arguments, **environ):
        started.append(Walk(*arguments, **environ))
        return started[-1]

    yield start
    for each in started:
        if each.process.poll() is None:
            each.process.kill()
            each.process.wait()
        with contextlib.suppress(OSError):
            os.close(each.master)


def held(mem, text="Never deploy on a Friday"):
    return mem("add", text, "-c", "policy", "--json").data["id"]


def memory(mem, memory_id):
    return mem("show", memory_id, "--peek", "--json").data["memory"]


def test_a_key_approves_and_the_walk_ends_with_a_count(mem, walk):
    first, second = held(mem), held(mem, "Never push on a Sunday")
    person = walk()
    shown = person.shows("[q]uit")
    person.press("a")
    person.shows("[q]uit")
    person.press("x")
    person.shows("nothing left to review")

    assert person.end() == 0
    assert "1 of 2 · not active yet: policies and critical memories written by agents" in flat(shown)
    assert "Never push on a Sunday" in shown
    assert "[a]pprove  [e]dit  [x] archive  [s]kip  [q]uit" in shown
    assert "2 decided" in plain(person.seen)
    assert memory(mem, second)["status"] == "active"
    assert memory(mem, second)["approved_by"]
    assert memory(mem, first)["status"] == "archived"


def test_a_key_that_means_nothing_is_asked_again_and_help_explains(mem, walk):
    waiting_id = held(mem)
    person = walk()
    person.press("z")
    person.shows("unknown key")
    person.press("\x1b[A")
    person.shows("unknown key")
    person.press("aa")
    person.shows("unknown key")
    person.press("u")
    person.shows("nothing to undo yet")
    person.press("?")
    person.shows("approve it and make it active")
    person.press("Q")

    assert person.end() == 0
    assert "0 decided, 1 left" in plain(person.seen)
    assert memory(mem, waiting_id)["status"] == "staged"


def test_what_is_skipped_goes_on_waiting(mem, walk):
    held(mem)
    person = walk()
    person.press("s")
    person.shows("0 decided, 1 left")

    assert person.end() == 0


@pytest.mark.parametrize("key", ["q", "\x03", "\x04"])
def test_leaving_is_clean_whichever_way(mem, walk, key):
    first, second = held(mem), held(mem, "Never push on a Sunday")
    person = walk()
    person.press("a")
    person.shows("[u]ndo last")
    person.press(key)

    assert person.end() == 0
    assert "1 decided, 1 left" in plain(person.seen)
    assert "Traceback" not in person.seen
    assert "Aborted" not in person.seen
    assert (memory(mem, first)["status"], memory(mem, second)["status"]) == ("staged", "active")


def test_the_last_decision_is_taken_back_and_asked_again(mem, walk):
    first, second = held(mem), held(mem, "Never push on a Sunday")
    person = walk()
    person.press("x")
    person.shows("Never deploy on a Friday")
    person.press("u")
    person.shows("Never push on a Sunday")
    between = memory(mem, second)["status"]
    person.press("a")
    person.shows("Never deploy on a Friday")
    person.press("x")
    person.shows("2 decided, nothing left to review")

    assert person.end() == 0
    assert between == "staged"
    assert (memory(mem, first)["status"], memory(mem, second)["status"]) == ("archived", "active")


def test_an_edit_opens_the_editor_and_then_counts(mem, walk, tmp_path):
    waiting_id = held(mem)
    editor = tmp_path / "editor"
    editor.write_text(
        '#!/bin/sh\nsleep 0.01\necho "Deploy from Monday to Thursday" > "$1"\ntouch -d "+1 hour" "$1"\n'
    )
    editor.chmod(editor.stat().st_mode | stat.S_IXUSR)
    person = walk(EDITOR=str(editor), VISUAL=str(editor))
    person.press("e")
    person.shows("edited")

    assert person.end() == 0
    edited = memory(mem, waiting_id)
    assert (edited["content"], edited["status"]) == ("Deploy from Monday to Thursday", "active")


def test_an_editor_that_changes_nothing_or_fails_changes_nothing(mem, walk):
    waiting_id = held(mem)
    for editor in ("true", "false", "/nowhere/editor"):
        person = walk(EDITOR=editor, VISUAL=editor)
        person.press("e")
        person.shows("[q]uit")
        person.press("q")
        assert person.end() == 0

    assert memory(mem, waiting_id)["version"] == 1


@pytest.mark.parametrize("editor", ["", "./sensible-editor", "{here}/sensible-editor", "sensible-editor -x"])
def test_an_editor_that_lies_in_the_repository_is_not_run(mem, walk, machine, editor):
    waiting_id = held(mem)
    here = machine / "work"
    planted = here / "sensible-editor"
    planted.write_text(f"#!/bin/sh\ntouch {machine}/ran\necho Planted > $1\n")
    planted.chmod(0o755)
    named = editor.format(here=here)
    person = walk(EDITOR=named, VISUAL=named, PATH=f".:{here}:{machine}/none")
    person.press("e")
    person.shows("no editor found outside this repository")
    person.press("q")

    assert person.end() == 0
    assert not (machine / "ran").exists()
    assert memory(mem, waiting_id)["version"] == 1


@pytest.mark.model
@pytest.mark.parametrize(
    ("keys", "texts"),
    [("mn", [REPEATED]), ("mo", [KNOWN]), ("mf", [REPEATED]), ("k", [REPEATED, KNOWN]), ("d", [KNOWN])],
)
def test_a_question_is_decided_with_its_similarity_in_sight(mem, walk, with_model, keys, texts):
    mem("add", KNOWN)
    mem("add", REPEATED)
    person = walk()
    shown = person.shows("[q]uit")
    for key in keys:
        person.press(key)
        person.shows("\n")
    person.shows("nothing left to review")

    assert person.end() == 0
    assert re.search(r"similarity 0\.\d\d", shown)
    assert [item["content"] for item in mem("list", "--json").data["items"]] == texts


@pytest.mark.model
def test_a_question_about_a_memory_that_is_gone_offers_no_both(mem, walk, with_model):
    known = mem("add", KNOWN, "--json").data["id"]
    new = mem("add", REPEATED, "--json").data["id"]
    first = walk()
    asked = first.shows("[q]uit")
    first.press("q")
    first.end()
    typed("forget", known, "--yes")
    person = walk()
    shown = person.shows("[q]uit")
    person.press("k")
    person.shows("nothing left to review")

    assert f"says nearly the same as {known[:12]}, similarity" in flat(asked)
    assert "the memory it was similar to is gone" in flat(shown)
    assert "[k]eep  [d]rop the new one" in shown
    assert person.end() == 0
    assert memory(mem, new)["status"] == "active"


def test_a_merge_thought_better_of_leaves_everything(mem, walk, with_model):
    mem("add", KNOWN)
    mem("add", REPEATED)
    person = walk()
    person.press("m")
    person.shows("Which text")
    person.press("b")
    person.shows("[m]erge")
    person.press("q")

    assert person.end() == 0
    assert mem("review", "--json").data["by_kind"]["question"] == 1


@pytest.fixture
def conflict(mem):
    """The older and the newer one of a contradicting pair."""
    older = mem("add", "You can merge without a review", "--json").data["id"]
    newer = mem("add", "You must not merge without a review", "--json").data["id"]
    mem("links", newer, "--add", "conflicts_with", older)
    return older, newer


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("k", ["newer", "older"]),
        ("n", ["newer"]),
        ("o", ["older"]),
        ("x", ["older"]),
        ("y", ["newer"]),
    ],
)
def test_a_pair_is_decided_by_one_key(mem, walk, conflict, key, found):
    person = walk()
    shown = person.shows("[q]uit")
    person.press(key)
    person.shows("nothing left to review")
    left = mem("list", "--json").data["items"]

    assert person.end() == 0
    assert "contradicting: contradicts mem_" in shown
    assert "newer  mem_" in shown
    assert "older  mem_" in shown
    assert [item["id"] for item in left] == [
        dict(zip(("older", "newer"), conflict, strict=True))[name] for name in found
    ]


def test_the_words_that_differ_are_marked(mem, walk, conflict):
    person = walk()
    person.shows("[q]uit")
    colourless = walk(NO_COLOR="1")
    colourless.shows("[q]uit")

    assert "\x1b[32mmust\x1b[0m" in person.seen
    assert "\x1b[31mcan\x1b[0m" in person.seen
    assert "You [must] [not] merge" in colourless.seen
    assert "\x1b[3" not in colourless.seen


def test_somebody_else_was_faster(mem, walk):
    waiting_id = held(mem)
    person = walk()
    person.shows("[q]uit")
    person.until_it_listens()
    mem("archive", waiting_id)
    person.press("a")
    person.shows("was decided by somebody else in the meantime")

    assert person.end() == 0
    assert memory(mem, waiting_id)["status"] == "archived"
    assert "0 decided" in plain(person.seen)


def test_a_text_that_changed_under_the_person_s_eyes_is_shown_again(mem, walk):
    waiting_id = held(mem, "Never deploy on a Friday")
    person = walk()
    person.shows("[q]uit")
    person.until_it_listens()
    typed("edit", waiting_id, "--content", "Deploy on any day", "-c", "policy")
    person.press("a")
    shown = person.shows("[q]uit")
    status = memory(mem, waiting_id)["status"]
    person.press("q")

    assert person.end() == 0
    assert "was changed by somebody else in the meantime" in shown
    assert "Deploy on any day" in shown
    assert status == "staged"


def test_hostile_text_cannot_steer_the_terminal_or_forge_a_line(mem, walk):
    hostile = (
        "Never \x1b[2J\x1b]0;owned\x07 deploy\x1b[31m\u202e\n[a]pprove  decided 9; nothing left to review"
    )
    mem("add", hostile, "-c", "policy", "-t", "a\x1b[2Jb\ntag")
    person = walk()
    person.shows("[q]uit")
    person.press("q")

    assert person.end() == 0
    own = re.sub(r"\x1b\[(?:[012]|3[1-6])m", "", person.seen)
    assert "\x1b" not in own.replace("\x1b[?25h", "")
    assert "\x07" not in own
    assert "\u202e" not in own
    assert "\n    [a]pprove" in plain(person.seen)
    assert not re.search(r"^\[a\]pprove  decided", plain(person.seen), re.MULTILINE)


def test_nothing_to_decide_asks_nothing():
    code, seen = typed("review")

    assert code == 0
    assert "nothing is waiting for review" in seen


@pytest.mark.parametrize(
    ("arguments", "environ"),
    [(["--list"], {}), (["--json"], {}), ([], {"CLAUDECODE": "1"}), (["--as", "agent:sweeper"], {})],
)
def test_everybody_else_gets_the_list_and_no_question(mem, arguments, environ):
    held(mem)
    code, seen = typed("review", *arguments, **environ)

    assert code == 0
    assert ("Never deploy on a Friday" in seen) is not bool(
        environ
    )  # an agent at a terminal is none the less one
    assert "[a]pprove" not in seen


def test_the_walk_keeps_to_the_kinds_and_memories_asked_for(mem, walk, conflict):
    one = held(mem)
    held(mem, "Never push on a Sunday")
    person = walk("--kind", "conflict")
    shown = person.shows("[q]uit")
    person.press("q")
    person.end()
    other = walk(one[:12])
    about = other.shows("[q]uit")
    other.press("q")
    other.end()

    assert "1 of 1 · contradicting" in shown
    assert "1 of 1 · not active yet" in about
    assert "Never deploy" in about


def test_a_walk_through_a_part_says_what_else_waits(mem, walk, conflict):
    one = held(mem)
    held(mem, "Never push on a Sunday")
    about = walk(one[:12])
    about.press("a")
    about.shows("1 decided, 0 of these left, 2 in all")
    kind = walk("--kind", "held")
    kind.press("q")
    kind.shows("0 decided, 1 of these left, 2 in all")

    assert (about.end(), kind.end()) == (0, 0)


def test_what_comes_back_keeps_its_number(mem, walk):
    for text in ("Never deploy on a Friday", "Never push on a Sunday", "Never merge on a Monday"):
        held(mem, text)
    person = walk()
    person.shows("1 of 3")
    person.press("a")
    person.shows("2 of 3")
    person.press("u")
    assert "1 of 3" in person.shows("Never merge on a Monday")
    person.press("s")
    assert "2 of 3" in person.shows("Never push on a Sunday")
    person.press("s")
    assert "3 of 3" in person.shows("Never deploy on a Friday")
    person.press("q")

    assert person.end() == 0


def test_the_list_in_json_has_the_promised_shape(mem, conflict):
    waiting_id = held(mem)
    data = mem("review", "--json").data

    assert list(data) == ["items", "next", "total", "by_kind"]
    assert [list(item) for item in data["items"]] == [
        ["kind", "reason", "memory", "other", "similarity", "offers"]
    ] * 2
    assert data["items"][0]["memory"]["id"] == waiting_id
    assert data["items"][0]["offers"] == ["approve", "edit", "archive"]
    assert data["items"][1]["other"]["id"] == conflict[0]
    assert data["by_kind"] == {
        "held": 1, "proposed": 0, "question": 0, "conflict": 1, "similar": 0, "drifted": 0, "failing": 0,
        "doubtful": 0, "expired": 0,
    }  # fmt: skip


@pytest.fixture
def everything(mem, machine, with_model):
    """One thing of each kind, each by its kind, and the known memory where there is one."""
    notes = machine / "work" / "AGENTS.md"
    notes.write_text("# Names\n\n- Always use snake_case for Python names\n")

    def add(*words):
        return mem("add", *words, "--json").data["id"]

    soon = datetime.now(UTC) + timedelta(seconds=3)
    expired = add("The move is under way", "--expires", soon.isoformat())
    made: dict[str, tuple[str, ...]] = {"held": (held(mem),)}
    made["question"] = tuple(reversed([add(KNOWN), add(REPEATED)]))
    made["conflict"] = tuple(
        reversed([add("You can merge without a review"), add("You must not merge without a review")])
    )
    known = add("Use snake_case for Python names")
    mem("import", str(notes))
    (new,) = [each["id"] for each in mem("list", "--source", "import", "--json").data["items"]]
    made["similar"] = (new, known)
    source = Path("tides.py")
    source.write_text("TIDES = read_the_table_of_tides()\n")
    made["drifted"] = (add("Tides are read from a table", "--cite", "tides.py:1"),)
    source.write_text("TIDES = measured_tides()\n")
    mem("verify", "--all")
    made["doubtful"] = (add("The moon may be cheese", "--confidence", "0.2"),)
    made["expired"] = (expired,)
    while datetime.now(UTC) < soon:
        time.sleep(0.05)
    return made


def test_everything_that_needs_a_person_is_listed_kind_by_kind_with_what_can_be_decided(mem, everything):
    listed = mem("review", "--json").data
    found = [
        (each["kind"], tuple(one["id"] for one in (each["memory"], each["other"]) if one))
        for each in listed["items"]
    ]

    assert found == list(everything.items())
    assert mem("review", "--json").data == listed
    shown = mem("review")
    for words in (
        "decide: approve, edit or archive",
        "decide: merge, keep or drop",
        "decide: keep, merge, supersede or archive",
        "decide: accept, edit or archive",
        "decide: approve or archive",
        "decide: renew or archive",
    ):
        assert words in shown.out
    assert "mem review ID --decide WORD" in shown.err


def test_whatever_a_person_decides_waits_no_more_and_can_be_taken_back(mem, everything):
    before = mem("review", "--json").data["by_kind"]
    decisions = ("approve", "merge", "supersede", "keep", "accept", "approve", "renew")

    for (kind, ids), decision in zip(everything.items(), decisions, strict=True):
        code, seen = typed("review", *ids, "--decide", decision)
        assert code == 0, seen
        assert mem("review", "--json").data["by_kind"] == before | {kind: 0}
        code, seen = typed("undo")
        assert code == 0, seen
        assert mem("review", "--json").data["by_kind"] == before


def test_the_list_goes_on_where_it_ended(mem, conflict):
    held(mem)
    first = mem("review", "--limit", "1")
    (place,) = re.findall(r"--from (\S+)", first.err)
    second = mem("review", "--limit", "1", "--from", place)

    assert "2 waiting: 1 not active yet, 1 contradicting. " in first.err
    assert "held" in first.out
    assert "conflict" in second.out
    assert "--from" not in second.err
    assert mem("review", "--from", "nonsense").code == 2


def test_a_person_decides_by_words_too(mem, conflict):
    older, newer = conflict
    refused = mem("review", newer, older, "--decide", "supersede")
    code, _ = typed("review", newer, older, "--decide", "supersede", "--json")
    again = mem("review", newer, "--decide", "keep")

    assert refused.code == 1
    assert "only a person" in refused.err
    assert code == 0
    assert [item["id"] for item in mem("list", "--json").data["items"]] == [newer]
    assert again.code == 2
    assert "is not waiting" in again.err


def test_the_answer_to_a_decision_names_its_operation(mem):
    data = mem("review", held(mem), "--decide", "archive", "--json").data

    assert list(data) == ["operation", "kind", "decision", "memories", "redacted"]
    assert data["operation"].startswith("op_")
    assert data["memories"][0]["status"] == "archived"


@pytest.mark.parametrize(
    "words",
    [
        ["--decide", "approve"],
        ["--content", "new words"],
        ["--text", "new"],
        ["mem_aaaa", "mem_bbbb", "mem_cccc"],
        ["--kind", "strange"],
        ["mem_aaaa", "--decide", "maybe"],
    ],
)
def test_a_command_line_that_says_too_little_or_too_much_is_refused(mem, words):
    assert mem("review", *words).code == 2


def test_an_unknown_memory_is_not_found(mem):
    assert mem("review", "zzzz9999", "--decide", "archive").code == 3


def test_the_totals_say_how_much_waits(mem):
    quiet = mem("stats").err
    held(mem)

    assert quiet == ""
    assert "1 waiting for review: `mem review`\n" in mem("stats").err
    assert "1 waiting for review: `mem review --project .`\n" in mem("stats", "--project", ".").err
    assert mem("stats", "--global").err == ""


NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_no_line_is_wider_than_the_terminal_unless_a_word_is(width):
    text = "merge " * 60 + "\n\nthe end"
    one = Memory("mem_a", text, "", NOW, NOW)
    two = Memory("mem_b", text.replace("end", "beginning"), "", NOW, NOW - timedelta(days=1))
    item = Waiting(Matter.CONFLICT, "contradicts mem_b", one, two, 0.9)
    texts = [line for line in review.shown(item, NOW, width, coloured=False).splitlines() if line[:1] == " "]

    assert max(map(len, texts)) <= max(40, min(width, 110)) + len("[]")
    assert "    the [end]" in texts
    assert "    the [beginning]" in texts


def test_very_long_texts_are_shown_whole_and_unmarked():
    one = Memory("mem_a", "word " * 9_000 + "end", "", NOW, NOW)
    item = Waiting(Matter.SIMILAR, "alike", one, one._replace(id="mem_b"), None)

    assert review.shown(item, NOW, 80, coloured=False).count("word") == 18_000
