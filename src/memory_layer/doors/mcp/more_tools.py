"""The rest of the full set: looking closer, correcting, deciding and keeping the store sound."""

from __future__ import annotations

from memory_layer.doors import moments, wire, wire_given, wire_tiers
from memory_layer.doors.mcp import answers, arguments
from memory_layer.doors.mcp.answers import brief, schema
from memory_layer.doors.mcp.bounded import Shape, fitting
from memory_layer.doors.mcp.opened import opened
from memory_layer.doors.mcp.tool import Call, Tool
from memory_layer.doors.mcp.tools import CORE
from memory_layer.doors.python_filters import checked
from memory_layer.doors.python_given import category
from memory_layer.errors import InvalidInput
from memory_layer.model.query import Filters
from memory_layer.model.vocabulary import Category


def get(call: Call, given: arguments.Get) -> Shape:
    peek = call.only_read or given.cursor is not None  # going on is not using it again
    return opened(call.memory.details(given.id, peek=peek), given.cursor)


def recent(call: Call, given: arguments.Recent) -> Shape:
    filters = Filters(categories=tuple(map(category, given.categories)), tags=tuple(given.tags))
    own = call.own
    return fitting(
        given.limit,
        lambda limit: answers.page(
            call.memory.list(filters=checked(filters), sort=given.sort, limit=limit, after=given.cursor), own
        ),
    )


def update(call: Call, given: arguments.Update) -> Shape:
    done = call.memory.edit(
        given.id,
        content=given.content,
        category=given.category,
        priority=given.priority,
        scope_patterns=given.scope,
        add_tags=given.add_tags,
        remove_tags=given.remove_tags,
        cite=given.cite,
        version=given.version,
    )
    return answers.edited(done)


def archive(call: Call, given: arguments.Several) -> Shape:
    return {"memories": [answers.noted(each) for each in call.memory.archive(*given.ids)]}


def restore(call: Call, given: arguments.Several) -> Shape:
    return {"memories": [answers.noted(each) for each in call.memory.restore(*given.ids)]}


def confirm(call: Call, given: arguments.Several) -> Shape:
    return {"memories": [answers.confirmed(each) for each in call.memory.reinforce(*given.ids)]}


def review(call: Call, given: arguments.Review) -> Shape:
    own = call.own

    def listed(limit: int) -> Shape:
        queue = call.memory.review(kinds=given.kinds, limit=limit, after=given.cursor)
        return answers.queue(queue, own, call.memory.rights)

    return fitting(given.limit, listed)


def propose(call: Call, given: arguments.Propose) -> Shape:
    """A rule that is new, or a memory that is known."""
    if (given.content is None) == (given.id is None):
        raise InvalidInput("propose either a new rule as content or a known memory by its id")
    if given.content is None:
        if given.scope or given.cite:
            raise InvalidInput("scope and cite belong to a new rule; memory_update changes a known memory")
        return answers.proposed(call.memory.propose(str(given.id)).memory)
    added = call.memory.add(
        given.content, category=Category.POLICY, scope_patterns=given.scope, cite=given.cite
    )
    return call.placed(answers.added(added, call.tools))


def decide(call: Call, given: arguments.Decide) -> Shape:
    done = call.memory.decide(given.id, given.decision)
    return brief(wire.plain(done._asdict() | {"memories": None})) | {
        "memories": [answers.told(each, call.own) for each in done.memories]
    }


def related(call: Call, given: arguments.Related) -> Shape:
    near = call.memory.related(given.id, limit=given.limit).hits
    own = call.own
    return {
        "hits": [
            answers.told(each.memory, own) | {"score": round(each.score, answers.DIGITS)} for each in near
        ]
    }


def link(call: Call, given: arguments.Relate) -> Shape:
    return answers.linked(call.memory.link(given.id, given.kind, given.other), given.kind, given.other)


def history(call: Call, given: arguments.History) -> Shape:
    return fitting(
        given.limit,
        lambda limit: answers.versions(call.memory.history(given.id, limit=limit, after=given.cursor)),
        "versions",
    )


def timeline(call: Call, given: arguments.Timeline) -> Shape:
    since = moments.past(given.since, call.now) if given.since else None
    own = call.own

    def listed(limit: int) -> Shape:
        line = call.memory.timeline(
            since=since, session=given.of_session, kinds=given.kinds, limit=limit, after=given.cursor
        )
        return answers.timeline(line, own)

    return fitting(given.limit, listed)


def handoff(call: Call, given: arguments.Handoff) -> Shape:
    """Leave something for the next session, or with nothing to leave read what the last one left."""
    leaves = bool(given.text or given.done or given.next or given.questions or given.files)
    if leaves and given.action == "read":
        raise InvalidInput(
            "reading takes no text, done, next, questions or files; leave out the action to write"
        )
    if not leaves and given.action != "write":
        left = wire_tiers.handoff(call.memory.last_handoff())
        return {"handoff": brief(left)} if left else {}
    call.check_may_write("leave a handoff")
    done = call.memory.handoff(
        given.text,
        done=given.done,
        next_steps=given.next,
        questions=given.questions,
        files=given.files,
    )
    return call.placed({"recorded": brief(wire_tiers.recorded(done))})


