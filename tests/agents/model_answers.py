"""Answers of a model in the four forms that agents understand: each whole, and as a stream of events."""

from __future__ import annotations

import json
import threading
from typing import Any

Shape = dict[str, Any]
Due = tuple[str, Shape] | str  #: a tool's full name and its arguments, or a text
Events = list[tuple[str | None, Shape | str]]
Answer = tuple[Shape, Events]


def anthropic(step: Due) -> Answer:
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
    events: Events = [
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


def responses(step: Due) -> Answer:
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
    events: Events = [
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


def chat(step: Due) -> Answer:
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
    events: Events = [
        (None, {**chunk, "choices": [{"index": 0, "delta": message, "finish_reason": None}]}),
        (None, {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": ending}], "usage": usage}),
        (None, "[DONE]"),
    ]
    return whole, events


def gemini(step: Due) -> Answer:
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
