"""The rest of the full set: looking closer, correcting, deciding and keeping the store sound."""

from __future__ import annotations

from memory_layer.doors import wire, wire_given, wire_tiers
from memory_layer.doors.mcp import answers
from memory_layer.doors.mcp.answers import brief, schema
from memory_layer.doors.mcp.arguments import LONGEST_LIST, Argument
from memory_layer.doors.mcp.bounded import Shape, fitting
from memory_layer.doors.mcp.opened import opened
from memory_layer.doors.mcp.run_tools import RUN_TOOLS
from memory_layer.doors.mcp.tool import Call, Given, Tool
from memory_layer.doors.mcp.tools import CITED, CORE, CURSOR, IDS, with_archive
from memory_layer.errors import InvalidInput
from memory_layer.model.query import SORTS
from memory_layer.model.review import Decision
from memory_layer.model.vocabulary import Category
from memory_layer.usecases import doctor
from memory_layer.verbs import govern, learn, recall, remember, upkeep
from memory_layer.wiring import practice

ID = Argument("memory_id")
LIMIT = Argument(default=answers.LISTED, most=LONGEST_LIST)
#: What an agent may decide about anything at all; a person may more.
AN_AGENT_MAY = (Decision.MERGE, Decision.KEEP, Decision.DROP, Decision.ARCHIVE)
#: What a handoff is made of.
LEFT = ("text", "done", "next", "questions", "files")


def get(call: Call, given: Given) -> Shape:
    cursor = call.extra.cursor
    # Going on is not using it again.
    return opened(call.do(recall.SHOW, given, peek=cursor is not None), cursor)


def recent(call: Call, given: Given) -> Shape:
    own, wanted = call.own, with_archive(call, given)
    return fitting(given["limit"], lambda limit: answers.page(call.do(recall.LIST, wanted, limit=limit), own))


def update(call: Call, given: Given) -> Shape:
    return answers.edited(call.do(remember.EDIT, given))


def archive(call: Call, given: Given) -> Shape:
    return {"memories": [answers.noted(each.memory) for each in call.do(govern.ARCHIVE, given)]}


def restore(call: Call, given: Given) -> Shape:
    return {"memories": [answers.noted(each.memory) for each in call.do(govern.RESTORE, given)]}


def confirm(call: Call, given: Given) -> Shape:
    return {"memories": [answers.confirmed(each) for each in call.do(learn.REINFORCE, given)]}


def review(call: Call, given: Given) -> Shape:
    own = call.own

    def listed(limit: int) -> Shape:
        queue = call.do(govern.REVIEW, given, limit=limit)
        return answers.queue(queue, own, lambda item: call.do(govern.RIGHTS, item=item))

    return fitting(given["limit"], listed)


def propose(call: Call, given: Given) -> Shape:
    """Propose a new rule, or a known memory."""
    if ("content" in given) == ("id" in given):
        raise InvalidInput("propose either a new rule as content or a known memory by its id")
    if "content" in given:
        added = call.do(remember.ADD, given, category=Category.POLICY)
        return call.placed(answers.added(added, call.tools))
    if given.get("scope") or given.get("cite"):
        raise InvalidInput("scope and cite belong to a new rule; memory_update changes a known memory")
    return answers.proposed(call.do(govern.PROPOSE, given).memory)


def decide(call: Call, given: Given) -> Shape:
    done = call.do(govern.DECIDE, given)
    return brief(wire.plain(done._asdict() | {"memories": None})) | {
        "memories": [answers.told(each, call.own) for each in done.memories]
    }


def related(call: Call, given: Given) -> Shape:
    near = call.do(recall.RELATED, given).hits
    own = call.own
    return {
        "hits": [
            answers.told(each.memory, own) | {"score": round(each.score, answers.DIGITS)} for each in near
        ]
    }


def link(call: Call, given: Given) -> Shape:
    """Relate two memories, or take such a relation away."""
    known = call.do(remember.LINKS if call.extra.remove else remember.LINK, given)
    if not call.extra.remove:
        return answers.linked(known, given)
    call.do(remember.UNLINK, given)
    return answers.linked(known, given) | {"removed": True}


def history(call: Call, given: Given) -> Shape:
    return fitting(
        given["limit"],
        lambda limit: answers.versions(call.do(govern.HISTORY, given, limit=limit)),
        "versions",
    )


def revert(call: Call, given: Given) -> Shape:
    done = call.do(govern.REVERT, given)
    return {"memory": answers.noted(done) | {"version": done.version}}


def undo(call: Call, given: Given) -> Shape:
    return answers.undone(call.do(govern.UNDO, given))


def timeline(call: Call, given: Given) -> Shape:
    own = call.own
    return fitting(
        given["limit"], lambda limit: answers.timeline(call.do(learn.TIMELINE, given, limit=limit), own)
    )


def handoff(call: Call, given: Given) -> Shape:
    """Leave something for the next session, or with nothing to leave read what the last one left."""
    leaves = any(given.get(name) for name in LEFT)
    if leaves and call.extra.action == "read":
        raise InvalidInput(
            "reading takes no text, done, next, questions or files; leave out the action to write"
        )
    if not leaves and call.extra.action != "write":
        left = wire_tiers.handoff(call.do(learn.LAST_HANDOFF))
        return {"handoff": brief(left)} if left else {}
    call.check_may_write("leave a handoff")
    done, _ = call.do(learn.HANDOFF, given)
    return call.placed({"recorded": brief(wire_tiers.recorded(done))})


