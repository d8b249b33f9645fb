"""Programs, subcommands and tasks that check code: tests, builds, linters, type checkers."""

from __future__ import annotations

#: Programs of which every call is a check.
CHECK_PROGRAMS = frozenset(
    "pytest py.test tox nox unittest nose2 behave jest vitest mocha ava karma cypress playwright rspec minitest cucumber"
    " phpunit pest ctest ruff flake8 pylint mypy pyright basedpyright black isort bandit eslint tslint biome oxlint"
    " prettier stylelint tsc vue-tsc svelte-check golangci-lint staticcheck gotestsum rubocop standardrb shellcheck"
    " hadolint yamllint actionlint markdownlint ansible-lint tflint checkov clang-tidy cppcheck cmake-lint ktlint detekt"
    " swiftlint phpstan psalm phpcs pint credo dialyzer sqlfluff buf vale pre-commit lefthook cargo-nextest xcodebuild"
    " ninja bats hurl k6 pa11y lighthouse webpack rollup esbuild hugo mkdocs".split()
)
#: Subcommands that check, of programs that can do more.
CHECK_SUBCOMMANDS: dict[str, frozenset[str]] = {
    "go": frozenset("test vet build".split()),
    "cargo": frozenset("test build check clippy nextest bench doc fmt".split()),
    "mvn": frozenset("test verify package compile install".split()),
    "gradle": frozenset("test check build assemble".split()),
    "sbt": frozenset("test compile".split()),
    "dotnet": frozenset("test build format".split()),
    "swift": frozenset("test build".split()),
    "zig": frozenset("test build".split()),
    "bazel": frozenset("test build".split()),
    "buck2": frozenset("test build".split()),
    "deno": frozenset("test lint check".split()),
    "bun": frozenset("test build".split()),
    "mix": frozenset("test credo dialyzer compile".split()),
    "rails": frozenset("test".split()),
    "rake": frozenset("test spec".split()),
    "flutter": frozenset("test analyze build".split()),
    "dart": frozenset("test analyze".split()),
    "terraform": frozenset("validate plan".split()),
    "tofu": frozenset("validate plan".split()),
    "helm": frozenset("lint template".split()),
    "dbt": frozenset("test build run compile".split()),
    "next": frozenset("build lint".split()),
    "vite": frozenset("build".split()),
    "cmake": frozenset("--build".split()),
    "docker": frozenset("build".split()),
    "julia": frozenset(),
    "composer": frozenset("test".split()),
    "stack": frozenset("test build".split()),
    "cabal": frozenset("test build".split()),
    "lein": frozenset("test".split()),
    "forge": frozenset("test build".split()),
    "hatch": frozenset("test".split()),
    "alembic": frozenset("check".split()),
}
#: Programs that run tasks of a project by their names.
TASK_RUNNERS = frozenset(
    "make gmake just task npm pnpm yarn bun invoke inv rake nx turbo lerna moon mage earthly mise".split()
)
#: Programs that run a script named behind them.
INTERPRETERS = frozenset("python python3 node deno ruby php perl bash sh zsh".split())
#: Words in the name of a task or script that checks.
CHECK_WORDS = frozenset(
    "test tests spec specs check checks lint linter typecheck types tsc build compile verify validate ci e2e unit"
    " integration smoke jest vitest pytest mocha coverage cov qa clippy vet tdd".split()
)
