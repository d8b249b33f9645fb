"""Tools for single memories: reading, correcting, linking and undoing."""

from __future__ import annotations

from memory_layer.doors.mcp import answers
from memory_layer.doors.mcp.answers import schema
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument
from memory_layer.doors.mcp.limits import Shape, fitting
from memory_layer.doors.mcp.pages import opened
from memory_layer.doors.mcp.tool import Given, Tool, ToolCall
from memory_layer.doors.mcp.tools import CITED, CURSOR, IDS, with_archive
from memory_layer.model.query import SORTS
from memory_layer.verbs import govern, learn, recall, remember

ID = Argument("memory_id")
LIMIT = Argument(default=answers.LISTED, most=LONGEST_LIST)


#: Filters by their own names; the words of each say enough.
FILTERS = {
    "paths": Argument("filters.paths", "That apply to one of these files"),
    "scopes": Argument("filters.scopes", "That carry these patterns"),
    "since": Argument("filters.after", "As 7d, or a date"),
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


def get(call: ToolCall, given: Given) -> Shape:
    cursor = call.extra.cursor
    # Going on is not using it again.
    return opened(call.do(recall.SHOW, given, peek=cursor is not None), cursor)


def recent(call: ToolCall, given: Given) -> Shape:
    own, wanted = call.own, with_archive(call, given)
    return fitting(given["limit"], lambda limit: answers.page(call.do(recall.LIST, wanted, limit=limit), own))


def why(call: ToolCall, given: Given) -> Shape:
    own = call.own
    return fitting(
        given["limit"],
        lambda limit: answers.explained(call.do(recall.WHY, given, limit=limit), own),
        "hits",
    )


def update(call: ToolCall, given: Given) -> Shape:
    return answers.edited(call.do(remember.EDIT, given))


def archive(call: ToolCall, given: Given) -> Shape:
    return {"memories": [answers.noted(each.memory) for each in call.do(govern.ARCHIVE, given)]}


def restore(call: ToolCall, given: Given) -> Shape:
    return {"memories": [answers.noted(each.memory) for each in call.do(govern.RESTORE, given)]}


def confirm(call: ToolCall, given: Given) -> Shape:
    return {"memories": [answers.confirmed(each) for each in call.do(learn.REINFORCE, given)]}


def related(call: ToolCall, given: Given) -> Shape:
    near = call.do(recall.RELATED, given).hits
    own = call.own
    return {
        "hits": [
            answers.told(each.memory, own) | {"score": round(each.score, answers.DIGITS)} for each in near
        ]
    }


def link(call: ToolCall, given: Given) -> Shape:
    """Link two memories, or remove a link."""
    known = call.do(remember.LINKS if call.extra.remove else remember.LINK, given)
    if not call.extra.remove:
        return answers.linked(known, given)
    call.do(remember.UNLINK, given)
    return answers.linked(known, given) | {"removed": True}


def history(call: ToolCall, given: Given) -> Shape:
    return fitting(
        given["limit"],
        lambda limit: answers.versions(call.do(govern.HISTORY, given, limit=limit)),
        "versions",
    )


def revert(call: ToolCall, given: Given) -> Shape:
    done = call.do(govern.REVERT, given)
    return {"memory": answers.noted(done) | {"version": done.version}}


def undo(call: ToolCall, given: Given) -> Shape:
    return answers.undone(call.do(govern.UNDO, given))


MEMORY_TOOLS = (
    Tool(
        "memory_get",
        "One memory in full, with its links, newest outcomes and sources; `next` leads to the rest of a long one.",
        (recall.SHOW,),
        {"id": ID, "cursor": Argument()},
        schema(memory="o!", links="e", outcomes="e", next="s"),
        get,
    ),
    Tool(
        "memory_recent",
        "Page through memories, newest first or by another order; `next` is the next page's cursor.",
        (recall.LIST,),
        {
            "categories": Argument(),
            "tags": Argument(),
            **FILTERS,
            "archived": Argument(about="Also what is out of sight"),
            "sort": Argument(words=SORTS),
            "limit": LIMIT,
            "cursor": CURSOR,
        },
        schema(items="m!", total="i!", next="s"),
        recent,
    ),
    Tool(
        "memory_why",
        "Explain a search: each hit's signals, and what came close and was left out.",
        (recall.WHY,),
        {
            "query": Argument("text"),
            "limit": Argument(default=5, most=20),
            "categories": Argument(),
            "tags": Argument(),
            "mode": Argument(),
            "ranker": Argument(),
        },
        schema(hits="e!", near_misses="e!"),
        why,
    ),
    Tool(
        "memory_update",
        "Correct what a memory says or how it is labelled; what is not named stays, and old versions are kept.",
        (remember.EDIT,),
        {
            "id": ID,
            "content": Argument(),
            "category": Argument(),
            "priority": Argument(),
            "confidence": Argument(),
            "relevance": Argument(),
            "expires_at": Argument(about="As 30d, or a date"),
            "never_expires": Argument(),
            "scope": Argument(),
            "add_tags": Argument(),
            "remove_tags": Argument(),
            "metadata": Argument(about="Merged over what is there"),
            "unset_metadata": Argument(),
            "cite": Argument(about=f"{CITED}, instead of what it cites; [] for nothing"),
            "version": Argument(about="Only if it is still this one"),
        },
        schema(memory="o!", changed="a!"),
        update,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_archive",
        "Take memories out of sight because they no longer hold; memory_restore brings them back.",
        (govern.ARCHIVE,),
        {"ids": IDS},
        schema(memories="m!"),
        archive,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_restore",
        "Bring archived memories back.",
        (govern.RESTORE,),
        {"ids": IDS},
        schema(memories="m!"),
        restore,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_confirm",
        "Say that memories still hold, because you have just seen it.",
        (learn.REINFORCE,),
        {"ids": IDS},
        schema(memories="m!"),
        confirm,
        writes=True,
    ),
    Tool(
        "memory_related",
        "The memories closest to one.",
        (recall.RELATED,),
        {"id": ID, "limit": Argument(default=10, most=LONGEST_LIST)},
        schema(hits="m!"),
        related,
    ),
    Tool(
        "memory_link",
        "Say that one memory supersedes, contradicts or relates to another, or take that back.",
        (remember.LINK, remember.UNLINK),
        {"id": ID, "kind": Argument(), "other": Argument(), "remove": Argument(about="Take it away")},
        schema(links="e!", removed="b"),
        link,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_history",
        "Every version of a memory: who changed what, and when. Newest first; `next` leads to older ones.",
        (govern.HISTORY,),
        {"id": ID, "limit": LIMIT, "cursor": CURSOR},
        schema(id="s!", versions="e!", next="s"),
        history,
    ),
    Tool(
        "memory_revert",
        "Make an old version of a memory the newest one; memory_history has their numbers.",
        (govern.REVERT,),
        {"id": ID, "to": Argument()},
        schema(memory="o!"),
        revert,
        writes=True,
    ),
    Tool(
        "memory_undo",
        "Take back what one of your calls changed: your last one here, or the operation that an answer named.",
        (govern.UNDO,),
        {"operation": Argument()},
        schema(operation="s!", undoes="s!", memories="m!", notes="a"),
        undo,
        writes=True,
    ),
)