def verify(call: Call, given: Given) -> Shape:
    return answers.verified(call.do(upkeep.VERIFY, given))


def warn(call: Call, given: Given) -> Shape:
    told = call.do(recall.WARN, given)
    return {"text": told.text} | brief(wire_given.warned(told))


def capture(call: Call, given: Given) -> Shape:
    done = call.do(remember.CAPTURE, given)
    return call.placed(answers.captured(done)) if done.kept else answers.captured(done)


def projects(call: Call, given: Given) -> Shape:
    def listed(limit: int) -> Shape:
        known = call.do(recall.PROJECTS, given, limit=limit + 1)
        return answers.projects(known[:limit], more=len(known) > limit)

    return fitting(given["limit"], listed, "projects")


def health(call: Call, given: Given) -> Shape:
    return answers.health(doctor.examine(practice(call.dispatcher.engine.settings, "mcp")))


FULL = (
    *CORE,
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
            "paths": Argument("filters.paths", "That apply to one of these files"),
            "archived": Argument(about="Also what is out of sight"),
            "sort": Argument(words=SORTS),
            "limit": LIMIT,
            "cursor": CURSOR,
        },
        schema(items="m!", total="i!", next="s"),
        recent,
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
        "memory_review",
        "What waits for a decision, and why: `offers` is what you may decide, `needs_person` what a person must.",
        (govern.REVIEW,),
        {"kinds": Argument(), "limit": LIMIT, "cursor": CURSOR},
        schema(items="e!", total="i!", by_kind="o!", next="s"),
        review,
    ),
    Tool(
        "memory_propose",
        "Propose a rule for everybody's work here, or a memory by its id, for a person's approval. A new rule counts"
        " only once it is approved; a memory goes on counting.",
        (remember.ADD, govern.PROPOSE),
        {
            "content": Argument(about="A new rule, in one sentence"),
            "id": Argument("memory_id", "Or a memory to be approved"),
            "scope": Argument(about="Paths, as src/api/**"),
            "cite": Argument(about=CITED),
        },
        schema(id="s!", status="s!", reason="s"),
        propose,
        in_session=True,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_decide",
        "Decide what waits by one of its `offers`: merge, keep or drop a near duplicate; archive the rest.",
        (govern.DECIDE,),
        {"id": ID, "decision": Argument(words=AN_AGENT_MAY), "other": Argument()},
        schema(operation="s!", memories="m!"),
        decide,
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
        (remember.LINK,),
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
        "memory_timeline",
        "What happened, newest last; `next` leads to what happened before.",
        (learn.TIMELINE,),
        {
            "since": Argument(about="As 7d, or a date"),
            "until": Argument(),
            "of_session": Argument("session"),
            "kinds": Argument(),
            "limit": LIMIT,
            "cursor": CURSOR,
        },
        schema(items="m!", next="s"),
        timeline,
    ),
    Tool(
        "memory_handoff",
        "Close a session with what the next one should know; else read what the last one left.",
        (learn.HANDOFF, learn.LAST_HANDOFF),
        {
            "action": Argument(words=("read", "write")),
            "text": Argument(),
            "done": Argument(),
            "next": Argument("next_steps"),
            "questions": Argument(),
            "files": Argument(),
        },
        schema(handoff="o", recorded="o"),
        handoff,
        in_session=True,
        writes=True,
        mixed=True,
        reading="What the last session left for this one.",
    ),
    Tool(
        "memory_verify",
        "Check whether what memories cite is still there; what moved is followed.",
        (upkeep.VERIFY,),
        {
            "ids": Argument("memory_ids"),
            "everything": Argument(about="Of every project"),
            "dry_run": Argument(),
        },
        schema(memories="i!", counts="o!", findings="e!", dry_run="b!", left_out="i", rest="s"),
        verify,
        writes=True,
        idempotent=True,
        mixed=True,
        reading="Check whether what memories cite is still there; nothing is kept of it.",
    ),
    Tool(
        "memory_warn",
        "What is known to go wrong with a command, a file or an error: a line or two, or nothing.",
        (recall.WARN,),
        {"command": Argument(), "path": Argument(), "error": Argument()},
        schema(text="s!", warnings="e"),
        warn,
        in_session=True,
    ),
    Tool(
        "memory_capture",
        "Keep the preferences, corrections, rules and decisions in what a person said.",
        (remember.CAPTURE,),
        {"text": Argument(needed=True), "dry_run": Argument()},
        schema(kept="e!", dry_run="b!"),
        capture,
        in_session=True,
        writes=True,
        idempotent=True,
        mixed=True,
        reading="Show which preferences, corrections, rules and decisions in what a person said would be kept.",
    ),
    Tool(
        "memory_projects",
        "The known projects with the number of their memories; `next` is the next page's cursor.",
        (recall.PROJECTS,),
        {"limit": LIMIT, "cursor": CURSOR},
        schema(projects="e!", next="s"),
        projects,
    ),
    Tool(
        "memory_health",
        "Examine the store for damage; nothing is changed.",
        (),
        {},
        schema(ok="b!", checks="i!", problems="e!"),
        health,
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
    *RUN_TOOLS,
)
