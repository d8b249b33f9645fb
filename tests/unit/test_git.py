import os
import subprocess
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_layer.surroundings.git import head_commit, locate
from memory_layer.surroundings.remotes import normalised, origin
from tests.clean_git import CLEAN


def git(folder, *arguments):
    done = subprocess.run(
        ["git", "-c", "protocol.file.allow=always", "-C", str(folder), *arguments],
        env=CLEAN,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.fixture
def base(tmp_path):
    return Path(os.path.realpath(tmp_path))


@pytest.fixture
def repository(base):
    """A repository called `api` with one commit and no remote."""
    return a_repository(base / "api")


def a_repository(folder, *options):
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main", *options)
    (folder / "a.txt").write_text("a\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "first")
    return folder


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("git@github.com:Owner/Repo.git", "github.com/owner/repo"),
        ("github.com:Owner/Repo", "github.com/owner/repo"),
        ("https://github.com/Owner/Repo", "github.com/owner/repo"),
        ("https://github.com/owner/repo.git/", "github.com/owner/repo"),
        ("https://user:token@GitHub.com/Owner/Repo.git", "github.com/owner/repo"),
        ("https://ghp_token@github.com/Owner/Repo.git", "github.com/owner/repo"),
        ("https://user:p@ss@github.com/Owner/Repo.git", "github.com/owner/repo"),
        ("https://github.com:443/Owner/Repo.git?access_token=t", "github.com/owner/repo"),
        ("ssh://git@github.com:22/Owner/Repo", "github.com/owner/repo"),
        ("ssh://git@ssh.github.com:443/Owner/Repo.git", "github.com/owner/repo"),
        ("git://github.com/owner/repo", "github.com/owner/repo"),
        ("git@Git.Example.org:Team/Repo.git", "git.example.org/Team/Repo"),
        ("ssh://git@git.example.org:2222/Team/Repo.git", "git.example.org/Team/Repo"),
        ("https://git.example.org:8443/Team/Repo", "git.example.org:8443/Team/Repo"),
        ("https://git.example.org/~anna/Repo", "git.example.org/~anna/Repo"),
        ("ssh://git@[::1]:22/srv/repo.git", "[::1]/srv/repo"),
        ("/srv/git/api.git", "/srv/git/api.git"),
        ("file:///srv/git/api.git", "/srv/git/api.git"),
        ("../other", "/work/other"),
    ],
)
def test_one_repository_has_one_key_however_its_address_is_spelled(address, key):
    assert normalised(address, "/work/project") == key


@pytest.mark.parametrize(
    "address",
    [
        "",
        "https://",
        "https://host",
        "https://host/.git",
        "https://host:port/a",
        "https://host/a/../b",
        "https://user:pa/ss@host/a",
        "https://user:12/ss@host/a",
        "https://user:pa?ss@host/a",
        "https://user:12#ss@host/a",
        "https://tok/en@host/a",
        "https:/user:pw@host/a",
        "user:pw@host:a/b",
        "token@host/a/b",
        "ext::sh -c secret",
        "codecommit://profile@repo",
        "file://user:pw@host/a",
        "https://host/a\nb",
        "https://host/" + "a" * 2000,
    ],
)
def test_an_address_that_cannot_be_read_safely_gives_no_key(address):
    assert normalised(address, "/work/project") is None


secrets = st.text(st.characters(min_codepoint=33, max_codepoint=0x2FF), min_size=8, max_size=20)


@settings(max_examples=300)
@given(
    scheme=st.sampled_from(["https", "http", "ssh", "git", "HTTPS", "git+ssh"]),
    user=st.sampled_from(["", "user", "oauth2", "x-access-token"]),
    secret=secrets,
    rest=st.sampled_from(["github.com/Owner/Repo.git", "host:8443/a/b", "[::1]/a", "github.com"]),
)
@example("https", "user", "1234/5678", "github.com/a/b")
@example("https", "", "secret/@/secret", "github.com/a/b")
@example("https", "user", "123#456?789", "host/a")
def test_a_password_never_shows_in_a_key(scheme, user, secret, rest):
    key = normalised(f"{scheme}://{user}:{secret}@{rest}", "/work/project")

    assert key in (
        None,
        "github.com/owner/repo",
        "github.com/a/b",
        "host:8443/a/b",
        "host/a/b",
        "host/a",
        "[::1]/a",
    )


