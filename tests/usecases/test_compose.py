"""Whole prompts: their sections, the memories in them, and that they can be made again."""

from __future__ import annotations

import pytest

from memory_layer.errors import InvalidInput
from memory_layer.model.changes import Changes
from memory_layer.model.context import ContextOrder
from memory_layer.model.memory import Draft, Project
from memory_layer.model.runs import Composing, PromptParts, RunTask
from memory_layer.model.vocabulary import Category, OnDuplicate
from memory_layer.usecases.give.compose import compose
from memory_layer.usecases.learn.run import run, start
from memory_layer.usecases.look_up.recalls import recall, text_given
from memory_layer.usecases.remember.add import add
from memory_layer.usecases.remember.curate import archive
from memory_layer.usecases.remember.edit import edit
from memory_layer.usecases.who.lookup import read_memory
from tests.places import HERE

WHOLE = PromptParts(
    role="You are a careful engineer.",
    task="Make uploads faster.",
    workspace="A worktree of harbour.",
    read_first=("docs/upload.md", "src/core/upload.py"),
    constraints=("Write only below src/core.",),
    digest="The first try failed: the lock was held.",
    output_format="A patch.",
)


@pytest.fixture
def engine(keyword_engine):
    return keyword_engine


@pytest.fixture
def known(engine, person, agent):
    """Three memories as the second design shows them, by the name of their category."""
    texts = {
        Category.PATTERN: "This project uses pnpm + Turborepo",
        Category.WARNING: "Full test execution is required for changes under src/core/",
        Category.LEARNING: "The lint config change failed because its ignore file was not checked",
    }
    return {
        category: add(
            engine,
            Draft(
                text,
                category,
                on_duplicate=OnDuplicate.KEEP,
                tags=("src/core/**",) if category is Category.WARNING else (),
            ),
            agent if category is Category.LEARNING else person,
            HERE,
        ).id
        for category, text in texts.items()
    }


@pytest.fixture
def composed(engine, agent):
    def composed_(parts=WHOLE, memories=(), peek=False, **task):
        asked = RunTask(parts.task, **{"order": ContextOrder.S1, **task})
        return compose(engine, Composing(parts, asked, memories, peek), agent, HERE)

    return composed_


def test_the_sections_stand_in_their_order_with_memories_between_read_first_and_constraints(known, composed):
    text = composed(write_scope=("src/core/a.py",)).text

    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Role",
        "## Task",
        "## Workspace",
        "## Read First",
        "## Memories",
        "## Constraints",
        "## Retry/Continue Digest",
        "## Output Format",
    ]
    assert (
        "## Read First\n- docs/upload.md\n- src/core/upload.py\n\n"
        "## Memories\n"
        "- [warning] Full test execution is required for changes under src/core/\n"
        "- [pattern] This project uses pnpm + Turborepo\n"
        "- [learning] The lint config change failed because its ignore file was not checked\n\n"
        "## Constraints\n- Write only below src/core.\n\n"
    ) in text


def test_what_is_not_given_has_no_section(composed):
    assert composed(PromptParts(task="Tidy up.")).text == "## Task\nTidy up."


def test_the_same_parts_and_memories_make_the_same_prompt_byte_for_byte(known, composed):
    one, two = composed(), composed()

    assert (one.text, one.digest) == (two.text, two.digest)
    assert one.recall != two.recall


def test_exactly_the_named_memories_are_given_in_their_order(known, composed):
    wanted = (known[Category.LEARNING], known[Category.PATTERN])
    prompt = composed(memories=wanted)

    assert tuple(memory.id for memory in prompt.section.memories) == wanted


def test_the_caller_keeps_the_last_word(known, composed):
    prompt = composed(include=(known[Category.LEARNING],), exclude=(known[Category.PATTERN],), most=1)

    assert [memory.id for memory in prompt.section.memories] == [known[Category.LEARNING]]


def test_who_names_the_memories_includes_none_beside_them(known, composed):
    with pytest.raises(InvalidInput, match="use either memories or include/exclude"):
        composed(memories=(known[Category.PATTERN],), exclude=(known[Category.LEARNING],))


def test_what_is_archived_cannot_be_named(engine, person, known, composed):
    archive(engine, [known[Category.PATTERN]], person)

    with pytest.raises(InvalidInput, match=r"cannot be included: it is archived \(asked\)"):
        composed(memories=(known[Category.PATTERN],))


def test_what_another_project_knows_cannot_be_named(engine, agent, person, composed):
    elsewhere = Project(id="there", key="git.example/there", name="there")
    foreign = add(engine, Draft(content="The boat is blue"), person, elsewhere).id

    for named in ({"memories": (foreign,)}, {"include": (foreign,)}):
        with pytest.raises(InvalidInput, match="belongs to another project"):
            composed(**named)


def test_the_budget_holds_on_the_section(known, composed):
    prompt = composed(budget=30)

    assert 0 < prompt.section.tokens <= 30
    assert len(prompt.section.memories) + len(prompt.section.left_out) == 3
    assert prompt.section.left_out


def test_a_prompt_is_made_again_from_its_recall_after_its_memories_were_edited(
    engine, person, known, composed
):
    prompt = composed()
    edit(engine, known[Category.PATTERN], Changes(content="This project uses npm"), person)
    again = text_given(engine, prompt.recall)

    assert (again.text, again.same) == (prompt.text, True)
    assert recall(engine, prompt.recall).kind == "compose"


def test_secrets_are_taken_out_of_the_parts(engine, composed):
    prompt = composed(
        PromptParts(task="Deploy.", constraints=("use ghp_abcdefghijklmnopqrstuvwxyz0123456789",))
    )

    assert prompt.redacted
    assert "ghp_" not in prompt.text
    assert "ghp_" not in text_given(engine, prompt.recall).text


def test_looking_is_not_kept(engine, known, composed):
    assert composed(peek=True).recall is None
    assert read_memory(engine.store, known[Category.PATTERN]).recall_count == 0


def test_too_many_items_are_refused(composed):
    with pytest.raises(InvalidInput, match="a constraint was given 101 times; the limit is 100"):
        composed(PromptParts(task="Tidy up.", constraints=("short",) * 101))


def test_a_run_has_the_same_section_as_its_text_and_keeps_it(engine, agent, known):
    begun = start(engine, RunTask("Make uploads faster.", write_scope=("src/core/a.py",)), agent, HERE)

    assert begun.text is not None
    assert begun.text.startswith("## Memories\n- [warning] Full test execution")
    assert run(engine, begun.id).text == begun.text
    assert text_given(engine, begun.recall).same


def test_a_run_is_given_what_fits_its_budget(engine, agent, known):
    begun = start(engine, RunTask("Make uploads faster.", budget=30), agent, HERE)

    assert 0 < len(begun.hits) < 3
    assert begun.text is not None
    assert begun.memories == len(begun.hits) == begun.text.count("\n- ")
