"""Questions with the category each asks for, written by hand before any rule was measured on them.

The rules may be improved by what they miss in DEVELOPMENT. Nothing may be tuned on HELD_OUT: it tells how they do
on questions nobody had seen. `None` is a question that asks for no category, however much it looks like one.
"""

from __future__ import annotations

from typing import NamedTuple

from memory_layer.model.vocabulary import Category


class Labelled(NamedTuple):
    """A question and what it asks for."""

    query: str
    category: Category | None


def _labelled(asked: dict[Category | None, tuple[str, ...]]) -> list[Labelled]:
    return [Labelled(query, category) for category, queries in asked.items() for query in queries]


DEVELOPMENT = _labelled(
    {
        Category.TROUBLESHOOTING: (
            "why does checkout return 502 under load",
            "docker compose up exits with code 137",
            "the migration job hangs at 99%",
            "RuntimeError: Event loop is closed",
            "pods are stuck in CrashLoopBackOff after the rollout",
            "npm ERR! peer dep missing",
            "login page shows a blank screen in Safari, what's wrong",
            "emails are not being sent from staging",
            "how do I get rid of the SSL certificate verify failed error",
            "what could make the cache return stale prices",
        ),
        Category.DECISION: (
            "why are we on Postgres and not MySQL",
            "what made us move away from microservices",
            "did we decide to support Python 3.9",
            "why did the team go with Tailwind",
            "reason for choosing Stripe over Adyen",
            "why do we keep the monorepo",
            "what was agreed about the retention period",
        ),
        Category.COMMAND: (
            "how do I start the dev server",
            "command for running a single test",
            "how to regenerate the protobuf stubs",
            "how do I seed the local database",
            "what do I type to tail the production logs",
            "how can I run only the fast tests",
            "script that rebuilds the search index",
        ),
        Category.CONVENTION: (
            "how are feature branches named here",
            "what is the convention for error codes",
            "commit message conventions",
            "how should I name a new endpoint",
            "do we use singular or plural table names",
            "where do test files go",
        ),
        Category.CODING_STYLE: (
            "what's the max line length in this repo",
            "do we use semicolons in the frontend",
            "single or double quotes in Python",
            "how do we format SQL",
        ),
        Category.ARCHITECTURE: (
            "how is the billing service structured",
            "which component is responsible for retries",
            "overview of the event pipeline architecture",
            "how does the frontend talk to the gateway",
            "what are the main modules and how do they fit together",
            "where is the boundary between core and plugins",
        ),
        Category.GOTCHA: (
            "anything I should know before touching the scheduler",
            "gotchas of the S3 client",
            "what to watch out for with time zones",
            "common pitfalls when writing migrations",
            "surprises in the payment sandbox",
        ),
        Category.WORKAROUND: (
            "workaround for the broken ARM image",
            "how do we get around the 10 MB upload limit",
            "is there a hack to skip the license check locally",
        ),
        Category.PATTERN: (
            "what's the usual way we write repositories",
            "which pattern do we follow for background jobs",
            "standard way to handle pagination here",
        ),
        Category.PREFERENCE: (
            "does the user like long explanations",
            "how does Anna want her reports formatted",
            "what are the user's preferences for pull requests",
        ),
        Category.TOOL_PREFERENCE: (
            "which package manager do we use",
            "what formatter should I use for Go",
            "pnpm or yarn here",
        ),
        Category.DEPENDENCY: (
            "which version of React are we on",
            "why is protobuf pinned below 4",
            "what libraries does the exporter depend on",
        ),
        Category.ENVIRONMENT: (
            "what port does the admin panel listen on",
            "which env vars are needed for local development",
            "url of the staging dashboard",
            "where is the demo instance hosted",
        ),
        Category.TODO: (
            "what is still left to do for the launch",
            "outstanding tasks on the importer",
            "what should I work on next",
        ),
        Category.PROGRESS: (
            "how far along is the rewrite",
            "where did we stop yesterday",
            "status of the GDPR project",
        ),
        Category.POLICY: (
            "am I allowed to use GPL libraries",
            "may agents push directly to main",
            "what is our policy on data retention",
        ),
        Category.WORKFLOW: (
            "what are the steps for a hotfix release",
            "how does our review process work",
            "checklist before going live",
        ),
        Category.LEARNING: (
            "what did we learn from the March outage",
            "lessons from the failed rollout",
        ),
        None: (
            "rate limiter implementation",
            "error handling middleware",
            "how many customers do we have",
            "who wrote the invoice module",
            "exceptions to the free shipping rule",
            "user preferences endpoint",
            "the style of the landing page illustrations",
            "retry policy configuration in the client",
            "what does the dependency graph widget show",
            "progress indicator in the upload dialog",
            "how does the token refresh work",
            "architecture flags passed to the compiler",
            "decision table for shipping costs",
            "command pattern in the editor",
            "when does the nightly export finish",
            "branch protection",
            "todo app example",
            "run length encoding",
            "workflow engine schema",
            "what happens when a user deletes an account",
            "convention center booking flow",
            "environment light settings in the renderer",
            "test for the crash reporter",
            "why customers like the new dashboard",
            "build number in the about dialog",
            "pattern matching in the router",
            "fail open or fail closed in the gateway",
            "where do we store uploaded avatars",
            "lessons table in the course database",
            "status page subscriptions",
        ),
    }
)