def verify(call: Call, given: arguments.Verify) -> Shape:
    dry_run = given.dry_run or call.only_read
    return answers.verified(call.memory.verify(given.ids, everything=given.everything, dry_run=dry_run))


def warn(call: Call, given: arguments.Warn) -> Shape:
    told = call.memory.warn(command=given.command, path=given.path, error=given.error)
    return {"text": told.text} | brief(wire_given.warned(told))


def capture(call: Call, given: arguments.Capture) -> Shape:
    done = call.memory.capture(given.text, dry_run=given.dry_run or call.only_read)
    return call.placed(answers.captured(done)) if done.kept else answers.captured(done)


def projects(call: Call, given: arguments.Listing) -> Shape:
    def listed(limit: int) -> Shape:
        known = call.memory.projects(limit=limit + 1, after=given.cursor)
        return answers.projects(known[:limit], more=len(known) > limit)

    return fitting(given.limit, listed, "projects")


def health(call: Call, given: arguments.Stats) -> Shape:
    return answers.health(call.memory.doctor())


FULL = (
    *CORE,
    Tool(
        "memory_get",
        "One memory in full, with its links, newest outcomes and sources; `next` leads to the rest of a long one.",
        arguments.Get,
        schema(memory="o!", links="e", outcomes="e", next="s"),
        get,
    ),
    Tool(
        "memory_recent",
        "Page through memories, newest first or by another order; `next` is the next page's cursor.",
        arguments.Recent,
        schema(items="m!", total="i!", next="s"),
        recent,
    ),
    Tool(
        "memory_update",
        "Correct what a memory says or how it is labelled; what is not named stays, and old versions are kept.",
        arguments.Update,
        schema(memory="o!", changed="a!"),
        update,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_archive",
        "Take memories out of sight because they no longer hold; memory_restore brings them back.",
        arguments.Several,
        schema(memories="m!"),
        archive,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_restore",
        "Bring archived memories back.",
        arguments.Several,
        schema(memories="m!"),
        restore,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_confirm",
        "Say that memories still hold, because you have just seen it.",
        arguments.Several,
        schema(memories="m!"),
        confirm,
        writes=True,
    ),
    Tool(
        "memory_review",
        "What waits for a decision, and why: `offers` is what you may decide, `needs_person` what a person must.",
        arguments.Review,
        schema(items="e!", total="i!", by_kind="o!", next="s"),
        review,
    ),
    Tool(
        "memory_propose",
        "Propose a rule for everybody's work here, or a memory by its id, for a person's approval. A new rule counts"
        " only once it is approved; a memory goes on counting.",
        arguments.Propose,
        schema(id="s!", status="s!", reason="s"),
        propose,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_decide",
        "Decide what waits by one of its `offers`: merge, keep or drop a near duplicate; archive the rest.",
        arguments.Decide,
        schema(operation="s!", memories="m!"),
        decide,
        writes=True,
    ),
    Tool(
        "memory_related",
        "The memories closest to one.",
        arguments.Related,
        schema(hits="m!"),
        related,
    ),
    Tool(
        "memory_link",
        "Say that one memory supersedes, contradicts or relates to another.",
        arguments.Relate,
        schema(links="e!"),
        link,
        writes=True,
        idempotent=True,
    ),
    Tool(
        "memory_history",
        "Every version of a memory: who changed what, and when. Newest first; `next` leads to older ones.",
        arguments.History,
        schema(id="s!", versions="e!", next="s"),
        history,
    ),
    Tool(
        "memory_timeline",
        "What happened, newest last; `next` leads to what happened before.",
        arguments.Timeline,
        schema(items="m!", next="s"),
        timeline,
    ),
    Tool(
        "memory_handoff",
        "Close a session with what the next one should know; else read what the last one left.",
        arguments.Handoff,
        schema(handoff="o", recorded="o"),
        handoff,
        writes=True,
        mixed=True,
        reading="What the last session left for this one.",
    ),
    Tool(
        "memory_verify",
        "Check whether what memories cite is still there; what moved is followed.",
        arguments.Verify,
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
        arguments.Warn,
        schema(text="s!", warnings="e"),
        warn,
    ),
    Tool(
        "memory_capture",
        "Keep the preferences, corrections, rules and decisions in what a person said.",
        arguments.Capture,
        schema(kept="e!", dry_run="b!"),
        capture,
        writes=True,
        idempotent=True,
        mixed=True,
        reading="Show which preferences, corrections, rules and decisions in what a person said would be kept.",
    ),
    Tool(
        "memory_projects",
        "The known projects with the number of their memories; `next` is the next page's cursor.",
        arguments.Listing,
        schema(projects="e!", next="s"),
        projects,
    ),
    Tool(
        "memory_health",
        "Examine the store for damage; nothing is changed.",
        arguments.Stats,
        schema(ok="b!", checks="i!", problems="e!"),
        health,
    ),
)
