"""Ordinary work, mistakes and accidents teach nothing."""

from __future__ import annotations

import pytest

from tests.rules.session_steps import FOLDER, asked, contents, edited, failed, ran

SILENT = {
    "a test about rights": [
        failed("npm test", "AssertionError: expected 401 to equal 200\n1 failing"),
        edited("src/auth.ts"),
        ran("npm run build"),
        ran("npm test", "12 passing"),
    ],
    "the style of code, by any tool": [
        failed("make lint", "a.go:3: File is not `gofumpt`-ed"),
        ran("gofumpt -w ."),
        ran("make lint", "0 issues."),
    ],
    "a file that was still to be written": [
        failed("python train.py", "FileNotFoundError: No such file or directory: 'plans/a.yaml'"),
        edited("plans/a.yaml"),
        ran("python train.py", "ok"),
    ],
    "an option that was still to be written": [
        failed("python -m app --since x", "error: unrecognized arguments: --since"),
        edited("app/cli.py"),
        ran("python -m app --since x", "ok"),
    ],
    "a command that a signal ended": [
        failed("make train", "Exit code 130\nConnection refused"),
        ran("docker compose up -d"),
        ran("make train", "done"),
    ],
    "a guess at the name of a task": [
        failed("npm run unit", 'npm error Missing script: "unit"'),
        ran("cat package.json"),
        ran("npm run test:unit", "3 passed"),
    ],
    "a failing test that was fixed in the code": [
        failed("pytest tests/test_tree.py", "E  AssertionError: assert 3 == 4\n1 failed"),
        edited(f"{FOLDER}/orchard/tree.py"),
        ran("pytest tests/test_tree.py", "1 passed"),
    ],
    "a module that was still to be written": [
        edited("tests/test_pears.py"),
        failed("pytest tests/test_pears.py", "E  ModuleNotFoundError: No module named 'orchard.pears'"),
        edited("orchard/pears.py"),
        ran("pytest tests/test_pears.py", "2 passed"),
    ],
    "a type error": [
        failed("npx tsc --noEmit", "src/a.ts(3,1): error TS2304: Cannot find name 'Tree'."),
        edited("src/a.ts"),
        ran("npx tsc --noEmit"),
    ],
    "a compiler error with other commands in between": [
        failed(
            "cargo build",
            "error[E0425]: cannot find value `x` in this scope\nerror: could not compile `orchard`",
        ),
        edited("src/lib.rs"),
        ran("cargo fmt"),
        ran("git add -A && git commit -m wip"),
        ran("cargo build", "Finished"),
    ],
    "a flaky test": [
        failed("go test ./...", "--- FAIL: TestRace (2.0s)\n    race_test.go:9: timeout\nFAIL"),
        ran("go test ./... -run TestRace -count=3", "ok"),
        ran("go test ./...", "ok"),
    ],
    "a test that passed after waiting": [
        failed("npm test", "1 failed\nExpected 1, received 2"),
        ran("sleep 30"),
        ran("npm test", "5 passed"),
    ],
    "a mistyped task": [
        failed("make tset", "make: *** No rule to make target 'tset'.  Stop."),
        ran("make test", "5 passed"),
    ],
    "a mistyped file": [
        failed("pytest tests/test_aple.py", "ERROR: file or directory not found: tests/test_aple.py"),
        ran("ls tests"),
        ran("pytest tests/test_apple.py", "1 passed"),
    ],
    "a mistyped option": [
        failed("cargo test --realease", "error: unexpected argument '--realease' found"),
        ran("cargo test --release", "test result: ok"),
    ],
    "looking around": [
        failed("cat src/apple.py", "cat: src/apple.py: No such file or directory"),
        ran("git pull"),
        ran("cat src/apple.py", "class Apple: ..."),
        failed("grep -rn pear src", ""),
        ran("npm install"),
        ran("grep -rn pear src", "src/pear.py:1:pear"),
    ],
    "an error that was never overcome": [
        failed("npm run deploy", "Error: Missing required environment variable DEPLOY_TOKEN"),
        ran("npm run build"),
        failed("npm run deploy", "Error: Missing required environment variable DEPLOY_TOKEN"),
    ],
    "a command that was given up": [
        failed("gource --viewport 800x600", "bash: gource: command not found"),
        asked("never mind"),
        edited("README.md"),
    ],
    "a command that a person stopped": [
        ran("make test", "[Request interrupted by user for tool use]\nConnection refused", passed=None),
        ran("docker compose up -d db"),
        ran("make test", "5 passed"),
    ],
    "trouble of the network": [
        failed("npm ci", "npm error code ETIMEDOUT\nnpm error network request failed"),
        ran("rm -rf node_modules"),
        ran("npm ci", "added 12 packages"),
    ],
    "formatting": [
        failed(
            "npx prettier --check .", "[warn] src/a.ts\n[warn] Code style issues found in the above file."
        ),
        ran("npx prettier --write ."),
        ran("npx prettier --check .", "All matched files use Prettier code style!"),
    ],
    "a task that fixes the looks of code": [
        failed("make lint", "src/a.py:1:1: F401 imported but unused\nFound 1 error."),
        ran("make format"),
        ran("make lint", "All checks passed!"),
    ],
    "snapshots that were meant to change": [
        failed("npx jest", "› 1 snapshot failed.\nTests: 1 failed"),
        ran("npx jest -u", "1 snapshot updated."),
        ran("npx jest", "Tests: 4 passed"),
    ],
    "a configuration that the session wrote itself": [
        edited("Dockerfile"),
        failed(
            "docker build .",
            'ERROR: failed to solve: failed to compute cache key: "/reqs.txt": not found, no such file or directory',
        ),
        edited("Dockerfile"),
        ran("docker build .", "naming to docker.io"),
    ],
    "a package that new code needs": [
        edited("src/api.ts"),
        failed("npm test", "Error: Cannot find module 'zod'"),
        ran("npm install zod"),
        ran("npm test", "6 passed"),
    ],
    "an experiment that was taken back": [
        edited("src/a.py"),
        failed("pytest", "E  AssertionError\n2 failed"),
        ran("git stash"),
        ran("pytest", "20 passed"),
    ],
    "a choice of fewer tests": [
        failed("pytest", "E  AssertionError: assert 1 == 2\n1 failed, 30 passed"),
        ran("pytest -k apple", "3 passed"),
    ],
    "more output": [
        failed("cargo test", "test grows ... FAILED\ntest result: FAILED. 1 failed"),
        ran("RUST_BACKTRACE=1 cargo test", "test result: ok. 4 passed; 0 failed"),
    ],
    "a process that was killed by its number": [
        failed("npm run dev", "Error: listen EADDRINUSE: address already in use :::3000"),
        ran("kill 4711"),
        ran("npm run dev", "ready"),
    ],
    "a commit that a hook refused for its style": [
        failed("git commit -m 'add pears'", "black....Failed\n- files were modified by this hook"),
        ran("git add -A"),
        ran("git commit -m 'add pears'", "[main 1a2b3c4] add pears"),
    ],
    "a push that came late": [
        failed("git push", "! [rejected] main -> main (fetch first)\nerror: failed to push some refs"),
        ran("git pull --rebase"),
        ran("git push", "main -> main"),
    ],
    "a merge conflict": [
        failed(
            "git merge main",
            "CONFLICT (content): Merge conflict in src/a.py\nAutomatic merge failed; fix conflicts",
        ),
        edited("src/a.py"),
        ran("git add src/a.py && git commit --no-edit"),
        ran("git merge main", "Already up to date."),
    ],
    "code that a script rewrote": [
        failed("pytest", "E  TypeError: grow() missing 1 required positional argument\n1 failed"),
        ran("sed -i 's/grow()/grow(1)/' orchard/tree.py"),
        ran("pytest", "9 passed"),
    ],
    "a script that was still to be written": [
        failed("npm run lint:css", 'npm error Missing script: "lint:css"'),
        edited("package.json"),
        ran("npm run lint:css", "ok"),
    ],
    "a setting that new code reads": [
        edited("orchard/limits.py"),
        failed("pytest", "E  KeyError: 'RATE_LIMIT'\n1 failed"),
        edited("orchard/settings.py"),
        ran("pytest", "3 passed"),
    ],
    "a file that is itself what is checked": [
        failed("actionlint", '.github/workflows/ci.yml:12:9: unexpected key "step" for "job" section'),
        edited(".github/workflows/ci.yml"),
        ran("actionlint"),
    ],
    "what a person may have repaired": [
        failed("npm test", "Expected 1, received 2\nTests: 1 failed"),
        asked("I changed the rounding, try again"),
        ran("npm run build"),
        ran("npm test", "Tests: 5 passed"),
    ],
    "a tool that a person did not allow": [
        failed("make deploy", "Permission to use Bash with command make deploy has been denied."),
        ran("make build"),
        ran("make deploy", "done"),
    ],
    "a branch that lacked something": [
        failed("make proto", "proto/tree.proto: No such file or directory"),
        ran("git pull"),
        ran("make proto", "done"),
    ],
    "a package that new Python code needs": [
        edited("orchard/api.py"),
        failed("pytest", "E  ModuleNotFoundError: No module named 'httpx'"),
        ran("pip install httpx"),
        edited("pyproject.toml"),
        ran("pytest", "3 passed"),
    ],
    "a wrong query": [
        failed("psql -c 'select nme from trees'", 'ERROR:  column "nme" does not exist'),
        ran("psql -c '\\d trees'", "name text"),
        ran("psql -c 'select name from trees'", "apple"),
    ],
    "a call to a server that was being worked on": [
        failed("curl -f localhost:8000/trees", "curl: (22) The requested URL returned error: 404"),
        edited("orchard/routes.py"),
        ran("curl -f localhost:8000/trees", "[]"),
    ],
    "a wrong argument of a script": [
        failed("python scripts/load.py --file pears.csv", "error: unrecognized arguments: --file"),
        ran("python scripts/load.py --help", "usage: load.py PATH"),
        ran("python scripts/load.py pears.csv", "loaded"),
    ],
    "a test that a person wanted to fail first": [
        edited("tests/tree.spec.ts"),
        failed(
            "npx vitest run",
            "Error: Failed to resolve import '../src/tree' from 'tests/tree.spec.ts'. Does the file exist?",
        ),
        edited("src/tree.ts"),
        ran("npx vitest run", "1 passed"),
    ],
    "a folder above": [
        failed("make test", "make: *** No rule to make target 'test'.  Stop."),
        ran("cd .. && make test", "12 passed"),
    ],
}


@pytest.mark.parametrize("what", SILENT)
def test_nothing_is_learned_from(what):
    assert contents(*SILENT[what]) == []


def test_the_lines_of_a_log_are_not_the_failure_of_what_shows_them():
    log = "api-1  | Error: connect ECONNREFUSED 127.0.0.1:5432"
    steps = [
        ran("docker compose logs api | tail -5", log),
        ran("docker compose up -d db"),
        ran("docker compose logs api | tail -5"),
    ]
    assert contents(*steps) == []


def test_a_query_is_the_same_call_only_with_the_same_text():
    missing = failed("sqlite3 trees.db 'select age from trees'", "Error: no such column: age")
    migrated = ran("make migrate")
    assert contents(missing, migrated, ran("sqlite3 trees.db 'select name from trees'", "apple")) == []
    assert len(contents(missing, migrated, ran("sqlite3 trees.db 'select age from trees'", "7"))) == 1
