"""Errors that a session overcame are told with what helped."""

from __future__ import annotations

import pytest

from tests.rules.session_steps import failed, found, ran

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
}


@pytest.mark.parametrize("what", OVERCOME)
def test_an_error_that_was_overcome_is_told_with_its_remedy(what):
    steps, remedies = OVERCOME[what]
    (lesson,) = found(*steps)
    for remedy in remedies:
        assert remedy in lesson.content
