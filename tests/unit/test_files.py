import os
import socket
import subprocess
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memory_layer.errors import InvalidInput
from memory_layer.model.sources import lines_hash, lines_of
from memory_layer.surroundings.files import LARGEST_FILE, LONGEST_EXCERPT, cite
from memory_layer.surroundings.git import locate
from memory_layer.surroundings.git_objects import content_at


@pytest.fixture
def root(tmp_path):
    folder = Path(os.path.realpath(tmp_path)) / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src/app.py").write_bytes(b"one\ntwo \nthree\nfour\n")
    return folder


@pytest.fixture
def place(root):
    return locate(root)


def digest(content):
    return sha256(content).hexdigest()


def test_cited_lines_are_remembered_with_their_hash_and_an_excerpt(place):
    found = cite("src/app.py:2-3", place)

    assert (found.path, found.first_line, found.last_line) == ("src/app.py", 2, 3)
    assert found.lines_hash == digest(b"two \nthree")
    assert found.excerpt == "two \nthree"
    assert found.commit is found.url is None


def test_one_line_is_a_range_of_one(place):
    found = cite("src/app.py:4", place)

    assert (found.first_line, found.last_line, found.excerpt) == (4, 4, "four")


def test_a_file_can_be_cited_whole(place):
    found = cite("src/app.py", place)

    assert found.first_line is found.last_line is None
    assert found.lines_hash == digest(b"one\ntwo \nthree\nfour")
    assert found.excerpt == "one\ntwo \nthree\nfour"


def test_line_endings_do_not_change_the_hash_but_trailing_spaces_do(root, place):
    before = cite("src/app.py:2-3", place).lines_hash
    (root / "src/app.py").write_bytes(b"one\r\ntwo \r\nthree\r\nfour")
    windows = cite("src/app.py:2-3", place).lines_hash
    (root / "src/app.py").write_bytes(b"one\ntwo\nthree\nfour\n")

    assert before == windows
    assert cite("src/app.py:2-3", place).lines_hash != before


@pytest.fixture
def git(root):
    """A repository with one commit of everything."""

    def run(*arguments):
        named = ["git", "-C", str(root), "-c", "user.name=A", "-c", "user.email=a@example.org"]
        return subprocess.run([*named, *arguments], check=True, capture_output=True, text=True).stdout.strip()

    (root / "src/deep").mkdir()
    (root / "src/deep/long.txt").write_text("".join(f"line {number}\n" for number in range(2000)))
    run("init", "-q")
    run("add", ".")
    run("commit", "-q", "-m", "first")
    return run


def test_the_commit_is_the_one_checked_out(root, git):
    assert cite("src/app.py:1", locate(root)).commit == git("rev-parse", "HEAD")


def test_a_commit_is_named_only_if_it_holds_what_is_cited(root, git):
    head, place = git("rev-parse", "HEAD"), locate(root)
    (root / "src/new.py").write_text("new\n")
    (root / "src/app.py").write_bytes(b"one\r\nchanged\nthree\nfour\n")
    git("add", "src/new.py")
    (root / "picture.bin").write_bytes(b"\0\1")

    assert cite("src/new.py:1", place).commit is None
    assert cite("src/app.py:2", place).commit is None
    assert cite("src/app.py:1-2", place).commit is None
    assert cite("src/app.py", place).commit is None
    assert cite("picture.bin", place).commit is None
    assert cite("src/app.py:1", place).commit == cite("src/app.py:3-4", place).commit == head


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_a_commit_is_read_from_packs_of_deltas_too(root, git, kind):
    if kind == "sha256":
        subprocess.run(["rm", "-rf", str(root / ".git")], check=True)
        git("init", "-q", "--object-format=sha256")
    (root / "picture.bin").write_bytes(b"\0\1")
    long = root / "src/deep/long.txt"
    for step in range(6):
        long.write_text(long.read_text().replace(f"line {step * 300}\n", f"changed {step}\nand more\n"))
        git("add", ".")
        git("commit", "-q", "-m", f"step {step}")
    git("gc", "-q", "--aggressive", "--prune=now")
    head, place = git("rev-parse", "HEAD"), locate(root)
    packed = git("verify-pack", "-v", *map(str, (root / ".git/objects/pack").glob("*.idx")))

    assert " 1 " in packed  # something is a delta
    assert cite("src/deep/long.txt", place).commit == cite("picture.bin", place).commit == head
    old = git("rev-parse", "HEAD~5")
    (root / ".git/HEAD").write_text(f"{old}\n")
    assert cite("src/deep/long.txt:1-2", place).commit == old
    assert cite("src/deep/long.txt", place).commit is None


