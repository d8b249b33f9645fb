"""The server: handles the protocol's requests by running tools in worker threads."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from memory_layer import __version__
from memory_layer.doors import wire
from memory_layer.doors.http.grant import grant_in
from memory_layer.doors.mcp import resources
from memory_layer.doors.mcp.limits import Shape
from memory_layer.doors.mcp.sdk.streams import Answers, Due, RequestStream
from memory_layer.doors.mcp.serving import Client, Serving
from memory_layer.doors.mcp.static_answers import FRESH_MS, LISTS, NAME, TITLE, instructions
from memory_layer.doors.mcp.stdio import InputLines
from memory_layer.doors.mcp.tool import Progress
from memory_layer.errors import InvalidInput, NotFound
from memory_layer.model.vocabulary import OnDuplicate
from memory_layer.usecases.who.identify import client_name

Context = ServerRequestContext[Any, Any]

QUESTION = "duplicate"  #: the name of the question between the two halves of a call
LONGEST_SHOWN = 400
UNDECIDED = (
    "the person was asked and has not decided: the new text waits for them in the review queue. Leave the decision to"
    " them, and do not set on_duplicate."
)
CHOICES = (OnDuplicate.MERGE, OnDuplicate.KEEP, OnDuplicate.SKIP)
_FORM: Shape = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "What should happen to it?",
            "enum": [choice.value for choice in CHOICES],
            "enumNames": ["Merge into the existing one", "Keep both", "Discard the new one"],
        }
    },
    "required": ["decision"],
}


T = TypeVar("T")


def can_be_asked(ctx: Context) -> bool:
    """Return whether the client shows forms to a person, and a question can reach it."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or (elicitation := capabilities.elicitation) is None:
        return False
    by_form = elicitation.form is not None or elicitation.url is None
    return by_form and (is_modern(ctx) or ctx.session.can_send_request)


def is_modern(ctx: Context) -> bool:
    """Return whether the protocol returns a question as a result, and repeats the call with the answer."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def question(answer: Shape, new: str) -> str:
    """Write the question for a person."""
    known = answer["candidates"][0]["content"]
    # A secret that was redacted is not shown either.
    shown = f" {_quoted(new)}" if new and not answer.get("redacted") else ""
    return (
        f"The new memory{shown} is similar to an existing one: {_quoted(known)}."
        " What should happen to the new one?"
    )


def _quoted(text: str) -> str:
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


def undecided(answer: Shape) -> Shape:
    """Tell an agent that the person was asked and has not decided."""
    return answer | {"next": UNDECIDED}


def question_result(answer: Shape, new: str) -> types.InputRequiredResult:
    """Return the question as a result of its own, for modern clients."""
    params = types.ElicitRequestFormParams(message=question(answer, new), requested_schema=_FORM)
    return types.InputRequiredResult(input_requests={QUESTION: types.ElicitRequest(params=params)})


def is_answered(params: types.CallToolRequestParams) -> bool:
    """Return whether a repeated call carries an answer to the question, even an empty one."""
    return QUESTION in (params.input_responses or {})


def choice_of(params: types.CallToolRequestParams) -> OnDuplicate | None:
    """Return the person's choice from a repeated call; None if they chose nothing."""
    response = (params.input_responses or {}).get(QUESTION)
    return _choice(response) if isinstance(response, types.ElicitResult) else None


async def ask(ctx: Context, answer: Shape, new: str) -> tuple[bool, OnDuplicate | None]:
    """Ask in the middle of a call, for older clients; return whether that worked, and the choice."""
    try:
        return True, _choice(await ctx.session.elicit_form(question(answer, new), _FORM, ctx.request_id))
    except (MCPError, ValidationError):  # the client failed to ask, or its response is invalid
        return False, None


def _choice(response: types.ElicitResult) -> OnDuplicate | None:
    word = (response.content or {}).get("decision") if response.action == "accept" else None
    return next((choice for choice in CHOICES if choice.value == word), None)


