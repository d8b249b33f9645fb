"""The product's server with what the conformance suite calls by name, started as `mem mcp --http --port 0` is.

Tools, prompts and resources are rows here as they are in the product, and go through its own way: arguments, worker
thread, progress, question, error. What the product never does (pictures, sound, sampling, logging) is not added.
"""

from __future__ import annotations

import sys
from pathlib import Path

from memory_layer.doors.mcp import resources
from memory_layer.doors.mcp.arguments import Argument
from memory_layer.doors.mcp.limits import Shape
from memory_layer.doors.mcp.sdk import server
from memory_layer.doors.mcp.sdk.http import serve_http
from memory_layer.doors.mcp.serving import Offer, Serving
from memory_layer.doors.mcp.tool import Tool, ToolCall, Values
from memory_layer.doors.mcp.tools import CORE
from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.settings import load
from memory_layer.usecases.who.access import token_in
from memory_layer.verbs.call import Verb
from memory_layer.wiring import new_id

ANSWER: Shape = {"type": "object"}
KNOWN: Shape = {"status": "similar", "candidates": [{"content": "What is your name?"}]}


class Message(NamedTuple):
    message: str = ""


ECHO = Verb("echo", Message, lambda call, request: request.message)
MESSAGE = {"message": Argument()}
IN_HEADER = {"message": Argument(needed=True, more={"x-mcp-header": "Message"})}


def simple_text(call: ToolCall, values: Values) -> Shape:
    return {"text": "This is a simple text response for testing."}


def error_handling(call: ToolCall, values: Values) -> Shape:
    raise InvalidInput("this tool intentionally returns an error for testing")


def with_progress(call: ToolCall, values: Values) -> Shape:
    assert call.progress is not None
    for _ in range(3):
        call.progress(50)
    return {"text": "done"}


def similar(call: ToolCall, values: Values) -> Shape:
    """What makes the server ask the person."""
    return KNOWN


def echo(call: ToolCall, values: Values) -> Shape:
    return {"text": call.do(ECHO, values)}


class Elsewhere(resources.Resource):
    """A resource under the suite's own scheme."""

    @property
    def uri(self) -> str:
        return f"test://{self.path}"


TOOLS = (
    Tool("test_simple_text", "Answers with a text.", (), {}, ANSWER, simple_text),
    Tool("test_logging_tool", "Logs as all tools do: not to clients.", (), {}, ANSWER, simple_text),
    Tool("test_error_handling", "Always fails.", (), {}, ANSWER, error_handling),
    Tool("test_tool_with_progress", "Reports progress.", (), {}, ANSWER, with_progress),
    Tool("test_elicitation", "Asks the person.", (ECHO,), MESSAGE, ANSWER, similar),
    Tool("test_streaming_elicitation", "Asks the person.", (ECHO,), MESSAGE, ANSWER, similar),
    Tool("test_input_required_result_elicitation", "Asks the person.", (ECHO,), MESSAGE, ANSWER, similar),
    Tool("test_header", "Takes an argument that a header repeats.", (ECHO,), IN_HEADER, ANSWER, echo),
    Tool("test_echo", "Says what it is told.", (ECHO,), MESSAGE, ANSWER, echo),
)
PROMPTS = (
    resources.PromptTemplate("test_simple_prompt", "Says one thing.", "This is a simple prompt for testing."),
    resources.PromptTemplate(
        "test_prompt_with_arguments",
        "Says two things.",
        "Prompt with arguments: arg1='{arg1}', arg2='{arg2}'",
        (("arg1", "The first", True), ("arg2", "The second", True)),
    ),
)
RESOURCES = (
    Elsewhere("static-text", "static-text", "A text.", "test_simple_text", shown="text"),
    Elsewhere("template/{id}/data", "template", "An id.", "test_echo", lambda name: {"message": name}),
)


def main() -> None:
    server.QUESTION = "user_name"  # what the suite calls the question between the two halves of a call
    resources.PROMPTS += PROMPTS
    resources.RESOURCES += RESOURCES
    settings = load()
    file = settings.database_path.parent / "token"
    serving = Serving(settings, Offer((*CORE, *TOOLS), here=Path.cwd()))
    serve_http(serving, 0, token_in(file, new_id("tok")), file, lambda said: print(said, file=sys.stderr))


if __name__ == "__main__":
    main()
