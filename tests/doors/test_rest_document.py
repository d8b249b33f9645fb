"""The REST interface keeps what its OpenAPI document says, for any request a program could make of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import count
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, assume, given, seed, settings
from schemathesis import GenerationMode
from schemathesis.checks import load_all_checks
from schemathesis.config import SchemathesisConfig
from schemathesis.core.parameters import ParameterLocation

from memory_layer.doors.http.pace import Pace
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
    app = guarded_app(machine / "work", pace=Pace(count().__next__))  # no caller ever has to wait
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


def modes(operation: Any) -> Iterator[GenerationMode]:
    """Yield the kinds of data that an operation can be called with: a path and headers are never wrong."""
    yield GenerationMode.POSITIVE
    if operation.query or operation.body:
        yield GenerationMode.NEGATIVE


@pytest.mark.prove
def test_every_answer_is_one_that_the_document_names_and_none_is_given_without_the_token(schema):
    answered: Counter[str] = Counter()
    refused: Counter[int] = Counter()
    for operation in operations(schema):
        if operation.path == EVENTS:
            continue  # its answer has no end; test_rest_events.py reads it
        for mode in modes(operation):

            @seed(25)
            @settings(max_examples=CASES, database=None, suppress_health_check=list(HealthCheck))
            @given(case=operation.as_strategy(mode))
            def one(case: Any) -> None:
                assume(is_sent(case))
                if case.path != HEALTH:
                    refused[case.call(headers=HERE).status_code] += 1
                response = case.call_and_validate(headers=AUTHORIZED | HERE)
                answered[f"{case.meta.generation.mode.value} {response.status_code}"] += 1

            one()
    print(f"REST: {answered.total():,} cases, 0 failures; answers {dict(sorted(answered.items()))}")
    print(f"REST: {refused.total():,} requests without the token; answers {dict(refused)}")
    assert answered["positive 200"]
    assert answered["negative 400"]
    assert set(refused) == {401}


def test_the_document_lists_every_route_once(schema):
    listed = [f"{operation.method.upper()} {operation.path}" for operation in operations(schema)]
    paths = [f"{route.method} {route.plain_path}" for route in ROUTES]

    assert schema.raw_schema["openapi"].startswith("3.1")
    assert sorted(listed) == sorted([*paths, f"GET {HEALTH}", f"GET {EVENTS}"])
    assert len({route.name for route in ROUTES}) == len(ROUTES)