class Door:
    """Handlers of the protocol's requests."""

    def __init__(self, serving: Serving) -> None:
        self.serving = serving

    async def list_tools(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult.model_validate(self._listed("tools/list"))

    async def call_tool(
        self, ctx: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Run a tool; ask the person about a near duplicate where the client can."""
        values: dict[str, Any] = dict(params.arguments or {})
        choice = choice_of(params)
        if choice is not None and params.name == "memory_learn":
            values["on_duplicate"] = choice.value
        try:
            answer = await self._run(ctx, params.name, values)
            if answer.get("status") != "similar" or not can_be_asked(ctx):
                return result(answer)
            if is_answered(params):
                return result(undecided(answer))
            return await self._ask(ctx, params.name, values, answer)
        except Exception as failure:  # noqa: BLE001  the last place before the client
            message = self.serving.error_text(failure)
            if not self.serving.has(params.name):  # the protocol wants an error of its own for it
                raise MCPError(code=types.INVALID_PARAMS, message=message) from None
            return types.CallToolResult(content=[types.TextContent(text=message)], is_error=True)

    async def _ask(
        self, ctx: Context, name: str, values: dict[str, Any], answer: Shape
    ) -> types.CallToolResult | types.InputRequiredResult:
        """Ask the person about a near duplicate, and do what they chose."""
        new = str(values.get("content", ""))
        if is_modern(ctx):
            return question_result(answer, new)
        reached, choice = await ask(ctx, answer, new)
        if choice is not None:
            answer = await self._run(ctx, name, values | {"on_duplicate": choice.value})
        elif reached:
            answer = undecided(answer)
        return result(answer)

    async def list_resources(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        return types.ListResourcesResult.model_validate(self._listed("resources/list"))

    async def list_templates(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult.model_validate(self._listed("resources/templates/list"))

    async def read_resource(
        self, ctx: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        read = partial(resources.read, self.serving, uri, client(ctx))
        contents = await self._in_thread(read, {"uri": uri})
        return types.ReadResourceResult.model_validate({"contents": [contents]})

    async def list_prompts(
        self, ctx: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult.model_validate(self._listed("prompts/list"))

    async def get_prompt(self, ctx: Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        only_read = self.serving.offer.only_read
        fill = partial(resources.filled, params.name, params.arguments or {}, only_read)
        return types.GetPromptResult.model_validate(await self._in_thread(fill))

    async def complete(self, ctx: Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        def completion() -> Shape:
            with self.serving.dispatcher(client(ctx)) as memory:
                return resources.completed(params.argument.name, params.argument.value, memory)

        return types.CompleteResult.model_validate({"completion": await self._in_thread(completion)})

    def _listed(self, method: str) -> Shape:
        return LISTS[method](self.serving)

    async def _in_thread(self, work: Callable[[], T], about: Shape | None = None) -> T:
        """Run work in a worker thread, and turn an error into the protocol's own."""
        try:
            return await anyio.to_thread.run_sync(work)
        except Exception as failure:  # noqa: BLE001  the last place before the client
            wrong = isinstance(failure, InvalidInput | NotFound)
            code = types.INVALID_PARAMS if wrong else types.INTERNAL_ERROR
            raise MCPError(code=code, message=self.serving.error_text(failure), data=about) from None

    async def _run(self, ctx: Context, name: str, values: dict[str, Any]) -> Shape:
        def work() -> Shape:
            return self.serving.run(name, values, client(ctx), _reporting(ctx))

        return await anyio.to_thread.run_sync(work)


def client(ctx: Context) -> Client:
    """Identify the client of a request."""
    known = ctx.session.client_params
    role = grant_in(ctx.request.scope).role if ctx.request is not None else None
    return Client(client_name(known.client_info.name if known else None), role=role)


def result(answer: Shape) -> types.CallToolResult:
    """Return an answer as structured data, and as text for clients without support for it."""
    return types.CallToolResult(
        content=[types.TextContent(text=wire.text(answer))], structured_content=answer
    )


def _reporting(ctx: Context) -> Progress:
    """Return a callback that reports progress to the client; silent if it did not ask for it."""
    done = 0

    def advance(parts: int) -> None:
        nonlocal done
        done += parts
        with suppress(
            MCPError, anyio.BrokenResourceError, anyio.ClosedResourceError
        ):  # nobody listens any more
            anyio.from_thread.run(ctx.session.report_progress, float(done))

    return advance


def server(serving: Serving) -> Server[Any]:
    """Return a server on one process's engine, for any transport."""
    door = Door(serving)
    return Server(
        NAME,
        version=__version__,
        title=TITLE,
        instructions=instructions(serving),
        cache_hints={"tools/list": CacheHint(FRESH_MS["tools/list"], "private")},
        on_list_tools=door.list_tools,
        on_call_tool=door.call_tool,
        on_list_resources=door.list_resources,
        on_list_resource_templates=door.list_templates,
        on_read_resource=door.read_resource,
        on_list_prompts=door.list_prompts,
        on_get_prompt=door.get_prompt,
        on_completion=door.complete,
    )


def serve(serving: Serving, lines: InputLines) -> None:
    """Serve on standard input and output until the client closes it."""

    async def run() -> None:
        mcp_server = server(serving)
        async with stdio_server(anyio.wrap_file(lines)) as (read, write):
            due = Due()
            requests, answers = RequestStream(read, write, due), Answers(write, due)
            await mcp_server.run(requests, answers, mcp_server.create_initialization_options())

    try:
        anyio.run(run)
    except* BrokenPipeError:  # the client is gone, and nobody is left to tell
        pass
    finally:
        serving.close()
