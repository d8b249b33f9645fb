"""The reference page that the server brings along: every path and type on one page, without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from starlette.testclient import TestClient

from docs.rest_routes import document
from memory_layer.doors.rest.operations import operations
from tests.doors.rest_client import rest_client


@pytest.fixture
def rest(machine) -> Iterator[TestClient]:
    with rest_client(machine / "work") as client:
        yield client


def test_the_page_has_every_path_parameter_answer_and_call(rest):
    page = rest.get("/api/reference")
    text = unescape(re.sub(r"<[^>]+>", "", page.text))

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for each in operations(document()):
        assert f"{each.method} {each.path}" in text
        assert each.curl in text
        assert [taken for taken in each.takes if not (taken.name in text and taken.about in text)] == []
        assert [said for said in each.answers if not (said.about in text and said.type in text)] == []


def test_the_page_loads_its_style_from_the_server_and_nothing_else(rest):
    page = rest.get("/api/reference").text
    addresses = re.findall(r'(?:src|href)="([^"#][^"]*)"', page)

    assert addresses == ["/api/reference/style.css", "/api/openapi.json"]
    assert re.findall(r"<script|<style|\sstyle=|\son\w+=", page) == []
    style = rest.get("/api/reference/style.css")
    assert style.headers["content-type"].startswith("text/css")
    assert "url(" not in style.text


def test_every_link_on_the_page_leads_somewhere(rest):
    page = rest.get("/api/reference").text
    places = set(re.findall(r'\sid="([^"]+)"', page))

    assert [each for each in re.findall(r'href="#([^"]+)"', page) if each not in places] == []


def test_the_page_needs_the_token(rest):
    assert rest.get("/api/reference", headers={"Authorization": ""}).status_code == 401


def test_every_parameter_and_group_is_described():
    every = list(operations(document()))

    assert [f"{each.id} {taken.name}" for each in every for taken in each.takes if not taken.about] == []
    assert all(each["description"] for each in document()["tags"])
