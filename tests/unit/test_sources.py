from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_layer.model.memory import Citation
from memory_layer.model.sources import Checked, SourceState, Standing, lines_hash, lines_of
from memory_layer.rules import citations
from memory_layer.rules import citations as policy_sources
from memory_layer.rules.citations import (
    Elsewhere,
    Spot,
    Text,
    anchor_of,
    anchored,
    found_elsewhere,
    found_exactly,
    found_in_file,
    moved_to,
    needle,
    span_today,
    stands,
)
from tests.counted import counted


def anchor(citation):
    return anchor_of(citation)


def went_to(places, citation):
    """The path and first line of the place that stands out."""
    best = found_elsewhere(places, anchor(citation), citation)
    return (best.path, best.spot.first) if best else None


CODE = """\
import os


def load(path, mode="r"):
    with open(path, mode) as file:
        return file.read()


def save(path, text):
    if text is None:
        return None
    with open(path, "w") as file:
        file.write(text)
    return None
"""


def cited(content: str | bytes, first: int, last: int | None = None) -> Citation:
    raw = content if isinstance(content, bytes) else content.encode()
    lines = lines_of(raw)[first - 1 : last or first]
    excerpt = b"\n".join(lines).decode()[:200]
    bare = Citation("src/app.py", first, last or first, None, lines_hash(lines), excerpt)
    return anchored(bare, raw)


def found(citation: Citation, content: str | bytes) -> tuple[int, int] | None:
    raw = content if isinstance(content, bytes) else content.encode()
    span = (citation.first_line or 0, citation.last_line or 0)
    spot = found_in_file(Text(lines_of(raw)), anchor(citation), span)
    return (spot.first, spot.last) if spot else None


def test_cited_lines_stand_where_they_were():
    assert stands(cited(CODE, 4, 6), CODE.encode())
    assert not stands(cited(CODE, 4, 6), CODE.replace("read", "readline").encode())


def test_line_endings_and_a_byte_order_mark_make_no_difference():
    windows = b"\xef\xbb\xbf" + CODE.replace("\n", "\r\n").encode()

    assert stands(cited(CODE, 1, 6), windows)
    assert stands(cited(windows, 1, 6), CODE.encode())


def test_a_citation_that_once_counted_the_byte_order_mark_still_stands():
    content = b"\xef\xbb\xbfimport os\n"
    old = Citation("a.py", 1, 1, None, lines_hash([b"\xef\xbb\xbfimport os"]))

    assert stands(old, content)


def test_lines_are_found_where_they_moved():
    assert found(cited(CODE, 4, 6), "# a new line\n\n" + CODE) == (6, 8)


@pytest.mark.parametrize(
    "after",
    [
        "        file.write(text)",
        "\tfile.write( text )   ",
        "    file.write(\n        text\n    )",
        "    file.write(\n        text,\n    )",
    ],
)
def test_formatting_changes_nothing(after):
    assert found(cited(CODE, 13), CODE.replace("        file.write(text)", after)) is not None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("file.write(text)", "file.write(texts)"),
        ("file.write(text)", "file.write(text) + 1"),
        ("mode)", "modes)"),
    ],
)
def test_another_token_is_a_change(before, after):
    citation = cited(CODE, 4, 6) if before == "mode)" else cited(CODE, 13)

    assert found(citation, CODE.replace(before, after)) is None


def test_white_space_between_words_counts():
    prose = "It was written down by the harbour office.\n"

    assert found(cited(prose, 1), prose.replace("written down", "writtendown")) is None
    assert found(cited(prose, 1), prose.replace("written down", "written\ndown")) == (1, 2)


def test_a_new_last_element_does_not_change_the_one_before():
    table = '{\n    "harbour_office_opening_hours": 9\n}\n'
    longer = '{\n    "harbour_office_opening_hours": 9,\n    "b": 2\n}\n'

    assert found(cited(table, 2), longer) == (2, 2)


