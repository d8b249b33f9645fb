"""Tell whether a command checks code: tests, builds, linters, type checkers."""

from __future__ import annotations

import re

from memory_layer.text.commands.programs import CHECKING, READERS, WRITERS
from memory_layer.text.commands.shell import CommandStep

#: Programs of which every call is a check.
_CHECK_PROGRAMS = frozenset(
    "pytest py.test tox nox unittest nose2 behave jest vitest mocha ava karma cypress playwright rspec minitest"
    " cucumber phpunit pest ctest ruff flake8 pylint mypy pyright basedpyright black isort bandit eslint tslint"
    " biome oxlint prettier stylelint tsc vue-tsc svelte-check golangci-lint staticcheck gotestsum rubocop"
    " standardrb shellcheck hadolint yamllint actionlint markdownlint ansible-lint tflint checkov clang-tidy"
    " cppcheck cmake-lint ktlint detekt swiftlint phpstan psalm phpcs pint credo dialyzer sqlfluff buf vale"
    " pre-commit lefthook cargo-nextest xcodebuild ninja bats hurl k6 pa11y lighthouse webpack rollup esbuild hugo"
    " mkdocs".split()
)
#: Subcommands that check, of programs that can do more.
_CHECK_SUBCOMMANDS: dict[str, frozenset[str]] = {
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
_TASK_RUNNERS = frozenset(
    "make gmake just task npm pnpm yarn bun invoke inv rake nx turbo lerna moon mage earthly mise".split()
)
#: Programs that run a script named behind them.
_INTERPRETERS = frozenset("python python3 node deno ruby php perl bash sh zsh".split())
#: Words in the name of a task or script that checks.
_CHECK_WORDS = frozenset(
    "test tests spec specs check checks lint linter typecheck types tsc build compile verify validate ci e2e unit"
    " integration smoke jest vitest pytest mocha coverage cov qa clippy vet tdd".split()
)
_CHECK_NAME = re.compile(r"^tests?|(?<!la)(?:test|tests|lint|check)$")


def is_check(step: CommandStep) -> bool:
    """Is a step a run of tests, a build or a linter, whatever wraps it?"""
    if step.flags & {"--version", "--help"}:
        return False
    if step.program in _CHECK_PROGRAMS:
        return True
    if step.program in _TASK_RUNNERS:
        named = [word for word in step.words if word not in ("run", "run-script")][:3]
        return any(_says_check(word) for word in named) or (step.program == "make" and not named)
    known = _CHECK_SUBCOMMANDS.get(step.program)
    if known is not None:
        return any(word in known or _says_check(word) for word in step.words[:2])
    if step.program in READERS | WRITERS or step.program == "mkdir":
        return False
    scripts = step.words[:2] if step.program in _INTERPRETERS else (step.program,)
    return any(_says_check(word) for word in scripts) or bool(CHECKING & set(step.words[:1]))


def _says_check(word: str) -> bool:
    """Does the name of a task or script say that it checks: `test-unit`, `nativeTest`, `run_tests.sh`?"""
    pieces = re.split(r"[^a-z0-9]+", word.lower())
    return not _CHECK_WORDS.isdisjoint(pieces) or any(_CHECK_NAME.search(piece) for piece in pieces)
