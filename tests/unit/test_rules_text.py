"""Rules files: what becomes a rule of its own, what stays together, and what is left out."""

from __future__ import annotations

import pytest

from memory_layer.model.vocabulary import CATEGORIES, Category
from memory_layer.rules.transfer.rule_kinds import kind_of
from memory_layer.text.rules_file import rules_in


def texts(source):
    return [rule.text for rule in rules_in(source).rules]


def reasons(source):
    return [why for _, why in rules_in(source).skipped]


def test_each_bullet_and_each_numbered_item_is_a_rule_with_its_line_and_headings():
    found = rules_in("# Shop\n\n## Testing\n\n- Mock the network in tests\n1. Run the linter first\n").rules

    assert [(rule.text, rule.first) for rule in found] == [
        ("Mock the network in tests", 5),
        ("Run the linter first", 6),
    ]
    assert found[0].headings == ("Shop", "Testing")


def test_an_item_over_several_lines_is_one_rule():
    (rule,) = rules_in("- Validate the input of every handler\n  before it touches the database.\n").rules

    assert rule.text == "Validate the input of every handler before it touches the database."
    assert (rule.first, rule.last) == (1, 2)


def test_items_below_a_label_carry_it():
    source = "- **Naming**:\n  - Classes are written in PascalCase\n  - Constants are written in capitals\n"

    assert texts(source) == [
        "Naming: Classes are written in PascalCase",
        "Naming: Constants are written in capitals",
    ]


def test_words_that_say_nothing_alone_stay_together():
    assert texts("## Tech stack\n- TypeScript\n- React 19\n- Vite\n") == [
        "Tech stack: TypeScript; React 19; Vite"
    ]
    assert texts("- Support these browsers at least:\n  - Firefox\n  - Safari\n") == [
        "Support these browsers at least: Firefox; Safari"
    ]


def test_a_sentence_keeps_the_fragments_below_it_and_lets_sentences_go():
    source = (
        "- Every service has its own database\n  - no sharing\n  - Migrations run before the deploy starts\n"
    )

    assert texts(source) == [
        "Every service has its own database\n- no sharing",
        "Migrations run before the deploy starts",
    ]


@pytest.mark.parametrize(
    "heading", ["Don'ts", "Things to avoid", "Anti-patterns", "❌ Don't", "What NOT to do"]
)
@pytest.mark.parametrize(
    ("bullet", "rule"),
    [
        ("Don't edit generated files by hand", "Don't edit generated files by hand"),
        ("Never push to the main branch", "Never push to the main branch"),
        ("Commit straight to the main branch", "Don't commit straight to the main branch"),
        ("Using `any` as a type of anything", "Avoid using `any` as a type of anything"),
        ("Magic numbers in the layout code", "Avoid magic numbers in the layout code"),
        ("Not closing the files that were opened", "Avoid not closing the files that were opened"),
    ],
)
def test_a_heading_that_forbids_makes_each_rule_a_ban(heading, bullet, rule):
    assert texts(f"## {heading}\n\n- {bullet}\n") == [rule]


def test_a_rule_below_never_says_never():
    assert texts("## Never\n\n- Log the card number of a customer\n") == [
        "Never log the card number of a customer"
    ]


def test_a_cross_forbids_and_a_tick_says_nothing():
    assert texts("- ❌ Use `var` for a local variable\n- ✅ Use `const` for a local variable\n") == [
        "Don't use `var` for a local variable",
        "Use `const` for a local variable",
    ]


@pytest.mark.parametrize(
    "above", ["Before committing:\n", "## Before Committing\n\n", "## 3. Before committing\n\n"]
)
def test_what_says_when_begins_each_sentence(above):
    assert texts(f"{above}- Run the whole test suite\n- Update the changelog before committing\n") == [
        "Before committing, run the whole test suite",
        "Update the changelog before committing",
    ]


@pytest.mark.parametrize(
    ("heading", "bullet", "topic"),
    [
        ("Data Fetching", "Client mutations with optimistic updates", "Data Fetching: "),
        ("2.1 Session options", "`timeout` - seconds until the end", "Session options: "),
        ("Images", "**Detection**: `<img>` without `alt` text", "Images: "),
        ("Data Fetching", "Fetch the data in the route's loader", ""),
        ("Data Fetching", "The loader of a route fetches its data", ""),
        ("Images", "**Sizes**: width and height on every one", ""),
        ("Images", "**Principle**: Give every image a size", ""),
        ("Best Practices", "Small pull requests with one topic each", ""),
        ("Money", "Money in whole cents, no floats", ""),
    ],
)
def test_a_topic_stands_before_a_rule_that_is_not_clear_without_it(heading, bullet, topic):
    assert texts(f"# Shop\n\n## {heading}\n\n- {bullet}\n") == [f"{topic}{bullet}"]


