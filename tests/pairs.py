"""Pairs of memories, written by hand, that the rules on duplicates are measured on.

Every other pair was held out while the rules were made. What they then missed there has been mended since, so
both halves now guard against going back; a fresh estimate needs fresh pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

Pair = TypeVar("Pair")


class Correction(NamedTuple):
    """Two texts that come close in wording and must both be kept."""

    known: str
    new: str
    contradicts: bool


class Texts(NamedTuple):
    """Two texts to compare."""

    known: str
    new: str


def development(pairs: Sequence[Pair]) -> Sequence[Pair]:
    return pairs[::2]


def held_out(pairs: Sequence[Pair]) -> Sequence[Pair]:
    return pairs[1::2]


CORRECTIONS = [
    # negation
    Correction("Deploy on Friday is allowed", "Deploy on Friday is not allowed", True),
    Correction("Force pushing to main is fine", "Force pushing to main is not fine", True),
    Correction(
        "Commit generated files to the repository", "Do not commit generated files to the repository", True
    ),
    Correction(
        "Run migrations automatically on startup", "Never run migrations automatically on startup", True
    ),
    Correction("The sandbox has network access", "The sandbox has no network access", True),
    Correction("The importer supports CSV files", "The importer doesn't support CSV files", True),
    Correction("We still use the legacy billing client", "We no longer use the legacy billing client", True),
    Correction("The tests work without Docker", "The tests do not work without Docker", True),
    Correction("You can merge without a review", "You must not merge without a review", True),
    Correction("Mock the clock in unit tests", "Avoid mocking the clock in unit tests", True),
    Correction("The cache is shared between workers", "The cache isn't shared between workers", True),
    Correction("Retries are safe for this endpoint", "Retries are unsafe for this endpoint", True),
    Correction("Log request bodies in the gateway", "Stop logging request bodies in the gateway", True),
    Correction(
        "The build cache can be deleted at any time", "The build cache cannot be deleted at any time", True
    ),
    # words that deny each other
    Correction("Always squash commits before merging", "Never squash commits before merging", True),
    Correction("Feature flags are enabled by default", "Feature flags are disabled by default", True),
    Correction(
        "The admin role is allowed to delete projects", "The admin role is denied to delete projects", True
    ),
    Correction("Set DEBUG to true in the compose file", "Set DEBUG to false in the compose file", True),
    Correction("The email field is required", "The email field is optional", True),
    Correction("Merge the feature branch into main", "Rebase the feature branch onto main", True),
    Correction("Indent Go templates with tabs", "Indent Go templates with spaces", True),
    Correction("Run the linter before the formatter", "Run the linter after the formatter", True),
    Correction("Increase the pool size under load", "Decrease the pool size under load", True),
    Correction("Use the async client for the payment API", "Use the sync client for the payment API", True),
    Correction("The repository is public", "The repository is private", True),
    Correction("Validation happens on the client", "Validation happens on the server", True),
    Correction("Sort results in ascending order", "Sort results in descending order", True),
    Correction("Keep the old dashboard as default", "Keep the new dashboard as default", True),
    Correction("Use the minimum of both limits", "Use the maximum of both limits", True),
    Correction("Open a read connection for reports", "Open a write connection for reports", True),
    Correction("Add the license header to new files", "Remove the license header from new files", True),
    Correction("The smoke test passes on ARM", "The smoke test fails on ARM", True),
    # numbers, versions and ports
    Correction("The staging port is 8080", "The staging port is 8081", True),
    Correction("The API listens on port 3000", "The API listens on port 4000", True),
    Correction("We run Python 3.11 in production", "We run Python 3.12 in production", True),
    Correction(
        "Node 18 is required to build the frontend", "Node 20 is required to build the frontend", True
    ),
    Correction("The request timeout is 30 seconds", "The request timeout is 60 seconds", True),
    Correction("The request timeout is 30 seconds", "The request timeout is 30 milliseconds", True),
    Correction("Retry failed jobs three times", "Retry failed jobs five times", True),
    Correction("Retry failed jobs 3 times", "Retry failed jobs seven times", True),
    Correction("Keep line length under 88 characters", "Keep line length under 100 characters", True),
    Correction("Coverage must stay above 80%", "Coverage must stay above 85%", True),
    Correction("Uploads are limited to 10 MB", "Uploads are limited to 10 GB", True),
    Correction("Pin numpy to 1.26.4", "Pin numpy to 2.0.1", True),
    Correction("Redis listens on 6379", "Redis listens on 6380", True),
    Correction("Use two spaces for indentation", "Use four spaces for indentation", True),
    Correction("The deploy takes about 5 minutes", "The deploy takes about 15 minutes", True),
    Correction("Sessions expire after 24 hours", "Sessions expire after 12 hours", True),
    Correction("The worker pool has 8 threads", "The worker pool has 16 threads", True),
    Correction(
        "Postgres 14 is the oldest version we support", "Postgres 15 is the oldest version we support", True
    ),
    # environments and days
    Correction(
        "The staging database is backed up every Monday night",
        "The production database is backed up every Monday night",
        False,
    ),
    Correction("Debug logging is on in development", "Debug logging is on in production", False),
    Correction("The release train leaves on Tuesday", "The release train leaves on Thursday", True),
    Correction("Secrets for staging live in Vault", "Secrets for prod live in Vault", False),
    Correction("The code freeze starts in November", "The code freeze starts in December", True),
    Correction("The QA cluster runs nightly", "The production cluster runs nightly", False),
    # names and identifiers
    Correction("The backend is written in Python", "The backend is written in Ruby", True),
    Correction("Alice owns the billing service", "Bob owns the billing service", True),
    Correction("The on-call lead is Priya", "The on-call lead is Tomasz", True),
    Correction("Use pnpm to install packages", "Use yarn to install packages", True),
    Correction("Sessions are stored in Redis", "Sessions are stored in Memcached", True),
    Correction("Use npm, not pnpm", "Use pnpm, not npm", True),
    Correction(
        "Use Postgres instead of MySQL for analytics", "Use MySQL instead of Postgres for analytics", True
    ),
    Correction("parse_config reads the settings file", "parse_args reads the settings file", False),
    Correction("The entry point is src/main.py", "The entry point is src/app.py", True),
    Correction("Configuration is read from settings.toml", "Configuration is read from config.yaml", True),
    Correction(
        "Error E1101 means the stub file is missing", "Error E1102 means the stub file is missing", False
    ),
    Correction("Images are pushed to ghcr.io", "Images are pushed to docker.io", True),
    Correction(
        "The helper getUserById hits the database", "The helper getUserByEmail hits the database", False
    ),
    Correction("CI runs on GitHub Actions", "CI runs on GitLab", True),
    Correction("Set MAX_RETRIES in the worker", "Set MAX_WORKERS in the worker", False),
    Correction("The default branch is main", "The default branch is develop", True),
    Correction("Infrastructure lives in AWS", "Infrastructure lives in Azure", True),
    Correction("Frontend state is managed with Redux", "Frontend state is managed with Zustand", True),
    Correction("Pass --no-verify when committing fixtures", "Pass --no-edit when committing fixtures", False),
    Correction("The primary region is eu-west-1", "The primary region is us-east-1", True),
    # reworded while correcting
    Correction("The staging server listens on port 8080", "Staging's port was changed to 8081", True),
    Correction("Never push directly to main", "Pushing directly to main is allowed", True),
    Correction("Our minimum supported Python is 3.9", "Python 3.11 is now the minimum we support", True),
    Correction("Use black for formatting Python code", "Python code is formatted with ruff", True),
    Correction("The job queue is RabbitMQ", "We moved the job queue to Kafka", True),
    Correction("Tests need a running Postgres", "Tests no longer need a running Postgres", True),
    Correction("Integration tests take 10 minutes", "The integration tests now take 3 minutes", True),
    Correction("Dana maintains the mobile app", "The mobile app is now maintained by Omar", True),
    # a second batch
    Correction(
        "Deploys to the EU cluster need approval", "Deploys to the EU cluster do not need approval", True
    ),
    Correction("The nightly job is reliable on weekends", "The nightly job is unreliable on weekends", True),
    Correction("The parser is thread-safe", "The parser is not thread-safe", True),
    Correction(
        "Empty passwords are accepted by the login form",
        "Empty passwords are rejected by the login form",
        True,
    ),
    Correction("Use feature branches for hotfixes", "Don't use feature branches for hotfixes", True),
    Correction("Nothing in the API is versioned", "Everything in the API is versioned", True),
    Correction(
        "The scheduler retries only idempotent jobs", "The scheduler never retries idempotent jobs", True
    ),
    Correction("Include test files in the wheel", "Exclude test files from the wheel", True),
    Correction("Tokens are valid for 15 minutes", "Tokens are valid for 1 hour", True),
    Correction("The free plan allows 3 seats", "The free plan allows 10 seats", True),
    Correction("Go 1.21 is the minimum toolchain", "Go 1.22 is the minimum toolchain", True),
    Correction("Vacuum the database weekly", "Vacuum the database daily", True),
    Correction("The metrics endpoint is on port 9090", "The metrics endpoint is on port 9100", True),
    Correction("Buckets are replicated to us-west-2", "Buckets are replicated to ap-south-1", True),
    Correction("Marta reviews all database changes", "Chen reviews all database changes", False),
    Correction("Ask Lukas for access to the VPN", "Ask Ingrid for access to the VPN", True),
    Correction("The design system is built on Material UI", "The design system is built on Chakra UI", True),
    Correction("Emails are sent through SendGrid", "Emails are sent through Mailgun", True),
    Correction("Build the image with docker", "Build the image with podman", True),
    Correction("Use httpx for outgoing calls", "Use aiohttp for outgoing calls", True),
    Correction("The flag FEATURE_CHAT gates the beta", "The flag FEATURE_VOICE gates the beta", False),
    Correction("Call close_session at the end of a test", "Call reset_session at the end of a test", True),
    Correction("The public key is in keys/deploy.pub", "The public key is in keys/release.pub", True),
    Correction(
        "ENOENT is raised when the cache folder is gone",
        "EACCES is raised when the cache folder is gone",
        False,
    ),
    Correction("Write the changelog entry before tagging", "Write the changelog entry after tagging", True),
    Correction("Lock the table during the import", "Unlock the table during the import", True),
    Correction("Load the newest snapshot first", "Load the newest snapshot last", True),
    Correction("Send errors to the internal channel", "Send errors to the external channel", True),
    Correction(
        "Test accounts live in the sandbox tenant", "Test accounts live in the production tenant", False
    ),
    Correction("Logs are kept for 30 days in staging", "Logs are kept for 30 days in production", False),
    Correction("The weekly sync is on Wednesday", "The weekly sync is on Friday", True),
    Correction("The audit is due in March", "The audit is due in June", True),
    Correction("Primary buttons are blue", "Primary buttons are green", True),
    Correction("Name test files test_*.py", "Name test files *_test.py", True),
    Correction("Constants are written in lowercase", "Constants are written in uppercase", True),
    Correction("Imports are relative inside the package", "Imports are absolute inside the package", True),
    Correction("The worker reads from the queue", "The worker writes to the queue", True),
    Correction("Errors return HTTP 400", "Errors return HTTP 422", True),
    Correction(
        "The rate limit is 100 requests per minute",
        "The rate limit was raised to 250 requests per minute",
        True,
    ),
    Correction("Use Jest for component tests", "We replaced Jest with Vitest for component tests", True),
    # a third batch
    Correction("Snapshots are encrypted at rest", "Snapshots are not encrypted at rest", True),
    Correction("The gateway strips cookies", "The gateway does not strip cookies", True),
    Correction("Call the vendor API from the browser", "Never call the vendor API from the browser", True),
    Correction("Hooks may block the commit", "Hooks must not block the commit", True),
    Correction(
        "Soft deletes are supported by the ORM layer", "Soft deletes are unsupported by the ORM layer", True
    ),
    Correction("Comments in code are welcome", "Comments in code are not welcome", True),
    Correction("Nightly builds are public", "Nightly builds are internal", True),
    Correction(
        "Publish the package from the release branch", "Publish the package from the main branch", True
    ),
    Correction("The queue holds at most 500 messages", "The queue holds at most 5000 messages", True),
    Correction("Use Java 17 for the batch service", "Use Java 21 for the batch service", True),
    Correction("The health check runs every 10 seconds", "The health check runs every 30 seconds", True),
    Correction("Page size is 20", "Page size is 50", True),
    Correction("Grafana is served on 3000", "Grafana is served on 3001", True),
    Correction("Upgrade React to 18.3", "Upgrade React to 19.0", True),
    Correction("Docs are written in Markdown", "Docs are written in reStructuredText", True),
    Correction("The search index is Elasticsearch", "The search index is Meilisearch", True),
    Correction("Yuki signs off on releases", "Farid signs off on releases", False),
    Correction("The wiki is hosted on Confluence", "The wiki is hosted on Notion", True),
    Correction("load_settings caches its result", "load_plugins caches its result", False),
    Correction("Fixtures live in tests/fixtures", "Fixtures live in tests/data", True),
    Correction("The dev database resets every night", "The staging database resets every night", False),
    Correction(
        "Invoices are generated on the first of the month",
        "Invoices are generated on the last of the month",
        True,
    ),
    Correction("The retro is on Thursday", "The retro moved to Monday", True),
    Correction("Sort imports with isort", "Sort imports with ruff, not isort", True),
    Correction("Strings use single quotes", "Strings use double quotes", True),
    Correction("Cache keys start with the tenant id", "Cache keys end with the tenant id", True),
    Correction("The team prefers small pull requests", "The team prefers large pull requests", True),
    Correction(
        "Write tests in the same folder as the code", "Write tests in a separate folder from the code", True
    ),
]


PARAPHRASES = [
    # the same words, or nearly
    Texts("use snake_case", "always use snake_case for Python"),
    Texts("Use pnpm to install packages", "Always use pnpm to install packages"),
    Texts("Run the linter before committing", "Run the linter before you commit."),
    Texts("The staging port is 8080", "Staging port: 8080"),
    Texts("The staging port is 8080", "The port of staging is 8080"),
    Texts("We use tabs for indentation", "Use tabs for indentation"),
    Texts("Never push directly to main", "Never push to main directly"),
    Texts("Never push directly to main", "Do not push directly to main"),
    Texts("Don't commit secrets", "Do not commit secrets to the repository"),
    Texts("API responses are cached for 5 minutes", "API responses are cached for five minutes"),
    Texts("The request timeout is 60 seconds", "The request timeout is 1 minute"),
    Texts("The request timeout is 30 seconds", "Request timeout is 30s"),
    Texts("Uploads are limited to 10 MB", "Uploads are limited to 10MB per file"),
    Texts("The backend is written in Python", "The backend is written in Python 3.11"),
    Texts("We run Python 3.11 in production", "Production runs Python 3.11.7"),
    Texts("Use conventional commits for commit messages", "Commit messages follow conventional commits"),
    Texts("All timestamps are stored in UTC", "Timestamps are always stored in UTC"),
    Texts("Tests are run with pytest -n auto", "Run tests with `pytest -n auto`"),
    Texts("Prefer composition over inheritance", "Prefer composition to inheritance"),
    Texts("Use Postgres as the primary database", "The primary database is PostgreSQL"),
    Texts("CI runs on GitHub Actions", "Our CI runs on GitHub Actions"),
    Texts("Deploys happen through ArgoCD", "Deployments go through ArgoCD"),
    Texts(
        "The repo uses a monorepo layout with Turborepo",
        "The repository uses a monorepo layout managed by Turborepo",
    ),
    Texts("Feature flags are disabled by default", "Feature flags are not enabled by default"),
    Texts("Use npm, not pnpm", "Use npm instead of pnpm"),
    Texts("Never merge without a review", "Do not merge without a review"),
    Texts("Deploying on Fridays is not allowed", "Deploys on Fridays are forbidden"),
    Texts("Type hints are required on public functions", "Public functions must have type hints"),
    Texts("Use absolute imports in the backend package", "In the backend package, use absolute imports"),
    Texts("Errors are logged with structlog", "We log errors with structlog"),
    Texts(
        "Env vars are loaded from .env by dotenv", "Environment variables are loaded from .env using dotenv"
    ),
    Texts("Max line length is 100", "Maximum line length is 100 characters"),
    Texts("Docs live in the docs folder", "Documentation lives in the docs directory"),
    Texts("Redis is used for caching sessions", "Sessions are cached in Redis"),
    Texts("Use Zod to validate request bodies", "Request bodies are validated with Zod"),
    Texts("The user prefers short answers", "User prefers short, concise answers"),
    Texts("Run make lint before pushing", "Before pushing, run `make lint`"),
    Texts("Alice owns the billing service", "The billing service is owned by Alice"),
    Texts("The frontend is built with React and TypeScript", "Frontend stack: React + TypeScript"),
    Texts("Migrations are managed with Alembic", "We manage database migrations with Alembic"),
    Texts("Do not edit generated files by hand", "Generated files must not be edited by hand"),
    Texts("Use the repository pattern for data access", "Data access goes through the repository pattern"),
    Texts("The API is rate limited to 100 requests per minute", "API rate limit: 100 requests/minute"),
    Texts("Clear the Vite cache when hot reload breaks", "If hot reload breaks, clear the Vite cache"),
    Texts(
        "ECONNRESET in tests means Redis is not running",
        "When tests fail with ECONNRESET, Redis is not running",
    ),
    Texts(
        "Use dependency injection instead of global singletons",
        "Prefer dependency injection over global singletons",
    ),
    Texts("Money is stored as integer cents", "Store money as integer cents, never as floats"),
    Texts("Every endpoint needs an integration test", "Each endpoint must have an integration test"),
    Texts("Set NODE_ENV=test before running jest", "NODE_ENV must be set to test before running jest"),
    Texts("Use UUIDs for primary keys", "Primary keys are UUIDs"),
    Texts("The build fails if the lockfile is out of date", "Build fails when the lockfile is outdated"),
    Texts("Secrets are kept in Vault", "We keep secrets in HashiCorp Vault"),
    # freely reworded
    Texts("Write tests for every bug fix", "Each bug fix should come with a regression test"),
    Texts("Never commit without running the tests", "Always run the tests before committing"),
    Texts("The tests do not work without Docker", "Docker is required to run the tests"),
    Texts(
        "Use named exports in TypeScript modules",
        "TypeScript modules should export by name, avoid default exports",
    ),
    Texts("The user dislikes long explanations", "Keep explanations brief for this user"),
    Texts("Function names are snake_case", "Name functions in snake_case"),
    Texts("Prefer early returns over nested conditionals", "Return early rather than nesting if statements"),
    Texts("Integration tests need a running Postgres", "Start Postgres before running the integration tests"),
    Texts("The worker crashes when the queue is empty", "An empty queue crashes the worker"),
    Texts(
        "Delete the node_modules folder if the build behaves strangely",
        "Weird build behaviour is fixed by removing node_modules",
    ),
    Texts("Pull requests need two approvals", "A PR requires 2 approvals before it is merged"),
    Texts("Authentication uses JWT tokens", "Auth is done with JWTs"),
    Texts("Use logging instead of print statements", "Don't use print, use the logging module"),
    Texts("Keep functions under 25 lines", "A function should be no longer than 25 lines"),
    Texts("We deploy with Docker Compose on a single VM", "Deployment is a single VM running docker-compose"),
    Texts("SQL queries belong in the repository layer", "Put SQL only in the repository layer"),
    Texts("Mock external HTTP calls in unit tests", "Unit tests mock all external HTTP calls"),
    Texts("Dates are formatted as ISO 8601", "Use ISO 8601 for dates"),
    Texts("Background jobs run on Celery", "Celery runs our background jobs"),
    Texts("The mobile app talks to the API through GraphQL", "Mobile uses GraphQL to reach the API"),
    Texts(
        "Restart the dev server after changing the config",
        "After a config change the dev server must be restarted",
    ),
    Texts("The flaky test is caused by a race in the scheduler", "A scheduler race makes the test flaky"),
    Texts("Use Tailwind for styling components", "Components are styled with Tailwind CSS"),
    Texts("Log in JSON format in production", "Production logs are JSON"),
    Texts("Cache invalidation happens on every write", "Each write invalidates the cache"),
    Texts("The CLI entry point lives in src/cli.py", "src/cli.py is the entry point of the CLI"),
    Texts(
        "Bump the version in pyproject.toml before a release",
        "Before releasing, bump the version in pyproject.toml",
    ),
    Texts("Only admins can delete projects", "Deleting a project is restricted to admins"),
    # a second batch
    Texts("Never store passwords in plain text", "Passwords must never be stored in plain text"),
    Texts("Use structured logging everywhere", "Structured logging is used everywhere"),
    Texts("Avoid global state", "Do not use global state"),
    Texts("The API returns JSON", "API responses are JSON"),
    Texts("Run `npm ci` instead of `npm install` in CI", "In CI use `npm ci`, not `npm install`"),
    Texts("Keep controllers thin", "Controllers should be kept thin"),
    Texts("Errors must not be swallowed", "Never swallow errors"),
    Texts("Use environment variables for configuration", "Configuration comes from env vars"),
    Texts(
        "Retry failed requests 3 times with backoff", "Failed requests are retried three times with backoff"
    ),
    Texts("The cache is not shared between workers", "Workers do not share the cache"),
    Texts("Tag releases with semantic versions", "Release tags follow semantic versioning"),
    Texts("Validate input at the API boundary", "Input is validated at the API boundary"),
    Texts("Do not deploy without a green build", "Only deploy when the build is green"),
    Texts("Use kebab-case for file names", "File names are kebab-case"),
    Texts("The seed script must run before the e2e tests", "Run the seed script before the e2e tests"),
    Texts("Prefer async functions for I/O", "I/O should be done in async functions"),
    Texts("Backups run every night at 2am", "Backups run nightly at 2am"),
    Texts("Keep secrets out of the logs", "Secrets must not appear in the logs"),
    Texts("The monolith is being split into services", "We are splitting the monolith into services"),
    Texts("Use a feature flag for every risky change", "Every risky change goes behind a feature flag"),
    # a third batch
    Texts("Do not log personal data", "Personal data must not be logged"),
    Texts("Use dataclasses for value objects", "Value objects are dataclasses"),
    Texts("Docker images are built in CI", "CI builds the Docker images"),
    Texts("The user likes dark mode", "User prefers dark mode"),
    Texts("Pin dependencies to exact versions", "Dependencies are pinned to exact versions"),
    Texts("The test suite takes 4 minutes", "Running the test suite takes four minutes"),
    Texts("Feature toggles live in LaunchDarkly", "We keep feature toggles in LaunchDarkly"),
    Texts("Don't mix tabs and spaces", "Never mix tabs and spaces"),
    Texts("Only the API may talk to the database", "The database may be accessed only by the API"),
    Texts("Rotate API keys every 90 days", "API keys are rotated every 90 days"),
    Texts("Use guard clauses rather than deep nesting", "Use guard clauses instead of deep nesting"),
    Texts("CSS classes follow the BEM naming scheme", "Use BEM naming for CSS classes"),
    Texts("The search page is slow because of N+1 queries", "N+1 queries make the search page slow"),
    Texts("Set PYTHONPATH=src before running scripts", "Scripts need PYTHONPATH=src"),
    Texts("Squash commits when merging pull requests", "Pull requests are squash-merged"),
    Texts("Prefer pathlib over os.path", "Use pathlib instead of os.path"),
]


PARALLEL = [
    Texts("Rule 1: the retry limit of job 1 is 1", "Rule 2: the retry limit of job 2 is 2"),
    Texts("The staging port is 8080", "The production port is 8081"),
    Texts("Use pytest for Python tests", "Use jest for JavaScript tests"),
    Texts("Use 2 spaces for YAML", "Use 4 spaces for Python"),
    Texts("Alice owns the billing service", "Bob owns the search service"),
    Texts("The frontend runs on port 3000", "The backend runs on port 8000"),
    Texts("The users table has 12 columns", "The orders table has 9 columns"),
    Texts("Step 1: install the dependencies", "Step 2: run the migrations"),
    Texts("API timeout is 30 seconds", "Worker timeout is 300 seconds"),
    Texts("Staging deploys on every merge", "Production deploys on every tag"),
    Texts("The staging database is Postgres 14", "The production database is Postgres 15"),
    Texts("Error 401 means the token expired", "Error 403 means the role is missing"),
    Texts("Monday standup is led by Priya", "Wednesday standup is led by Tomasz"),
    Texts("Service auth listens on 7001", "Service billing listens on 7002"),
    Texts("Format Go code with gofmt", "Format Rust code with rustfmt"),
    Texts("load_users returns 50 rows", "load_orders returns 100 rows"),
    Texts("Sprint 14 ended on 3 March", "Sprint 15 ended on 17 March"),
    Texts("The unit tests take 2 minutes", "The integration tests take 10 minutes"),
    Texts("Client errors are logged at info level", "Server errors are logged at error level"),
    Texts("Node 1 is the primary", "Node 2 is a replica"),
    Texts("Dev uses SQLite", "Prod uses Postgres"),
    Texts("Version 1.2 added webhooks", "Version 1.3 added audit logs"),
    Texts("The iOS app needs Xcode 15", "The Android app needs Gradle 8"),
    Texts("Queue high has 10 workers", "Queue low has 2 workers"),
    Texts("The read replica lives in eu-west-1", "The write primary lives in us-east-1"),
    Texts("Bug 1201 was caused by a race", "Bug 1305 was caused by a race"),
    Texts("src/api/users.py holds the user routes", "src/api/orders.py holds the order routes"),
    Texts("In 2023 we used Jenkins", "In 2024 we used CircleCI"),
    Texts("REDIS_URL points at the cache", "DATABASE_URL points at the main database"),
    Texts("Before a release tag the commit", "After a release announce it on Slack"),
    # a second batch
    Texts("The login page needs 2 API calls", "The profile page needs 5 API calls"),
    Texts("Use tabs in Makefiles", "Use spaces in YAML files"),
    Texts("users.id is a UUID", "orders.id is a bigint"),
    Texts("Phase 1 ends in March", "Phase 2 ends in June"),
    Texts("The red button deletes", "The green button saves"),
    Texts("Always lint Python files", "Never lint generated files"),
    Texts("Team Alpha owns checkout", "Team Beta owns shipping"),
    Texts("The web pod has 512 MB of memory", "The worker pod has 2 GB of memory"),
    Texts("Chapter 3 covers routing", "Chapter 4 covers caching"),
    Texts("Admins can delete users", "Guests can not delete users"),
    # a third batch
    Texts("The api service needs 1 GB", "The worker service needs 4 GB"),
    Texts("Rust code is formatted with rustfmt", "Python code is formatted with ruff"),
    Texts("Issue 44 is fixed in 2.1", "Issue 57 is fixed in 2.2"),
    Texts("Staging uses the small instance", "Production uses the large instance"),
    Texts("GET requests are cached", "POST requests are not cached"),
    Texts("The English docs live in docs/en", "The German docs live in docs/de"),
    Texts("Nadia works on search", "Pavel works on billing"),
    Texts("The first step validates the input", "The last step writes the output"),
    Texts("Port 5432 is Postgres", "Port 6379 is Redis"),
    Texts("Use Black in the backend repo", "Use Prettier in the frontend repo"),
    Texts("The users endpoint returns 200", "The orders endpoint returns 204"),
    Texts("On macOS install with brew", "On Ubuntu install with apt"),
]

#: The same words in other places, so that something else is said.
REVERSALS = [
    Texts("Logs go to S3 and metrics go to Kafka", "Metrics go to S3 and logs go to Kafka"),
    Texts("Logs go to S3 and metrics go to Kafka", "Logs go to Kafka and metrics go to S3"),
    Texts("Errors are red and warnings are yellow", "Errors are yellow and warnings are red"),
    Texts("Errors are red and warnings are yellow", "Warnings are red and errors are yellow"),
    Texts(
        "Enable the feature in staging and disable it in production",
        "Disable the feature in staging and enable it in production",
    ),
    Texts("Start redis, then postgres, then the api", "Start postgres, then redis, then the api"),
    Texts("Run the linter, then the tests", "Run the tests, then the linter"),
    Texts(
        "Tests may import src but src must not import tests",
        "Src may import tests but tests must not import src",
    ),
    Texts(
        "Increase the timeout before lowering the pool size",
        "Lower the pool size before increasing the timeout",
    ),
    Texts(
        "Increase the timeout and decrease the pool size", "Decrease the timeout and increase the pool size"
    ),
    Texts("Delete the cache while you rebuild the index", "Rebuild the cache while you delete the index"),
    Texts("Copy the logs from S3 to Kafka", "Copy the logs to S3 from Kafka"),
    Texts(
        "Der primäre Server repliziert auf den sekundären Server",
        "Der sekundäre Server repliziert auf den primären Server",
    ),
]