def test_a_worktree_and_a_borrowed_store_of_objects_are_read(root, git):
    git("worktree", "add", "-q", str(root.parent / "side"))
    git("clone", "-q", "--shared", str(root), str(root.parent / "borrowed"))

    for name in ("side", "borrowed"):
        assert cite("src/app.py:1", locate(root.parent / name)).commit == git("rev-parse", "HEAD")


def test_many_citations_of_a_file_look_into_the_commit_once(root, git):
    content_at.cache_clear()
    for line in range(1, 200):
        cite(f"src/deep/long.txt:{line}", locate(root))

    assert content_at.cache_info().misses == 1


@given(st.data())
@settings(max_examples=60, suppress_health_check=list(HealthCheck))
def test_spoiled_objects_give_no_commit_and_no_error(root, git, data):
    spoiled = sorted(path for path in (root / ".git/objects").rglob("*") if path.is_file())
    file = data.draw(st.sampled_from(spoiled))
    before = file.read_bytes()
    file.chmod(0o600)
    place = data.draw(st.integers(0, len(before) - 1))
    file.write_bytes(before[:place] + data.draw(st.binary(max_size=8)) + before[place + 4 :])
    content_at.cache_clear()

    assert cite("src/app.py:1", locate(root)).commit in (None, git("rev-parse", "HEAD"))
    file.write_bytes(before)


def test_a_path_is_relative_to_the_working_directory_then_to_the_root_or_absolute(root, place):
    (root / "app.py").write_text("other")

    assert cite("app.py", place, root / "src").path == "src/app.py"
    assert cite("app.py", place).path == "app.py"
    assert cite("src/app.py", place, root / "src").path == "src/app.py"
    assert cite("src/app.py", place, root.parent).path == "src/app.py"
    assert cite("../app.py", place, root / "src").path == "app.py"
    assert cite(str(root / "src/app.py"), place).path == "src/app.py"


def test_a_link_inside_the_project_is_cited_by_what_it_leads_to(root, place):
    (root / "link.py").symlink_to("src/app.py")

    assert cite("link.py:1", place).path == "src/app.py"


@pytest.mark.parametrize(
    "reference", ["../secret.txt:1", "/etc/passwd", "src/../../secret.txt", "out.txt", "up/x", "."]
)
def test_a_citation_may_not_leave_the_project(root, place, reference):
    (root.parent / "secret.txt").write_text("secret")
    (root / "out.txt").symlink_to(root.parent / "secret.txt")
    (root / "up").symlink_to(root.parent)

    with pytest.raises(InvalidInput, match="is outside the project project"):
        cite(reference, place)


def test_a_project_beside_one_whose_name_begins_the_same_is_outside(root, place):
    (root.parent / "project-two").mkdir()
    (root.parent / "project-two/a.txt").write_text("a")

    with pytest.raises(InvalidInput, match="outside"):
        cite("../project-two/a.txt", place)


def test_only_regular_files_can_be_cited(root, place):
    os.mkfifo(root / "pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(root / "sock"))
    (root / "loop").symlink_to("loop")
    (root / ".git").mkdir()
    (root / ".git/config").write_text("secret")
    for reference, words in (
        ("pipe", "pipe is not a regular file"),
        ("sock", "sock is not a regular file"),
        ("src", "src is a directory"),
        ("none.py", "there is no file none.py in the project"),
        ("src/app.py/x", "cannot be read"),
        ("loop", "cannot be read"),
        (".git/config", "is part of git"),
        ("a" * 300, "cannot be read"),
    ):
        with pytest.raises(InvalidInput, match=words):
            cite(reference, place)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ("0", "lines are numbered from 1"),
        ("3-2", "no lines 3 to 2"),
        ("5", "has 4 lines, so line 5 cannot be cited"),
        ("1-999999999", "has 4 lines"),
    ],
)
def test_lines_have_to_be_there(place, lines, words):
    with pytest.raises(InvalidInput, match=words):
        cite(f"src/app.py:{lines}", place)


