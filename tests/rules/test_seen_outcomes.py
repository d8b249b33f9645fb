"""Conclude which memories helped or misled from the steps of a session, and stay silent when unsure."""

from __future__ import annotations

from typing import Any

import pytest

from tests.session_steps import conclude, edited, memory, person, ran, said, verdicts

PYTEST_FAILED = "FAILED tests/test_tax.py::test_vat - assert 19 == 21\n=== 1 failed, 30 passed in 2.1s ==="
PYTEST_PASSED = "=== 31 passed in 2.0s ==="
HELPED = [("worked", "command")]
MISLED = [("failed", "command")]


# Commands


def test_an_advised_command_that_passes_helped():
    fast = memory("Run the quick suite with `make unit-fast`, the full one takes an hour.")
    found = conclude(person("does it still work?"), fast, ran("make unit-fast", "412 passed"))
    assert [(each.result.value, each.kind.value) for each in found] == HELPED
    assert found[0].evidence == "`make unit-fast` passed after it was given"
    assert found[0].memory == "m-000001"


@pytest.mark.parametrize(
    ("content", "command"),
    [
        ("Start the stack by `docker compose --profile dev up -d`", "docker compose --profile dev up -d"),
        (
            "db reset: bin/rails db:drop db:create db:schema:load",
            "bin/rails db:drop db:create db:schema:load",
        ),
        (
            "Use `uv run pytest -n 4 tests/api` for the api tests",
            "cd backend && uv run pytest -n 4 tests/api -x",
        ),
        (
            "Regenerate the client with `npx openapi-typescript <spec> -o src/api.d.ts`",
            "npx openapi-typescript spec/v3.yaml -o src/api.d.ts",
        ),
        (
            "tests need the emulator: FIRESTORE_EMULATOR_HOST=localhost:8080 npm run test:rules",
            "FIRESTORE_EMULATOR_HOST=localhost:8080 npm run test:rules",
        ),
        ("Type checks: `tsc -p tsconfig.build.json --noEmit`.", "npx tsc -p tsconfig.build.json --noEmit"),
    ],
)
def test_a_command_is_recognised_in_backticks_in_plain_text_and_behind_wrappers(content, command):
    assert verdicts(memory(content), person("go ahead"), ran(command, "done")) == HELPED


def test_the_alternative_that_a_warning_names_helped():
    warning = memory(
        "Never run `terraform apply` by hand; use `make apply ENV=<env>`, it takes the lock.", "warning"
    )
    assert (
        verdicts(person("roll it out to test"), warning, ran("make apply ENV=test", "Apply complete!"))
        == HELPED
    )


def test_doing_what_a_warning_forbids_says_nothing():
    warning = memory(
        "Never run `terraform apply` by hand; use `make apply ENV=<env>`, it takes the lock.", "warning"
    )
    assert (
        verdicts(person("roll it out"), warning, ran("terraform apply -auto-approve", "Apply complete!"))
        == []
    )


def test_a_command_that_was_run_before_the_memory_was_given_says_nothing():
    fast = memory("Quick tests: `make unit-fast`")
    assert verdicts(ran("make unit-fast", "1 passed"), fast, ran("make unit-fast", "1 passed")) == []


def test_a_command_that_a_person_dictated_says_nothing():
    fast = memory("Quick tests: `make unit-fast`")
    assert verdicts(fast, person("please run make unit-fast now"), ran("make unit-fast", "1 passed")) == []


def test_a_command_that_a_person_named_only_in_part_still_counts():
    tagged = memory("`go test -tags integration -p 1 ./store/...`")
    session = (
        person("run go test for the store"),
        tagged,
        ran("go test -tags integration -p 1 ./store/...", "ok  store 2.1s"),
    )
    assert verdicts(*session) == HELPED


@pytest.mark.parametrize(
    ("content", "command"),
    [
        ("`make test-slow` before a release", "make test"),
        ("`npm run build:prod`", "npm run build"),
        ("compose up: `docker compose up -d postgres`", "docker compose up -d"),
        ("`pytest tests/e2e --browser firefox`", "pytest tests/unit"),
        ("`cargo test --workspace --all-features`", "cargo test"),
    ],
)
def test_a_similar_command_says_nothing(content, command):
    assert verdicts(memory(content), person("check it"), ran(command, "ok. 12 passed")) == []


