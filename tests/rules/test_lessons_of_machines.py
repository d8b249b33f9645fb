"""Lessons about machines, checkouts and logins name what was missing, and what helped."""

from __future__ import annotations

import pytest

from tests.rules.session_steps import FOLDER, edited, failed, found, ran

OVERCOME = {
    "a configuration file": (
        [
            failed(
                "npx eslint .",
                "ESLint couldn't find a configuration file.",
            ),
            edited(f"{FOLDER}/eslint.config.js"),
            ran("npx eslint ."),
        ],
        ["eslint.config.js"],
    ),
    "a flag that the tool asks for": (
        [
            failed(
                "go test ./store",
                "Binary was compiled with 'CGO_ENABLED=0', this is a stub and does not exist",
            ),
            ran("CGO_ENABLED=1 go test ./store", "ok"),
        ],
        ["CGO_ENABLED=1"],
    ),
    "memory": (
        [
            failed("mvn package", "java.lang.OutOfMemoryError: Java heap space\nCannot allocate memory"),
            ran("MAVEN_OPTS=-Xmx4g mvn package", "BUILD SUCCESS"),
        ],
        ["MAVEN_OPTS"],
    ),
    "data that has to be fetched": (
        [
            failed(
                "pytest tests/maps",
                "E   FileNotFoundError: [Errno 2] No such file or directory: 'data/tiles.bin'",
            ),
            ran("git lfs pull", "Downloading LFS objects: 100%"),
            ran("pytest tests/maps", "3 passed"),
        ],
        ["git lfs pull"],
    ),
    "a service behind which the real bug came up": (
        [
            failed(
                "mix test",
                "** (DBConnection.ConnectionError) tcp connect (localhost:5432): connection refused - :econnrefused",
            ),
            ran("docker start orchard-pg"),
            failed("mix test", "1) test grows (TreeTest)\n Assertion with == failed\n2 tests, 1 failure"),
            edited("lib/tree.ex"),
            ran("mix test", "2 tests, 0 failures"),
        ],
        ["docker start orchard-pg"],
    ),
    "a failure that a pipe hides": (
        [
            ran(
                "make test 2>&1 | tail -5",
                "sh: 1: protoc: not found\nmake: *** [Makefile:4: proto] Error 127",
            ),
            ran("brew install protobuf"),
            ran("make test 2>&1 | tail -5", "40 passed"),
        ],
        ["brew install protobuf"],
    ),
    "an agent without exit codes": (
        [
            ran(
                "python -m app",
                "Traceback (most recent call last):\nModuleNotFoundError: No module named 'uvloop'",
                passed=None,
            ),
            ran("pip install -r requirements.txt", "Successfully installed uvloop", passed=None),
            ran("python -m app", "listening", passed=None),
        ],
        ["pip install -r requirements.txt"],
    ),
    "a second try after a wrong remedy": (
        [
            failed(
                "flutter test",
                "Error: Could not find package_config.json: run flutter pub get first, 'l10n.dart' does not exist",
            ),
            ran("flutter clean"),
            failed(
                "flutter test",
                "Error: Could not find package_config.json: run flutter pub get first, 'l10n.dart' does not exist",
            ),
            ran("flutter pub get"),
            ran("flutter test", "All tests passed!"),
        ],
        ["flutter pub get"],
    ),
    "an uninitialised tool": (
        [
            failed("terraform apply", 'Error: Backend initialization required, please run "terraform init"'),
            ran("terraform init"),
            ran("terraform apply", "Apply complete!"),
        ],
        ["terraform init"],
    ),
    "a package that is not on the path": (
        [
            failed("pytest", "E   ModuleNotFoundError: No module named 'orchard'\n1 error during collection"),
            ran("PYTHONPATH=src pytest", "12 passed"),
        ],
        ["PYTHONPATH=src"],
    ),
    "an old library of ciphers": (
        [
            failed("npm run build", "Error: error:0308010C:digital envelope routines::unsupported"),
            ran("NODE_OPTIONS=--openssl-legacy-provider npm run build", "Compiled successfully"),
        ],
        ["--openssl-legacy-provider"],
    ),
    "a managed Python": (
        [
            failed("pip install requests", "error: externally-managed-environment"),
            ran("python3 -m venv .venv && .venv/bin/pip install requests", "Successfully installed requests"),
        ],
        ["python3 -m venv .venv"],
    ),
    "a network of containers": (
        [
            failed("docker compose up -d", "network proxy declared as external, but could not be found"),
            ran("docker network create proxy"),
            ran("docker compose up -d", "Started"),
        ],
        ["docker network create proxy"],
    ),
    "packages that do not fit each other": (
        [
            failed(
                "npm ci",
                "npm error ERESOLVE could not resolve\nnpm error Conflicting peer dependency: react@18.3.1",
            ),
            ran("npm ci --legacy-peer-deps", "added 800 packages"),
        ],
        ["--legacy-peer-deps"],
    ),
    "a hook of git that lacks its tool": (
        [
            failed(
                "git commit -m 'pears'",
                ".husky/pre-commit: 2: lint-staged: not found\nhusky - pre-commit script failed (code 127)",
            ),
            ran("npm ci", "added 80 packages"),
            ran("git commit -m 'pears'", "[main 1a2b3c4] pears"),
        ],
        ["npm ci"],
    ),
    "a limit of the system": (
        [
            failed(
                "yarn start", "Error: ENOSPC: System limit for number of file watchers reached, watch 'src'"
            ),
            ran("sudo sysctl fs.inotify.max_user_watches=524288"),
            ran("yarn start", "ready"),
        ],
        ["sysctl"],
    ),
    "a folder that has to exist": (
        [
            failed(
                "python scripts/report.py",
                "FileNotFoundError: [Errno 2] No such file or directory: 'out/report.csv'",
            ),
            ran("mkdir -p out"),
            ran("python scripts/report.py", "wrote out/report.csv"),
        ],
        ["mkdir -p out"],
    ),
    "a file of a container that was changed": (
        [
            failed(
                "docker compose up -d db",
                "Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated",
            ),
            edited(f"{FOLDER}/docker-compose.override.yml"),
            ran("docker compose up -d db", "Started"),
        ],
        ["`docker-compose.override.yml` was changed"],
    ),
    "a command line that is prepared in the same line": (
        [
            failed("cd api && go test ./...", "dial tcp 127.0.0.1:9092: connect: connection refused"),
            ran("docker compose up -d kafka && cd api && go test ./...", "ok  api 2.1s"),
        ],
        ["docker compose up -d kafka"],
    ),
    "tests that need to be run by the module": (
        [
            failed("pytest tests", "E   ModuleNotFoundError: No module named 'orchard'"),
            ran("python -m pytest tests", "12 passed"),
        ],
        ["python -m pytest tests"],
    ),
    "stale classes": (
        [
            failed(
                "mvn test",
                "java.lang.NoSuchMethodError: 'void orchard.Tree.grow(int)'\nTests run: 3, Errors: 1",
            ),
            ran("mvn clean install -DskipTests", "BUILD SUCCESS"),
            ran("mvn test", "BUILD SUCCESS"),
        ],
        ["mvn clean install"],
    ),
    "root": (
        [
            failed(
                "docker ps -a && docker build .",
                "permission denied while trying to connect to the Docker daemon socket",
            ),
            ran("sudo docker build .", "naming to docker.io"),
        ],
        ["sudo docker build ."],
    ),
}


@pytest.mark.parametrize("what", OVERCOME)
def test_an_error_that_was_overcome_is_told_with_its_remedy(what):
    steps, remedies = OVERCOME[what]
    (lesson,) = found(*steps)
    for remedy in remedies:
        assert remedy in lesson.content
