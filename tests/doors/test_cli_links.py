"""What supersedes and what contradicts what, from the command line: shown, and kept from being given out."""

from __future__ import annotations

import pytest

from tests.doors.terminals import typed


@pytest.fixture
def three(mem):
    """An old fact, the one that replaced it, and one beside them."""
    texts = ("The API uses OAuth 1.0", "The API moved to OAuth 2.0", "Never log the OAuth token")
    return [mem("add", text, "--json").data["id"] for text in texts]


def given(mem, *arguments):
    return [
        hit["id"]
        for hit in mem("run", "start", "change the OAuth of the API", *arguments, "--json").data["hits"]
    ]


def found(mem):
    return {hit["id"] for hit in mem("search", "OAuth", "--json").data["hits"]}


def test_what_is_superseded_is_shown_as_such_and_neither_found_nor_given_to_a_run(mem, three):
    old, new, other = three
    assert (found(mem), set(given(mem))) == (set(three), set(three))
    said = mem("links", new, "--add", "supersedes", old)

    assert f"{new[:12]}  supersedes  {old[:12]}" in said.out
    assert f"{new[:12]} supersedes this" in mem("show", old, "--peek").out
    assert f"supersedes {old[:12]}" in mem("show", new, "--peek").out
    assert (found(mem), set(given(mem))) == ({new, other}, {new, other})
    assert f"superseded by a newer memory ({new[:12]})" in mem("why", "OAuth").out


def test_a_scope_that_fits_or_any_confidence_gives_nobody_what_is_superseded(mem, three):
    old, new, _ = three
    mem("edit", old, "--scope", "src/auth/**")
    mem("links", new, "--add", "supersedes", old)

    assert old not in given(mem, "--scope", "src/auth/**", "--limit", "100")


def test_the_caller_of_a_run_may_include_even_what_is_superseded_and_it_says_so(mem, three):
    old, new, _ = three
    mem("links", new, "--add", "supersedes", old)

    assert old in given(mem, "--include", old)
    assert "included" in mem("run", "start", "look at the old OAuth", "--include", old).out


def test_a_chain_of_three_gives_only_the_newest(mem, three):
    first, second, third = three
    mem("links", second, "--add", "supersedes", first)
    mem("links", third, "--add", "supersedes", second)

    assert (found(mem), given(mem)) == ({third}, [third])


def test_what_was_superseded_comes_back_when_the_newer_one_is_archived_or_the_link_goes(mem, three):
    old, new, other = three
    mem("links", new, "--add", "supersedes", old)
    mem("archive", new)
    assert found(mem) == {old, other}

    mem("restore", new)
    assert found(mem) == {new, other}
    mem("links", new, "--remove", "supersedes", old)
    assert found(mem) == set(three)


def test_memories_that_contradict_each_other_are_both_given_and_marked(mem, three):
    old, new, other = three
    mem("links", new, "--add", "conflicts_with", old)

    searched = mem("search", "OAuth")
    both = ("--include", old, "--include", new)  # what is disputed comes only if it is named
    begun = mem("run", "start", "change the OAuth of the API", *both)
    for answer in (searched, begun, mem("run", "show", begun.out.split()[0])):
        for memory, rival in ((old, new), (new, old)):
            (line,) = [line for line in answer.out.splitlines() if line.startswith(memory[:12])]
            assert f"conflicts with {rival[:12]}" in line
        (line,) = [line for line in answer.out.splitlines() if line.startswith(other[:12])]
        assert "conflicts" not in line
    hits = mem("run", "start", "change the OAuth of the API", *both, "--json").data["hits"]
    assert {hit["id"]: hit["conflicts"] for hit in hits} == {old: [new], new: [old], other: []}


def test_a_conflict_that_a_person_settles_by_superseding_gives_one_and_waits_no_more(mem, three):
    old, new, _ = three
    mem("links", new, "--add", "conflicts_with", old)
    refused = mem("links", new, "--add", "supersedes", old)
    assert "are waiting to be compared in" in refused.err
    assert mem("review", "--json").data["by_kind"]["conflict"] == 1
    assert typed("links", new, "--add", "supersedes", old)[0] == 0

    assert mem("review", "--json").data["by_kind"]["conflict"] == 0
    assert old not in found(mem)
    assert "conflicts" not in mem("search", "OAuth").out
    assert "conflicts" not in mem("run", "start", "change the OAuth of the API").out


def test_programs_are_told_of_a_link_what_it_relates_and_since_when(mem, three):
    old, new, _ = three
    listed = mem("links", new, "--add", "supersedes", old, "--json").data["items"]
    opened = mem("show", new, "--peek", "--json").data["links"]

    assert [set(link) for link in (*listed, *opened)] == [{"source", "target", "kind", "created_at"}] * 2
