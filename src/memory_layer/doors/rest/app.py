"""The FastAPI application, built from the table of routes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from inspect import Parameter as Argument
from inspect import Signature
from typing import IO, Annotated, Any

from anyio import to_thread
from fastapi import Body, FastAPI, Header, Path, Query
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Match
from starlette.types import ASGIApp

from memory_layer import __version__
from memory_layer.doors import wire
from memory_layer.doors.http.grant import grant_in
from memory_layer.doors.rest import problems
from memory_layer.doors.rest.document import ABOUT_EVENTS, completed, responses_of, responses_of_events
from memory_layer.doors.rest.events import EVENTS
from memory_layer.doors.rest.fields import Parameter, body_model, query_model
from memory_layer.doors.rest.middleware import BodyLimit, Bound, serving_in
from memory_layer.doors.rest.reference_page import add_reference
from memory_layer.doors.rest.route import IN_QUERY, Conflict, Route
from memory_layer.doors.rest.serving import Answered, RestServing, Visit
from memory_layer.doors.rest.signing import CHALLENGE, SignedRequests, origin_of, rehearse, signing_in
from memory_layer.doors.rest.versions import entity_tag
from memory_layer.errors import MemoryLayerError
from memory_layer.verbs.call import Target

DOCUMENT = "/api/openapi.json"
HEALTH = "/health"
OPERATION = "Memory-Operation"
#: Requests that run at the same time. More would wait for each other, for a store takes one writer, and make the
#: last ones wait longest; the others are answered in the order in which they came.
AT_ONCE = 4
CHUNK_BYTES = 65_536  #: of a file that is sent
_TARGET = (
    Parameter("project", "", str, None, "a project's name, key, short id or folder; default: the server's"),
    Parameter("global", "", bool, None, "only global memories"),
    Parameter("all", "", bool, None, "all projects"),
)
_SESSION = Header(alias="Memory-Session", description="The session of this call.")
_AGENT = Header(
    alias="Memory-Agent", description="The name of the calling program; its rights are an agent's."
)
_IF_MATCH = Header(alias="If-Match", description="Change only the version with this ETag.")
_KEY = Header(
    alias="Idempotency-Key",
    description="A key of the caller's; a request that is sent again with it is answered and not run again.",
)
_IF_NONE_MATCH = Header(alias="If-None-Match", description="Answer 304 if the ETag is still this one.")


def rest_app(serving: RestServing, api: ASGIApp, body_bytes: int) -> ASGIApp:
    """Return the application of one server; whoever serves it adds `Guard`."""
    return BodyLimit(Bound(SignedRequests(api), serving), body_bytes)


def rest_api(routes: Iterable[Route], mcp: Starlette | None = None, page: BaseRoute | None = None) -> FastAPI:
    """Return the FastAPI application of a table; the page and MCP take all other paths."""
    app = FastAPI(
        title="Memory Layer",
        version=__version__,
        openapi_url=DOCUMENT,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=_lifespan(mcp),
        exception_handlers=_HANDLERS,
    )
    about = (health.__doc__ or "").partition(";")[0]
    app.add_api_route(HEALTH, health, name="health", summary=about, response_class=JSONResponse)
    add_reference(app)
    for route in routes:
        _add(app, route)
    _add_events(app)
    if page is not None:
        app.router.routes.insert(0, page)  # it leaves to programs what is theirs
    if mcp is not None:
        app.router.routes.extend(mcp.router.routes)
    document = app.openapi
    app.openapi = lambda: completed(document())  # type: ignore[method-assign]
    return app


def health() -> dict[str, str]:
    """Say that the server answers; needs no token."""
    return {"status": "ok"}


def _lifespan(mcp: Starlette | None) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        to_thread.current_default_thread_limiter().total_tokens = AT_ONCE
        async with AsyncExitStack() as stack:
            if mcp is not None:
                await stack.enter_async_context(mcp.router.lifespan_context(mcp))
            yield

    return lifespan


def _add(app: FastAPI, route: Route) -> None:
    app.add_api_route(
        route.path,
        _rehearsing(route) if route.path == CHALLENGE else _endpoint(route),
        methods=[route.method],
        name=route.name,
        operation_id=route.name,
        summary=route.about.partition(";")[0].rstrip("."),
        description=route.about,
        status_code=route.status,
        response_class=Response,
        response_model=None,
        responses=responses_of(route),
        openapi_extra={"x-role": route.role.value},
    )


def _add_events(app: FastAPI) -> None:
    async def stream(request: Request) -> Response:
        return await serving_in(request.scope).events.stream(request)

    app.add_api_route(
        EVENTS,
        stream,
        name="events",
        operation_id="get_api_events",
        summary="Stream what changes, as server-sent events",
        description=ABOUT_EVENTS,
        response_class=Response,
        response_model=None,
        responses=responses_of_events(),
    )


def _endpoint(route: Route) -> Callable[..., Response]:
    """Return the function of a route, whose signature says what the route takes."""

    def endpoint(**given: Any) -> Response:
        scope = given.pop("request_").scope
        grant, signing, origin = grant_in(scope), signing_in(scope), partial(origin_of, scope)
        query: BaseModel | None = given.pop("query_", None)
        body: BaseModel | None = given.pop("body_", None)
        headers = {name: given.pop(name, None) for name in Visit._fields[2:-2]}
        chosen = query.model_dump(exclude_unset=True) if query else {}
        target = Target(chosen.pop("project", None), chosen.pop("global", False), chosen.pop("all", False))
        if "project" in given and not route.scoped:
            target = Target(given.pop("project"))
        values = {**given, **chosen, **(body.model_dump(exclude_unset=True) if body else {})}
        visit = Visit(target, grant, **headers, signing=signing, origin=origin)
        return response(serving_in(scope).run(route, values, visit))

    endpoint.__signature__ = Signature(list(_arguments(route)))  # type: ignore[attr-defined]
    return endpoint


def _rehearsing(route: Route) -> Callable[..., Any]:
    """Return the function of the route that lets the application rehearse another request."""

    async def endpoint(**given: Any) -> Response:
        request, asked = given["request_"], given["body_"]
        status, kind, text = await rehearse(request.app, request.scope, asked.method, asked.path, asked.body)
        return Response(text, status, media_type=kind)

    endpoint.__signature__ = Signature(list(_arguments(route)))  # type: ignore[attr-defined]
    return endpoint


def _arguments(route: Route) -> Iterable[Argument]:
    def keyword(name: str, kind: Any, default: Any = Argument.empty) -> Argument:
        return Argument(name, Argument.KEYWORD_ONLY, annotation=kind, default=default)

    yield keyword("request_", Request)
    if "{project" in route.path:
        yield keyword("project", Annotated[str, Path(description="The project's short id, key or name.")])
    for each in route.in_path:
        yield keyword(each.name, Annotated[each.kind, Path(description=each.about)])
    in_query = route.method in IN_QUERY
    asked = (route.elsewhere if in_query else ()) + (_TARGET if route.scoped else ())
    if asked:
        yield keyword("query_", Annotated[query_model(f"{route.name}_query", asked), Query()])
    if not in_query and route.elsewhere:
        model = body_model(f"{route.name}_body", route.elsewhere)
        needed = any(each.default is ... for each in route.elsewhere)
        yield keyword(
            "body_",
            Annotated[model, Body()] if needed else Annotated[model | None, Body()],
            Argument.empty if needed else None,
        )
    yield keyword("session", Annotated[str | None, _SESSION], None)
    yield keyword("agent", Annotated[str | None, _AGENT], None)
    if route.method == "POST" and route.writes:
        yield keyword("idempotency_key", Annotated[str | None, _KEY], None)
    if route.matches:
        header = _IF_MATCH if route.writes else _IF_NONE_MATCH
        yield keyword("if_match" if route.writes else "if_none_match", Annotated[str | None, header], None)


def response(answered: Answered) -> Response:
    """Return the HTTP response for an answer."""
    reply = answered.reply
    headers = {OPERATION: answered.operation} if answered.operation else {}
    if reply.version is not None:
        headers["ETag"] = entity_tag(reply.version)
    if reply.file is not None:
        return StreamingResponse(_chunks(reply.file), answered.status, headers, reply.media_type)
    headers |= dict(reply.headers)
    if reply.shape is None:
        return Response(status_code=answered.status, headers=headers)
    return Response(wire.text(reply.shape), answered.status, headers, reply.media_type)


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK_BYTES):
            yield chunk


def _failed(request: Request, failure: MemoryLayerError | Conflict) -> Response:
    folder = serving_in(request.scope).settings.database_path.parent
    members = problems.of_error(failure, folder)
    wait = "1" if members["code"] == "store_busy" else members.get("retry_after")
    return problems.response(members, **({"Retry-After": str(wait)} if wait else {}))


def _malformed(request: Request, failure: RequestValidationError) -> Response:
    return problems.response(problems.of_flaws(list(failure.errors())))


def _refused(request: Request, failure: HTTPException) -> Response:
    headers = {"Allow": ", ".join(_methods(request))} if failure.status_code == 405 else {}
    return problems.response(problems.of_status(failure.status_code), **headers)


def _unforeseen(request: Request, failure: Exception) -> Response:
    serving_in(request.scope).log(failure)
    return problems.response(problems.unexpected(failure))


_HANDLERS: dict[Any, Any] = {
    MemoryLayerError: _failed,
    Conflict: _failed,
    RequestValidationError: _malformed,
    HTTPException: _refused,
    Exception: _unforeseen,
}


def _methods(request: Request) -> list[str]:
    """Return the methods that a path takes."""
    found = [
        getattr(each, "methods", None) or ()
        for each in request.app.router.routes
        if each.matches(request.scope)[0] is Match.PARTIAL
    ]
    return sorted({method for methods in found for method in methods})