@settings(max_examples=300)
@given(st.text(max_size=60) | st.text("abc:/@.[]#?\\~-1", max_size=30))
def test_no_address_makes_normalising_fail(address):
    key = normalised(address, "/work/project")

    assert key is None or key


@settings(max_examples=200)
@example(host="git.org", path="000 ?")
@given(
    host=st.from_regex(r"[a-z][a-z0-9-]{1,10}\.org", fullmatch=True),
    path=st.from_regex(r"[A-Za-z0-9/_-]{3,30}"),
)
def test_a_key_is_its_own_normal_form(host, path):
    key = normalised(f"https://{host}/{path}")

    assert key is None or normalised(f"https://{key}") == key


@pytest.mark.parametrize(
    ("config", "address"),
    [
        ('[remote "origin"]\n\turl = a:b/c\n', "a:b/c"),
        ('[remote "origin"] url = a:b/c', "a:b/c"),
        ('[REMOTE "origin"]\nURL=a:b/c # why\n', "a:b/c"),
        ("[remote.Origin]\nurl = a:b/c", "a:b/c"),
        ('[remote "origin"]\nurl = "a:b;c" ; why', "a:b;c"),
        ('[remote "origin"]\nurl = a:b/\\\n  c', "a:b/  c"),
        ('[remote "origin"]\nurl = C:\\\\x\\\\y', "C:\\x\\y"),
        ('[remote "Origin"]\nurl = a:b/c', None),
        ('[remote "upstream"]\nurl = a:b/c\n[branch "main"]\nremote = origin', None),
        ('[remote "origin"]\nurl = first\nurl = second', "first"),
        ('#[remote "origin"]\nurl = a', None),
        ("\x00[[[", None),
    ],
)
def test_the_address_of_origin_is_read_as_git_reads_it(tmp_path, config, address):
    file = tmp_path / "config"
    file.write_bytes(config.encode())

    assert origin(str(file)) == address


def test_what_git_writes_can_be_read_back(repository):
    for address in ("https://h.org/a b", 'h.org:a"b', "h.org:a#b;c", "h.org:a\\b"):
        git(repository, "config", "remote.origin.url", address)

        assert origin(str(repository / ".git/config")) == address


def test_an_included_file_may_hold_the_address(repository):
    (repository / ".git/more").write_text('[remote "origin"]\nurl = git@github.com:a/api.git')
    git(repository, "config", "include.path", "more")

    assert locate(repository).key == "github.com/a/api"


def test_a_file_outside_the_repository_is_not_included(repository, base):
    (base / "private").write_text('[remote "origin"]\nurl = git@github.com:a/private.git')
    (repository / "link").symlink_to(base / "private")
    for way in (str(base / "private"), "../../private", "../link"):
        git(repository, "config", "include.path", way)

        assert locate(repository).key == f"{repository}/.git"


def test_a_repository_with_origin_is_known_by_its_address(repository):
    git(repository, "remote", "add", "origin", "git@github.com:Owner/API.git")
    (repository / "src").mkdir()
    place = locate(repository / "src")

    assert (place.root, place.key, place.name) == (repository, "github.com/owner/api", "api")
    assert place.aliases == (f"{repository}/.git", str(repository))
    assert place.common_dir == repository / ".git"


def test_a_file_belongs_to_the_repository_around_it(repository):
    assert locate(repository / "a.txt") == locate(repository) == locate(repository / ".git" / "hooks")


def test_a_repository_without_origin_is_known_by_its_git_directory(repository):
    git(repository, "remote", "add", "upstream", "git@github.com:Owner/API.git")
    place = locate(repository)

    assert (place.key, place.aliases, place.name) == (f"{repository}/.git", (str(repository),), "api")


def test_two_repositories_called_api_are_two_projects(base):
    one, other = a_repository(base / "one" / "api"), a_repository(base / "other" / "api")

    assert locate(one).name == locate(other).name == "api"
    assert locate(one).key != locate(other).key


def test_a_folder_outside_git_is_its_own_project_and_stays_known_when_it_becomes_a_repository(base):
    folder = base / "notes"
    folder.mkdir()
    before = locate(folder)
    git(folder, "init", "-q")

    assert (before.key, before.aliases, before.common_dir) == (str(folder), (), None)
    assert before.key in locate(folder).aliases


