"""Describe a command in the words that people use for it, as stems with weights."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory_layer.text.advice import tells
from memory_layer.text.commands.shell import CommandStep
from memory_layer.text.porter import stem
from memory_layer.text.words import STOP_WORDS

#: Programs whose name alone says nothing about what they will do.
GENERIC = frozenset(
    "cd ls cat echo grep rg sed awk find head tail cp mv mkdir touch rm chmod tar curl wget ssh git gh npm pnpm"
    " yarn bun python python3 pip uv poetry node deno ruby java go cargo rustc bash sh zsh make just docker"
    " podman kubectl helm brew apt dotnet mvn gradle which test true export source task build serve watch dev start"
    " time file run check lint format release deploy clean update act air".split()
)
#: Subcommands that are everyday words.
EVERYDAY = frozenset(
    "run start test build use get set add install make do exec up down list show check new create open read write"
    " init sync update lock status all help api app image state plan in out main origin dev".split()
)
EVERYDAY_STEMS = frozenset(map(stem, EVERYDAY))
_ENVIRONMENTS: dict[str, str] = {
    **dict.fromkeys("prod production prd live".split(), "production"),
    **dict.fromkeys("stg staging stage preprod".split(), "staging"),
    **dict.fromkeys("localhost 127.0.0.1 local locally dev development minikube".split(), "local"),
}
#: Ways of doing something that every command typed by an agent has.
HERE_STEMS = frozenset(
    map(
        stem,
        "laptop hand manual manually locally machine workstation terminal shell cli console directly yourself own your"
        " my our here".split(),
    )
)
_PIECES = re.compile(r"[^\W_]+")
#: The source of a push, and the places of refs, in front of the name of a branch.
_REF_LEAD = re.compile(r"^(?:.*:)?(?:refs/(?:heads|tags)/|(?:origin|upstream)/)?")
_PARTED = re.compile(r"[/:@=,]+")
#: Programs and subcommands in the words people use for what they do; a star stands for every subcommand.
_MEANINGS: tuple[tuple[str, str, str], ...] = (
    ("uv poetry pnpm yarn bun cargo pdm pipenv rye dotnet", "add require", "add new dependency package library module"),
    ("npm pip pip3 gem go pnpm yarn bundle", "install i get", "add new dependency package library module install"),
    ("npm pip uv poetry cargo pnpm yarn go bundle", "update upgrade", "upgrade update bump dependency package"),
    ("npm yarn pnpm twine cargo poetry uv gem", "publish upload", "publish release"),
    ("psql mysql mongosh mongo pgcli sqlcmd cockroach", "*", "connect database sql query"),
    ("alembic flyway liquibase prisma knex", "upgrade migrate downgrade deploy", "run migration database schema"),
    ("dbmate atlas rails sequelize django goose", "migrate up rollback", "run migration database schema"),
    ("helm argocd skaffold", "upgrade sync install rollback run", "deploy deployment release rollout"),
    ("terraform tofu pulumi cdk", "apply deploy up destroy", "deploy deployment release rollout"),
    ("fly heroku serverless eb", "deploy up", "deploy deployment release rollout"),
    ("kubectl oc", "apply patch set rollout replace edit scale", "deploy deployment rollout cluster"),
    ("git", "tag", "tag release version"),
    ("git", "commit", "commit message"),
    ("gh", "release", "release tag version"),
    ("gh", "pr", "pull request pr"),
    ("ssh scp rsync", "*", "log login server host connect"),
    ("rm", "*", "delete remove"),
    ("docker podman", "push", "image registry publish"),
)  # fmt: skip  # fmt: skip


def meanings(step: CommandStep) -> tuple[str, ...]:
    """Return words that people use for what a step does."""
    found: list[str] = []
    for programs, verbs, words in _MEANINGS:
        if step.program in programs.split() and (
            verbs == "*" or any(word in verbs.split() for word in step.words[:2])
        ):
            bare_install = "dependency" in words and len(step.words) + len(step.values) < 2
            found += [] if bare_install else words.split()
    if step.program == "git" and step.flags & {"-b", "-c"}:
        found += ["branch", "name"]
    return tuple(dict.fromkeys(found))


def environments(words: Sequence[str]) -> frozenset[str]:
    """Return the environments that words or names such as `shop-prod` belong to."""
    pieces = (piece for word in words for piece in (word.lower(), *_PIECES.findall(word.lower())))
    return frozenset(_ENVIRONMENTS[piece] for piece in pieces if piece in _ENVIRONMENTS)


def step_words(step: CommandStep) -> dict[str, float]:
    """Return the stems of the words of a step with their weights."""
    found: dict[str, float] = {}

    def keep(word: str, weight: float) -> None:
        for each in (each for piece in (word, *_PARTED.split(word)) for each in stems_of(piece)):
            if len(each) > 1 and not each.isdigit():
                found[each] = max(found.get(each, 0.0), weight)

    if step.program not in GENERIC:
        keep(step.program, 1.0)
    for at, word in enumerate(step.words):
        if at == 0 or step.program != "git":  # the others are branches
            keep(word, 0.4 if word in EVERYDAY else 1.0 if at < 3 else 0.8)
    for value in step.values:
        keep(value, 0.8)
    for flag in _telling_flags(step):
        keep(flag, 0.6)
    for environment in environments((*step.words, *step.values)):
        keep(environment, 0.8)
    for word in meanings(step):
        keep(word, 0.8)
    return found


def object_stems(step: CommandStep) -> set[str]:
    """Return the stems of what a step is done to; a branch or tag counts as a whole."""
    words = [word for word in step.words if word not in subcommand(step)]
    if step.program == "git":
        return {"_".join(_PIECES.findall(_REF_LEAD.sub("", word))) for word in words} | {
            each for value in step.values for each in stems_of(value)
        }
    return {each for word in (*words, *step.values) for each in stems_of(word)}


def doing_words(step: CommandStep) -> frozenset[str]:
    """Return the stems of the words that tell what a step does, and not to what."""
    named = (step.program, *subcommand(step), *_telling_flags(step), *meanings(step))
    return frozenset(each for word in named for each in stems_of(word))


def subcommand(step: CommandStep) -> tuple[str, ...]:
    """Return the first word of a step that is no file, number or address."""
    return next(((word,) for word in step.words if not re.search(r"[\d/.=@]", word)), step.words[:1])


def _telling_flags(step: CommandStep) -> list[str]:
    """Return the names of flags without those that any rule may contain: `--only`, `--all`."""
    names = (flag.strip("-") for flag in step.flags if flag.startswith("--"))
    return [name for name in names if name not in EVERYDAY and not tells(name)]


def stems_of(token: str) -> list[str]:
    """Return the stems of a token: of its parts, and of the whole if it has several."""
    pieces = [piece.lower() for piece in _PIECES.findall(token)]
    kept = [_ENVIRONMENTS.get(piece, piece) for piece in pieces if piece not in STOP_WORDS]
    stems = [stem(piece) if piece.isalpha() else piece for piece in kept]
    return [*stems, "_".join(pieces)] if len(pieces) > 1 else stems