HELD_OUT = _labelled(
    {
        Category.TROUBLESHOOTING: (
            "why is the search page so slow since Monday's deploy and timing out",
            "webhook deliveries fail with 401",
            "KeyError: 'user_id' in the session middleware",
            "the iOS build is broken on CI",
            "cannot connect to the database from the container",
            "tests pass locally but fail in the pipeline",
            "how to fix permission denied when mounting the volume",
            "what causes the duplicate invoices",
            "worker gets killed by the OOM killer",
            "fatal: refusing to merge unrelated histories",
        ),
        Category.DECISION: (
            "why did we drop GraphQL",
            "what was the reason we picked Elixir",
            "why are sessions stored in cookies instead of Redis",
            "what did we decide on for the mobile framework",
            "rationale for the two-phase rollout",
            "who decided to use Kafka and why",
            "which database did we choose for analytics",
        ),
        Category.COMMAND: (
            "how do I run the linter",
            "what is the command to reset the test database",
            "how to deploy the docs site",
            "how do we publish a new package version",
            "command that clears the CDN cache",
            "how can I execute the benchmarks",
            "how to generate the API client",
        ),
        Category.CONVENTION: (
            "naming convention for Kubernetes namespaces",
            "how do we name feature flags",
            "what format do our commit messages follow",
            "rules for naming database columns",
            "what are the conventions around logging",
            "how should migrations be named",
        ),
        Category.CODING_STYLE: (
            "tabs or spaces in the C++ code",
            "our code style for TypeScript",
            "do we write trailing commas",
            "what's our style guide for docstrings",
        ),
        Category.ARCHITECTURE: (
            "how is the codebase organized",
            "what is the architecture of the notification system",
            "which service owns user profiles",
            "how do the scheduler and the workers communicate",
            "high-level design of the data platform",
            "how are the packages layered",
        ),
        Category.GOTCHA: (
            "what should I be careful about when changing the auth flow",
            "pitfalls of using the ORM in async code",
            "known gotchas in the build system",
            "what can go wrong when resizing the cluster",
            "caveats of the caching layer",
        ),
        Category.WORKAROUND: (
            "temporary fix for the memory leak in the exporter",
            "how do I work around the flaky proxy",
            "any workaround for the missing webhook events",
        ),
        Category.PATTERN: (
            "what pattern should I use for feature toggles",
            "our recommended pattern for error boundaries",
            "is there a boilerplate for new services",
        ),
        Category.PREFERENCE: (
            "does the user prefer tables or prose",
            "my preferences for code review comments",
            "would the customer rather get a PDF",
        ),
        Category.TOOL_PREFERENCE: (
            "which test runner do we use",
            "preferred linter for shell scripts",
            "what editor does the team like",
        ),
        Category.DEPENDENCY: (
            "what version of Node do we need",
            "which packages does the CLI depend on",
            "why is numpy pinned to 1.26",
        ),
        Category.ENVIRONMENT: (
            "which port does Redis run on in development",
            "what environment variables configure the mailer",
            "hostname of the staging database",
            "where is production hosted",
        ),
        Category.TODO: (
            "what's left on the accessibility work",
            "open todos in the parser",
            "remaining work before the beta",
        ),
        Category.PROGRESS: (
            "what's the status of the auth migration",
            "how far did we get with the port to Rust",
            "where did I leave off last week",
        ),
        Category.POLICY: (
            "are we allowed to log email addresses",
            "policy regarding third-party scripts",
            "is it permitted to merge without review",
        ),
        Category.WORKFLOW: (
            "what is the process for rotating keys",
            "onboarding checklist",
            "steps to release the mobile app",
        ),
        Category.LEARNING: (
            "what have we learned about caching",
            "lessons learned from the incident in May",
        ),
        None: (
            "pagination helper",
            "error boundary component",
            "how long are backups kept",
            "who is on call this week",
            "failure modes of the human heart",
            "preferences dialog layout",
            "coding interview questions",
            "insurance policy numbers in the test data",
            "dependency arrows in the gantt chart",
            "download progress events",
            "what does the cron job do",
            "landscape architecture client",
            "decision support dashboard",
            "the command line parser",
            "how often is the index rebuilt",
            "file name of the invoice template",
            "task list markdown syntax",
            "running total column",
            "sales pipeline stages",
            "where are thumbnails generated",
            "naming the baby",
            "greenhouse environment sensor readings",
            "crash course in statistics",
            "why users churn after the first week",
            "install base by region",
            "repeat pattern of the wallpaper",
            "timeouts in football games",
            "what did Caroline do on her birthday",
            "when did Melanie sign up for the pottery class",
            "exit status of the survey",
        ),
    }
)
