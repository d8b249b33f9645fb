"""The Python door changes and relates memories as every other door does."""

from __future__ import annotations

import pytest

import memory_layer
from memory_layer.errors import ChangedMeanwhile, InvalidInput


@pytest.fixture
def memory(tmp_path, monkeypatch, model_folder):
    monkeypatch.setenv("MEM_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("MEM_MODEL", str(model_folder))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    with memory_layer.open() as memory:
        yield memory


def test_a_memory_is_edited_and_tagged(memory):
    known = memory.add("The build needs Java 21").id
    edited = memory.edit(
        known,
        content="The build needs Java 25",
        category="environment",
        priority="high",
        scope_patterns=["src/**"],
    )
    tagged = memory.tag(known, "build", "jdk=25")
    untagged = memory.tag(known, "build", remove=True)

    assert (edited.memory.content, edited.memory.category) == ("The build needs Java 25", "environment")
    assert (edited.memory.priority, edited.memory.scope) == ("high", ("src/**",))
    assert (tagged.memory.tags, tagged.memory.metadata) == (("build",), {"jdk": 25})
    assert untagged.memory.tags == ()


def test_an_edit_can_insist_on_a_version(memory):
    known = memory.add("The build needs Java 21").id
    memory.edit(known, add_tags=["x"], version=1)

    with pytest.raises(ChangedMeanwhile):
        memory.edit(known, add_tags=["y"], version=1)


def test_memories_are_related_and_linked(memory):
    java, gradle = memory.add("The build needs Java 21").id, memory.add("Gradle needs a JVM toolchain").id
    linked = memory.link(java, "relates_to", gradle)

    assert [hit.memory.id for hit in memory.related(java, limit=1).hits] == [gradle]
    assert memory.links(gradle) == linked
    assert memory.unlink(gradle, "relates_to", java) == []


def test_unknown_words_are_sentences(memory):
    known = memory.add("The build needs Java 21").id

    with pytest.raises(InvalidInput, match="likes"):
        memory.link(known, "likes", known)
    with pytest.raises(InvalidInput):
        memory.edit(known, category="poem")


def test_forgetting_is_no_method():
    assert not hasattr(memory_layer.Memories, "forget")