@pytest.mark.parametrize(
    ("content", "command", "output"),
    [
        ("Docs: `make html-docs`", "make html-docs", "make: *** No rule to make target 'html-docs'.  Stop."),
        ("Format by `yarn fmt:all`", "yarn fmt:all", 'error Command "fmt:all" not found.'),
        (
            "Audit with `cargo outdated --root-only`",
            "cargo outdated --root-only",
            "error: no such command: `outdated`",
        ),
        (
            "Seed: `python scripts/seed_db.py --small`",
            "python scripts/seed_db.py --small",
            "python: can't open file '/srv/app/scripts/seed_db.py': [Errno 2] No such file or directory",
        ),
        (
            "Lint with `ruff check --show-source src`",
            "ruff check --show-source src",
            "error: unexpected argument '--show-source' found",
        ),
        (
            "Release: `just publish-beta`",
            "just publish-beta",
            "error: Justfile does not contain recipe `publish-beta`.",
        ),
        (
            "`./gradlew integrationTestDocker` runs them in docker",
            "./gradlew integrationTestDocker",
            "* What went wrong:\nTask 'integrationTestDocker' not found in root project 'shop'.",
        ),
        (
            "`mvn -Pfast-checks verify`",
            "mvn -Pfast-checks verify",
            '[WARNING] The requested profile "fast-checks" could not be activated because it does not exist.',
        ),
    ],
)
def test_a_call_that_does_not_exist_misled(content, command, output):
    assert verdicts(memory(content), person("do it"), ran(command, output, passed=False)) == MISLED


def test_a_call_that_does_not_exist_misled_even_if_the_agent_tells_no_exit_code():
    gone = memory("Docs: `make html-docs`")
    output = "make: *** No rule to make target 'html-docs'.  Stop."
    found = conclude(gone, person("docs please"), ran("make html-docs", output, passed=None))
    assert [(each.result.value, each.kind.value) for each in found] == MISLED
    assert "No rule to make target" in found[0].evidence


def test_a_form_that_only_works_without_what_the_memory_adds_misled():
    old = memory("Install with `pip install --no-binary :all: -r requirements.txt`")
    session = (
        old,
        person("set it up"),
        ran(
            "pip install --no-binary :all: -r requirements.txt",
            "subprocess-exited-with-error\nbackend unavailable",
            passed=False,
        ),
        ran("pip install -r requirements.txt", "Successfully installed flask-3.1"),
    )
    assert verdicts(*session) == MISLED


@pytest.mark.parametrize(
    "output",
    [
        PYTEST_FAILED,
        "src/a.ts(3,1): error TS2304: Cannot find name 'foo'.",
        "--- FAIL: TestParse (0.00s)\nFAIL\tparse\t0.1s",
        "ModuleNotFoundError: No module named 'yaml'\nERROR tests/test_cfg.py\n1 error during collection",
    ],
)
def test_faults_that_a_check_finds_say_nothing_against_the_memory_that_names_it(output):
    assert (
        verdicts(
            memory("Tests: `make unit-fast`"), person("run them"), ran("make unit-fast", output, passed=False)
        )
        == []
    )


@pytest.mark.parametrize(
    "output",
    [
        "curl: (6) Could not resolve host: example.org",
        "Error: connect ECONNREFUSED 127.0.0.1:5432",
        "mkdir: cannot create directory '/opt/x': Permission denied",
        "Command timed out after 120s",
        "ERROR: Cannot connect to the Docker daemon. Is the docker daemon running?",
        "write /tmp/x: No space left on device",
        "fatal: Authentication failed for the remote",
    ],
)
def test_trouble_around_a_command_says_nothing_against_the_memory(output):
    assert (
        verdicts(
            memory("Deploy by `make ship-it`"), person("ship"), ran("make ship-it", output, passed=False)
        )
        == []
    )


def test_a_mistake_in_the_rest_of_the_command_line_is_not_the_memorys():
    session = (
        memory("Tests: `make unit-fast`"),
        person("test"),
        ran("cd backnd && make unit-fast", "bash: cd: backnd: No such file or directory", passed=False),
    )
    assert verdicts(*session) == []


def test_a_flag_that_the_agent_added_is_not_the_memorys():
    session = (
        memory("Tests: `phpunit --testsuite unit`"),
        person("test"),
        ran("phpunit --testsuite unit --fancy", 'Unknown option "--fancy"', passed=False),
    )
    assert verdicts(*session) == []


