"""The public conformance suite of the protocol is run whole, and ends as the table in `tests/conformance` says."""

from __future__ import annotations

import pytest

from tests.conformance.scenarios import SCENARIOS, Verdict, verdicts
from tests.conformance.suite import SERVERS, Ran, differences, listed, run

pytestmark = pytest.mark.usefixtures("mcp_packages")


def test_the_table_knows_every_scenario_of_the_suite_and_its_revisions():
    assert {name: each.revisions for name, each in SCENARIOS.items()} == listed()


@pytest.mark.parametrize("server", SERVERS)
def test_every_scenario_ends_as_the_table_says(server, machine):
    assert differences(server, run(server, machine / "home")) == []


def test_what_does_not_pass_says_why():
    assert [
        name
        for name, each in SCENARIOS.items()
        if not each.why and {each.product, each.fixtures} != {Verdict.PASSES}
    ] == []


def test_a_table_that_has_gone_stale_is_noticed():
    true = {
        (revision, name): Ran(passed=("it",)) if verdicts("product")[name] is Verdict.PASSES else Ran()
        for name, each in SCENARIOS.items()
        for revision in each.revisions
    }
    right = {key: ran for key, ran in true.items() if key[1] != "server-stateless"}
    place = ("2026-07-28", "caching")

    assert differences("product", right) == ["product: 2026-07-28 server-stateless is in one of them only"]
    for other in (Ran(), Ran(passed=("wire-schema-valid",)), Ran(passed=("it",), failed=("another",))):
        assert any(
            "caching is said to be passes" in line for line in differences("product", right | {place: other})
        )
    better = right | {("2025-11-25", "tools-call-image"): Ran(passed=("it",))}
    assert any(
        "tools-call-image is said to be not applicable" in line for line in differences("product", better)
    )
    worse = right | {("2026-07-28", "server-stateless"): Ran(passed=("it",), failed=("one more",))}
    assert any("server-stateless is said to be fails" in line for line in differences("product", worse))
