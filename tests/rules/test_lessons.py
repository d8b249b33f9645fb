"""Errors that a session overcame are told with what helped."""

from __future__ import annotations

import pytest

from tests.rules.session_steps import FOLDER, edited, failed, found, ran

OVERCOME = {
    "a build that others need": (
        [
            failed(
                "npm test",
                "Error: Cannot find module './dist/index.js'\n    at Module._load (node:internal:1)",
            ),
            ran("ls packages"),
            ran("npm run build"),
            ran("npm test", "12 passed"),
        ],
        ["npm run build"],
    ),
    "a service that was not started": (
        [
            failed(
                "pytest tests/db",
                "redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.",
            ),
            ran("docker compose ps", "NAME STATUS"),
            ran("docker compose up -d redis"),
            ran("sleep 3"),
            ran("pytest tests/db", "8 passed"),
        ],
        ["docker compose up -d redis"],
    ),
    "a service that needed a moment": (
        [
            failed("npm run e2e", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
            ran("make db"),
            failed("npm run e2e", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
            ran("sleep 10"),
            ran("npm run e2e", "4 passed"),
        ],
        ["make db"],
    ),
    "a pending migration": (
        [
            failed(
                "bin/rails server",
                "ActiveRecord::PendingMigrationError: Migrations are pending. To resolve this issue, run:",
            ),
            ran("bin/rails db:migrate", "== 3 AddTrees: migrated"),
            ran("bin/rails server", "Listening on 3000"),
        ],
        ["bin/rails db:migrate"],
    ),
    "a test database that has to be prepared": (
        [
            failed("bundle exec rspec", 'PG::UndefinedTable: ERROR:  relation "trees" does not exist'),
            ran("bin/rails db:test:prepare"),
            ran("bundle exec rspec", "30 examples, 0 failures"),
        ],
        ["bin/rails db:test:prepare"],
    ),
    "a variable": (
        [
            failed(
                "cargo run",
                "thread 'main' panicked at src/main.rs:8: called `Option::unwrap()`: ORCHARD_KEY must be set",
            ),
            ran("ORCHARD_KEY=dev cargo run", "ready"),
        ],
        ["ORCHARD_KEY=dev"],
    ),
    "a variable that was exported": (
        [
            failed(
                "./gradlew test",
                "SDK location not found. Define a valid SDK location with an ANDROID_HOME environment variable",
            ),
            ran("export ANDROID_HOME=$HOME/android"),
            ran("./gradlew test", "BUILD SUCCESSFUL"),
        ],
        ["export ANDROID_HOME"],
    ),
    "an environment file": (
        [
            failed(
                "docker compose up -d",
                "env file /srv/code/orchard/.env not found: stat /srv/code/orchard/.env: no such file or directory",
            ),
            ran("cp .env.example .env"),
            ran("docker compose up -d", "Container web Started"),
        ],
        ["cp .env.example .env"],
    ),
    "a virtual environment": (
        [
            failed("pytest -q", "bash: pytest: command not found"),
            ran("uv run pytest -q", "5 passed"),
        ],
        ["uv run pytest -q"],
    ),
    "an activated environment": (
        [
            failed("python manage.py check", "ModuleNotFoundError: No module named 'django'"),
            ran("source .venv/bin/activate && python manage.py check", "System check identified no issues"),
        ],
        [".venv/bin/activate"],
    ),
    "another folder": (
        [
            failed(
                "cargo test",
                "error: could not find `Cargo.toml` in `/srv/code/orchard` or any parent directory",
            ),
            ran("cd crates/core && cargo test", "test result: ok. 4 passed"),
        ],
        ["crates/core"],
    ),
    "another manager of packages": (
        [
            failed("npm install", 'error: This project requires pnpm. Use "pnpm install" for installation.'),
            ran("pnpm install", "Done in 4s"),
        ],
        ["pnpm install"],
    ),
    "a program of another name": (
        [
            failed("docker-compose up -d", "docker-compose: command not found"),
            ran("docker compose up -d", "Container db Started"),
        ],
        ["docker compose up -d"],
    ),
    "generated code": (
        [
            failed(
                "go test ./...", "internal/db/store.go:8:2: package orchard/internal/db/sqlc is not in std"
            ),
            ran("sqlc generate"),
            ran("go test ./...", "ok  orchard/internal/db 0.3s"),
        ],
        ["sqlc generate"],
    ),
    "a stale cache behind a failing test": (
        [
            failed(
                "npx jest", "● price › adds tax\n  Expected: 119\n  Received: 100\nTests: 1 failed, 3 passed"
            ),
            ran("git status --short"),
            ran("rm -rf node_modules/.cache"),
            ran("npx jest", "Tests: 4 passed"),
        ],
        ["rm -rf node_modules/.cache"],
    ),
    "a port in use": (
        [
            failed("npm run dev", "Error: listen EADDRINUSE: address already in use :::3000"),
            ran("lsof -i :3000", "node 812"),
            ran("npm run dev -- --port 3001", "ready on 3001"),
        ],
        ["--port 3001"],
    ),
    "a missing right": (
        [
            failed("./scripts/release.sh", "bash: ./scripts/release.sh: Permission denied"),
            ran("chmod +x scripts/release.sh"),
            ran("./scripts/release.sh", "released"),
        ],
        ["chmod +x scripts/release.sh"],
    ),
    "an expired login": (
        [
            failed("kubectl get pods", "error: You must be logged in to the server (Unauthorized)"),
            ran("aws sso login --profile dev", "Successfully logged in"),
            ran("kubectl get pods", "web-1 Running"),
        ],
        ["aws sso login"],
    ),
    "a version of a language": (
        [
            failed(
                "npm ci",
                "npm error code EBADENGINE\nnpm error engine Unsupported engine",
            ),
            ran("nvm use 20"),
            ran("npm ci", "added 300 packages"),
        ],
        ["nvm use 20"],
    ),
    "a package of the system": (
        [
            failed("pip install -r requirements.txt", "Error: pg_config executable not found."),
            ran("sudo apt-get install -y libpq-dev"),
            ran("pip install -r requirements.txt", "Successfully installed psycopg2"),
        ],
        ["libpq-dev"],
    ),
    "a browser": (
        [
            failed(
                "npx playwright test",
                "Error: browserType.launch: Executable doesn't exist at /root/.cache/ms-playwright/chromium",
            ),
            ran("npx playwright install chromium"),
            ran("npx playwright test", "9 passed"),
        ],
        ["playwright install"],
    ),
    "a lock file": (
        [
            failed(
                "pnpm install --frozen-lockfile",
                'ERR_PNPM_OUTDATED_LOCKFILE  Cannot install with "frozen-lockfile", pnpm-lock.yaml is not up to date',
            ),
            ran("pnpm install --no-frozen-lockfile", "Done"),
        ],
        ["--no-frozen-lockfile"],
    ),
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
    assert len(found(*steps)) == 1
    for remedy in remedies:
        assert remedy in found(*steps)[0].content