def test_a_failing_check_that_a_pipe_hides_did_not_pass():
    session = (
        memory("Tests: `make unit-fast`"),
        person("test"),
        ran("make unit-fast 2>&1 | tail -3", PYTEST_FAILED, passed=True),
    )
    assert verdicts(*session) == []


# Failures that turned into successes


def test_a_failing_check_that_passes_after_the_advised_command_was_run_is_fixed():
    remedy = memory(
        "`ModuleNotFoundError: _sodium` in tests: run `make native-deps` once.", "troubleshooting"
    )
    session = (
        person("tests are red"),
        ran("pytest -q", "E   ModuleNotFoundError: No module named '_sodium'\n1 error in 0.2s", passed=False),
        remedy,
        ran("make native-deps", "built _sodium.so"),
        ran("pytest -q", PYTEST_PASSED),
    )
    assert verdicts(*session) == [("worked", "fixed")]


def test_a_failing_check_that_passes_after_the_named_file_was_edited_is_fixed():
    remedy = memory(
        'vitest "document is not defined": set environment to jsdom in vitest.config.ts', "troubleshooting"
    )
    session = (
        ran("npx vitest run", "ReferenceError: document is not defined\nTests 4 failed", passed=False),
        remedy,
        edited("/srv/shop/vitest.config.ts"),
        ran("npx vitest run", "Tests  4 passed (4)"),
    )
    assert verdicts(*session) == [("worked", "fixed")]


def test_a_failing_check_that_passes_with_the_advised_variable_is_fixed():
    remedy = memory(
        "Node runs out of heap in the build: NODE_OPTIONS=--max-old-space-size=8192", "workaround"
    )
    session = (
        ran(
            "npm run build",
            "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory",
            passed=False,
        ),
        remedy,
        ran("NODE_OPTIONS=--max-old-space-size=8192 npm run build", "built in 40s"),
    )
    assert verdicts(*session) == [("worked", "fixed")]


def test_a_failure_that_was_fixed_in_another_way_says_nothing():
    remedy = memory(
        "`ModuleNotFoundError: _sodium` in tests: run `make native-deps` once.", "troubleshooting"
    )
    session = (
        ran("pytest -q", "E   KeyError: 'vat'\n1 failed", passed=False),
        remedy,
        edited("/srv/shop/tax.py"),
        ran("pytest -q", PYTEST_PASSED),
    )
    assert verdicts(*session) == []


def test_a_remedy_among_other_changes_says_nothing():
    remedy = memory("If the snapshot test fails, run `make snapshots`.", "troubleshooting")
    session = (
        ran("pytest -q", PYTEST_FAILED, passed=False),
        remedy,
        ran("make snapshots", "12 written"),
        edited("/srv/shop/tax.py"),
        ran("pytest -q", PYTEST_PASSED),
    )
    assert verdicts(*session) == []


def test_two_remedies_for_one_failure_share_the_credit_and_get_none():
    error = "E   sqlite3.OperationalError: no such table: orders_v2\n1 failed"
    one = memory("`no such table: orders_v2`: run `make migrate`", "troubleshooting", "m-000001")
    other = memory(
        "`no such table: orders_v2` comes from a stale file: run `make fresh-db`",
        "troubleshooting",
        "m-000002",
    )
    session = (
        ran("pytest -q", error, passed=False),
        one,
        other,
        ran("make migrate", "ok"),
        ran("make fresh-db", "ok"),
        ran("pytest -q", PYTEST_PASSED),
    )
    assert verdicts(*session) == []


# Files


def test_a_file_that_was_changed_as_demanded_helped_if_the_checks_pass():
    rule = memory(
        "Each new endpoint must be listed in docs/openapi.yaml, or the contract test fails.", "convention"
    )
    session = (
        rule,
        person("add GET /health"),
        edited("/w/api/health.py"),
        edited("/w/docs/openapi.yaml"),
        ran("make test", "88 passed"),
    )
    assert verdicts(*session) == [("worked", "file")]


