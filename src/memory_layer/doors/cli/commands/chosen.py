"""The settings as a list: each value, and what decided it."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.options import EXPIRY, OPTIONS, known_keys
from memory_layer.settings import Settings


class Chosen(NamedTuple):
    """One setting as it counts now."""

    key: str  #: in the user's file, or the variable of one that cannot stand there
    value: str | int | float | None
    origin: str
    unset: str = ""  #: the word for None

    @property
    def text(self) -> str:
        return self.unset if self.value is None else str(self.value)

    def shape(self) -> dict[str, str | int | float | None]:
        return {"key": self.key, "value": self.value, "origin": self.origin}


def every(settings: Settings) -> list[Chosen]:
    """All settings, in the order of their table; an expiry only where there is one or somebody set it."""
    found = [
        Chosen(
            option.key or option.variable,
            _plain(getattr(settings, option.field)),
            settings.origins.get(option.field, "default"),
            "off" if option.field in ("archive_below", "relevance_step") else "",
        )
        for option in OPTIONS
    ]
    for category, days in settings.default_expiry.items():
        origin = settings.origins.get(f"default_expiry.{category}", "default")
        if days is not None or origin != "default":
            found.append(Chosen(f"{EXPIRY}{category}", days, origin, "never"))
    return found


def one(settings: Settings, key: str) -> Chosen:
    """One setting by its key or variable."""
    for each in every(settings):
        if each.key == key:
            return each
    for category in settings.default_expiry:
        if key == f"{EXPIRY}{category}":
            return Chosen(key, None, "default", "never")
    raise InvalidInput(f"there is no setting {key[:60]!r}; known are: {known_keys()}")


def table(settings: list[Chosen]) -> str:
    from memory_layer.doors.cli.render import field

    widest = max(len(each.key) for each in settings)
    return "\n".join(
        f"{each.key:<{widest}}  {field(each.text) or '-'}  ({field(each.origin)})" for each in settings
    )


def _plain(value: object) -> str | int | float | None:
    return value if value is None or isinstance(value, str | int | float) else str(value)
