"""Command lines, taken apart."""

from __future__ import annotations

import pytest

from memory_layer.text.commands.shell import commit_messages, has_flag, steps


@pytest.mark.parametrize(
    ("command", "program", "words"),
    [
        ("cd api && sudo -u app make migrate", "make", ("migrate",)),
        ("FOO=1 env BAR=2 time npm run build", "npm", ("run", "build")),
        ("uv run --package shop pytest tests -q", "pytest", ("tests",)),
        ("poetry run alembic upgrade head", "alembic", ("upgrade", "head")),
        ("python -m build", "build", ()),
        ("npx prisma migrate reset --force", "prisma", ("migrate", "reset")),
        ("pnpm vitest run -u", "vitest", ("run",)),
        ("docker exec -it db psql -U app", "psql", ()),
        ("docker compose exec api rails db:migrate", "rails", ("db:migrate",)),
        ("kubectl --context stage exec deploy/api -- alembic downgrade -1", "alembic", ("downgrade",)),
        ("ssh -p 22 build 'docker system prune -a'", "docker", ("system", "prune")),
        (
            "kubectl -n shop --context prod set image deploy/api api=x:1",
            "kubectl",
            ("set", "image", "deploy/api"),
        ),
        ("docker compose -f dev.yml down", "docker", ("compose", "down")),
        ("terraform -chdir=infra apply", "terraform", ("apply",)),
        ("X=$(pass show db) psql -h db.example app", "psql", ("app",)),
    ],
)
def test_the_program_behind_wrappers_and_options_is_found(command, program, words):
    assert (program, words) in [(step.program, step.words) for step in steps(command)]


@pytest.mark.parametrize(
    ("flag", "command", "known"),
    [
        ("--force", "git push -f", True),
        ("-f", "git push --force", True),
        ("-v", "docker compose down --volumes", True),
        ("-r", "rm -rf build", True),
        ("--no-verify", "git commit -n -m x", True),
        ("--upgrade", "uv lock -U", True),
        ("--upgrade", "uv lock --upgrade-package httpx", False),
        ("--force", "git push --force-with-lease", False),
        ("--all", "git commit -m x", False),
    ],
)
def test_a_flag_is_known_in_every_spelling(flag, command, known):
    assert has_flag(flag, steps(command)[0]) is known


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("git log --oneline", True),
        ("git push", False),
        ("kubectl get pods", True),
        ("kubectl apply -f x.yaml --dry-run=client", True),
        ("sed -n 1p a.txt", True),
        ("sed -i s/a/b/ a.txt", False),
        ("cat a.txt > b.txt", False),
        ("docker volume ls", True),
    ],
)
def test_commands_that_only_read_are_told_apart(command, reads):
    assert steps(command)[0].only_reads is reads


def test_the_files_that_a_command_writes_are_known():
    assert steps("sops -d ops/keys.enc.yaml > ops/keys.yaml")[0].writes == (
        "ops/keys.yaml",
        "ops/keys.enc.yaml",
    )


def test_the_message_of_a_commit_is_read():
    assert commit_messages("git commit -am 'fix(api): retry\n\nbody'") == ("fix(api): retry",)
