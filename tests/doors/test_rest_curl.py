"""The calls on the page about REST, made by the real curl."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence

import pytest

from docs import generate
from docs.curl import SHOWN_PORT, ShownServer

PAGE = generate.FOLDER / "reference" / "rest.md"


@pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl on this machine")
def test_the_real_curl_is_answered_as_the_page_says(monkeypatch, model_folder):
    program = shutil.which("curl")
    assert program is not None
    calls = []

    def curl(server: ShownServer, words: Sequence[str]) -> str:
        calls.append(words)
        moved = [word.replace(f"localhost:{SHOWN_PORT}", f"localhost:{server.port}") for word in words]
        return subprocess.run([program, "-sS", *moved], capture_output=True, text=True, check=True).stdout

    monkeypatch.setattr(ShownServer, "curl", curl)

    assert generate.current(PAGE, model_folder) == PAGE.read_text(encoding="utf-8")
    assert len(calls) > 10
