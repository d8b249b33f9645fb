import random
import re
import subprocess
import time

import pathspec
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.text import scopes
from memory_layer.text.scopes import LONGEST_PATTERN, matches, validated


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("src/core/**", "src/core/a/b.py", True),
        ("src/core/**", "src/core", False),
        ("src/core", "src/core/a.py", True),
        ("src/core", "lib/src/core/a.py", False),
        ("*.py", "deep/in/x.py", True),
        ("/*.py", "deep/x.py", False),
        ("docs/", "docs/a.md", True),
        ("docs/", "docs", False),
        ("docs/", "docs/", True),
        ("a/**/b", "a/b", True),
        ("a/**/b", "a/x/y/b/c", True),
        ("**/test_*.py", "test_a.py", True),
        ("src/*.py", "src/deep/a.py", False),
        ("file[0-9].txt", "file7.txt", True),
        ("file[!0-9].txt", "file7.txt", False),
        ("a?c", "a/c", False),
        ("\\!important", "!important", True),
        ("#note", "#note", False),
        ("src", "./src/a.py", True),
    ],
)
def test_patterns_read_as_in_gitignore(pattern, path, expected):
    assert matches([pattern], path) is expected


def test_the_last_pattern_that_fits_decides():
    assert matches(["src/**", "!src/gen/**"], "src/a.py")
    assert not matches(["src/**", "!src/gen/**"], "src/gen/a.py")
    assert matches(["src/**", "!src/gen/**", "src/gen/keep.py"], "src/gen/keep.py")
    assert not matches(["!src/**", "!x"], "src/a.py")


def test_without_patterns_or_without_a_path_nothing_is_covered():
    assert not matches([], "a.py")
    assert not matches(["**"], "")


names = st.text("ab.", min_size=1, max_size=3).filter(lambda name: name.strip("."))
paths = st.lists(names, min_size=1, max_size=4).map("/".join)
# Without negated classes, which fit a slash in the reference but not in git.
globs = st.lists(
    st.sampled_from(["a", "b", ".", "*", "?", "[ab]", "[a-b]", "[]a]"]), min_size=1, max_size=4
).map("".join)
patterns = st.builds(
    lambda negated, anchored, parts, directory: (
        ("!" if negated else "") + ("/" if anchored else "") + "/".join(parts) + ("/" if directory else "")
    ),
    st.booleans(),
    st.booleans(),
    st.lists(globs | st.just("**"), min_size=1, max_size=4),
    st.booleans(),
)


@settings(max_examples=250)
@given(rules=st.lists(patterns, max_size=4), path=paths)
@example(["a/**", "!a/b"], "a/b/a")
def test_matching_agrees_with_the_reference(rules, path):
    # The reference lets `**/` at the end of a longer pattern fit a file; git does not.
    assume(not any(rule.endswith("**/") for rule in rules))
    fitting = [
        rule for rule in rules if pathspec.GitIgnoreSpec.from_lines([rule.removeprefix("!")]).match_file(path)
    ]

    assert matches(rules, path) is (bool(fitting) and not fitting[-1].startswith("!"))


def some_patterns(count):
    """Patterns of every kind, the same ones in every run."""
    chance = random.Random(20)
    pieces = ["a", "b", "a", "b", "*", "?", "[ab]", "[!a]", "[^b]", "[b-a]", "\\a", "**"]
    for _ in range(count):
        parts = [
            "".join(chance.choices(pieces, k=chance.choice((1, 1, 2, 3))))
            for _ in range(chance.choice((1, 2, 3)))
        ]
        yield chance.choice(("", "", "/")) + "/".join(parts) + chance.choice(("", "", "", "/"))


def test_single_patterns_agree_with_git(tmp_path):
    rules = "a/**/ **/ ** * / x[a a//b [!a] a[!x]b".split() + list(some_patterns(300))
    files = "a b a/b a/c b/a a/b/c a/x/b x/a/b ab a/ab axb aab/b/ab b/b/b/b".split()
    for number, rule in enumerate(rules):
        (tmp_path / f"{number}").mkdir()
        (tmp_path / f"{number}/.gitignore").write_text(f"{rule}\n")
    git = ["git", "-C", str(tmp_path)]
    subprocess.run([*git, "init", "-q"], check=True)
    asked = [f"{number}/{file}" for number in range(len(rules)) for file in files]
    told = subprocess.run(
        [*git, "check-ignore", "--no-index", "--stdin"],
        input="\n".join(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    ignored = set(told.stdout.split())
    wrong = [
        (rule, file)
        for number, rule in enumerate(rules)
        for file in files
        if matches([rule], file) != (f"{number}/{file}" in ignored)
    ]

    assert wrong == []


@settings(max_examples=150)
@given(rules=st.lists(st.text(max_size=12), max_size=3), path=st.text(max_size=12))
def test_no_pattern_and_no_path_makes_matching_fail(rules, path):
    assert matches(rules, path) in (True, False)


@pytest.mark.parametrize(
    "pattern", ["*a" * 100 + "b", "**/" * 60 + "b", "a*" * 60 + "/" + "*a" * 60, "**/*a/" * 30 + "b"]
)
def test_no_pattern_can_make_matching_slow(pattern):
    start = time.process_time()
    matches([pattern], "a" * 1000)
    matches([pattern], "a/" * 500 + "a")

    assert time.process_time() - start < 1.0


def test_valid_patterns_come_back_once_each_in_order():
    assert validated(["src/**", " docs/ ", "src/**"]) == ("src/**", "docs/")


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("", "cannot match anything"),
        ("/", "cannot match anything"),
        ("a[b", "cannot match anything"),
        ("a\\", "cannot match anything"),
        ("# note", "is a comment"),
        ("../x", "leaves the project"),
        ("!a/../x", "leaves the project"),
        ("a\tb\x00", "cannot be printed"),
        ("a" * (LONGEST_PATTERN + 1), "is longer than"),
    ],
)
def test_a_pattern_that_could_never_work_is_refused_with_the_reason(pattern, words):
    with pytest.raises(InvalidInput, match=words):
        validated([pattern])


def test_too_many_patterns_are_refused():
    with pytest.raises(InvalidInput, match="at most 32 patterns, not 33"):
        validated(["a"] * 33)


@pytest.mark.parametrize("pattern", ["**/" * 85, "**/" * 80 + "x", "a/" + "**/" * 80 + "b"])
def test_any_depth_again_and_again_is_any_depth_once(pattern):
    rule = scopes._cached_pattern(pattern)
    once = re.sub(r"(\*\*/)+", "**/", pattern)

    assert rule is not None
    assert len(rule.segments) <= 3
    for path in ("x", "a/b", "a/c/d/b", "a/c/d/x", "c/"):
        assert matches([pattern], path) == matches([once], path)


def test_braces_of_very_many_choices_are_not_written_out():
    glob = "{" + "," * 10_000 + "}" + "x" * 10_000
    assert scopes.without_braces(glob) == [glob]
