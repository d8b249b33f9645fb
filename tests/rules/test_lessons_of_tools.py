"""Lessons about many tools, some from agents that tell no exit codes."""

from __future__ import annotations

import pytest

from tests.rules.session_steps import edited, failed, found, ran, unknown

OVERCOME = {
    "a generated client": (
        [
            unknown(
                "npm run dev",
                '@prisma/client did not initialize yet. Please run "prisma generate" and try to import it again.',
            ),
            unknown("npx prisma generate", "Generated Prisma Client"),
            unknown("npm run dev", "ready on 3000"),
        ],
        "npx prisma generate",
    ),
    "a port that a leftover holds": (
        [
            unknown("go run ./cmd/api", "listen tcp :8080: bind: address already in use\nexit status 1"),
            unknown("lsof -ti:8080 | xargs kill"),
            unknown("go run ./cmd/api", "listening on :8080"),
        ],
        "lsof -ti:8080 | xargs kill",
    ),
    "a lock in a frame": (
        [
            unknown("terraform plan", "╷\n│ Error: Inconsistent dependency lock file\n│ \n╵"),
            unknown("terraform init -upgrade", "successfully initialized!"),
            unknown("terraform plan", "No changes."),
        ],
        "terraform init -upgrade",
    ),
    "a folder that was entered before": (
        [
            failed("pnpm test", "No package.json was found in /srv/code/orchard"),
            ran("cd web"),
            ran("pnpm test", "12 passed"),
        ],
        "cd web",
    ),
    "another folder by an option": (
        [
            failed("make test", "make: *** No rule to make target 'test'.  Stop."),
            ran("make -C backend test", "9 passed"),
        ],
        "make -C backend test",
    ),
    "a workspace": (
        [
            failed("npm test", "npm error No workspaces found!"),
            ran("npm test --workspace=packages/api", "12 passed"),
        ],
        "--workspace=packages/api",
    ),
    "a file of values": (
        [
            failed("helm upgrade api ./chart", "Error: UPGRADE FAILED: image.tag is required"),
            ran("helm upgrade api ./chart -f values.dev.yaml", "upgraded"),
        ],
        "-f values.dev.yaml",
    ),
    "a screen": (
        [
            failed("npm run test:e2e", "Missing X server or $DISPLAY\nThe platform failed to initialize."),
            ran("xvfb-run npm run test:e2e", "3 passed"),
        ],
        "xvfb-run npm run test:e2e",
    ),
    "a limit of the shell": (
        [
            failed("npm test", "Error: EMFILE: too many open files, open 'a.js'"),
            ran("ulimit -n 8192 && npm test", "3 passed"),
        ],
        "ulimit -n 8192",
    ),
    "a native module": (
        [
            failed(
                "node server.js",
                "Error: The module 'sqlite.node' was compiled against a different Node.js version",
            ),
            ran("npm rebuild sqlite"),
            ran("node server.js", "up"),
        ],
        "npm rebuild sqlite",
    ),
    "an application without a key": (
        [
            unknown(
                "php artisan test", "No application encryption key has been specified.\nRuntimeException"
            ),
            unknown("cp .env.example .env && php artisan key:generate", "Application key set successfully."),
            unknown("php artisan test", "Tests: 8 passed"),
        ],
        "php artisan key:generate",
    ),
    "data that a test expects": (
        [
            failed("npm run e2e", 'Expected: "Apple"\nReceived: ""\n1 failed'),
            ran("npm run db:seed", "seeded"),
            ran("npm run e2e", "1 passed"),
        ],
        "npm run db:seed",
    ),
    "files of an older run": (
        [
            failed("python -m pytest", "import file mismatch:\nimported module 'test_a' has another file"),
            ran("find . -name __pycache__ -exec rm -rf {} +"),
            ran("python -m pytest", "3 passed"),
        ],
        "__pycache__",
    ),
    "the configuration of a tool for tests": (
        [
            failed("npx jest", "ReferenceError: document is not defined\nTests: 3 failed"),
            edited("jest.config.js"),
            ran("npx jest", "Tests: 3 passed"),
        ],
        "`jest.config.js` was changed",
    ),
    "the configuration of a compiler": (
        [
            failed(
                "npx tsc -p .",
                "src/a.tsx(4,10): error TS17004: Cannot use JSX unless the '--jsx' flag is provided.",
            ),
            edited("tsconfig.json"),
            ran("npx tsc -p ."),
        ],
        "`tsconfig.json` was changed",
    ),
    "a certificate": (
        [
            failed(
                "pip install -r requirements.txt",
                "SSLError: certificate verify failed: self-signed certificate",
            ),
            ran("pip install --trusted-host pypi.example -r requirements.txt", "Successfully installed"),
        ],
        "--trusted-host pypi.example",
    ),
    "one command among others": (
        [
            failed("npm test", "Error: connect ECONNREFUSED 127.0.0.1:5432"),
            ran("docker compose up -d db"),
            edited("CHANGELOG.md"),
            ran("npm install dayjs"),
            ran("npm run build"),
            ran("npm test", "3 passed"),
        ],
        "until `docker compose up -d db` was run.",
    ),
    "a database with a name like a test": (
        [
            failed("make test", 'FATAL: database "orchard_test" does not exist'),
            ran("createdb orchard_test"),
            ran("make test", "3 passed"),
        ],
        "createdb orchard_test",
    ),
}


@pytest.mark.parametrize("what", OVERCOME)
def test_what_helped_is_named(what):
    steps, remedy = OVERCOME[what]
    (lesson,) = found(*steps)
    assert remedy in lesson.content
