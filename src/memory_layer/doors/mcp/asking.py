"""Asking the person behind a client about a near duplicate, in the way of either protocol era."""

from __future__ import annotations

from typing import Any

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import ValidationError

from memory_layer.doors.mcp.limits import Shape
from memory_layer.model.vocabulary import OnDuplicate

Context = ServerRequestContext[Any, Any]

QUESTION = "duplicate"  #: what the question is called between the two halves of a call
LONGEST_SHOWN = 400
LEFT = (
    "the person was asked and has not decided: the new text is kept aside and waits for them in the review. Leave it"
    " to them, and do not decide it by on_duplicate."
)
CHOICES = (OnDuplicate.MERGE, OnDuplicate.KEEP, OnDuplicate.SKIP)
_FORM: Shape = {
    "type": "object",
    "properties": {
        "decision": {
            "type": "string",
            "title": "What should become of it?",
            "enum": [choice.value for choice in CHOICES],
            "enumNames": ["Merge into the known one", "Keep both", "Drop the new one"],
        }
    },
    "required": ["decision"],
}


def can_be_asked(ctx: Context) -> bool:
    """Whether the client shows forms to a person, and a question can reach it."""
    capabilities = ctx.session.client_capabilities
    if capabilities is None or (elicitation := capabilities.elicitation) is None:
        return False
    by_form = elicitation.form is not None or elicitation.url is None
    return by_form and (is_modern(ctx) or ctx.session.can_send_request)


def is_modern(ctx: Context) -> bool:
    """Whether a question is an answer of its own, and the call comes again with what was said to it."""
    return ctx.protocol_version in MODERN_PROTOCOL_VERSIONS


def question(answer: Shape, new: str) -> str:
    """What a person is asked."""
    known = answer["candidates"][0]["content"]
    # What was taken out of a text is not shown either.
    shown = f" {_quoted(new)}" if new and not answer.get("redacted") else ""
    return (
        f"The new memory{shown} is close to what is remembered already: {_quoted(known)}."
        " What should become of the new one?"
    )


def _quoted(text: str) -> str:
    return repr(text if len(text) <= LONGEST_SHOWN else f"{text[:LONGEST_SHOWN]}…")


def left(answer: Shape) -> Shape:
    """What an agent is told where the person was asked and chose nothing."""
    return answer | {"next": LEFT}


def as_answer(answer: Shape, new: str) -> types.InputRequiredResult:
    """The question as the new era puts it."""
    params = types.ElicitRequestFormParams(message=question(answer, new), requested_schema=_FORM)
    return types.InputRequiredResult(input_requests={QUESTION: types.ElicitRequest(params=params)})


def answered(params: types.CallToolRequestParams) -> bool:
    """Whether a call comes again with an answer to the question, be it that there is none."""
    return QUESTION in (params.input_responses or {})


def said(params: types.CallToolRequestParams) -> OnDuplicate | None:
    """What a person chose, of a call that comes again; None if they chose nothing."""
    response = (params.input_responses or {}).get(QUESTION)
    return _chosen(response) if isinstance(response, types.ElicitResult) else None


async def asked(ctx: Context, answer: Shape, new: str) -> tuple[bool, OnDuplicate | None]:
    """The same in the middle of a call, as the old era does it: whether anybody was asked, and what they chose."""
    try:
        return True, _chosen(await ctx.session.elicit_form(question(answer, new), _FORM, ctx.request_id))
    except (MCPError, ValidationError):  # the client failed to ask, or what it said is no answer
        return False, None


def _chosen(response: types.ElicitResult) -> OnDuplicate | None:
    given = (response.content or {}).get("decision") if response.action == "accept" else None
    return next((choice for choice in CHOICES if choice.value == given), None)
