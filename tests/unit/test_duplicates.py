"""Corrections and parallel facts are kept, repetitions are found, and a denial is told from a difference."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_layer.text.compare.duplicates import DuplicateVerdict, canonical, content_hash, verdict
from memory_layer.text.compare.guard import denies, differences
from memory_layer.text.compare.sentences import ANTONYMS, OPPOSED
from tests.pairs import CORRECTIONS, PARALLEL, PARAPHRASES, development, held_out

ANYTHING = st.text(max_size=80)
#: Sentences of words that the rules look at, which random characters never form.
WORDS = """
    the a port is not never without instead of use uses 8080 8081 3.11 30 seconds minutes Python Ruby staging
    production enabled disabled safe unsafe , . : - and to for in on before after src/main.py MAX_RETRIES --force
    Alice owns allowed always tests fail pass if prefer over no longer than at least two ❌ * ** ( ) don't
""".split()
SENTENCE = st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join) | ANYTHING


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


def test_canonical_text_ignores_case_white_space_and_edge_punctuation():
    assert canonical("  Use  TABS,\n not spaces! ") == canonical("use tabs, not spaces")
    assert canonical('"Use tabs"') == canonical("- use tabs.") == "use tabs"
    assert canonical("Straße") == canonical("STRASSE")
    assert canonical("cafe\u0301") == canonical("café")


def test_canonical_text_keeps_a_mark_that_stands_alone_and_the_case_of_an_identifier():
    for one, other in [
        ("The CSV separator is ;", "The CSV separator is ,"),
        ("Comments start with ;", "Comments start with !"),
        ("The variable is http_proxy", "The variable is HTTP_PROXY"),
        ("The field is userId", "The field is userID"),
    ]:
        assert canonical(one) != canonical(other)


def test_canonical_text_keeps_what_belongs_to_a_word():
    for one, other in (
        ("Use C#", "Use C"),
        ("limit is 50%", "limit is 50"),
        (".env is ignored", "env is ignored"),
    ):
        assert canonical(one) != canonical(other)


def test_text_of_punctuation_alone_stays_itself():
    assert canonical(" ... ") == "..."
    assert canonical("?!") != canonical("...")


@given(ANYTHING)
def test_canonical_text_is_its_own_canonical_text(text):
    assert canonical(canonical(text)) == canonical(text)


@given(st.text(alphabet=st.characters(max_codepoint=0xFF, exclude_characters="_"), max_size=60))
def test_the_hash_does_not_change_with_case_and_white_space(text):
    spaced = "\t " + "\n ".join(text.split()) + "  "

    assert content_hash("p", spaced) == content_hash("p", text)
    assert content_hash("p", text.upper()) == content_hash("p", text.lower())


def test_the_same_text_has_another_hash_in_another_project():
    assert len({content_hash(project, "use tabs") for project in (None, "api", "web")}) == 3
    assert len(content_hash(None, "use tabs")) == 64


@given(SENTENCE, SENTENCE)
def test_differences_do_not_depend_on_the_order_of_the_texts(one, other):
    assert differences(one, other) == differences(other, one)
    assert denies(one, other) == denies(other, one)


@given(SENTENCE)
def test_a_text_does_not_differ_from_itself(text):
    assert differences(text, text) == ()
    assert verdict(text, text, 1.0) is DuplicateVerdict.SAME


@pytest.mark.parametrize("unit", ["prefer ", "! ", "a.", "*", "- ", "not ", "keep x ", "to set ", "(", "'s"])
def test_the_longest_memory_is_read_in_a_moment(unit):
    assert differences(unit * (65_536 // len(unit)), "use tabs") is not None


@pytest.mark.parametrize("pair", CORRECTIONS, ids=lambda pair: pair.new)
def test_a_correction_is_never_taken_for_a_repetition(pair):
    assert differences(pair.known, pair.new)
    assert verdict(pair.new, pair.known, 0.99) in {DuplicateVerdict.NEW, DuplicateVerdict.CONFLICT}


@pytest.mark.parametrize("pair", PARALLEL, ids=lambda pair: pair.new)
def test_parallel_facts_are_both_kept_and_do_not_conflict(pair):
    assert verdict(pair.new, pair.known, 0.99) is DuplicateVerdict.NEW


@pytest.mark.parametrize("part", [development, held_out])
def test_a_denial_is_told_from_a_mere_difference(part):
    contradicting = [denies(pair.known, pair.new) for pair in part(CORRECTIONS) if pair.contradicts]
    compatible = [denies(pair.known, pair.new) for pair in part(CORRECTIONS) if not pair.contradicts]

    assert share(contradicting) > 0.95
    assert not any(compatible)


@pytest.mark.parametrize("part", [development, held_out])
def test_nothing_speaks_against_a_paraphrase(part):
    assert [pair for pair in part(PARAPHRASES) if differences(pair.known, pair.new)] == []


@pytest.mark.model
@pytest.mark.parametrize("part", [development, held_out])
def test_most_paraphrases_are_found_and_most_denials_marked_with_real_vectors(part, embedder):
    texts = sorted(
        {text for pairs in (PARAPHRASES, CORRECTIONS, PARALLEL) for pair in part(pairs) for text in pair[:2]}
    )
    vectors = dict(zip(texts, (passages[0] for passages in embedder.embed_memories(texts)), strict=True))

    def judged(known: str, new: str) -> DuplicateVerdict:
        return verdict(new, known, float(vectors[known] @ vectors[new]))

    repeated = [judged(*pair) is DuplicateVerdict.SIMILAR for pair in part(PARAPHRASES)]
    denied = [
        judged(pair.known, pair.new) is DuplicateVerdict.CONFLICT
        for pair in part(CORRECTIONS)
        if pair.contradicts
    ]
    beside = [judged(*pair) is DuplicateVerdict.NEW for pair in part(PARALLEL)]

    assert share(repeated) > 0.75
    assert share(denied) > 0.85
    assert all(beside)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "Reset the probe with `probectl reset --site south`.",
            "Reset the probe with `probectl reset --site north`.",
        ),
        ("Restart it with `svc restart --site=south`.", "Restart it with `svc restart --site=north`."),
        ("Use the south gateway for billing.", "Use the north gateway for billing."),
        ("Export with `dump --tenant acme`.", "Export with `dump --tenant globex`."),
        ("Use --region eu for tests.", "Use --region us for tests."),
        ("Restart node 3 with 2 GB.", "Restart node 4 with 2 GB."),
    ],
)
def test_what_holds_for_one_of_several_siblings_neither_repeats_nor_denies_the_other(one, other):
    assert differences(one, other)
    assert not denies(one, other)


def test_two_values_for_the_same_sibling_deny_each_other():
    assert denies("Deploy with --site south --retries 3.", "Deploy with --site south --retries 5.")
    assert denies("Node 3 has 2 GB of memory.", "Node 3 has 4 GB of memory.")


def test_one_text_saying_more_than_the_other_is_no_difference():
    for less, more in (
        ("use snake_case", "always use snake_case for Python"),
        ("The backend is written in Python", "The backend is written in Python 3.11"),
        ("The port is 8080", "The port of the staging gateway is 8080"),
        ("Use pnpm", "Use pnpm, not npm"),
        ("Deploy with Helm", "Deploy with Helm on Kubernetes"),
    ):
        assert differences(less, more) == ()


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("The port is 8080", "The port is 8081", "number: 8080 or 8081"),
        ("Wait 30 seconds", "Wait 2 minutes", "number: 2 minutes or 30 seconds"),
        ("Written in Python", "Written in Ruby", "name: Python or Ruby"),
        ("Call load_users", "Call load_orders", "identifier: load_orders or load_users"),
        ("Deploy to staging", "Deploy to production", "environment: production or staging"),
        ("Use tabs", "Never use tabs", "negation: one affirms what the other denies ('never')"),
        ("Retries are safe", "Retries are unsafe", "negation: one affirms what the other denies ('unsafe')"),
        ("The owner is the data team", "The owner is the web team", "word: data or web"),
        (
            "The parser calls the lexer",
            "The lexer calls the parser",
            "roles: lexer … parser or parser … lexer",
        ),
    ],
)
def test_a_difference_is_named_in_words(one, other, reason):
    assert differences(one, other) == (reason,)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Wait 60 seconds", "Wait one minute"),
        ("Retry twice", "Retry 2 times"),
        ("Flags are disabled", "Flags are not enabled"),
        ("Retries are unsafe", "Retries are not safe"),
        ("Pushing to main is forbidden", "Never push to main"),
        ("Never commit without running the tests", "Always run the tests before committing"),
        ("It does not work without Docker", "It only works with Docker"),
        ("Keep functions under 25 lines", "Functions have no more than 25 lines"),
        ("Use npm, not pnpm", "Prefer npm over pnpm"),
        ("Don't forget to run the linter", "Run the linter"),
        ("❌ Never log secrets", "Do not log secrets"),
        ("Use pnpm in the web folder", "In the web folder, use pnpm"),
        ("On Linux the tests run in CI", "In CI the tests run on Linux"),
        ("Before release run the tests in CI", "In CI run the tests before release"),
        ("Deploys go to production through staging", "Deploys go through staging to production"),
        ("The billing service calls the user service", "The user service is called by the billing service"),
        ("Redis is our cache", "Our cache is Redis"),
        ("Alice and Bob review releases", "Bob and Alice review releases"),
        ("Use ruff, mypy and black", "Use black, mypy and ruff"),
        ("Use ruff and use black", "Use black and use ruff"),
        ("Lint the code and test the code", "Test the code and lint the code"),
        ("Alice reviews releases and Bob writes docs", "Bob writes docs and Alice reviews releases"),
        ("Run unit tests and integration tests in CI", "Run integration tests and unit tests in CI"),
        ("Run tests on Linux and on Windows", "Run tests on Windows and on Linux"),
        (
            "Ada was elected to the board, the company said",
            "Ada was elected to the company board, it was said",
        ),
    ],
)
def test_two_ways_to_say_the_same_do_not_differ(one, other):
    assert differences(one, other) == ()


REVERSED = [
    (
        "The primary database replicates to the reporting database",
        "The reporting database replicates to the primary database",
    ),
    (
        "Every night the primary replicates to the replica",
        "The replica replicates to the primary every night",
    ),
    ("Alice reviews the code of Bob", "Bob reviews the code of Alice"),
    ("The user service calls the billing gateway", "The billing gateway calls the user service"),
    ("The user service calls the billing service", "The user service is called by the billing service"),
    ("Orders are written by the gateway to the ledger", "Orders are written by the ledger to the gateway"),
    ("Copy files from the host to the guest", "Copy files from the guest to the host"),
    ("Map user ids to account ids", "Map account ids to user ids"),
    ("Use tabs over spaces", "Use spaces over tabs"),
    ("The workers poll the servers", "The servers poll the workers"),
    ("When tests fail, rerun lint", "When lint fails, rerun tests"),
    ("The parser depends on the lexer", "The lexer depends on the parser"),
    ("Mount the host folder in the container", "Mount the container folder in the host"),
    ("Logs go to S3 and metrics go to Kafka", "Metrics go to S3 and logs go to Kafka"),
    ("Logs go to S3 and metrics go to Kafka", "Logs go to Kafka and metrics go to S3"),
    ("Errors are red and warnings are yellow", "Errors are yellow and warnings are red"),
    ("Errors are red and warnings are yellow", "Warnings are red and errors are yellow"),
    ("Use ruff for linting and black for layout", "Use black for linting and ruff for layout"),
    ("Increase the timeout and decrease the pool", "Decrease the timeout and increase the pool"),
    (
        "Enable the feature in staging and disable it in production",
        "Disable the feature in staging and enable it in production",
    ),
    ("Start redis, then postgres, then the api", "Start postgres, then redis, then the api"),
    ("Run the linter, then the tests", "Run the tests, then the linter"),
]


@pytest.mark.parametrize(("one", "other"), REVERSED)
def test_a_sentence_and_its_reversal_are_both_kept(one, other):
    assert verdict(one, other, 0.99) is DuplicateVerdict.NEW
    assert verdict(other, one, 0.99) is DuplicateVerdict.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Service A calls service B", "Service B calls service A"),
        ("service a calls service b to reserve stock", "service b calls service a to reserve stock"),
        ("Worker A sends its results to worker B", "Worker B sends its results to worker A"),
    ],
)
def test_letters_that_tell_siblings_apart_are_part_of_their_names(one, other):
    assert verdict(other, one, 0.97) is DuplicateVerdict.NEW


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The flaky tests are in suite 3", "The flaky tests are in suite 4"),
        ("suite 3 is run with pytest -n 4", "suite 4 is run with pytest -n 8"),
        ("Deploy with --site north", "Deploy with --site south"),
        ("Staging uses Redis 6", "Production uses Redis 7"),
    ],
)
def test_siblings_neither_repeat_nor_contradict_each_other(one, other):
    assert verdict(other, one, 0.97) is DuplicateVerdict.NEW


def test_an_article_is_no_name():
    assert verdict("The build needs a token", "The build needs the token", 0.97) is DuplicateVerdict.SIMILAR


def test_every_pair_of_opposed_words_is_a_difference():
    for members in OPPOSED.values():
        words = [member.split()[0] for member in members]
        for word in words[1:]:
            assert differences(f"Use the {words[0]} mode for reports", f"Use the {word} mode for reports")


def test_every_pair_of_antonyms_is_a_difference():
    for positive, negative in ANTONYMS:
        assert differences(f"The report job is {min(positive)}", f"The report job is {min(negative)}")


def test_texts_are_similar_above_the_threshold_or_when_one_contains_the_other():
    known, new = "Sessions are cached in Redis", "Redis is used for caching sessions"

    assert verdict(new, known, 0.93) is DuplicateVerdict.SIMILAR
    assert verdict("Redis holds every cached login", known, 0.91) is DuplicateVerdict.NEW
    assert verdict("Redis holds every cached login", known, 0.91, threshold=0.9) is DuplicateVerdict.SIMILAR
    assert verdict(new, known, 0.81) is DuplicateVerdict.SIMILAR
    assert verdict(new, known, 0.80) is DuplicateVerdict.NEW


def test_a_denial_counts_only_where_the_vectors_speak_of_the_same_thing():
    known, new = "The staging port is 8080", "The staging port is 8081"

    assert verdict(new, known, 0.95) is DuplicateVerdict.CONFLICT
    assert verdict(new, known, 0.60) is DuplicateVerdict.NEW


def test_equal_texts_are_the_same_whatever_their_vectors_say():
    assert verdict("Use tabs.", "use  TABS", 0.0) is DuplicateVerdict.SAME


@pytest.mark.parametrize(
    ("new", "known"),
    [
        ("The lead of the search team is Ada; Tom went to payments", "Tom is the lead of the search team"),
        ("Support for the X1 scanner was dropped, leaving X2", "The driver supports the X1 scanner"),
    ],
)
def test_a_text_that_says_more_and_tells_of_a_change_is_no_duplicate(new, known):
    assert verdict(new, known, 0.95) is not DuplicateVerdict.SIMILAR
