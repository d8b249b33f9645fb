"""What the tools may be given: checked once here, described for a model as briefly as it can be."""

from __future__ import annotations

import json
import re
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from memory_layer.errors import InvalidInput
from memory_layer.model.context import BUDGET
from memory_layer.model.episodes import EpisodeKind, EpisodeOutcome
from memory_layer.model.review import Decision, Matter
from memory_layer.model.vocabulary import Category, LinkKind, OnDuplicate, Outcome, Priority

Schema = dict[str, Any]

LONGEST_LIST = 100  #: entries of any answer; a cursor leads on
LONGEST_SAID = 200  #: characters of what was wrong with an argument
#: What a model is told in vain: the name again, that nothing means nothing, and the bounds of a text.
_NOISE = ("title", "minLength", "maxLength", "maxItems")
#: What an agent may decide about anything at all; a person may more.
AN_AGENT_MAY = (Decision.MERGE, Decision.KEEP, Decision.DROP, Decision.ARCHIVE)
_MARK = re.compile(r"\s*(?:\d{1,3}[.)]|[-*•])\s+")  #: the number or bullet of a step


def _as_list(given: object) -> object:
    """A list, also where a client wrapped it into a text or gave its only entry bare."""
    if not isinstance(given, str):
        return given
    if given.lstrip().startswith("["):
        try:
            return json.loads(given)
        except (ValueError, RecursionError):  # no JSON, or too deep
            pass
    return [given]


def _as_steps(given: object) -> object:
    """The same for steps: a text of several lines is several of them, without their numbers or bullets."""
    steps = _as_list(given)
    if steps != [given] or not isinstance(given, str):
        return steps
    lines = [line for line in given.splitlines() if line.strip()]
    marked = any(_MARK.match(line) for line in lines)
    parts: list[str] = []
    for line in lines:
        if marked and parts and not _MARK.match(line):
            parts[-1] += f"\n{line}"
        else:
            parts.append(_MARK.sub("", line, count=1).strip() if len(lines) > 1 else line)
    return parts or steps


Texts = Annotated[list[str], BeforeValidator(_as_list)]
Ids = Annotated[Texts, Field(max_length=LONGEST_LIST)]
Limit = Annotated[int, Field(ge=1, le=LONGEST_LIST)]


def described(text: str, **more: Any) -> Any:
    """An argument with a line for the model."""
    return Field(description=text, json_schema_extra=more or None)


class Arguments(BaseModel):
    """What every tool takes; a name it does not know is refused."""

    # Built when first needed: a server of the core set never waits for the rest.
    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True, defer_build=True)

    project: str | None = None


class InSession(Arguments):
    """The same for what belongs to a conversation."""

    session: str | None = None


class Recall(InSession):
    query: str
    limit: Annotated[int, Field(ge=1, le=50)] = 5
    categories: Texts = []
    tags: Texts = []
    budget: Annotated[int, Field(ge=1, le=15_000)] = 2_000


class Learn(InSession):
    content: Annotated[str, described("One fact, in one sentence")]
    category: Annotated[str, described("", enum=[each.value for each in Category])] = "general"
    tags: Texts = []
    scope: Annotated[Texts, described("Paths, as src/api/**")] = []
    cite: Annotated[Texts, described("path:line or URL")] = []
    only_global: Annotated[bool, Field(alias="global", description="It holds in every project")] = False
    on_duplicate: Annotated[
        OnDuplicate, described("merge: the fuller text stays; keep: both; skip: the known one")
    ] = OnDuplicate.ASK


class Report(InSession):
    ids: Ids
    result: Outcome
    recall: Annotated[str | None, described("The recall id (rec_…) of that answer")] = None
    evidence: str | None = None
    event_id: Annotated[str | None, described("Makes a retry count once")] = None


class Context(InSession):
    task: str | None = None
    paths: Texts = []
    start: Annotated[bool, described("Begin with the last handoff")] = False
    budget: Annotated[int, Field(ge=1, le=10_000)] = BUDGET


class Episode(InSession):
    text: str
    kind: EpisodeKind = EpisodeKind.OBSERVATION
    outcome: EpisodeOutcome | None = None


class Procedure(Arguments):
    action: Literal["list", "get", "save", "report"]
    name: str | None = None
    steps: Annotated[list[str], BeforeValidator(_as_steps)] = []
    when: str | None = None
    result: Outcome | None = None
    evidence: str | None = None
    cursor: str | None = None


class Stats(Arguments):
    pass


