"""The page's size is what a browser loads."""

from __future__ import annotations

import pytest

from npm import page
from npm.packages import Packages
from npm.page import Sizes, TooLarge, measured

MANIFEST = {
    "index.html": {
        "file": "assets/index.js",
        "isEntry": True,
        "css": ["assets/index.css"],
        "imports": ["_shared", "_more"],
    },
    "_shared": {"file": "assets/shared.js"},
    "_more": {"file": "assets/more.js", "imports": ["_shared"], "css": ["assets/more.css"]},
    "src/views/Map.tsx": {"file": "assets/map.js"},
}
PACKED = {
    "index.html": 1,
    "theme.js": 2,
    "assets/index.js": 4,
    "assets/index.css": 8,
    "assets/shared.js": 16,
    "assets/more.js": 32,
    "assets/more.css": 64,
    "assets/map.js": 128,
}


def test_the_first_view_counts_each_file_once_and_no_file_of_another_view():
    assert measured(PACKED, MANIFEST) == Sizes(255, 127)


def test_a_page_beyond_its_budget_is_refused_and_leaves_nothing_built(tmp_path, monkeypatch):
    built = tmp_path / "built"

    def run(program: str, *arguments: str) -> None:
        if program == "vite":
            (built / ".vite").mkdir(parents=True)
            (built / "theme.js").write_text("")
            (built / "index.html").write_bytes(bytes(range(256)) * 2)
            (built / ".vite" / "manifest.json").write_text(
                '{"index.html": {"file": "index.html", "isEntry": true}}'
            )

    monkeypatch.setattr(page, "BUILT", built)
    monkeypatch.setattr(page, "_run", run)
    monkeypatch.setattr(Packages, "install", lambda packages: None)
    monkeypatch.setattr(page, "MOST_FIRST", 100)

    with pytest.raises(TooLarge, match="and 100 are allowed"):
        page.build()
    assert not built.exists()