def test_a_large_file_is_refused(root, place):
    with open(root / "large", "wb") as file:
        file.truncate(LARGEST_FILE + 1)

    with pytest.raises(InvalidInput, match="larger than 5 MB"):
        cite("large", place)


def test_a_binary_file_is_cited_whole_and_without_excerpt(root, place):
    (root / "logo.png").write_bytes(b"\x89PNG\x00\r\n")
    found = cite("logo.png", place)

    assert (found.excerpt, found.lines_hash) == (None, digest(b"\x89PNG\x00\r\n"))
    with pytest.raises(InvalidInput, match="only be cited as a whole"):
        cite("logo.png:1", place)


def test_an_empty_file_can_be_cited_whole(root, place):
    (root / "empty").write_bytes(b"")

    assert cite("empty", place).lines_hash == digest(b"")
    assert cite("empty", place).excerpt is None


def test_an_excerpt_is_short_and_holds_nothing_a_terminal_obeys(root, place):
    (root / "wild.txt").write_bytes(b"\xef\xbb\xbf\x1b[31mred\x07\xff " + "ü".encode() * 1500)
    excerpt = cite("wild.txt:1", place).excerpt

    assert excerpt is not None
    assert excerpt.startswith("[31mred\ufffd ü")
    assert len(excerpt) == LONGEST_EXCERPT


def test_names_with_colons_and_drive_letters_are_paths(root, place):
    (root / "odd:name.txt").write_text("x")
    (root / "C:").mkdir()
    (root / "C:/app.py").write_text("x")

    assert cite("odd:name.txt:1", place).path == "odd:name.txt"
    assert (cite("C:/app.py:1", place).path, cite("C:/app.py", place).first_line) == ("C:/app.py", None)


@pytest.mark.parametrize(
    "address", ["https://example.org/a?b=c#d", "http://example.org", "HTTPS://example.org:8443/x"]
)
def test_an_address_is_kept_as_it_is(place, address):
    found = cite(f" {address} ", place)

    assert found.url == address
    assert found.path is found.commit is found.lines_hash is None


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("ftp://example.org/a", "only http and https"),
        ("file:///etc/passwd", "only http and https"),
        ("https://", "not a complete address"),
        ("https:///a", "not a complete address"),
        ("https://example.org/a b", "not a complete address"),
        ("https://user:pw@example.org/a", "must not contain a user name or password"),
        ("", "path or address"),
        ("a\x00b", "path or address"),
        ("https://example.org/" + "a" * 2000, "path or address"),
    ],
)
def test_an_address_that_is_not_a_plain_one_is_refused(place, address, words):
    with pytest.raises(InvalidInput, match=words) as caught:
        cite(address, place)

    assert "pw" not in str(caught.value)


@settings(max_examples=200)
@given(st.binary(max_size=60))
def test_lines_and_their_hash_do_not_depend_on_line_endings(content):
    unix = content.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n")

    assert lines_hash(lines_of(content)) == lines_hash(lines_of(unix))
    assert b"\n".join(lines_of(unix)) in (unix, unix[:-1])


@settings(max_examples=150)
@given(st.text(max_size=40) | st.text("ab/.:-0123\\~", max_size=20))
def test_a_reference_is_cited_or_refused_and_nothing_else(tmp_path_factory, reference):
    folder = tmp_path_factory.mktemp("any")
    (folder / "a").write_text("a\n")
    try:
        found = cite(reference, locate(folder))
    except InvalidInput:
        return

    assert found.url or found.path == "a"


def test_a_long_path_outside_the_project_is_not_repeated_at_length(place):
    with pytest.raises(InvalidInput, match="outside the project") as caught:
        cite("../" + "x" * 1900, place)

    assert len(str(caught.value)) < 300