def test_an_item_that_introduces_nothing_is_skipped():
    assert texts("- The following options are available:\n- Use the first one that fits\n") == [
        "Use the first one that fits"
    ]
    assert "an introduction to nothing that was kept" in reasons("- The following options are available:\n")


def test_code_belongs_to_the_item_before_it():
    (rule,) = texts("- Close the file in a with block:\n  ```python\n  with open(x) as f: ...\n  ```\n")

    assert rule == "Close the file in a with block:\n```python\nwith open(x) as f: ...\n```"


def test_explained_commands_of_a_block_are_told_one_by_one():
    source = "## Commands\n```bash\n# Run the tests\nmake test\n\nmake fix   # Repair the format\n```\n"
    found = rules_in(source).rules

    assert [rule.text for rule in found] == ["Run the tests: `make test`", "Repair the format: `make fix`"]
    assert {kind_of(rule.text, rule.headings) for rule in found} == {Category.COMMAND}


def test_a_block_without_explanations_is_told_as_a_whole():
    assert texts("## Start the server\n```\nexport PORT=1\n./serve\n```\n") == [
        "Start the server:\n```\nexport PORT=1\n./serve\n```"
    ]


def test_bullets_inside_code_are_no_rules():
    assert texts("```markdown\n- this is only an example\n```\n- This one is a real rule\n")[1:] == [
        "This one is a real rule"
    ]


def test_table_rows_are_told_as_sentences():
    source = "| Env | Port |\n|---|---|\n| staging | 8080 |\n"

    assert texts(source) == ["Env staging: Port 8080"]


@pytest.mark.parametrize(
    ("table", "told"),
    [
        (
            "| Command | What |\n|---|---|\n"
            "| `make lint` | runs ruff |\n| `make fmt` | formats |\n| `make x` | runs all of it |\n",
            ["`make lint`: runs ruff", "`make fmt`: formats", "`make x`: runs all of it"],
        ),
        (
            "| Tool | Version |\n|---|---|\n| Python | 3.11 |\n| Node | 22, with corepack enabled |\n| uv | 0.4 |\n",
            [
                "Tool Python: Version 3.11",
                "Tool Node: Version 22, with corepack enabled",
                "Tool uv: Version 0.4",
            ],
        ),
        (
            "| Path | Holds | Owner |\n|---|---|---|\n| src | our product code | ada |\n| docs | | bob the writer |\n",
            ["src: Holds: our product code; Owner: ada", "docs: Owner: bob the writer"],
        ),
    ],
)
def test_all_rows_of_a_table_have_one_form(table, told):
    assert texts(table) == told


def test_a_table_ends_where_something_else_begins():
    source = "| A | B |\n|---|---|\n| one | is a thing here |\n## More\n"
    source += "| C | D |\n|---|---|\n| two | is not here |\n"

    assert texts(source) == ["one: is a thing here", "two: is not here"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("- [Guide](https://example.com/guide)\n", "nothing but a link"),
        ("[![build](https://x/y.svg)](https://x)\n", "an image or badge"),
        ("## Contents\n- [One](#one)\n", "part of a table of contents"),
        ("- [One](#one)\n", "part of a table of contents"),
        ("## License\nMIT, see the file for all of it.\n", "part of a licence"),
        ("<!-- do not show -->\n", "an HTML comment"),
        ("## Empty\n## Also empty\n", "a heading with nothing below it"),
        ("@docs/style.md\n", "it imports another file, which can be imported by its own name"),
        ("docs/AGENTS.md\n", "it names another file, which can be imported by its own name"),
        ("<rules>\n", "nothing but markup"),
        ("- TypeScript\n", "too short to say anything"),
        ("x" * 30_000, "a line that is too long"),
    ],
)
def test_what_is_no_rule_is_skipped_with_the_reason(source, reason):
    assert texts(source) == []
    assert reason in reasons(source)


def test_front_matter_tells_the_paths_the_rules_are_about():
    found = rules_in(
        "---\ndescription: Types\nglobs: src/**/*.{ts,tsx}, docs/*\nalwaysApply: false\n---\n- Use types\n"
    )

    assert set(found.scope) == {"src/**/*.ts", "src/**/*.tsx", "docs/*"}
    assert found.description == "Types"
    assert [rule.text for rule in found.rules] == ["Use types"]


