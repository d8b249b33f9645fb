"""The REST interface keeps what its OpenAPI document says, for any request a program could make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, seed, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

from memory_layer.doors.rest.app import DOCUMENT, HEALTH
from memory_layer.doors.rest.events import EVENTS
from memory_layer.doors.rest.table import ROUTES
from tests.doors.rest_client import AUTHORIZED, PORT, guarded_app
from tests.proof import counted

HERE = {"Host": f"localhost:{PORT}"}
TEXT = {"type": "string"}
CASES = counted(2, 100)  #: for each operation and kind of data
#: A request that fits the document may still name what is not there, or a text that a verb refuses.
CONFIG = {
    "checks": {
        "positive_data_acceptance": {"expected-statuses": [*range(200, 300), 304, 403, 404, 409, 412, 422]}
    }
}


def operations(schema: Any) -> list[Any]:
    return [found.ok() for found in schema.get_all_operations()]


@pytest.fixture
def schema(machine):
    load_all_checks()
    app = guarded_app(machine / "work")
    config = SchemathesisConfig.from_dict(CONFIG)
    loaded = schemathesis.openapi.from_asgi(DOCUMENT, app, config=config, headers=AUTHORIZED | HERE)
    return loaded


def is_sent(case: Any) -> bool:
    """Check that what is wrong about a request reaches the server.

    The token is always sent, an empty value never, and one value in place of a list of texts is such a list.
    """
    if case.meta.generation.mode is GenerationMode.POSITIVE:
        return True
    wrong = {where for where, each in case.meta.components.items() if each.mode is GenerationMode.NEGATIVE}
    sent = case.query or {}
    texts = [each.name for each in case.operation.query if each.definition["schema"].get("items") == TEXT]
    if any(value in ([], {}, None) for value in sent.values()) or any(name in texts for name in sent):
        wrong -= {ParameterLocation.QUERY}
    return bool(wrong - {ParameterLocation.HEADER})


def run(schema: Any, each: Callable[[Any], str]) -> Counter[str]:
    """Call every operation with generated data; what each case was answered with."""
    answered: Counter[str] = Counter()
    for operation in operations(schema):
        if operation.path == EVENTS:
            continue  # its answer has no end; test_rest_events.py reads it
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @seed(25)
            @settings(max_examples=CASES, database=None, suppress_health_check=list(HealthCheck))
            @given(case=operation.as_strategy(mode))
            def one(case: Any) -> None:
                assume(is_sent(case))
                answered[each(case)] += 1

            with suppress(Unsatisfiable):  # a path without parameters cannot be called wrongly
                one()
    return answered


@pytest.mark.prove
def test_every_answer_is_one_that_the_document_names(schema):
    def each(case: Any) -> str:
        response = case.call_and_validate(headers=AUTHORIZED | HERE)
        return f"{case.meta.generation.mode.value} {response.status_code}"

    answered = run(schema, each)
    print(f"REST: {sum(answered.values()):,} cases, 0 failures; answers {dict(sorted(answered.items()))}")
    assert answered["positive 200"]
    assert answered["negative 400"]


@pytest.mark.prove
def test_no_request_without_the_token_is_answered(schema):
    def each(case: Any) -> str:
        return str(case.call(headers=HERE).status_code) if case.path != HEALTH else "open"

    answered = run(schema, each)
    print(
        f"REST: {sum(answered.values()):,} requests without the token; answers {dict(sorted(answered.items()))}"
    )
    assert (
        {"401", "open"} <= set(answered) <= {"401", "429", "open"}
    )  # after many wrong tries callers have to wait


def test_the_document_lists_every_route_once(schema):
    listed = [f"{operation.method.upper()} {operation.path}" for operation in operations(schema)]
    paths = [f"{route.method} {route.plain_path}" for route in ROUTES]

    assert schema.raw_schema["openapi"].startswith("3.1")
    assert sorted(listed) == sorted([*paths, f"GET {HEALTH}", f"GET {EVENTS}"])
    assert len({route.name for route in ROUTES}) == len(ROUTES)
