"""A model on loopback that follows a script, so that real agents run without an account or a network.

It speaks what agents speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini. It keeps no
state: the next step of the script follows from the number of tool results in the request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.agents.model_answers import Due, Events, Shape, anthropic, chat, gemini, responses

#: The ending of the path, and the form of the answer.
ANSWERS = {
    "/messages": anthropic,
    "/responses": responses,
    "/chat/completions": chat,
    "enerateContent": gemini,
}


@dataclass(frozen=True)
class Call:
    """A step: call the first offered tool whose name ends like this."""

    tool: str
    arguments: Shape


@dataclass(frozen=True)
class Say:
    """A step: say this, which ends the turn."""

    text: str


@dataclass(frozen=True)
class Decide:
    """All further steps: each follows from the texts of the request alone."""

    next: Callable[[list[str]], Call | Say]


Step = Call | Say | Decide


@dataclass
class Model:
    """The script of a model, and the requests that came."""

    steps: list[Step]
    requests: list[Shape] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def saw(self, text: str) -> bool:
        """Was a text in any request, however it was escaped?"""
        return any(text in each for request in self.requests for each in _texts(request))

    def texts(self) -> list[str]:
        """All texts of all requests."""
        return [text for request in self.requests for text in _texts(request)]

    def tools(self) -> set[str]:
        """The names of all tools that were offered."""
        return {name for request in self.requests for name in _tools(request)}

    def step(self, request: Shape) -> Due:
        """What the model does now: a tool's full name and arguments, or a text."""
        offered, done = _tools(request), _results(request)
        decides = bool(self.steps) and isinstance(self.steps[-1], Decide)
        if not offered or (done >= len(self.steps) and not decides):
            return "ok"
        step = self.steps[min(done, len(self.steps) - 1)]
        step = step.next(_texts(request)) if isinstance(step, Decide) else step
        if isinstance(step, Say):
            return step.text
        name = next((each for each in offered if each.endswith(step.tool)), None)
        return (name, step.arguments) if name else f"no tool {step.tool} in {sorted(offered)}"


@contextmanager
def serve(*steps: Step) -> Iterator[Model]:
    """Serve a script until the end of the block."""
    model = Model(list(steps))
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"model": model}))
    server.daemon_threads = True
    model.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    model: Model

    def log_message(self, *args: object) -> None:
        """Say nothing."""

    def do_HEAD(self) -> None:
        self._send(200, "application/json", b"")

    def do_GET(self) -> None:
        self._send(200, "application/json", b'{"data": [], "models": []}')

    def do_POST(self) -> None:
        request = json.loads(self._body() or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            return self._send(200, "application/json", b'{"input_tokens": 1, "totalTokens": 1}')
        answer = next((each for ending, each in ANSWERS.items() if path.endswith(ending)), None)
        if answer is None:
            return self._send(404, "application/json", b"{}")
        self.model.requests.append(request)
        streams = bool(request.get("stream")) or ":stream" in path
        self._reply(streams, *answer(self.model.step(request)))

    def _body(self) -> bytes:
        """Read a body of a known length, or one in chunks."""
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().partition(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return body

    def _reply(self, streams: bool, whole: Shape, events: Events) -> None:
        if not streams:
            return self._send(200, "application/json", json.dumps(whole).encode())
        lines = []
        for name, event in events:
            lines += [f"event: {name}\n"] if name else []
            lines.append(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n")
        self._send(200, "text/event-stream", "".join(lines).encode())

    def _send(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _texts(value: object) -> list[str]:
    """The texts inside a value; arguments that are JSON in a text are read too."""
    if isinstance(value, str):
        inner = _parsed(value) if value.startswith("{") else None
        return [value, *(_texts(inner) if isinstance(inner, dict) else [])]
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for part in parts for text in _texts(part)]


def _parsed(text: str) -> object:
    with suppress(ValueError):
        return json.loads(text)
    return None


def _tools(request: Shape) -> list[str]:
    names: list[str] = []
    for tool in request.get("tools") or []:
        for each in tool.get("functionDeclarations") or tool.get("tools") or [tool]:
            name = each.get("name") or each.get("function", {}).get("name") or each.get("type", "")
            names.append(f"{tool['name']}.{name}" if tool.get("type") == "namespace" else name)
    return names


def _results(request: Shape) -> int:
    """Count the tool results behind the newest prompt that a person typed."""
    count = 0
    for message in request.get("messages") or request.get("input") or request.get("contents") or []:
        parts = message.get("content") or message.get("parts") or []
        kinds = [part.get("type", "") for part in parts if isinstance(part, dict)]
        answered = sum("functionResponse" in part for part in parts if isinstance(part, dict))
        answered += kinds.count("tool_result") + str(message.get("type", "")).endswith("_output")
        answered += message.get("role") == "tool"
        count += answered
    return count
