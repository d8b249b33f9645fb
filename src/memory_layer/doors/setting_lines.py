"""The settings as a list, each with its value and where that comes from."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.options import EXPIRY, OPTIONS, known_keys
from memory_layer.settings import Settings


class SettingLine(NamedTuple):
    """A setting with the value in effect."""

    key: str  #: in the configuration file, or else the name of the variable
    value: str | int | float | None
    origin: str
    unset: str = ""  #: the word for None

    @property
    def text(self) -> str:
        return self.unset if self.value is None else str(self.value)

    def shape(self) -> dict[str, str | int | float | None]:
        return {"key": self.key, "value": self.value, "origin": self.origin}


def every(settings: Settings) -> list[SettingLine]:
    """List the settings in the order of their table; an expiry only if there is one or it was set."""
    found = [
        SettingLine(
            option.key or option.variable,
            _plain(getattr(settings, option.field)),
            settings.origins.get(option.field, "default"),
            "off" if option.field in ("archive_below", "withhold_below", "relevance_step") else "",
        )
        for option in OPTIONS
    ]
    for category, days in settings.default_expiry.items():
        origin = settings.origins.get(f"default_expiry.{category}", "default")
        if days is not None or origin != "default":
            found.append(SettingLine(f"{EXPIRY}{category}", days, origin, "never"))
    return found


def one(settings: Settings, key: str) -> SettingLine:
    """Find a setting by its key or variable."""
    for each in every(settings):
        if each.key == key:
            return each
    for category in settings.default_expiry:
        if key == f"{EXPIRY}{category}":
            return SettingLine(key, None, "default", "never")
    raise InvalidInput(f"there is no setting {key[:60]!r}; known settings: {known_keys()}")


def _plain(value: object) -> str | int | float | None:
    return value if value is None or isinstance(value, str | int | float) else str(value)