def test_a_one_element_tuple_is_not_the_element_itself():
    assert found(cited("value = (some_long_identifier)\n", 1), "value = (some_long_identifier,)\n") is None


def test_a_line_that_stands_in_many_places_does_not_move_to_a_wrong_one():
    citation = cited(CODE, 11)  # the first `return None`

    assert found(citation, CODE.replace("        return None\n", "        return 0\n", 1)) is None


def test_a_line_that_stands_in_many_places_follows_what_is_around_it():
    assert found(cited(CODE, 11), "# one more\n" + CODE) == (12, 12)
    assert found(cited(CODE, 14), "# one more\n" + CODE) == (15, 15)


def test_of_equal_places_the_nearest_counts():
    block = "    beginning = here\n    return None\n    ending = there\n"
    lines = [*(block.splitlines() * 3), "x = 1"]
    before = "\n".join(lines)
    after = "\n".join(["new = 1", *lines])

    assert found(cited(before, 5), after) == (6, 6)


def test_a_text_that_stood_twice_is_in_doubt_when_one_is_left_somewhere_else():
    line = 'logger.info("the ferry has left the harbour")'
    before = (
        f"def one():\n    a = 1\n    {line}\n    b = 2\n\n\ndef two():\n    c = 3\n    {line}\n    d = 4\n"
    )
    after = before.replace(f"    a = 1\n    {line}\n    b = 2\n", "    e = 5\n", 1)

    assert found(cited(before, 3), after) is None


def test_the_lines_of_a_renamed_file_are_followed_even_if_they_are_short():
    text, citation = Text(lines_of(CODE.encode())), cited(CODE, 11)
    spots = [Elsewhere("src/other.py", spot) for spot in text.spots(anchor(citation))]
    kin = [each._replace(same_file=True) for each in spots]
    weak = [Elsewhere("src/other.py", Spot(40, 40, 1))]

    assert went_to(weak, citation) is None
    assert went_to(kin, citation) == ("src/other.py", 11)


def test_two_places_that_are_equally_good_are_in_doubt():
    citation = cited(CODE, 4, 6)
    places = [Elsewhere("src/b.py", Spot(9, 11, 1)), Elsewhere("src/c.py", Spot(9, 11, 1))]

    assert went_to(places, citation) is None
    assert went_to(places[:1], citation) == ("src/b.py", 9)


def test_a_moved_citation_can_be_followed_again():
    moved = "# a new line\n" + CODE
    lines = lines_of(moved.encode())
    citation = cited(CODE, 4, 6)._replace(commit="a" * 40)

    again = moved_to(citation, "src/app.py", Spot(5, 7, 2), Text(lines), lines)

    assert (again.first_line, again.last_line, again.commit) == (5, 7, None)
    assert stands(again, moved.encode())
    assert found(again, "# two\n# three\n" + moved) == (7, 9)


def test_what_stands_there_now_lies_between_the_same_neighbours():
    changed = "# top\n" + CODE.replace(
        "file.write(text)\n", "file.write(text.strip())\n        file.flush()\n"
    )
    citation = cited(CODE, 13)

    assert span_today(Text(lines_of(changed.encode())), anchor(citation), (13, 13)) == (14, 15)
    assert span_today(Text([b"only"]), anchor(citation), (13, 13)) == (1, 1)


def test_without_an_anchor_only_the_very_lines_count():
    citation = cited(CODE, 4, 6)._replace(anchor=None)
    lines = lines_of(b"# new\n" + CODE.encode())

    assert found_exactly(lines, citation) == Spot(5, 7, 0)
    assert found_exactly(lines_of(CODE.replace("mode", "modes").encode()), citation) is None


@pytest.mark.parametrize("made_up", ["", "x", "1-2-3", "-".join(["9" * 20] * 6), "82-zz", "1" * 5000])
def test_an_anchor_that_somebody_made_up_counts_as_none(made_up):
    assert anchor_of(Citation(path="a", anchor=made_up)) is None