def test_every_key_a_repository_ever_had_leads_to_it_when_the_remote_comes_or_goes_or_is_renamed(repository):
    plain = locate(repository)
    git(repository, "remote", "add", "origin", "https://github.com/a/api")
    named = locate(repository)
    git(repository, "remote", "set-url", "origin", "https://github.com/a/api-two")
    renamed = locate(repository)
    git(repository, "remote", "rename", "origin", "elsewhere")

    assert plain.key in named.aliases
    assert plain.key in renamed.aliases
    assert renamed.name == "api-two"
    assert locate(repository) == plain


def test_worktrees_share_the_project_and_have_their_own_root_and_commit(repository, base):
    git(repository, "worktree", "add", "-q", "-b", "side", str(base / "elsewhere"))
    (base / "elsewhere" / "b.txt").write_text("b\n")
    git(base / "elsewhere", "add", ".")
    git(base / "elsewhere", "commit", "-q", "-m", "second")
    main, side = locate(repository), locate(base / "elsewhere")

    assert (side.key, side.aliases, side.name) == (main.key, main.aliases, "api")
    assert side.root == base / "elsewhere"
    assert head_commit(side) == git(base / "elsewhere", "rev-parse", "HEAD")
    assert head_commit(main) == git(repository, "rev-parse", "HEAD")
    assert head_commit(main) != head_commit(side)


def test_a_submodule_is_a_project_of_its_own(repository, base):
    library = a_repository(base / "library")
    git(repository, "submodule", "add", "-q", str(library), "vendor/library")
    inner = locate(repository / "vendor" / "library")

    assert inner.root == repository / "vendor" / "library"
    assert inner.key == locate(library).key
    assert inner.common_dir == repository / ".git/modules/vendor/library"
    assert head_commit(inner) == git(library, "rev-parse", "HEAD")


def test_a_clone_and_its_local_origin_are_one_project(repository, base):
    git(base, "clone", "-q", str(repository), "copy")
    git(base, "clone", "-q", "--bare", str(repository), "bare.git")
    git(base, "clone", "-q", "bare.git", "third")

    assert locate(base / "copy").key == locate(repository).key
    assert locate(base / "third").key == str(base / "bare.git")
    assert locate(base / "third").name == "bare"


def test_a_bare_repository_and_its_worktrees_are_one_project(base):
    git(base, "clone", "-q", "--bare", str(a_repository(base / "seed")), "api.git")
    git(base / "api.git", "remote", "remove", "origin")
    git(base / "api.git", "worktree", "add", "-q", str(base / "tree"), "main")
    bare, tree = locate(base / "api.git"), locate(base / "tree")

    assert (bare.key, bare.name) == (tree.key, tree.name) == (str(base / "api.git"), "api")
    assert head_commit(bare) == head_commit(tree) == git(base / "seed", "rev-parse", "HEAD")


def test_a_git_directory_kept_elsewhere_is_followed(base):
    (base / "stores").mkdir()
    folder = a_repository(base / "app", "--separate-git-dir", str(base / "stores" / ".git"))
    place = locate(folder)

    assert (place.key, place.aliases, place.name) == (f"{base}/stores/.git", (str(folder),), "app")
    assert head_commit(place) == git(folder, "rev-parse", "HEAD")


def test_a_link_to_a_repository_leads_to_the_same_project(repository, base):
    (base / "link").symlink_to(repository)

    assert locate(base / "link") == locate(repository)


def test_the_variables_git_itself_obeys_change_nothing(repository, base, monkeypatch):
    other = a_repository(base / "other")
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))

    assert locate(repository).root == repository


@pytest.mark.parametrize("damage", ["empty folder", "dangling file", "pipe", "garbage", "loop"])
def test_a_broken_git_entry_never_hangs_or_fails(base, damage):
    folder = base / "broken"
    folder.mkdir()
    entry = folder / ".git"
    if damage == "empty folder":
        entry.mkdir()
    elif damage == "pipe":
        os.mkfifo(entry)
    elif damage == "loop":
        entry.symlink_to(entry)
    else:
        entry.write_bytes(b"gitdir: /nowhere\n" if damage == "dangling file" else b"\xff\x00")

    assert locate(folder).key == str(folder)
    assert head_commit(locate(folder)) is None


