"""Groups of paths by their purpose, which the document calls tags."""

from __future__ import annotations

from memory_layer.model.record import NamedTuple


class Group(NamedTuple):
    """A group of paths: its name, its purpose, and how its paths begin."""

    name: str
    about: str
    paths: tuple[str, ...]


GROUPS = (
    Group("Memories", "Store memories, read, change and link them.", ("/api/memories",)),
    Group(
        "Search",
        "Find the best memories for a question, and see why.",
        ("/api/search", "/api/why", "/api/facets"),
    ),
    Group(
        "Memories of a project",
        "Six paths with names in camelCase, for programs that manage the memories of one project.",
        ("/api/projects/{project}",),
    ),
    Group(
        "For an agent at work",
        "Give an agent what it should know, warn it, and look up what it was given.",
        ("/api/context", "/api/compose", "/api/warn", "/api/recalls", "/api/runs"),
    ),
    Group(
        "Outcomes",
        "Say how it went with memories, so that the good ones come first.",
        ("/api/outcomes", "/api/memories/reinforce"),
    ),
    Group(
        "Sessions",
        "Keep what was said and what happened, and hand over to the next session.",
        ("/api/capture", "/api/episodes", "/api/timeline", "/api/handoff", "/api/sessions"),
    ),
    Group("Procedures", "Named steps that work.", ("/api/procedures",)),
    Group("Tasks", "Tasks of other programs, and the memories used for them.", ("/api/tasks",)),
    Group("Review", "Decide about what waits.", ("/api/review", "/api/memories/{memory_id}/propose")),
    Group(
        "History and undo",
        "See who changed what, go back, and verify the record.",
        (
            "/api/operations",
            "/api/audit",
            "/api/memories/{memory_id}/history",
            "/api/memories/{memory_id}/revert",
        ),
    ),
    Group(
        "Overview",
        "Figures of the whole store, and its changes as they happen.",
        ("/api/stats", "/api/overview", "/api/insights", "/api/map", "/api/changes", "/api/events"),
    ),
    Group(
        "Access",
        "Who is signed in, and what may be signed.",
        ("/api/session", "/api/tokens", "/api/passkeys"),
    ),
    Group(
        "The store",
        "Projects, upkeep, export, health and settings.",
        (
            "/api/projects",
            "/api/consolidate",
            "/api/verify",
            "/api/export",
            "/api/health",
            "/api/settings",
            "/api/categories",
            "/health",
        ),
    ),
)


def group_of(path: str) -> str:
    """Return the name of the group whose paths begin most like this one."""
    fitting = [
        (len(begins), group.name)
        for group in GROUPS
        for begins in group.paths
        if path == begins or path.startswith(f"{begins}/")
    ]
    return max(fitting, default=(0, GROUPS[-1].name))[1]
