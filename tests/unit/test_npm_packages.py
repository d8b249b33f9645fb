"""Packages of the npm registry are installed as the lock says, or not at all."""

from __future__ import annotations

import base64
import hashlib
import io
import json
import tarfile
from pathlib import Path

import pytest

from npm.packages import LOCK, MANIFEST, Packages, packages

ARCHIVE = "lighthouse-1.0.0.tgz"


@pytest.fixture
def lent(tmp_path):
    """A set of one package, whose archive lies where it is to be installed."""
    made = Packages(tmp_path / "pinned", tmp_path / "home")
    for folder in made:
        folder.mkdir()
    described = json.dumps({"name": "lighthouse", "version": "1.0.0", "bin": {"light": "light.js"}})
    _packed(made.home / ARCHIVE, {"package.json": described, "light.js": "console.log('lit')\n"})
    _pinned(made, hashlib.sha512((made.home / ARCHIVE).read_bytes()).digest())
    return made


def _packed(archive: Path, files: dict[str, str]) -> None:
    with tarfile.open(archive, "w:gz") as packing:
        for name, text in files.items():
            member = tarfile.TarInfo(f"package/{name}")
            member.size = len(text.encode())
            packing.addfile(member, io.BytesIO(text.encode()))


def _pinned(made: Packages, digest: bytes) -> None:
    asked = {"dependencies": {"lighthouse": f"file:{ARCHIVE}"}}
    entry = {
        "version": "1.0.0",
        "resolved": f"file:{ARCHIVE}",
        "integrity": f"sha512-{base64.b64encode(digest).decode()}",
        "bin": {"light": "light.js"},
    }
    lock = {"lockfileVersion": 3, "requires": True, "packages": {"": asked, "node_modules/lighthouse": entry}}
    (made.pinned / MANIFEST).write_text(json.dumps(asked))
    (made.pinned / LOCK).write_text(json.dumps(lock))


def test_what_is_pinned_is_installed_once_and_again_when_the_lock_changes(lent):
    before = lent.installed
    lent.install()
    program = Path(lent.command("light")[1])
    program.unlink()
    lent.install()

    assert (before, lent.installed, program.exists()) == (False, True, False)

    lock = lent.pinned / LOCK
    lock.write_text(lock.read_text() + "\n")

    assert not lent.installed
    lent.install()
    assert program.exists()


def test_an_archive_with_another_hash_is_not_installed_and_the_sentence_says_so(lent):
    _pinned(lent, hashlib.sha512(b"what was measured with").digest())

    with pytest.raises(
        SystemExit, match=r"^npm could not install what npm/home pins: EINTEGRITY: .*sha512.*$"
    ):
        lent.install()
    assert not lent.installed


def test_the_versions_are_those_of_the_manifest():
    assert packages("tokenizers").versions()["gpt-tokenizer"] == "4.0.0"