@pytest.mark.parametrize(
    "session",
    [
        (person("add GET /health"), edited("docs/openapi.yaml")),
        (
            person("add GET /health to docs/openapi.yaml"),
            edited("docs/openapi.yaml"),
            ran("make test", "88 passed"),
        ),
        (
            person("add GET /health"),
            edited("docs/openapi.yaml"),
            ran("make test", "2 failed, 86 passed", passed=False),
        ),
        (person("add GET /health"), edited("api/health.py"), ran("make test", "88 passed")),
    ],
)
def test_a_file_without_a_passing_check_or_named_by_a_person_says_nothing(session):
    rule = memory(
        "Each new endpoint must be listed in docs/openapi.yaml, or the contract test fails.", "convention"
    )
    assert verdicts(rule, *session) == []


def test_editing_a_file_that_must_not_be_edited_says_nothing():
    rule = memory("Do not edit src/schema.gen.ts, it is generated; add types to src/schema.ts", "convention")
    assert (
        verdicts(rule, person("add a type"), edited("src/schema.gen.ts"), ran("npm test", "9 passed")) == []
    )


# The agent's own words


@pytest.mark.parametrize(
    "text",
    [
        "According to the project notes, invoices are gapless per tenant, so I left the sequence alone.",
        "I kept the sequence: memory m-000001 says so.",
        "Your recorded decision says that invoice numbers are gapless per tenant, hence no random ids.",
    ],
)
def test_an_answer_that_gives_the_memory_as_its_reason_helped(text):
    rule = memory("Invoice numbers are gapless per tenant, for the auditors.", "decision")
    assert verdicts(rule, person("can we use random ids?"), said(text)) == [("worked", "cited")]


@pytest.mark.parametrize(
    "text",
    [
        "The note that invoice numbers are gapless per tenant is outdated, the code uses uuids.",
        "Memory m-000001 is wrong about the auditors.",
        "I changed the button.",
        "Memory usage of the tenant page went down.",
    ],
)
def test_an_answer_that_doubts_or_does_not_name_the_memory_says_nothing(text):
    rule = memory("Invoice numbers are gapless per tenant, for the auditors.", "decision")
    assert verdicts(rule, person("look at this"), said(text)) == []


def test_a_memory_given_as_a_reason_for_work_whose_checks_fail_says_nothing():
    rule = memory("Invoice numbers are gapless per tenant, for the auditors.", "decision")
    reason = said("As noted in memory, numbers are gapless per tenant; tests still fail.")
    assert verdicts(rule, person("go"), ran("pytest", PYTEST_FAILED, passed=False), reason) == []


# What was taken back


@pytest.mark.parametrize(
    "undo",
    [
        "git checkout -- app/cache.py",
        "git restore app/cache.py",
        "git stash",
        "git reset --hard HEAD",
        "git checkout .",
    ],
)
def test_a_change_that_was_taken_back_after_a_failing_check_misled(undo):
    rule = memory("Use pickle for everything in app/cache.py, json is too slow.", "decision")
    session = (
        rule,
        person("speed up the cache"),
        edited("app/cache.py"),
        ran("pytest", PYTEST_FAILED, passed=False),
        ran(undo),
    )
    assert verdicts(*session) == [("failed", "reverted")]


def test_a_change_that_was_edited_back_misled_if_the_agent_says_so():
    rule = memory("Set pool_size=1 on the engine to avoid stale connections.", "workaround")
    session = (
        person("fix the stale connections"),
        rule,
        edited("app/engine.py"),
        ran("pytest", PYTEST_FAILED, passed=False),
        edited("app/engine.py"),
        ran("pytest", PYTEST_PASSED),
        said("pool_size=1 broke the parallel tests, so I reverted it and enabled pre-ping."),
    )
    assert verdicts(*session) == [("failed", "reverted")]


def test_ordinary_work_on_a_file_until_the_tests_pass_is_no_revert():
    rule = memory("Set pool_size=1 on the engine to avoid stale connections.", "workaround")
    session = (
        rule,
        person("add retries"),
        edited("app/retry.py"),
        ran("pytest", PYTEST_FAILED, passed=False),
        edited("app/retry.py"),
        ran("pytest", PYTEST_PASSED),
        said("Retries work."),
    )
    assert verdicts(*session) == []


def test_taking_back_unrelated_changes_says_nothing():
    rule = memory("Use pickle for everything in app/cache.py, json is too slow.", "decision")
    session = (
        rule,
        person("try a new parser"),
        edited("app/parser.py"),
        ran("pytest", PYTEST_FAILED, passed=False),
        ran("git checkout app/parser.py"),
    )
    assert verdicts(*session) == []


