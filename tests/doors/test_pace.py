"""Callers that send too much are told to wait, without keeping out the others."""

from __future__ import annotations

import pytest
from starlette.testclient import TestClient

from memory_layer.doors.http.access import Access, Head
from memory_layer.doors.http.grant import Grant
from memory_layer.doors.http.pace import AT_ONCE, FAILED, FAILED_AT_ONCE, LINKS, Pace
from memory_layer.doors.http.refusals import Refusal
from tests.doors.rest_client import ADDRESS, AUTHORIZED, TOKEN, guarded_app, link_in


class Hand:
    """A clock that stands still until it is moved."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def used_up(pace: Pace, key: str, most: int) -> None:
    assert [pace.wait(key) for _ in range(most)] == [0] * most


def test_a_caller_waits_after_its_burst_and_others_do_not():
    clock = Hand()
    pace = Pace(clock)
    used_up(pace, "one", AT_ONCE)

    assert (pace.wait("one"), pace.wait("other")) == (1, 0)
    clock.now = 1.0
    assert pace.wait("one") == 0


def test_waiting_never_saves_up_more_than_one_burst():
    clock = Hand()
    pace = Pace(clock)
    pace.wait(FAILED)
    clock.now = 1e6
    used_up(pace, FAILED, FAILED_AT_ONCE)

    assert pace.wait(FAILED) == 1


@pytest.mark.parametrize(
    ("key", "most", "path", "headers"),
    [
        ("file", AT_ONCE, "/api/session", AUTHORIZED),
        (FAILED, FAILED_AT_ONCE, "/api/session", {"Authorization": "Bearer wrong"}),
        (LINKS, FAILED_AT_ONCE, "/?t=wrong", {}),
    ],
    ids=["requests of a token", "wrong tokens", "links"],
)
def test_too_many_requests_are_refused_with_the_seconds_to_wait(machine, key, most, path, headers):
    clock = Hand()
    pace = Pace(clock)
    used_up(pace, key, most)
    with TestClient(guarded_app(machine / "work", pace=pace), ADDRESS) as client:
        refused = client.get(path, headers=headers)
        others = client.get("/api/session", headers={} if key == "file" else AUTHORIZED)
        clock.now = 1.0
        later = client.get(path, headers=headers)

    assert (refused.status_code, refused.json()["code"]) == (429, "too_many_requests")
    assert refused.headers["retry-after"] == "1"
    assert others.status_code == (401 if key == "file" else 200)
    assert later.status_code == {"file": 200, FAILED: 401, LINKS: 403}[key]


def test_a_link_that_had_to_wait_still_works(machine):
    clock = Hand()
    pace = Pace(clock)
    link = link_in(machine / "work")
    used_up(pace, LINKS, FAILED_AT_ONCE)
    with TestClient(guarded_app(machine / "work", pace=pace), ADDRESS, follow_redirects=False) as browser:
        assert browser.get(link).status_code == 429
        clock.now = 1.0
        assert browser.get(link).status_code == 303


def test_images_and_frames_of_another_site_use_up_no_links(machine):
    pace = Pace(Hand())
    used_up(pace, LINKS, FAILED_AT_ONCE - 2)
    with TestClient(guarded_app(machine / "work", pace=pace), ADDRESS, follow_redirects=False) as browser:
        for site in ("cross-site", "same-site"):
            for kind in ({}, {"Sec-Fetch-Dest": "image"}, {"Sec-Fetch-Dest": "iframe"}):
                refused = browser.get("/?t=wrong", headers={"Sec-Fetch-Site": site} | kind)
                assert (refused.status_code, refused.json()["code"]) == (403, "foreign_origin")
        opened = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Dest": "document"}
        assert browser.get("/?t=wrong", headers=opened).status_code == 403
        assert browser.get(link_in(machine / "work"), headers=opened).status_code == 303
        assert browser.get("/?t=wrong", headers=opened).status_code == 429


def test_requests_are_counted_for_each_token(machine):
    pace = Pace(Hand())
    access = Access(TOKEN, 8080, pace=pace)
    used_up(pace, FAILED, FAILED_AT_ONCE)
    head = Head("/api/session", host="localhost:8080")

    wrong = access.decide(head._replace(authorizations=("Bearer wrong",)))
    right = access.decide(head._replace(authorizations=(f"Bearer {TOKEN}",)))

    assert isinstance(wrong, Refusal)
    assert wrong.status == 429
    assert isinstance(right, Grant)
