"""Routes to the store as a whole: review, operations, audit, projects, upkeep, export, health and settings."""

from __future__ import annotations

from contextlib import ExitStack
from tempfile import SpooledTemporaryFile
from typing import Any

from memory_layer.agents.connections import Connection, connections
from memory_layer.doors import wire
from memory_layer.doors.rest.answer_schemas import FLAG, items_of, members, page_of, record
from memory_layer.doors.rest.route import Reply, RestCall, Route, Shape, Values
from memory_layer.doors.rest.shapes import (
    CATEGORY_LINE,
    CONSOLIDATED,
    ENTRY,
    NEW_TOKEN,
    OPERATION,
    PROJECT,
    SETTING,
    UNDONE,
    VERIFIED,
)
from memory_layer.doors.setting_lines import every
from memory_layer.model.access import AccessToken, Role
from memory_layer.model.history import Verdict
from memory_layer.model.upkeep import Check
from memory_layer.verbs import access, govern, look_up, transfer, upkeep
from memory_layer.verbs.call import Target

TOKEN = record(AccessToken)
HEALTH = members(ok=FLAG, checks=items_of(record(Check)), agents=items_of(record(Connection)))
IN_MEMORY = 1_000_000  #: bytes of an export that are not in a temporary file
PROJECTS_PER_PAGE = 50
_MEDIA_TYPES = {"markdown": "text/markdown"}


def projects(call: RestCall, values: Values) -> Shape:
    limit = values.get("limit", PROJECTS_PER_PAGE)
    known = call.do(look_up.PROJECTS, values, limit=limit)
    idle, roots = call.do(look_up.STALE_PROJECTS), call.do(govern.REGISTERED)
    rows = [(each, count, each.key in idle, roots.get(each.id, ())) for each, count in known]
    following = known[-1][0].id if len(known) == limit else None
    return wire.listed((wire.project(*row) for row in rows), following, counted=False)


def export(call: RestCall, values: Values) -> Reply:
    """Export everything, or a project with `project`, as a file; an agent may be refused."""
    if call.dispatcher.target == call.dispatcher.caller.home:
        call.dispatcher.target = Target(everything=True)
    with ExitStack() as closing:
        file = closing.enter_context(SpooledTemporaryFile(IN_MEMORY))
        done = call.do(transfer.EXPORT, values, out=file)
        file.seek(0)
        closing.pop_all()  # the response closes it
    return Reply(None, file=file, media_type=_MEDIA_TYPES.get(done.format, "application/jsonl"))


def health(call: RestCall, values: Values) -> Shape:
    """Check the store for damage and the agents' connections; nothing is changed."""
    from memory_layer.usecases.upkeep import doctor
    from memory_layer.wiring import practice

    settings = call.dispatcher.engine.settings
    found = doctor.examine(practice(settings, "rest"))
    wrong = any(each.is_wrong for each in found.checks)
    agents = connections(settings, call.dispatcher.caller.here)
    return {
        "ok": found.opens and not wrong,
        "checks": wire.plain(found.checks),
        "agents": wire.plain(agents),
    }


def settings(call: RestCall, values: Values) -> Shape:
    """List the settings with their values, where these come from, and what they mean."""
    lines = every(call.dispatcher.engine.settings)
    return wire.listed(
        each.shape() | {"default": each.default, "unset": each.unset, "meaning": each.meaning}
        for each in lines
    )


def categories(call: RestCall, values: Values) -> Shape:
    """List the categories with their families and meanings."""
    return wire.categories()


def of_entries(listed: Any) -> Shape:
    return wire.listed(map(wire.entry, listed), counted=False)


def operations(call: RestCall, values: Values) -> Shape:
    """List the last operations, newest first."""
    found = call.do(govern.OPERATIONS, values)
    full = len(found) == values.get("limit", govern.OperationsRequest().limit)
    return wire.listed(map(wire.operation, found), found[-1].id if full and found else None, counted=False)


STORE_ROUTES = (
    Route(
        "GET",
        "/api/operations",
        govern.OPERATIONS,
        None,
        page_of(OPERATION),
        run=operations,
        about="List the last operations, newest first.",
        scoped=False,
    ),
    Route(
        "POST",
        "/api/operations/{operation}/undo",
        govern.UNDO,
        wire.undone,
        UNDONE,
        writes=True,
        scoped=False,
    ),
    Route("GET", "/api/audit", govern.AUDIT_LOG, of_entries, page_of(ENTRY), scoped=False, role=Role.ADMIN),
    Route(
        "GET",
        "/api/audit/verdict",
        govern.VERIFY_AUDIT,
        wire.verdict,
        record(Verdict),
        scoped=False,
        role=Role.ADMIN,
    ),
    Route("GET", "/api/projects", look_up.PROJECTS, None, page_of(PROJECT), run=projects, scoped=False),
    Route(
        "POST",
        "/api/consolidate",
        upkeep.CONSOLIDATE,
        lambda done: {"due": done is not None} | (wire.consolidated(done) if done else {}),
        CONSOLIDATED,
        writes=True,
        role=Role.ADMIN,
    ),
    Route("POST", "/api/verify", upkeep.VERIFY, wire.verified, VERIFIED, writes=True, role=Role.ADMIN),
    Route(
        "GET",
        "/api/export",
        transfer.EXPORT,
        None,
        {"type": "string"},
        run=export,
        without="path force",
        media_types=("application/jsonl", "text/markdown"),
        role=Role.ADMIN,
    ),
    Route("GET", "/api/health", None, None, HEALTH, run=health, scoped=False, role=Role.ADMIN),
    Route("GET", "/api/settings", None, None, page_of(SETTING), run=settings, scoped=False, role=Role.ADMIN),
    Route(
        "GET",
        "/api/tokens",
        access.TOKENS,
        lambda tokens: wire.listed(map(wire.token, tokens)),
        page_of(TOKEN),
        role=Role.ADMIN,
        scoped=False,
    ),
    Route(
        "POST",
        "/api/tokens",
        access.MAKE_TOKEN,
        wire.made_token,
        NEW_TOKEN,
        writes=True,
        role=Role.ADMIN,
        status=201,
        scoped=False,
        without="personal",
    ),
    Route(
        "DELETE",
        "/api/tokens/{token}",
        access.REVOKE_TOKEN,
        wire.token,
        TOKEN,
        writes=True,
        role=Role.ADMIN,
        scoped=False,
    ),
    Route("GET", "/api/categories", None, None, page_of(CATEGORY_LINE), run=categories, scoped=False),
)
