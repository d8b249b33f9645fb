"""Refusals: the responses to requests that are not answered, sent without reading their bodies."""

from __future__ import annotations

from memory_layer.doors.http.problem import MEDIA_TYPE, problem_text
from memory_layer.errors import MemoryLayerError
from memory_layer.model.record import NamedTuple


class Refusal(NamedTuple):
    """A response sent without reading the request's body."""

    status: int
    code: str
    detail: str
    next_step: str
    headers: tuple[tuple[str, str], ...] = ()
    plain: str = ""  #: the text for a person in a browser, instead of a problem

    @property
    def text(self) -> str:
        return self.plain or problem_text(self.status, self.code, self.detail, self.next_step)

    @property
    def media_type(self) -> str:
        return "text/plain; charset=utf-8" if self.plain else MEDIA_TYPE


BAD_TARGET = Refusal(
    400,
    "bad_request",
    "the address of a request begins with a slash",
    "Nothing was changed. Send the path without the name of the server.",
)
NO_TOKEN = Refusal(
    401,
    "unauthorized",
    "send `Authorization: Bearer` with the token from this server's token file",
    "Nothing was changed. Call again with the token, or open the link that `mem serve` printed.",
    (("WWW-Authenticate", "Bearer"),),
)
WRONG_HOST = Refusal(
    421,
    "wrong_host",
    "this server answers only requests that name it as their host",
    "Nothing was changed. Use the address that the server printed when it started.",
)
FOREIGN_PAGE = Refusal(
    403,
    "foreign_origin",
    "this server answers no requests of other web pages",
    "Nothing was changed. Call from a program, not from a page of another site.",
)
NOT_JSON = Refusal(
    415,
    "not_json",
    "a browser session sends its changes as JSON",
    "Nothing was changed. Send it with `Content-Type: application/json`.",
)
FULL = Refusal(
    503,
    "too_many_requests_open",
    "too many open requests on this server",
    "Nothing was changed. It is safe to call again in a moment.",
)
UNREADABLE = Refusal(
    400,
    "bad_request",
    "the request cannot be read",
    "Nothing was changed. Correct the request.",
)
LARGE_HEAD = Refusal(
    431,
    "head_too_large",
    "the address and headers of this request are too long",
    "Nothing was changed. Send less in them.",
)
LARGE_HEAD_OF_PAGE = LARGE_HEAD._replace(
    plain="The browser sent more cookies for this address than the server takes; other programs of this machine"
    " set them.\nClear the cookies of localhost in the browser, then open a new link of `mem serve --link`.\n"
)
TOO_MANY_STREAMS = Refusal(
    503,
    "too_many_streams",
    "too many open event streams on this server",
    "Nothing was changed. Close a stream, then call again.",
)


def unavailable(error: MemoryLayerError) -> Refusal:
    """Return the response while nobody can be recognised; a stranger must not learn where the store is."""
    detail = "the store cannot be used at the moment"
    return Refusal(503, error.code, detail, "Nothing was changed. `mem doctor` says what is wrong.")


def too_many(seconds: int) -> Refusal:
    return Refusal(
        429,
        "too_many_requests",
        "this caller sends more requests than the server takes",
        "Nothing was changed. It is safe to send it again after the seconds in `Retry-After`.",
        (("Retry-After", str(seconds)),),
    )
