"""The product's server with what the conformance suite calls by name, started as `mem mcp --http --port 0` is.

Tools, prompts and resources are rows here as they are in the product, and go through its own way: arguments, worker
thread, progress, question, error. What the product never does (pictures, sound, sampling, logging) is not added.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from memory_layer.doors.mcp import arguments, asking, prompts, resources
from memory_layer.doors.mcp.bounded import Shape
from memory_layer.doors.mcp.http import serve_http
from memory_layer.doors.mcp.serving import Offer, Serving
from memory_layer.doors.mcp.tool import Call, Tool
from memory_layer.doors.mcp.tools import CORE
from memory_layer.errors import InvalidInput
from memory_layer.settings import load
from memory_layer.usecases.access import token_in
from memory_layer.wiring import new_id

ANSWER: Shape = {"type": "object"}
KNOWN: Shape = {"status": "similar", "candidates": [{"content": "What is your name?"}]}


class Message(arguments.Arguments):
    message: str = ""


class InHeader(arguments.Arguments):
    message: Annotated[str, arguments.described("", **{"x-mcp-header": "Message"})]


def simple_text(call: Call, given: arguments.Arguments) -> Shape:
    return {"text": "This is a simple text response for testing."}


def error_handling(call: Call, given: arguments.Arguments) -> Shape:
    raise InvalidInput("this tool intentionally returns an error for testing")


def with_progress(call: Call, given: arguments.Arguments) -> Shape:
    assert call.progress is not None
    for _ in range(3):
        call.progress(50)
    return {"text": "done"}


def similar(call: Call, given: arguments.Arguments) -> Shape:
    """What makes the server ask the person."""
    return KNOWN


def echo(call: Call, given: Message | InHeader) -> Shape:
    return {"text": given.message}


class Elsewhere(resources.Resource):
    """A resource under the suite's own scheme."""

    @property
    def uri(self) -> str:
        return f"test://{self.path}"


TOOLS = (
    Tool("test_simple_text", "Answers with a text.", arguments.Arguments, ANSWER, simple_text),
    Tool(
        "test_logging_tool", "Logs as all tools do: not to clients.", arguments.Arguments, ANSWER, simple_text
    ),
    Tool("test_error_handling", "Always fails.", arguments.Arguments, ANSWER, error_handling),
    Tool("test_tool_with_progress", "Reports progress.", arguments.Arguments, ANSWER, with_progress),
    Tool("test_elicitation", "Asks the person.", Message, ANSWER, similar),
    Tool("test_streaming_elicitation", "Asks the person.", Message, ANSWER, similar),
    Tool("test_input_required_result_elicitation", "Asks the person.", Message, ANSWER, similar),
    Tool("test_header", "Takes an argument that a header repeats.", InHeader, ANSWER, echo),
    Tool("test_echo", "Says what it is told.", Message, ANSWER, echo),
)
PROMPTS = (
    prompts.Prompt("test_simple_prompt", "Says one thing.", "This is a simple prompt for testing."),
    prompts.Prompt(
        "test_prompt_with_arguments",
        "Says two things.",
        "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
        (("arg1", "The first", True), ("arg2", "The second", True)),
    ),
)
RESOURCES = (
    Elsewhere("static-text", "static-text", "A text.", "test_simple_text", lambda _: {}, "text"),
    Elsewhere("template/{id}/data", "template", "An id.", "test_echo", lambda name: {"message": name}),
)


def main() -> None:
    asking.QUESTION = "user_name"  # what the suite calls the question between the two halves of a call
    prompts.PROMPTS += PROMPTS
    resources.RESOURCES += RESOURCES
    settings = load()
    file = settings.database_path.parent / "token"
    serving = Serving(settings, Offer((*CORE, *TOOLS), here=Path.cwd()))
    serve_http(serving, 0, token_in(file, new_id("tok")), file, lambda said: print(said, file=sys.stderr))


if __name__ == "__main__":
    main()
