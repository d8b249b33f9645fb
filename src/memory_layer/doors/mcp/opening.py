"""The opening of a conversation: what clients ask first, answered without the SDK, byte for byte as it would.

Only messages of the usual form are answered here. Whatever else comes, and whatever follows it, is for the server on
the SDK; it gets the lines that decide what it thinks of the client, so that it is where it would be otherwise.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from memory_layer.doors.mcp.static_answers import (
    HANDSHAKE_VERSIONS,
    LISTS,
    MODERN_VERSION,
    discover_result,
    handshake_result,
    modern,
    older,
)

if TYPE_CHECKING:
    from memory_layer.doors.mcp.limits import Shape
    from memory_layer.doors.mcp.serving import Serving

#: The id under which the server gets the first request, already answered; no client can use it by chance.
REPEATED = f"memory-layer/opening/{os.urandom(16).hex()}"
LONGEST = 8_000  #: characters of a line that is read here
MOST_BRACKETS = 100  #: in such a line, so that no parser finds it too deep
_RESERVED = "io.modelcontextprotocol/"
_VERSION, _CLIENT, _CAPABILITIES = (
    f"{_RESERVED}{name}" for name in ("protocolVersion", "clientInfo", "clientCapabilities")
)
_MEMBERS = {"jsonrpc", "id", "method", "params"}
_OPEN = ("experimental", "extensions")  #: capabilities with names and contents of anybody's choice


class Opening:
    """The messages of a client so far, as long as all of them could be answered here."""

    def __init__(self, serving: Serving) -> None:
        self._serving = serving
        self._version = ""  #: of the protocol; decided by the first request
        self.kept: list[str] = []  #: lines that the server has to know
        self.has_tools = False  #: the client has the list of tools

    def answer(self, line: str) -> str | None:
        """Return the line that answers a line, empty if none is due; None if only the SDK can tell."""
        message = _message(line)
        if message is None:
            return None
        method, params = message["method"], message.get("params", {})
        if "id" not in message:
            return self._take_note(method, params, line)
        result = self._result(method, params)
        if result is None:
            return None
        if not self.kept:
            self.kept.append(_written(message | {"id": REPEATED}))
        self.has_tools = self.has_tools or method == "tools/list"
        return _written({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def _take_note(self, method: str, params: Shape, line: str) -> str | None:
        expected = method == "notifications/initialized" and self._version in HANDSHAKE_VERSIONS
        if not expected or params or len(self.kept) != 1:
            return None
        self.kept.append(line)
        return ""

    def _result(self, method: str, params: Shape) -> Shape | None:
        if method == "initialize":
            return None if self._version else self._greet(params)
        return (
            self._older(method, params)
            if self._version in HANDSHAKE_VERSIONS
            else self._newer(method, params)
        )

    def _greet(self, params: Shape) -> Shape | None:
        version = params.get("protocolVersion")
        if version not in HANDSHAKE_VERSIONS or not _is_greeting(params):
            return None
        self._version = version
        return handshake_result(self._serving, version)

    def _older(self, method: str, params: Shape) -> Shape | None:
        if method not in ("ping", *LISTS) or not _is_plain(params):
            return None
        return {} if method == "ping" else older(LISTS[method](self._serving))

    def _newer(self, method: str, params: Shape) -> Shape | None:
        if method not in ("server/discover", *LISTS) or not _is_enveloped(params):
            return None
        self._version = MODERN_VERSION
        return modern({"server/discover": discover_result, **LISTS}[method](self._serving), method)


def _message(line: str) -> Shape | None:
    """Parse a request or notification; None for other lines, and for those that parsers may disagree on."""
    if len(line) > LONGEST or "\\" in line or sum(map(line.count, "[{")) > MOST_BRACKETS:
        return None
    try:
        message = json.loads(line)
    except ValueError:
        return None
    if not isinstance(message, dict) or not message.keys() <= _MEMBERS or message.get("jsonrpc") != "2.0":
        return None
    usual = isinstance(message.get("method"), str) and isinstance(message.get("params", {}), dict)
    return message if usual and type(message.get("id", "")) in (int, str) else None


def _written(message: Shape) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n"


def _is_greeting(params: Shape) -> bool:
    """Return whether these are valid parameters of `initialize`, without anything unusual."""
    return (
        params.keys() == {"protocolVersion", "capabilities", "clientInfo"}
        and _is_client(params["clientInfo"])
        and _are_capabilities(params["capabilities"])
    )


def _is_enveloped(params: Shape) -> bool:
    """Return whether the parameters are nothing but a valid envelope of the newer era."""
    meta = params.get("_meta")
    if not _is_page(params) or not isinstance(meta, dict) or meta.get(_VERSION) != MODERN_VERSION:
        return False
    named = {name: value for name, value in meta.items() if name not in (_VERSION, _CLIENT, _CAPABILITIES)}
    return _is_meta(named) and _is_client(meta.get(_CLIENT)) and _are_capabilities(meta.get(_CAPABILITIES))


def _is_plain(params: Shape) -> bool:
    """Return whether the parameters are those of a list in the older era."""
    return _is_page(params) and _is_meta(params.get("_meta", {}))


def _is_page(params: Shape) -> bool:
    """Return whether the parameters ask for the first page, which has everything."""
    return params.keys() <= {"_meta", "cursor"} and params.get("cursor") is None


def _is_meta(meta: Any) -> bool:
    """Return whether this is metadata without a meaning for us."""
    if not isinstance(meta, dict) or any(name.startswith(_RESERVED) for name in meta):
        return False
    tokens = [meta[name] for name in ("progressToken", "progress_token") if name in meta]
    return all(type(token) in (int, str) for token in tokens)


def _is_client(info: Any) -> bool:
    if not isinstance(info, dict) or not {"name", "version"} <= info.keys() or "icons" in info:
        return False
    return all(isinstance(value, str) for value in info.values())


def _are_capabilities(value: Any) -> bool:
    return isinstance(value, dict) and all(_is_capability(*each) for each in value.items())


def _is_capability(name: str, value: Any) -> bool:
    if name in _OPEN:
        return isinstance(value, dict) and all(isinstance(each, dict) for each in value.values())
    if name == "roots" and value in ({"listChanged": True}, {"listChanged": False}):
        return True
    return isinstance(value, dict) and all(_is_capability("", each) for each in value.values())
