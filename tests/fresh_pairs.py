"""Pairs written after the rules on duplicates were finished: nothing was tuned on them, and nothing may be."""

from __future__ import annotations

from tests.pairs import Correction, Texts

FRESH_CORRECTIONS = [
    Correction(
        "The nightly job may touch the billing tables",
        "The nightly job may not touch the billing tables",
        True,
    ),
    Correction("Feature flags live in LaunchDarkly", "Feature flags live in Unleash", True),
    Correction(
        "The API gateway times out after 30 seconds", "The API gateway times out after 60 seconds", True
    ),
    Correction("We pin Terraform to 1.5.7", "We pin Terraform to 1.9.2", True),
    Correction("Redis runs on port 6379", "Redis runs on port 6380", True),
    Correction("Migrations run before the deploy", "Migrations run after the deploy", True),
    Correction(
        "Retries are enabled for the webhook client", "Retries are disabled for the webhook client", True
    ),
    Correction("The staging bucket is public", "The staging bucket is private", True),
    Correction("Use tabs in Makefiles and Go code", "Use spaces in Makefiles and Go code", True),
    Correction("Logs are kept for 14 days", "Logs are kept for 90 days", True),
    Correction("Marta owns the search service", "Jonas owns the search service", True),
    Correction("The mobile app still supports iOS 15", "The mobile app no longer supports iOS 15", True),
    Correction("CI caches node_modules", "CI does not cache node_modules", True),
    Correction("The default page size is 20", "The default page size is 50", True),
    Correction("Always squash before merging", "Never squash before merging", True),
    Correction(
        "The worker reads from the orders-v1 topic", "The worker reads from the orders-v2 topic", True
    ),
    Correction("Secrets come from Vault", "Secrets come from AWS Secrets Manager", True),
    Correction("The frontend is built with Webpack", "The frontend is built with Vite", True),
    Correction("Release branches are cut on Monday", "Release branches are cut on Thursday", True),
    Correction("The linter allows implicit any", "The linter forbids implicit any", True),
    Correction("The upload limit is 25 MB", "The upload limit is 25 GB", True),
    Correction("Integration tests need Docker", "Integration tests do not need Docker", True),
    Correction("Errors are returned as HTTP 400", "Errors are returned as HTTP 422", True),
    Correction("The read replica lags by about 2 seconds", "The read replica lags by about 2 minutes", True),
    Correction("Timestamps are stored in local time", "Timestamps are stored in UTC", True),
    Correction("The cron job runs hourly", "The cron job runs daily", True),
    Correction("Orders are sharded by customer_id", "Orders are sharded by region_id", True),
    Correction("Use yarn to install the packages", "Use pnpm to install the packages", True),
    Correction("The client retries synchronously", "The client retries asynchronously", True),
    Correction(
        "GraphQL introspection is on in production", "GraphQL introspection is off in production", True
    ),
    Correction(
        "The staging database is restored every Sunday",
        "The production database is restored every Sunday",
        False,
    ),
    Correction("Service A listens on 7001", "Service B listens on 7002", False),
    Correction(
        "The German invoices use a comma as decimal mark",
        "The Swiss invoices use a point as decimal mark",
        False,
    ),
    Correction("Ticket 4411 is about the login page", "Ticket 4412 is about the logout page", False),
    Correction("make lint checks the Python code", "make lint-js checks the JavaScript code", False),
    Correction("The minimum password length is 8", "The maximum password length is 128", False),
    Correction("Export the report as CSV for finance", "Export the report as PDF for legal", False),
    Correction(
        "parse_order raises ValueError on empty input", "parse_refund raises ValueError on empty input", False
    ),
    Correction("The blue cluster is active this week", "The green cluster is active this week", True),
    Correction("Approve a refund above 100 euros", "Approve a refund below 100 euros", True),
    Correction("Run the seeds only in development", "Run the seeds only in test", True),
    Correction("The SDK requires Python 3.9 or newer", "The SDK requires Python 3.12 or newer", True),
]

FRESH_PARAPHRASES = [
    Texts("Run make migrate before starting the server", "Before you start the server, run make migrate"),
    Texts(
        "The cache is invalidated whenever a product changes",
        "Whenever a product changes, the cache gets invalidated",
    ),
    Texts("Keep functions under forty lines", "Functions should be kept under forty lines"),
    Texts("Use structured logging everywhere", "Use structured logging"),
    Texts("We deploy with Argo CD", "Deployments are done with Argo CD"),
    Texts(
        "Write commit messages in the imperative mood",
        "Commit messages should be written in the imperative mood",
    ),
    Texts("The payment webhook must be idempotent", "Make sure the payment webhook is idempotent"),
    Texts("Prefer composition over inheritance", "Favour composition over inheritance"),
    Texts("Mock the clock in tests that depend on time", "Tests that depend on time should mock the clock"),
    Texts("The search index is rebuilt at night", "Rebuilding the search index happens at night"),
    Texts("Do not log personal data", "Personal data must not be logged"),
    Texts(
        "Close database connections in a finally block",
        "Always close database connections in a finally block",
    ),
    Texts("The design tokens live in packages/theme", "Design tokens are in packages/theme"),
    Texts(
        "Use the retry decorator for calls to the tax service",
        "Calls to the tax service use the retry decorator",
    ),
    Texts("Feature branches are deleted after the merge", "Delete feature branches after the merge"),
    Texts(
        "Add a changelog entry for every user-facing change",
        "Every user-facing change needs a changelog entry",
    ),
    Texts(
        "The queue consumer acknowledges messages manually",
        "Messages are acknowledged manually by the queue consumer",
    ),
    Texts(
        "Validate input with pydantic models at the edge",
        "At the edge, input is validated with pydantic models",
    ),
    Texts("Name test files after the module they test", "Test files are named after the module they test"),
    Texts("Rotate the signing key every quarter", "The signing key has to be rotated every quarter"),
    Texts("Use feature flags for risky changes", "Risky changes go behind feature flags"),
    Texts(
        "The importer skips rows without an email address",
        "Rows without an email address are skipped by the importer",
    ),
    Texts("Start the emulator with npm run emulator", "npm run emulator starts the emulator"),
    Texts("Document public functions with a docstring", "Public functions need a docstring"),
    Texts("All prices are stored in cents", "Prices are stored in cents"),
    Texts(
        "Ask the platform team before adding a new queue", "Before adding a new queue, ask the platform team"
    ),
    Texts("Never edit generated files by hand", "Generated files must never be edited by hand"),
    Texts("The health check lives at /healthz", "/healthz is the health check"),
    Texts("Pin GitHub Actions to a commit hash", "GitHub Actions should be pinned to a commit hash"),
    Texts("Avoid raw SQL in controllers", "Controllers should avoid raw SQL"),
    Texts("Large uploads go directly to object storage", "Large uploads are sent directly to object storage"),
    Texts("Use dependency injection for the mailer", "The mailer is provided by dependency injection"),
    Texts("Tests must not depend on each other's order", "Tests must not depend on the order they run in"),
    Texts("Check the error budget before a risky release", "Look at the error budget before a risky release"),
    Texts("The tracing header is called x-request-id", "x-request-id is the name of the tracing header"),
    Texts("Run the formatter before you commit", "Before you commit, run the formatter"),
    Texts("Translations are managed in Crowdin", "We manage translations in Crowdin"),
    Texts("Use optimistic locking for orders", "Orders use optimistic locking"),
    Texts("The sandbox resets every night at two", "Every night at two the sandbox is reset"),
    Texts("Return early instead of nesting conditions", "Prefer returning early over nesting conditions"),
]
