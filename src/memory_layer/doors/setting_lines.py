"""The settings as a list, each with its value and where that comes from."""

from __future__ import annotations

from memory_layer.errors import InvalidInput
from memory_layer.model.record import NamedTuple
from memory_layer.model.vocabulary import CATEGORIES, Category
from memory_layer.options import EXPIRY, OPTIONS, known_keys
from memory_layer.settings import Settings

#: The description of each setting, by its field.
MEANINGS = {
    "database_path": "the file that holds the memories",
    "model_folder": "the folder of the embedding model; one serves every store",
    "project": "the project to work in, as `--project` names it: a path, a name or a key",
    "writer": "the name under which you write; it can make a person count as an agent, never the other way round",
    "session": "the session that your changes and recalls belong to",
    "ranker": "how a search orders its hits",
    "search_limit": "how many memories a search returns by default",
    "run_limit": "how many memories a run or a prompt is given at most; without it as many as fit",
    "context_budget": "the tokens of a context, and of the memories of a run or a prompt",
    "strength": "how far outcomes for related questions may change a score: 0.45 means ×0.55 to ×1.45, 0 not at all;"
    " below 0.45, outcomes for the same question count less too",
    "likeness": "how similar two questions must be for the outcomes of one to count for the other;"
    " failures for questions less similar than this can archive a memory",
    "duplicate_threshold": "the cosine from which two texts are treated as near duplicates; if all"
    " words of one are in the other, 0.8 is enough",
    "archive_below": "the outcome score below which a failure archives a memory;"
    " if the failure names its question, only a memory that never worked and also failed for a different question",
    "withhold_below": "the outcome score below which a memory that failed the last time is marked `failing`,"
    " and not given unasked",
    "relevance_step": "how far outcomes may change a memory's relevance, at most once a week",
    "upkeep_auto": "whether the store is tidied by itself once a week",
    "busy_timeout_seconds": "how long to wait while another process is writing",
    "lease_seconds": "how long a write may take before other processes finish it",
    "hooks_learn": "whether the sessions of agents are learned from once they have ended",
    "hooks_ignore": "patterns of folders and files, separated by commas, that the hooks of agents do not look at",
}
_EXPIRES = "when memories of this category expire, in days"


class SettingLine(NamedTuple):
    """A setting with the value in effect."""

    key: str  #: in the configuration file, or else the name of the variable
    value: str | int | float | None
    origin: str
    unset: str = ""  #: the word for None
    default: str | int | float | None = None
    meaning: str = ""

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
            _plain(option.default),
            MEANINGS[option.field],
        )
        for option in OPTIONS
    ]
    for category, days in settings.default_expiry.items():
        origin = settings.origins.get(f"default_expiry.{category}", "default")
        if days is not None or origin != "default":
            usual = CATEGORIES[Category(category)].expires_days
            found.append(SettingLine(f"{EXPIRY}{category}", days, origin, "never", usual, _EXPIRES))
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
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return value if value is None or isinstance(value, str | int | float) else str(value)
