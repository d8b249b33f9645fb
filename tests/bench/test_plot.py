"""Pictures are well-formed, complete, and survive what figures can be."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

import pytest

from bench import plot

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str, shape: str) -> list[ET.Element]:
    return [each for each in ET.fromstring(svg).iter(f"{SVG}{shape}") if each.find(f"{SVG}title") is not None]


def words(svg: str) -> set[str]:
    return {each.text or "" for each in ET.fromstring(svg).iter(f"{SVG}text")}


def test_every_value_has_a_bar_as_high_as_it_is():
    svg = plot.bars("Quality", ["one", "two"], {"old": [0.25, 0.5], "new": [0.5, 1.0]}, ends_at=1.0)

    heights = [float(bar.get("height", "")) for bar in drawn(svg, "rect")]
    full = plot.HEIGHT - plot.TOP - plot.BOTTOM
    assert heights == pytest.approx([full / 4, full / 2, full / 2, full])
    assert {"Quality", "one", "two", "old", "new", "0.2", "1"} <= words(svg)


def test_every_value_has_a_point_on_its_line():
    svg = plot.lines("Speed", [1000, 10_000], {"here": [1, 2], "there": [10, 100]}, logarithmic=True)

    assert len(drawn(svg, "circle")) == 4
    assert {"1,000", "10,000", "1", "10", "100"} <= words(svg)


def test_a_missing_value_leaves_a_gap():
    svg = plot.lines("Speed", [1, 2, 3], {"here": [1.0, math.nan, 3.0]})

    assert len(drawn(svg, "circle")) == 2
    assert list(ET.fromstring(svg).iter(f"{SVG}path")) == []
    assert len(drawn(plot.bars("Speed", ["a", "b"], {"here": [math.nan, 1.0]}), "rect")) == 1


def test_a_higher_value_stands_higher():
    low, high = drawn(plot.lines("Speed", [1, 2], {"here": [1, 9]}), "circle")

    assert float(high.get("cy", "")) < float(low.get("cy", ""))


def test_names_are_text_and_never_markup():
    svg = plot.bars("a < b & c", ["<set>"], {"<m>": [1.0]})

    assert {"a < b & c", "<set>", "<m>"} <= words(svg)