def test_pipes_among_gits_files_never_hang(repository):
    for name in ("config", "HEAD", "packed-refs", "commondir"):
        (repository / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(repository / ".git" / name)
    (repository / ".git" / "HEAD").unlink()
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/none")

    assert head_commit(locate(repository)) is None


def test_a_folder_whose_name_is_not_utf8_has_a_key_that_can_be_stored(base):
    folder = os.path.join(os.fsencode(base), b"caf\xe9")
    os.mkdir(folder)

    assert locate(Path(os.fsdecode(folder))).key.encode() == os.fsencode(base) + b"/caf\\xe9"


def test_a_path_that_does_not_exist_is_no_error(base):
    assert locate(base / "not" / "there").key == f"{base}/not/there"


def test_the_commit_is_found_loose_packed_or_detached(repository):
    commit = git(repository, "rev-parse", "HEAD")
    place = locate(repository)
    found = [head_commit(place)]
    git(repository, "pack-refs", "--all")
    found.append(head_commit(place))
    git(repository, "checkout", "-q", "--detach")
    found.append(head_commit(place))

    assert found == [commit] * 3


def test_longer_hashes_are_commits_too(base):
    folder = a_repository(base / "new", "--object-format=sha256")

    assert head_commit(locate(folder)) == git(folder, "rev-parse", "HEAD")
    assert len(head_commit(locate(folder)) or "") == 64


@pytest.mark.parametrize(
    "head", ["", "ref: refs/heads/.invalid", "ref: refs/../../../secret", "ref: /etc/passwd", "x"]
)
def test_without_a_readable_commit_there_is_none(repository, head):
    (repository / ".git/HEAD").write_text(head)

    assert head_commit(locate(repository)) is None


def test_a_reference_that_leads_in_a_circle_ends(repository):
    (repository / ".git/refs/heads/main").write_text("ref: refs/heads/main")

    assert head_commit(locate(repository)) is None


def test_before_the_first_commit_there_is_none(base):
    folder = base / "fresh"
    folder.mkdir()
    git(folder, "init", "-q")

    assert head_commit(locate(folder)) is None


def test_a_huge_configuration_is_not_worth_waiting_for(repository):
    file = repository / ".git/config"
    file.write_text('[include]\npath = config\n[remote "x"]\n' * 6000)
    start = time.process_time()

    assert locate(repository).key == f"{repository}/.git"
    assert time.process_time() - start < 2.0


def test_a_pointer_with_a_nul_byte_leads_nowhere(base):
    folder = base / "odd"
    folder.mkdir()
    (folder / ".git").write_bytes(b"gitdir: a\0b\n")

    assert locate(folder).key == str(folder)
    assert head_commit(locate(folder)) is None


def test_a_shared_directory_with_a_nul_byte_counts_as_none(repository):
    (repository / ".git" / "commondir").write_bytes(b"a\0b\n")

    assert locate(repository).root == repository


@pytest.mark.parametrize("path", ["a\0b", "/a\0b", "\ud800", "a" * 5000, "~nobody/x"])
def test_a_path_no_file_can_have_is_no_error(path):
    assert locate(Path(path)).key.encode()


def test_a_relative_path_in_a_removed_folder_is_no_error(base, monkeypatch):
    (base / "gone").mkdir()
    monkeypatch.chdir(base / "gone")
    (base / "gone").rmdir()

    assert locate(Path("x")).key == "/x"


@pytest.mark.parametrize("name", ["data", "data.git"])
def test_files_committed_to_look_like_a_git_directory_are_not_another_project(repository, name):
    fake = repository / "src" / name
    (fake / "objects").mkdir(parents=True)
    (fake / "HEAD").write_text("ref: refs/heads/main\n")
    (fake / "config").write_text('[remote "origin"]\nurl = git@github.com:victim/api.git\n')

    assert locate(fake) == locate(fake / "objects") == locate(repository)


def test_the_git_directory_of_a_submodule_is_still_that_project(repository, base):
    library = a_repository(base / "library")
    git(repository, "submodule", "add", "-q", str(library), "vendor/library")

    assert locate(repository / ".git/modules/vendor/library").key == locate(library).key
