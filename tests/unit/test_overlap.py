"""Whether two scopes can mean the same file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.text.scope_overlap import meet, tag_meets
from memory_layer.text.scopes import matches


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("src/core/**", "src/core/**"),
        ("src/core/**", "src/core/engine.py"),
        ("src/**", "src/core/*.py"),
        ("src/core", "src/core/deep/file.py"),
        ("*.py", "src/**"),
        ("**/test_*.py", "tests/unit/**"),
        ("src/*/api.py", "src/users/**"),
        ("docs/", "docs/guide.md"),
        ("a?c.txt", "a[bx]c.txt"),
        ("**", "anything/at/all"),
        ("/Makefile", "Makefile"),
    ],
)
def test_scopes_that_share_a_file_meet_both_ways(ours, theirs):
    assert meet([ours], [theirs])
    assert meet([theirs], [ours])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("src/core/**", "src/api/**"),
        ("*.py", "README.md"),
        ("*.py", "docs/*.md"),
        ("src/a.py", "src/b.py"),
        ("tests/**/test_*.py", "src/**"),
        ("a*b.txt", "a*c.txt"),
        ("/docs", "src/docs/**"),
        (r"src/\*.py", "src/a.py"),
    ],
)
def test_scopes_that_share_no_file_do_not_meet(ours, theirs):
    assert not meet([ours], [theirs])
    assert not meet([theirs], [ours])


def test_what_a_later_pattern_takes_back_does_not_count():
    assert not meet(["src/**", "!src/generated/**"], ["src/generated/*.py"])
    assert not meet(["src/generated/api.py"], ["src/**", "!src/generated/"])
    assert meet(["src/**", "!src/generated/**"], ["src/core/a.py"])
    assert meet(["!src/core/**", "src/core/**"], ["src/core/a.py"])


def test_a_tag_is_a_pattern_or_the_name_of_a_file_or_folder():
    assert tag_meets("src/core/**", ["src/core/engine.py"])
    assert tag_meets("*.sql", ["migrations/**"])
    assert tag_meets("Core", ["src/core/**"])
    assert tag_meets("engine", ["src/core/engine.py"])
    assert not tag_meets("testing", ["src/**"])
    assert not tag_meets("testing", [])


NAMES = st.sampled_from(["a", "b", "ab.py", "b.py"])
PATTERNS = st.lists(st.sampled_from(["a", "b", "*", "**", "a*", "?b.py", "*.py"]), min_size=1, max_size=3)


@given(PATTERNS.map("/".join), PATTERNS.map("/".join), st.lists(NAMES, min_size=1, max_size=4))
def test_patterns_that_both_cover_a_path_always_meet(one, other, names):
    path = "/".join(name for name in names[:-1] if "." not in name) + f"/{names[-1]}"

    if matches([one], path) and matches([other], path):
        assert meet([one], [other])