def test_changes_that_were_only_set_aside_are_not_taken_back():
    rule = memory("Use pickle for everything in app/cache.py, json is too slow.", "decision")
    failing = ran("pytest", PYTEST_FAILED, passed=False)
    session = (
        rule,
        person("faster"),
        edited("app/cache.py"),
        failing,
        ran("git stash"),
        failing,
        ran("git stash pop"),
    )
    assert verdicts(*session) == []


def test_a_checkout_that_the_memory_itself_advises_is_no_revert():
    rule = memory("Broken fixtures: `git checkout -- tests/fixtures` brings them back.", "troubleshooting")
    session = (
        rule,
        person("go"),
        edited("tests/fixtures/a.json"),
        ran("pytest", PYTEST_FAILED, passed=False),
        ran("git checkout -- tests/fixtures"),
        ran("pytest", PYTEST_PASSED),
    )
    assert ("failed", "reverted") not in verdicts(*session)


# Corrections by a person


@pytest.mark.parametrize(
    "text",
    [
        "no, we use pnpm now, not yarn",
        "yarn is gone, please use pnpm",
        "That's outdated. We dropped yarn in spring.",
        "Sorry, I should have said: we no longer use yarn.",
        "yarn? really? that was two years ago",
        "we moved away from yarn, it's pnpm",
        "don't use yarn!",
        "oh great, yarn again. nobody here has used that since 2023",
        "pnpm instead of yarn please, yarn was the old setup",
        "stop using yarn",
        "I'd rather you used pnpm, the yarn setup is legacy",
    ],
)
def test_a_person_who_rejects_what_the_memory_says_corrects_it(text):
    rule = memory("Install dependencies with yarn.", "convention")
    session = (
        person("set up the repo"),
        rule,
        ran("yarn install", "Done in 3s"),
        said("Installed."),
        person(text),
    )
    assert verdicts(*session) == [("failed", "corrected")]


@pytest.mark.parametrize(
    "text",
    [
        "no, that's wrong, the button must be left of the title",
        "great, thanks! now add a readme",
        "use yarn for the frontend too",
        "yes, yarn is right",
        "not what I meant, revert the last commit",
        "nope, try the other branch",
        "now do the same for the docs folder, with yarn again please",
        "the color is wrong",
        "what does yarn do with the cache?",
    ],
)
def test_a_person_who_corrects_something_else_says_nothing_against_the_memory(text):
    rule = memory("Install dependencies with yarn.", "convention")
    session = (
        person("set up the repo"),
        rule,
        ran("yarn install", "Done in 3s"),
        said("Installed."),
        person(text),
    )
    assert ("failed", "corrected") not in verdicts(*session)


@pytest.mark.parametrize(
    ("content", "words", "text"),
    [
        ("Write unit tests with Jest.", "Added Jest tests.", "we're on Vitest these days, Jest is long gone"),
        ("HTTP calls go through axios.", "Calls use axios.", "hm, axios? we banned that after the incident"),
        ("Log with loguru.", "Logs by loguru.", "use structlog please, we don't log with loguru any longer"),
        (
            "Indent with two spaces.",
            "Indented with two spaces.",
            "tabs! we switched from spaces to tabs in january",
        ),
        ("State is kept in redux.", "Added a redux slice.", "ugh why redux again"),
        (
            "PRs need two reviewers.",
            "It waits for two reviewers.",
            "the two reviewers thing isn't true any more",
        ),
    ],
)
def test_corrections_come_polite_terse_and_ironic(content, words, text):
    session = (
        memory(content, "convention"),
        person("do the task"),
        edited("a/b.py"),
        said(words),
        person(text),
    )
    assert verdicts(*session) == [("failed", "corrected")]


@pytest.mark.parametrize(
    "text",
    [
        "can you also add a redux devtools setup?",
        "redux part looks good, but the button is wrong",
        "the redux slice has a typo in the name, should be cartItems",
        "don't forget to export the redux slice",
        "why did you rename the redux store?",
        "i don't see the redux slice in the diff",
        "the old redux store must be removed then",
    ],
)
def test_remarks_on_the_work_itself_say_nothing_against_the_memory(text):
    rule = memory("State is kept in redux.", "convention")
    session = (rule, person("add a cart"), edited("a/b.ts"), said("Added a redux slice."), person(text))
    assert verdicts(*session) == []