class Consolidate(Arguments):
    dry_run: bool = False


class One(Arguments):
    id: str


class Get(One):
    cursor: str | None = None


class History(Get):
    limit: Limit = 20


class Propose(InSession):
    content: Annotated[str | None, described("A new rule, in one sentence")] = None
    id: Annotated[str | None, described("Or a memory to be approved")] = None
    scope: Annotated[Texts, described("Paths, as src/api/**")] = []
    cite: Annotated[Texts, described("path:line or URL")] = []


class Several(Arguments):
    ids: Ids


class Related(One):
    limit: Limit = 10


class Listing(Arguments):
    limit: Limit = 20
    cursor: str | None = None


class Recent(Listing):
    categories: Texts = []
    tags: Texts = []
    sort: Literal["created", "updated", "score", "used"] = "created"


class Review(Listing):
    kinds: Annotated[Texts, described("", items={"enum": [each.value for each in Matter]})] = []


class Decide(Arguments):
    id: str
    decision: Annotated[Decision, described("", enum=[each.value for each in AN_AGENT_MAY])]


class Update(Arguments):
    id: str
    content: str | None = None
    category: str | None = None
    priority: Priority | None = None
    scope: Texts | None = None
    add_tags: Texts = []
    remove_tags: Texts = []
    cite: Annotated[Texts | None, described("path:line or URL, instead of what it cites; [] for nothing")] = (
        None
    )
    version: Annotated[int | None, described("Only if it is still this one")] = None


class Relate(Arguments):
    id: str
    kind: LinkKind
    other: str


class Timeline(Listing):
    since: Annotated[str | None, described("As 7d, or a date")] = None
    of_session: str | None = None
    kinds: Annotated[Texts, described("", items={"enum": [each.value for each in EpisodeKind]})] = []


class Handoff(InSession):
    action: Literal["read", "write"] | None = None
    text: str = ""
    done: Texts = []
    next: Texts = []
    questions: Texts = []
    files: Texts = []


class Verify(Arguments):
    ids: Texts = []
    everything: Annotated[bool, described("Of every project")] = False
    dry_run: bool = False


class Warn(InSession):
    command: str | None = None
    path: str | None = None
    error: str | None = None


class Capture(InSession):
    text: str
    dry_run: bool = False


def schema(arguments: type[Arguments]) -> Schema:
    """The arguments as JSON Schema, without what only costs tokens."""
    whole = arguments.model_json_schema()
    slim: Schema = _slim(whole, whole.get("$defs", {}))
    own = slim["properties"]
    shared = {name: own.pop(name) for name in ("project", "session") if name in own}
    kept = ("type", "required", "additionalProperties")
    return {"properties": own | shared} | {name: slim[name] for name in kept if name in slim}


def _slim(part: Any, known: Schema) -> Any:
    """A part of a schema: references put in their place, `or null` left out, noise dropped."""
    if isinstance(part, list):
        return [_slim(each, known) for each in part]
    if not isinstance(part, dict):
        return part
    if "$ref" in part:
        named = {**known[part["$ref"].rpartition("/")[2]], "description": "", **part}
        del named["$ref"]
        return _slim(named, known)
    real = [each for each in part.get("anyOf", ()) if each.get("type") != "null"]
    if real:
        rest = {name: value for name, value in part.items() if name != "anyOf"}
        return _slim({**real[0], **rest}, known)
    kept = {name: value for name, value in part.items() if not _is_noise(name, value)}
    return {name: _slim(value, known) for name, value in kept.items()}


def _is_noise(name: str, value: object) -> bool:
    if name in _NOISE and not isinstance(value, dict):
        return True
    if name == "minimum" and value == 1:  # of what is counted
        return True
    return (name == "default" and value in (None, [], "", False)) or (name == "description" and value == "")


def checked(arguments: type[Arguments], given: dict[str, Any]) -> Arguments:
    """The arguments with their types, or one sentence about the first that cannot be used."""
    try:
        return arguments.model_validate(given)
    except ValidationError as error:
        raise InvalidInput(_sentence(error, arguments)) from None


def _sentence(error: ValidationError, arguments: type[Arguments]) -> str:
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    where = ".".join(map(str, first["loc"]))[:LONGEST_SAID]
    if first["type"] == "extra_forbidden":
        return (
            f"there is no argument {where!r}; the arguments are {', '.join(schema(arguments)['properties'])}"
        )
    said = first["msg"][:LONGEST_SAID]
    return f"{where}: {said[:1].lower()}{said[1:]}"
