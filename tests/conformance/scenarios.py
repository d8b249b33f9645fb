"""How our server fares in every scenario of the protocol's conformance suite, and why where it does not pass.

The suite calls tools, prompts and resources by names of its own. What those scenarios say about the protocol is tried
on `fixture_server`, the product's code with such rows added; the product as it is shipped has none of them.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

EXTENSION = "extension"
HANDSHAKE = ("2025-06-18", "2025-11-25")
LAST_HANDSHAKE = ("2025-11-25",)
STATELESS = ("2026-07-28",)
LATER = (*LAST_HANDSHAKE, *STATELESS)
EVERY = (*HANDSHAKE, *STATELESS)
REVISIONS = ("2025-03-26", *EVERY, EXTENSION)


class Verdict(StrEnum):
    PASSES = "passes"
    FAILS = "fails"
    NOT_APPLICABLE = "not applicable"


class Scenario(NamedTuple):
    """One scenario: the revisions it runs in, how it ends on each server, and why it does not pass."""

    revisions: tuple[str, ...]
    product: Verdict = Verdict.NOT_APPLICABLE
    fixtures: Verdict = Verdict.NOT_APPLICABLE
    why: str = ""


def _passes(revisions: tuple[str, ...], why: str = "") -> Scenario:
    return Scenario(revisions, Verdict.PASSES, Verdict.PASSES, why)


def _with_fixtures(revisions: tuple[str, ...], why: str) -> Scenario:
    return Scenario(revisions, fixtures=Verdict.PASSES, why=why)


TOOL = "calls a tool of the suite's own"
PROMPT = "gets a prompt of the suite's own"
RESOURCE = "reads a resource of the suite's own"
PICTURES = "wants a picture or sound; a memory is text"
EMBEDDED = "wants a resource inside an answer; ours are text and data"
LOGGING = "the protocol has deprecated logging to clients, and the server does not offer it"
SAMPLING = "wants a question to the client's model; the server never asks it"
ROOTS = "wants a question about the client's folders; the project is an argument instead"
FORM = "wants a form of the suite's own; the server has one form, about near duplicates"
SUBSCRIPTIONS = "the server offers no subscriptions"
STATE = "wants a question that carries state; ours needs none, for the text waits in the store"
TASKS = "the server does not offer the extension for tasks; no call takes that long"
SKILLS = "the server does not offer the extension for skills"

SCENARIOS = {
    "server-initialize": _passes(HANDSHAKE),
    "server-session-lifecycle": _passes(("2025-03-26", *HANDSHAKE)),
    "server-stateless": Scenario(
        STATELESS,
        Verdict.FAILS,
        Verdict.FAILS,
        "four of its checks call tools of the suite's own; with these there, two want one that cannot work unless"
        " the client has a model to ask, and ours need nothing of a client",
    ),
    "logging-set-level": Scenario(HANDSHAKE, why=LOGGING),
    "ping": _passes(HANDSHAKE),
    "completion-complete": _passes(EVERY),
    "tools-list": _passes(EVERY),
    "tools-call-simple-text": _with_fixtures(EVERY, TOOL),
    "tools-call-image": Scenario(EVERY, why=PICTURES),
    "tools-call-audio": Scenario(EVERY, why=PICTURES),
    "tools-call-embedded-resource": Scenario(EVERY, why=EMBEDDED),
    "tools-call-mixed-content": Scenario(EVERY, why=PICTURES),
    "tools-call-with-logging": Scenario(HANDSHAKE, why=LOGGING),
    "tools-call-error": _with_fixtures(EVERY, TOOL),
    "tools-call-with-progress": _with_fixtures(EVERY, TOOL),
    "tools-call-sampling": Scenario(HANDSHAKE, why=SAMPLING),
    "tools-call-elicitation": _with_fixtures(HANDSHAKE, TOOL),
    "json-schema-2020-12": Scenario(
        LATER, why="wants a tool whose schema has references and conditions; ours are flat, to be short"
    ),
    "elicitation-sep1034-defaults": Scenario(LAST_HANDSHAKE, why=FORM),
    "server-sse-polling": Scenario(
        LAST_HANDSHAKE, why="wants a tool that drops its stream half-way; no answer takes that long"
    ),
    "server-sse-multiple-streams": _passes(LATER),
    "elicitation-sep1330-enums": Scenario(LAST_HANDSHAKE, why=FORM),
    "resources-list": _passes(EVERY),
    "resources-read-text": _with_fixtures(EVERY, RESOURCE),
    "resources-read-binary": Scenario(EVERY, why="wants a resource of bytes; a memory is text"),
    "resources-templates-read": _with_fixtures(EVERY, RESOURCE),
    "resources-subscribe": Scenario(HANDSHAKE, why=SUBSCRIPTIONS),
    "resources-unsubscribe": Scenario(HANDSHAKE, why=SUBSCRIPTIONS),
    "sep-2164-resource-not-found": _passes(STATELESS),
    "prompts-list": _passes(EVERY),
    "prompts-get-simple": _with_fixtures(EVERY, PROMPT),
    "prompts-get-with-args": _with_fixtures(EVERY, PROMPT),
    "prompts-get-embedded-resource": Scenario(EVERY, why=EMBEDDED),
    "prompts-get-with-image": Scenario(EVERY, why=PICTURES),
    "dns-rebinding-protection": _passes(LATER),
    "caching": _passes(STATELESS),
    "http-header-validation": _passes(STATELESS),
    "http-custom-header-server-validation": _with_fixtures(
        STATELESS, "wants a tool with an argument that a header repeats; ours have none"
    ),
    "input-required-result-basic-elicitation": _with_fixtures(STATELESS, TOOL),
    "input-required-result-basic-sampling": Scenario(STATELESS, why=SAMPLING),
    "input-required-result-basic-list-roots": Scenario(STATELESS, why=ROOTS),
    "input-required-result-request-state": Scenario(STATELESS, why=STATE),
    "input-required-result-multiple-input-requests": Scenario(
        STATELESS, why="wants several questions at once; the server has only one to ask"
    ),
    "input-required-result-multi-round": Scenario(STATELESS, why=STATE),
    "input-required-result-missing-input-response": _with_fixtures(STATELESS, TOOL),
    "input-required-result-non-tool-request": Scenario(
        STATELESS, why="wants a prompt that asks a question; ours ask none"
    ),
    "input-required-result-result-type": _with_fixtures(STATELESS, TOOL),
    "input-required-result-unsupported-methods": _passes(STATELESS),
    "input-required-result-tampered-state": Scenario(STATELESS, why=STATE),
    "input-required-result-capability-check": Scenario(STATELESS, why=SAMPLING),
    "input-required-result-ignore-extra-params": _with_fixtures(STATELESS, TOOL),
    "input-required-result-validate-input": _passes(
        STATELESS, "wants an error of a tool of the suite's own, and that there is no such tool is one"
    ),
    **{
        f"sep-2640-skills-{name}": Scenario((EXTENSION,), why=SKILLS)
        for name in ("directory", "enumeration", "manifest")
    },
    **{
        f"tasks-{name}": Scenario((EXTENSION,), why=TASKS)
        for name in (
            "lifecycle capability-negotiation wire-fields request-state-removal mrtr-input request-headers"
            " dispatch-and-envelope status-notifications required-task-error mrtr-composition"
        ).split()
    },
}

#: The checks of a failing scenario that do not pass, by server; all its others do.
SHORTCOMINGS = {
    ("product", "server-stateless"): (
        "sep-2575-http-server-no-independent-requests-on-stream",
        "sep-2575-missing-capability-http-400",
        "sep-2575-server-no-log-without-loglevel",
        "sep-2575-server-rejects-undeclared-capability",
    ),
    ("fixtures", "server-stateless"): (
        "sep-2575-missing-capability-http-400",
        "sep-2575-server-rejects-undeclared-capability",
    ),
}


def verdicts(server: str) -> dict[str, Verdict]:
    """What the table says of each scenario on one server."""
    return {name: getattr(each, server) for name, each in SCENARIOS.items()}


def counts(server: str) -> dict[Verdict, int]:
    """How many scenarios end in which way."""
    ended = list(verdicts(server).values())
    return {verdict: ended.count(verdict) for verdict in Verdict}
