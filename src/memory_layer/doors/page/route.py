"""The route of the page: its files, and its first file for every address that the page itself understands."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import sha256

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from memory_layer.doors.http.access import PROGRAMS, READING, is_for_programs
from memory_layer.doors.page.files import ASSETS, INDEX, PageFile

HEALTH = "/health"  #: where programs ask too; for whoever asks for HTML it is a view
FOREVER = "public, max-age=31536000, immutable"
CHECKED = "no-cache"  #: kept, but asked about each time
NOT_BUILT = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Memory Layer</title>
<h1>The page is not built</h1>
<p>This is a working copy of the source. Run <code>make page</code> in it, then start <code>mem serve</code> again.</p>
<p>The REST interface works: <a href="/api/openapi.json">/api/openapi.json</a> describes it.</p>
</html>
"""


class PageRoute(BaseRoute):
    """Answer what is neither REST nor MCP."""

    def __init__(self, files: Mapping[str, PageFile]) -> None:
        self._files = files

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        own = (
            scope["type"] == "http"
            and scope["method"] in READING
            and scope["path"].startswith("/")
            and (not is_for_programs(scope["path"], (*PROGRAMS, HEALTH)) or _is_view_too(scope))
        )
        return (Match.FULL if own else Match.NONE), {}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._answer(scope["path"], Headers(scope=scope))(scope, receive, send)

    def _answer(self, path: str, headers: Headers) -> Response:
        file = self._files.get(path)
        if file is None and is_file_name(path):
            raise HTTPException(404)
        file = file or self._files.get(INDEX)
        if file is None:
            return Response(NOT_BUILT, 503, media_type="text/html")
        return _response(file, headers)


def is_file_name(path: str) -> bool:
    """Does an address name a file, and not a view? Ids in addresses of views may have dots."""
    return path.startswith(ASSETS) or ("." in path and path.count("/") == 1)


def _is_view_too(scope: Scope) -> bool:
    """Does a browser open the view of an address at which programs ask as well?"""
    return scope["path"] == HEALTH and "text/html" in Headers(scope=scope).get("accept", "")


def _response(file: PageFile, asked: Headers) -> Response:
    takes_gzip = "gzip" in asked.get("accept-encoding", "")
    content = file.packed if takes_gzip and file.packed is not None else file.content
    headers = {
        "Cache-Control": FOREVER if file.hashed else CHECKED,
        "ETag": f'"{sha256(content).hexdigest()[:16]}"',
        "Vary": "Accept-Encoding",
    }
    if asked.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    if content is file.packed:
        headers["Content-Encoding"] = "gzip"
    return Response(content, headers=headers, media_type=file.media_type)
