"""Tools for single memories: reading, correcting, linking and undoing."""

from __future__ import annotations

from memory_layer.doors.mcp import tool_answers
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument, plain
from memory_layer.doors.mcp.limits import Shape, fitting
from memory_layer.doors.mcp.pages import opened
from memory_layer.doors.mcp.tool import Tool, ToolCall, Values
from memory_layer.doors.mcp.tool_answers import schema
from memory_layer.doors.mcp.tools import CITED, CURSOR, IDS, with_archive
from memory_layer.model.lists import SORTS
from memory_layer.verbs import govern, learn, look_up, recall, remember

ID = Argument("memory_id")
LIMIT = Argument(default=tool_answers.PAGE_SIZE, most=LONGEST_LIST)
#: Most filters need no description.
FILTERS = {
    "paths": Argument("filters.paths", "Memories that apply to one of these files"),
    "scopes": Argument("filters.scopes", "Memories with these scope patterns"),
    "since": Argument("filters.after", "7d or a date"),
    "until": Argument("filters.before"),
    "expired_since": Argument("filters.expired_since"),
    **{
        name: Argument(f"filters.{name}")
        for name in (
            "tiers priorities sources statuses reasons writers min_confidence below_confidence has_outcome ids expired"
            " superseded proposed drifted"
        ).split()
    },
}


def get(call: ToolCall, values: Values) -> Shape:
    cursor = call.extra.cursor
    # Reading on does not count as another use.
    return opened(call.do(look_up.SHOW, values, peek=cursor is not None), cursor)


def recent(call: ToolCall, values: Values) -> Shape:
    project_key, wanted = call.project_key, with_archive(call, values)
    return fitting(
        values["limit"],
        lambda limit: tool_answers.page(call.do(look_up.LIST, wanted, limit=limit), project_key),
    )


def why(call: ToolCall, values: Values) -> Shape:
    project_key = call.project_key
    return fitting(
        values["limit"],
        lambda limit: tool_answers.explained(call.do(recall.WHY, values, limit=limit), project_key),
        "hits",
    )


def update(call: ToolCall, values: Values) -> Shape:
    return tool_answers.edited(call.do(remember.EDIT, values))


def archive(call: ToolCall, values: Values) -> Shape:
    return {"items": [tool_answers.memory_line(each.memory) for each in call.do(govern.ARCHIVE, values)]}


def restore(call: ToolCall, values: Values) -> Shape:
    return {"items": [tool_answers.memory_line(each.memory) for each in call.do(govern.RESTORE, values)]}


def confirm(call: ToolCall, values: Values) -> Shape:
    return {"items": [tool_answers.confirmed(each) for each in call.do(learn.REINFORCE, values)]}


def related(call: ToolCall, values: Values) -> Shape:
    near = call.do(recall.RELATED, values).hits
    project_key = call.project_key
    return {
        "hits": [
            tool_answers.memory_summary(each.memory, project_key)
            | {"score": round(each.score, tool_answers.DIGITS)}
            for each in near
        ]
    }


def link(call: ToolCall, values: Values) -> Shape:
    """Link two memories, or remove a link."""
    known = call.do(remember.LINKS if call.extra.remove else remember.LINK, values)
    if not call.extra.remove:
        return tool_answers.linked(known, values)
    call.do(remember.UNLINK, values)
    return tool_answers.linked(known, values) | {"removed": True}


def history(call: ToolCall, values: Values) -> Shape:
    return fitting(
        values["limit"],
        lambda limit: tool_answers.versions(call.do(govern.HISTORY, values, limit=limit)),
        "versions",
    )


def revert(call: ToolCall, values: Values) -> Shape:
    done = call.do(govern.REVERT, values)
    return {"memory": tool_answers.memory_line(done) | {"version": done.version}}


def undo(call: ToolCall, values: Values) -> Shape:
    return tool_answers.undone(call.do(govern.UNDO, values))


MEMORY_TOOLS = (
    Tool(
        "memory_get",
        "Get one memory in full: links, latest outcomes, sources; `next` is the cursor for the rest.",
        (look_up.SHOW,),
        {"id": ID, "cursor": Argument()},
        schema(memory="o!", links="e", outcomes="e", next="s"),
        get,
    ),
    Tool(
        "memory_recent",
        "List memories, newest first or in another order.",
        (look_up.LIST,),
        {
            **plain("categories tags"),
            **FILTERS,
            "archived": Argument(about="Include archived ones"),
            "sort": Argument(words=SORTS),
            "limit": LIMIT,
            "cursor": CURSOR,
        },
        schema(items="m!", total="i!", next="s"),
        recent,
    ),
    Tool(
        "memory_why",
        "Explain a search: each hit's signals, and the near misses.",
        (recall.WHY,),
        {
            "query": Argument("text"),
            "limit": Argument(default=5, most=20),
            **plain("categories tags mode ranker"),
        },
        schema(hits="e!", near_misses="e!"),
        why,
    ),
    Tool(
        "memory_update",
        "Change a memory's text or labels; old versions are kept.",
        (remember.EDIT,),
        {
            "id": ID,
            **plain("content category priority confidence relevance"),
            "expires_at": Argument(about="30d or a date"),
            **plain("never_expires scope add_tags remove_tags"),
            "metadata": Argument(about="Merged into the existing metadata"),
            "unset_metadata": Argument(),
            "cite": Argument(about=f"{CITED}; replaces the citations, [] removes them"),
            "version": Argument(about="Only if this is still the current version"),
        },
        schema(memory="o!", changed="a!"),
        update,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_archive",
        "Archive memories that are no longer true.",
        (govern.ARCHIVE,),
        {"ids": IDS},
        schema(items="m!"),
        archive,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_restore",
        "Restore archived memories.",
        (govern.RESTORE,),
        {"ids": IDS},
        schema(items="m!"),
        restore,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_confirm",
        "Confirm that memories are still true, because you have just seen it.",
        (learn.REINFORCE,),
        {"ids": IDS},
        schema(items="m!"),
        confirm,
        writes=True,
    ),
    Tool(
        "memory_related",
        "Find the memories most similar to one.",
        (recall.RELATED,),
        {"id": ID, "limit": Argument(default=10, most=LONGEST_LIST)},
        schema(hits="m!"),
        related,
    ),
    Tool(
        "memory_link",
        "Record that one memory supersedes, contradicts or relates to another, or undo that.",
        (remember.LINK, remember.UNLINK),
        {"id": ID, "kind": Argument(), "other": Argument(), "remove": Argument(about="Remove the link")},
        schema(links="e!", removed="b"),
        link,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_history",
        "List a memory's versions: who changed what, and when; `next` is the cursor for older ones.",
        (govern.HISTORY,),
        {"id": ID, "limit": LIMIT, "cursor": CURSOR},
        schema(id="s!", versions="e!", next="s"),
        history,
    ),
    Tool(
        "memory_revert",
        "Make an old version of a memory the current one; memory_history lists the numbers.",
        (govern.REVERT,),
        {"id": ID, "to": Argument()},
        schema(memory="o!"),
        revert,
        writes=True,
    ),
    Tool(
        "memory_undo",
        "Undo one call: your last one in this project, or the operation named in an answer.",
        (govern.UNDO,),
        {"operation": Argument()},
        schema(operation="s!", undoes="s!", memories="m!", notes="a"),
        undo,
        writes=True,
    ),
)