def test_a_person_who_repeats_what_the_memory_forbids_agrees_with_it():
    rule = memory("Never commit to main, open a branch.", "policy")
    session = (
        rule,
        person("fix the typo"),
        ran("git commit -am typo", "[main 1a2b3c4] typo"),
        person("no! never commit to main, we don't do that"),
    )
    assert verdicts(*session) == []


def test_a_correction_outweighs_a_command_that_passed():
    rule = memory("Deploy with `fab deploy_web`")
    found = conclude(
        rule,
        person("deploy"),
        ran("fab deploy_web", "done"),
        person("fab is ancient, we deploy by argo these days"),
    )
    assert [(each.result.value, each.kind.value) for each in found] == [("failed", "corrected")]
    assert found[0].evidence == "a person said: fab is ancient, we deploy by argo these days"


def test_a_correction_of_one_memory_leaves_the_others_alone():
    one = memory("Install dependencies with yarn.", "convention", "m-000001")
    other = memory("Tests: `make unit-fast`", "command", "m-000002")
    session = (
        one,
        other,
        person("set up"),
        ran("yarn install"),
        ran("make unit-fast", "3 passed"),
        person("we don't use yarn anymore"),
    )
    assert verdicts(*session) == [("failed", "corrected"), ("worked", "command")]


def test_a_prompt_before_any_work_corrects_nothing():
    rule = memory("Install dependencies with yarn.", "convention")
    assert verdicts(rule, person("we don't use yarn anymore, set up the repo with pnpm")) == []


# Whatever comes


def test_a_session_without_steps_or_memories_says_nothing():
    assert conclude() == []
    assert conclude(memory("Tests: `make unit-fast`")) == []


def test_a_memory_that_was_given_twice_gets_one_outcome():
    fast = memory("Tests: `make unit-fast`")
    assert (
        verdicts(fast, fast, ran("make unit-fast", "1 passed"), fast, ran("make unit-fast", "1 passed"))
        == HELPED
    )


def test_evidence_is_one_short_line():
    rule = memory("Install dependencies with yarn.", "convention")
    session = (rule, person("go"), ran("yarn install"), person("yarn is dead.\n" + "long " * 500))
    found = conclude(*session)
    assert len(found[0].evidence) <= 200
    assert "\n" not in found[0].evidence


def test_a_function_that_only_the_memory_names_helped_if_the_agent_says_that_it_used_it():
    rule = memory("Amounts are shown by renderAmount() everywhere.", "convention")
    session = (rule, person("show the fee"), edited("src/Fee.tsx"), ran("npm test", "14 passed"))
    assert verdicts(*session, said("The fee uses renderAmount.")) == [("worked", "cited")]
    assert verdicts(*session, said("The fee is shown.")) == []


HOSTILE = (
    "`" * 5_000,
    "make " * 3_000,
    "not " * 4_000 + "any more",
    "a." * 6_000 + "!",
    "../" * 4_000,
    "no, " * 3_000 + "??",
    "\x00\u202e\ud7ff `\n` \\ %s {0} <x>" * 300,
    "((((" * 3_000 + "'" * 3_001,
    "E   " * 2_000 + "Error: " * 2_000,
)


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_every_place_of_a_session_says_nothing(text):
    hostile = memory(text, "convention")
    session = (hostile, person(text), edited(text), ran(text, text, passed=None), said(text), person(text))
    for each in conclude(*session, ran(text, text, passed=False), ran(f"x; {text}", text), said(text)):
        assert len(each.evidence) <= 200


def test_a_long_session_reads_every_step_once(monkeypatch):
    from memory_layer.rules.sessions import runs as session_runs

    read: list[str] = []
    real = session_runs.ending  # type: ignore[attr-defined]

    def noted(command: str, *args: Any, **named: Any) -> Any:
        read.append(command)
        return real(command, *args, **named)

    monkeypatch.setattr(session_runs, "ending", noted)
    rules = [memory(f"Check part {n} by `make check-{n}`", "command", f"m-{n:06}") for n in range(60)]
    runs = [ran(f"make check-{n}", "1 passed") for n in range(300)]
    assert len(conclude(*rules, *runs)) == 60
    assert len(read) == 300
