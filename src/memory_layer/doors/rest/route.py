"""Routes: the rows of the REST table, and one call of a route."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import IO, TYPE_CHECKING, Any, TypeVar

from memory_layer.doors.http.grant import NOBODY, Grant
from memory_layer.doors.rest.descriptions import about as about_parameter
from memory_layer.doors.rest.fields import FILTERS, Parameter, parameters_of
from memory_layer.model.access import Role
from memory_layer.model.query import Filters
from memory_layer.model.record import NamedTuple

if TYPE_CHECKING:
    from memory_layer.doors.http.logins import Logins
    from memory_layer.doors.rest.signing import Challenges
    from memory_layer.verbs.call import Dispatcher, Verb

Shape = dict[str, Any]
Schema = Mapping[str, Any]
Values = Mapping[str, Any]  #: by the names of the parameters
Result = TypeVar("Result")
NOTHING: Mapping[str, Any] = MappingProxyType({})
IN_QUERY = ("GET", "DELETE")  #: methods whose parameters are in the query


class Reply(NamedTuple):
    """A successful response."""

    shape: Shape | None
    status: int | None = None  #: default: the route's
    version: int | None = None  #: of the one memory in it, for its ETag
    file: IO[bytes] | None = None  #: instead of JSON; closed once it is sent
    media_type: str = "application/json"
    headers: tuple[tuple[str, str], ...] = ()


class Conflict(Exception):
    """A state that the caller has to decide about; its members are part of the problem."""

    def __init__(self, message: str, code: str, status: int, next_step: str, **members: object) -> None:
        super().__init__(message)
        self.code = code
        self.status = status
        self.next_step = next_step
        self.members = members


class RestCall:
    """One call of a route."""

    def __init__(
        self,
        dispatcher: Dispatcher,
        route: Route,
        if_match: int | None = None,
        grant: Grant = NOBODY,
        logins: Logins | None = None,
        challenges: Challenges | None = None,
        origin: Callable[[], str] = str,
    ) -> None:
        self.dispatcher = dispatcher
        self.route = route
        self.if_match = if_match  #: the version that the caller wants to change
        self.grant = grant
        self.logins = logins  #: the browser sessions of the server
        self._challenges = challenges
        self.origin = origin  #: returns the address of the page, if passkeys work there

    @property
    def challenges(self) -> Challenges:
        """Return the challenges of passkeys that wait for an answer."""
        assert self._challenges is not None, "only a server asks for passkeys"
        return self._challenges

    def do(self, verb: Verb[Any, Result], values: Values = NOTHING, **more: Any) -> Result:
        """Run a verb with the parameters that it takes, and with values of the route's own."""
        measure = more.pop("measure", None)
        out = more.pop("out", None)
        return self.dispatcher.run(
            verb,
            self.route.values_for(verb, values) | more,
            measure=measure,
            out=out,
            names=self.route.names_of_fields,
        )


class Route:
    """A row of the table: method and path, the verb behind it, its parameters, and its answer."""

    def __init__(
        self,
        method: str,
        path: str,
        verb: Verb[Any, Any] | None,
        answer: Callable[[Any], Shape | Reply | None] | None,
        schema: Schema,
        *,
        about: str = "",
        writes: bool = False,
        role: Role | None = None,
        status: int = 200,
        other_statuses: tuple[int, ...] = (),
        names: Mapping[str, str] = NOTHING,
        without: str = "",
        parameters: tuple[Parameter, ...] | None = None,
        more: tuple[Parameter, ...] = (),
        run: Callable[[RestCall, Values], Shape | Reply | None] | None = None,
        scoped: bool = True,
        matches: bool = False,
        media_types: tuple[str, ...] = ("application/json",),
    ) -> None:
        self.method = method
        self.path = path
        self.verb = verb
        self.answer = answer
        self.schema = schema
        self.about = about or (run and run.__doc__) or (verb and verb.do.__doc__) or ""
        self.writes = writes
        self.role = role or (Role.WRITER if writes else Role.READER)  #: that a caller needs
        self.status = status
        self.other_statuses = other_statuses
        self.run = run or self._run_verb
        self.scoped = scoped and "{project" not in path  #: takes `project`, `global` and `all`
        self.matches = matches  #: takes `If-Match`
        self.media_types = media_types
        own = parameters if parameters is not None else self._all(names, frozenset(without.split()))
        self.parameters = tuple(
            each if each.about else each._replace(about=about_parameter(self.name, each.name))
            for each in (*own, *more)
        )

    def _all(self, names: Mapping[str, str], without: frozenset[str]) -> tuple[Parameter, ...]:
        return tuple(parameters_of(self.verb, names, without)) if self.verb else ()

    def _run_verb(self, call: RestCall, values: Values) -> Shape | Reply | None:
        assert self.verb is not None, "a route without a verb has its own function"
        assert self.answer is not None, "and so has one without a shape for the verb's answer"
        return self.answer(call.do(self.verb, values))

    @property
    def name(self) -> str:
        """Return the name of the operation in the document."""
        words = self.plain_path.removeprefix("/").split("/")
        return "_".join([self.method.lower(), *(word.strip("{}").replace("-", "_") for word in words)])

    @property
    def plain_path(self) -> str:
        """Return the path without the mark of a part that may have slashes."""
        return self.path.replace(":path}", "}")

    @property
    def in_path(self) -> tuple[Parameter, ...]:
        return tuple(each for each in self.parameters if f"{{{each.name}}}" in self.plain_path)

    @property
    def elsewhere(self) -> tuple[Parameter, ...]:
        """Return the parameters of the query or the body."""
        return tuple(each for each in self.parameters if each not in self.in_path)

    @cached_property
    def names_of_fields(self) -> dict[str, str]:
        """Return the parameter's name of each field, for errors."""
        return {each.field: each.name for each in self.parameters if "." not in each.field} | {FILTERS: ""}

    def values_for(self, verb: Verb[Any, Any], values: Values) -> dict[str, Any]:
        """Select the values that a verb takes, by the names of its fields."""
        fields = {each.name: each.field for each in self.parameters}
        own: dict[str, Any] = {}
        filters: dict[str, Any] = {}
        for name, value in values.items():
            record, _, inner = fields[name].rpartition(".")
            if record == FILTERS:
                filters[inner] = value
            elif fields[name] in verb.request._fields:
                own[fields[name]] = value
        return own | ({FILTERS: Filters(**filters)} if filters else {})