def test_a_pattern_that_means_everything_is_no_scope():
    assert rules_in('---\nglobs: ["**/*"]\n---\n- Use types\n').scope == ()


def test_a_long_paragraph_is_cut_between_sentences():
    sentence = "Every request is logged with its id and the time that it took to answer. "
    parts = texts(sentence * 40)

    assert len(parts) > 1
    assert all(part.endswith("answer.") for part in parts)


@pytest.mark.parametrize(
    ("text", "headings", "category"),
    [
        ("Run `npm test` before you push", (), Category.COMMAND),
        ("Functions use snake_case, classes PascalCase", (), Category.CODING_STYLE),
        ("Beware: the cache is shared between tests", (), Category.GOTCHA),
        ("The clock of the build machine is wrong", ("Gotchas",), Category.GOTCHA),
        ("`src/api/` holds the HTTP handlers", (), Category.ARCHITECTURE),
        ("Handlers call services, services call the store", ("Architecture",), Category.ARCHITECTURE),
        ("Squash before merging", ("Git workflow",), Category.WORKFLOW),
        ("Always validate user input", (), Category.CONVENTION),
        ("The sky is blue over there", (), Category.GENERAL),
        ("`make lint` checks the style", ("Commands",), Category.COMMAND),
        ("Minimize the size of the bundle", ("Performance",), Category.CONVENTION),
        ("Node 22 and pnpm 9", ("Prerequisites",), Category.ENVIRONMENT),
        ("Zod for every schema", ("Tech stack",), Category.DEPENDENCY),
        ("Two spaces, no tabs", ("Code style",), Category.CODING_STYLE),
        ("One assertion for each case", ("Test structure",), Category.CONVENTION),
        ("`src/` for the product, `e2e/` for its tests", ("Project structure",), Category.ARCHITECTURE),
        ("Large text at every width", ("Responsive design",), Category.GENERAL),
    ],
)
def test_the_category_is_guessed_from_words_and_headings(text, headings, category):
    assert kind_of(text, headings) is category


def test_a_guess_never_makes_a_rule_that_needs_approval_or_runs_out():
    from memory_layer.rules.transfer import rule_kinds

    guessed = {*rule_kinds._HEADINGS, Category.PREFERENCE, Category.CONVENTION, Category.GENERAL}
    assert Category.POLICY not in guessed
    assert all(CATEGORIES[category].expires_days is None for category in guessed)


def test_of_a_paragraph_without_end_nothing_is_lost():
    lines = [f"Sentence number {number} is about amounts in cents." for number in range(2_000)]

    told = " ".join(rule.text for rule in rules_in("\n".join(lines)).rules)

    assert told == " ".join(lines)


def test_what_stands_behind_a_comment_is_a_rule():
    found = rules_in("<!-- why\nso --> Always store amounts in whole cents\n")

    assert [(rule.text, rule.first) for rule in found.rules] == [("Always store amounts in whole cents", 2)]


@pytest.mark.parametrize("heading", ["## Amounts", "## Amounts ##", "  ##  Amounts  #", "##\tAmounts\t#### "])
def test_a_heading_may_be_closed(heading):
    assert rules_in(f"{heading}\n\nStore them in whole cents\n").rules[0].headings == ("Amounts",)


@pytest.mark.parametrize(
    "hostile",
    [
        "".join(" " * 2 * depth + "- item of some words\n" for depth in range(800)),
        "[a](" * 4_000,
        "![](x) " * 2_500 + "x",
        "<!--\n" * 20_000,
        "```\n" * 20_001,
        "---\na: " + "{" * 15_000 + "\n---\n- Use types\n",
        "---\n" * 20_000,
        "|" * 19_000,
        "- " * 9_000,
        "`npm " * 4_000,
        ("# a" + "\t" * 19_000 + "x\n") * 50,
        "# " + "!" * 19_000 + "\n" + "- a\n" * 50_000,
    ],
    ids=[
        *("deep", "links", "images", "comments", "fences", "front", "rules", "pipes", "bullets", "ticks"),
        *("heading", "headed"),
    ],
)
def test_a_hostile_text_is_read_to_its_end(hostile):
    found = rules_in(hostile)

    assert {kind_of(rule.text, rule.headings) for rule in found.rules} <= set(Category)
    assert len(found.rules) + len(found.skipped) <= hostile.count("\n") + 1