def test_a_word_is_looked_for_before_a_file_is_compared():
    assert needle(Citation(path="a", excerpt="def load_everything(x):")) == b"load_everything"
    assert needle(Citation(path="a", excerpt="}")) is None
    assert needle(Citation(path="a", excerpt="key = [REDACTED:token]")) is None
    assert needle(Citation(path="a", excerpt="größenwahn = 1")) is None
    assert needle(Citation(path="a", excerpt="a b " + "x" * 196)) is None  # the last word may be cut


@given(
    lines=st.lists(
        st.sampled_from(["a = 1", "call(x, y)", "}", "", "  return", "# why so", "é = 2"]),
        min_size=1,
        max_size=12,
    ),
    new=st.integers(0, 3),
    data=st.data(),
)
@settings(max_examples=200)
def test_lines_under_a_new_heading_are_never_called_changed_if_they_are_told_apart(lines, new, data):
    first = data.draw(st.integers(1, len(lines)))
    last = data.draw(st.integers(first, len(lines)))
    content = "\n".join(lines) + "\n"
    citation = cited(content, first, last)
    told = anchor_of(citation)
    if told is None:
        assert not any(line.strip() for line in lines[first - 1 : last])
        return
    spots = Text(lines_of(("# head\n" * new + content).encode())).spots(told)

    assert any(spot.first - new >= first and spot.last - new <= last for spot in spots)
    assert str(told) == citation.anchor


def test_one_changed_source_speaks_for_a_memory_of_several():
    checks = [Checked(Citation(path="a"), state) for state in (SourceState.FRESH, SourceState.CHANGED)]

    assert Standing(tuple(checks)).state is SourceState.CHANGED
    assert (
        Standing((checks[0], Checked(Citation(url="u"), SourceState.UNVERIFIABLE))).state is SourceState.FRESH
    )
    assert not Standing((checks[0],)).drifted


@pytest.mark.parametrize(
    "line",
    [
        "- Always remember to use the given value of constant {:05d}",
        "- Always the same, again and again",
        "    - Indented below nothing, number {:05d}",
    ],
    ids=["alike at their beginning", "equal", "indented"],
)
def test_every_line_of_a_file_gets_its_anchor_in_linear_work(line, monkeypatch):
    lines = [line.format(number).encode() for number in range(400)]
    digests, text = counted(monkeypatch, citations, "_digest"), Text(lines)
    for number in range(1, len(lines) + 1):
        text.anchor((number, number))

    assert len(digests) <= 3 * len(lines)


def test_a_line_knows_what_it_is_indented_below():
    content = "a:\n  b:\n    - x\n  ) \n    c\n  d:\n      e\nf\n  g\n"
    text = Text(lines_of(content.encode()))
    each = [text.anchor((number, number)) for number in range(1, text.count + 1)]
    above = [found.inside for found in each if found is not None]

    assert [value != 0 for value in above] == [False, True, True, True, True, True, True, False, True]
    assert above[1] == above[3] == above[5]
    assert above[2] == above[4]
    assert len({above[1], above[2], above[6], above[8]}) == 4


def test_a_file_of_very_many_lines_is_cited_without_an_anchor(monkeypatch):
    monkeypatch.setattr(citations, "MOST_LINES", 3)

    assert cited("a\nb\nc\n", 2).anchor is not None
    assert cited("a\nb\nc\nd\n", 2).anchor is None
    assert stands(cited("a\nb\nc\nd\n", 2), b"a\nb\nc\nd\n")


def test_lines_are_not_looked_for_letter_by_letter_where_that_would_take_too_long(monkeypatch):
    content = "".join(f"line number {number}\n" for number in range(100))
    citation = cited(content, 11, 60)._replace(anchor=None)
    lines = lines_of(b"new\n" + content.encode())
    assert found_exactly(lines, citation) == Spot(12, 61, 0)

    monkeypatch.setattr(policy_sources, "MOST_HASHED", 10_000)
    assert found_exactly(lines, citation) is None
