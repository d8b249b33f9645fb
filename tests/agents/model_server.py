"""A model on loopback that follows a script, so that real agents run without an account or a network.

It speaks what agents speak: Anthropic Messages, OpenAI Responses, OpenAI Chat Completions and Gemini. It keeps no
state: the next step of the script follows from the number of tool results in the request.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Shape = dict[str, Any]


@dataclass(frozen=True)
class Call:
    """A step: call the first offered tool whose name ends like this."""

    tool: str
    arguments: Shape


@dataclass(frozen=True)
class Say:
    """A step: say this, which ends the turn."""

    text: str


Step = Call | Say


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
        return any(text in _all_text(request) for request in self.requests)

    def tools(self) -> set[str]:
        """The names of all tools that were offered."""
        return {name for request in self.requests for name in _tools(request)}

    def step(self, request: Shape) -> tuple[str, Shape] | str:
        """What the model does now: a tool's full name and arguments, or a text."""
        offered, done = _tools(request), _results(request)
        if not offered or done >= len(self.steps):
            return "ok"
        step = self.steps[done]
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
        request = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))) or b"{}")
        path = self.path.partition("?")[0]
        if path.endswith(("/count_tokens", ":countTokens")):
            return self._send(200, "application/json", b'{"input_tokens": 1, "totalTokens": 1}')
        if path.endswith("/messages"):
            self.model.requests.append(request)
            return self._reply(request, *_anthropic(self.model.step(request)))
        if path.endswith("/responses"):
            self.model.requests.append(request)
            return self._reply(request, *_responses(self.model.step(request)))
        if path.endswith("/chat/completions"):
            self.model.requests.append(request)
            return self._reply(request, *_chat(self.model.step(request)))
        if "generateContent" in path or "streamGenerateContent" in path:
            self.model.requests.append(request)
            streams = "stream" in path
            return self._reply({"stream": streams}, *_gemini(self.model.step(request)))
        self._send(404, "application/json", b"{}")

    def _reply(self, request: Shape, whole: Shape, events: list[tuple[str | None, Shape | str]]) -> None:
        if not request.get("stream"):
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


def _all_text(value: object) -> str:
    if isinstance(value, str):
        return value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return "\n".join(_all_text(each) for each in parts)


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


def _anthropic(step: tuple[str, Shape] | str) -> tuple[Shape, list[tuple[str | None, Shape | str]]]:
    if isinstance(step, str):
        block: Shape = {"type": "text", "text": step}
        empty: Shape = {"type": "text", "text": ""}
        delta = {"type": "text_delta", "text": step}
    else:
        block = {"type": "tool_use", "id": f"toolu_{_number()}", "name": step[0], "input": step[1]}
        empty = {**block, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(step[1])}
    usage = {"input_tokens": 1, "output_tokens": 1}
    ending = "end_turn" if isinstance(step, str) else "tool_use"
    whole = {
        "id": f"msg_{_number()}", "type": "message", "role": "assistant", "model": "scripted",
        "content": [block], "stop_reason": ending, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    events: list[tuple[str | None, Shape | str]] = [
        (
            "message_start",
            {"type": "message_start", "message": {**whole, "content": [], "stop_reason": None}},
        ),
        ("content_block_start", {"type": "content_block_start", "index": 0, "content_block": empty}),
        ("content_block_delta", {"type": "content_block_delta", "index": 0, "delta": delta}),
        ("content_block_stop", {"type": "content_block_stop", "index": 0}),
        (
            "message_delta",
            {
                "type": "message_delta",
                "delta": {"stop_reason": ending, "stop_sequence": None},
                "usage": usage,
            },
        ),
        ("message_stop", {"type": "message_stop"}),
    ]
    return whole, events


def _responses(step: tuple[str, Shape] | str) -> tuple[Shape, list[tuple[str | None, Shape | str]]]:
    if isinstance(step, str):
        said = [{"type": "output_text", "text": step, "annotations": []}]
        item: Shape = {
            "type": "message", "id": f"msg_{_number()}", "role": "assistant", "status": "completed", "content": said,
        }  # fmt: skip
    else:
        space, _, name = step[0].rpartition(".")
        item = {
            "type": "function_call", "id": f"fc_{_number()}", "call_id": f"call_{_number()}",
            "name": name, "arguments": json.dumps(step[1]), "status": "completed",
        }  # fmt: skip
        item |= {"namespace": space} if space else {}
    usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
    whole = {
        "id": f"resp_{_number()}",
        "object": "response",
        "status": "completed",
        "output": [item],
        "usage": usage,
    }
    events: list[tuple[str | None, Shape | str]] = [
        (
            "response.created",
            {"type": "response.created", "response": {**whole, "output": [], "usage": None}},
        ),
        (
            "response.output_item.added",
            {"type": "response.output_item.added", "output_index": 0, "item": item},
        ),
        ("response.output_item.done", {"type": "response.output_item.done", "output_index": 0, "item": item}),
        ("response.completed", {"type": "response.completed", "response": whole}),
    ]
    return whole, events


def _chat(step: tuple[str, Shape] | str) -> tuple[Shape, list[tuple[str | None, Shape | str]]]:
    message: Shape = {"role": "assistant", "content": step if isinstance(step, str) else None}
    if not isinstance(step, str):
        function = {"name": step[0], "arguments": json.dumps(step[1])}
        message["tool_calls"] = [
            {"index": 0, "id": f"call_{_number()}", "type": "function", "function": function}
        ]
    ending = "stop" if isinstance(step, str) else "tool_calls"
    head = {"id": f"chat_{_number()}", "created": 1, "model": "scripted"}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choice = {"index": 0, "message": message, "finish_reason": ending}
    whole = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
    chunk = {**head, "object": "chat.completion.chunk"}
    events: list[tuple[str | None, Shape | str]] = [
        (None, {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        (None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": ending}], "usage": usage}),
        (None, "[DONE]"),
    ]
    return whole, events


def _gemini(step: tuple[str, Shape] | str) -> tuple[Shape, list[tuple[str | None, Shape | str]]]:
    part = {"text": step} if isinstance(step, str) else {"functionCall": {"name": step[0], "args": step[1]}}
    usage = {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}
    candidate = {"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}
    whole = {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "scripted"}
    return whole, [(None, whole)]


_numbers = iter(range(1, 10**9))
_guard = threading.Lock()


def _number() -> str:
    with _guard:
        return f"{next(_numbers):06}"
