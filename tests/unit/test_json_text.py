"""Single values change in a JSON text with comments, and every other byte stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.agents import json_text
from memory_layer.errors import InvalidInput

COMMENTED = """\
// my settings
{
    "theme": "dark", /* always */
    "mcpServers": {
        // two of them
        "files": {"command": "files"},
    },
}
"""


def test_a_value_is_added_in_the_style_of_the_file():
    changed = json_text.with_value(COMMENTED, ("mcpServers", "memory"), {"command": "mem"})

    assert changed == COMMENTED.replace(
        '        "files": {"command": "files"},\n',
        '        "files": {"command": "files"},\n        "memory": {\n            "command": "mem"\n        },\n',
    )


def test_what_was_added_can_be_taken_out_again():
    changed = json_text.with_value(COMMENTED, ("mcpServers", "memory"), {"command": "mem"})

    assert json_text.without(changed, ("mcpServers", "memory")) == COMMENTED


def test_missing_objects_are_made_on_the_way():
    changed = json_text.with_value("{}", ("hooks", "Stop"), [1])

    assert json.loads(changed) == {"hooks": {"Stop": [1]}}


def test_an_item_joins_a_list_behind_the_others():
    changed = json_text.with_item('{"allow": ["Bash"]}', ("allow",), "mcp__memory")

    assert changed == '{"allow": ["Bash", "mcp__memory"]}'


def test_line_ends_stay_as_they_are():
    changed = json_text.with_value('{\r\n  "a": 1\r\n}\r\n', ("b",), {"c": 2})

    assert changed == '{\r\n  "a": 1,\r\n  "b": {\r\n    "c": 2\r\n  }\r\n}\r\n'


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is empty"),
        ("{", "line 1 is no valid JSON"),
        ('{"a": 1\n"b": 2}', "line 2 is no valid JSON"),
        ("{'a': 1}", "line 1 is no valid JSON"),
        ('{"a": 1} {"b": 2}', "line 1 is no valid JSON"),
        ('{"a": 01}', "line 1 is no valid JSON"),
        ('{"a": 1, "a": 2}', "the key 'a' stands twice in it, on line 1"),
        ("[" * 100, "it is nested more than 60 levels deep"),
    ],
)
def test_what_is_no_json_is_refused_with_its_line(text, why):
    with pytest.raises(InvalidInput, match=why):
        json_text.parse(text)


def test_a_value_that_is_no_object_is_not_replaced_by_one():
    with pytest.raises(InvalidInput, match="mcpServers is not an object"):
        json_text.with_value('{"mcpServers": []}', ("mcpServers", "memory"), {})


shapes = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=10,
)


@given(st.dictionaries(st.text(max_size=3), shapes, max_size=4), shapes, st.sampled_from([None, 1, 2, "\t"]))
def test_any_object_takes_a_value_and_gives_it_back(shape, value, indent):
    text = json.dumps(shape, indent=indent)
    changed = json_text.with_value(text, ("memory layer", "server"), value)

    assert json.loads(changed) == shape | {"memory layer": {"server": value}}
    assert json.loads(json_text.without(changed, ("memory layer",))) == shape
    assert json_text.plain(json_text.parse(changed)) == json.loads(changed)
