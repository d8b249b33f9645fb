"""Read the days a question names in words: yesterday, last week, in March, three days ago."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import cache

from memory_layer.model.record import NamedTuple

_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}  #: first month
_NUMBERS = {
    "a": 1, "one": 1, "two": 2, "couple": 2, "three": 3, "few": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10,
}  # fmt: skip
_UNIT_DAYS = {"day": 1, "week": 7, "month": 30, "quarter": 91, "year": 365}
RECENT_DAYS = 14  #: "recently", "lately", and the time around an event
FIRST_YEAR, LAST_YEAR = 1970, 9000  #: of memories
_LONGEST_READ = 500  #: characters; a longer question is a pasted text

_MONTH = rf"(?:{'|'.join(f'{name[:3]}(?:{name[3:]})?' for name in _MONTHS)}|sept)"
_UNIT = "(?P<unit>day|week|month|quarter|year)s?"
_COUNT = rf"(?P<count>\d{{1,3}}|{'|'.join(_NUMBERS)})(?: of)?"
_FORMS = (
    r"(?P<before_yesterday>(?:the )?day before yesterday)",
    r"(?P<yesterday>yesterday(?:'s)?|last (?:night|evening))",
    r"(?P<today>today(?:'s)?|this (?:morning|afternoon|evening)|tonight)",
    rf"(?P<ago>{_COUNT} {_UNIT} ago)",
    r"(?P<span>(?:in |over |during |within )?(?:the )?(?:last|past) "
    + _COUNT.replace("count", "count2")
    + " "
    + _UNIT.replace("unit", "unit2")
    + ")",
    rf"(?P<weekday>(?:(?:last|this|past|on|on that|that) )?(?P<name>{'|'.join(_WEEKDAYS)})(?:'s)?)",
    r"(?P<period>(?P<which>this|last|past|previous|the last) (?P<unit3>week|month|quarter|year)(?:'s)?)",
    r"(?P<iso>(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d))",
    rf"(?P<day>(?:on )?(?:(?:the )?(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m1>{_MONTH})"
    rf"|(?P<m2>{_MONTH}) (?P<d2>\d{{1,2}})(?:st|nd|rd|th)?)(?:,? (?P<y1>\d{{4}}))?)",
    rf"(?P<month>(?:(?:(?:back )?in|during|of|last|this) |(?<=since )|(?<=after )|(?<=before )|(?<=until ))"
    rf"(?P<m3>{_MONTH})(?: (?P<y3>\d{{4}}))?)",
    r"(?P<season>(?:in |during |over )?(?P<which2>this|last|the) (?P<s>spring|summer|autumn|fall|winter))",
    r"(?P<recent>recently|lately)",
)
#: Words without which a text names no days; compiling the forms takes longer than a search.
_CUES = frozenset(
    "yesterday today tonight ago recently lately night evening morning afternoon day week month quarter year spring"
    " summer autumn fall winter sept".split()
).union(_MONTHS, (name[:3] for name in _MONTHS), _WEEKDAYS)
_EDGES = ".,;:!?()\"'"
_SINCE = r"\b(?:since|after|from)\s+(?:the\s+)?$"
_BEFORE = r"\b(?:before|until|up to)\s+(?:the\s+)?$"


class TimeWindow(NamedTuple):
    """The days a question is about, both included, and the question without the words that name them."""

    first: date
    last: date
    rest: str


def time_window(text: str, today: date) -> TimeWindow | None:
    """Return the days that a question names in words; None if it names none, or none that a memory may have."""
    try:
        found = _window(text, today)
    except OverflowError:  # before the year 1
        return None
    return found if found and found.first.year >= FIRST_YEAR and found.last.year <= LAST_YEAR else None


def _window(text: str, today: date) -> TimeWindow | None:
    if len(text) > _LONGEST_READ or not _may_name_days(text):
        return None
    text = text.replace("\u2019", "'")
    windows: list[tuple[date, date]] = []
    spans: list[tuple[int, int]] = []
    matches = list(_named().finditer(text))
    in_month = any(found["month"] for found in matches)
    for found in matches:
        window = _read(found, today)
        if window is None:
            continue
        if found["weekday"] and in_month:  # "that Friday in June": any of them
            spans.append((found.start(), found.end()))
            continue
        start = found.start()
        if since := re.search(_SINCE, text[:start], re.IGNORECASE):
            window, start = (window[0], today), since.start()
        elif before := re.search(_BEFORE, text[:start], re.IGNORECASE):
            window, start = (
                (window[0] - timedelta(days=RECENT_DAYS), window[0] - timedelta(days=1)),
                before.start(),
            )
        windows.append(window)
        if not found["day"] and not found["iso"]:  # a date may be what the text of a memory says
            spans.append((start, found.end()))
    if not windows:
        return None
    first, last = max(each[0] for each in windows), min(each[1] for each in windows)
    if first > last:  # "on Monday or Tuesday" names two
        first, last = min(each[0] for each in windows), max(each[1] for each in windows)
    rest = text
    for start, end in reversed(spans):
        rest = f"{rest[:start]} {rest[end:]}"
    return TimeWindow(first, last, " ".join(rest.split()) or text)


def _may_name_days(text: str) -> bool:
    words = text.lower().replace("\u2019", "'").split()
    bare = (word.strip(_EDGES).removesuffix("'s").removesuffix("s") for word in words)
    return not _CUES.isdisjoint(bare) or any(word[:4].isdecimal() for word in words)


@cache
def _named() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(_FORMS)})(?![\w-])", re.IGNORECASE | re.ASCII)


def _read(found: re.Match[str], today: date) -> tuple[date, date] | None:
    """Return the first and last day of one expression; None for a day that does not exist."""
    part = {name: value.lower() for name, value in found.groupdict().items() if value}
    day = timedelta(days=1)
    if "before_yesterday" in part:
        return today - 2 * day, today - 2 * day
    if "yesterday" in part:
        return today - day, today - day
    if "today" in part:
        return today, today
    if "recent" in part:
        return today - RECENT_DAYS * day, today
    if "ago" in part:
        return _ago(_number(part["count"]), part["unit"], today)
    if "span" in part:
        return today - _number(part["count2"]) * _UNIT_DAYS[part["unit2"]] * day, today
    if "weekday" in part:
        back = (today.weekday() - _WEEKDAYS.index(part["name"])) % 7 or 7
        return today - back * day, today - back * day
    if "period" in part:
        return _period(part["which"], part["unit3"], today)
    if "season" in part:
        return _season(part["s"], part["which2"] == "last", today)
    if "iso" in part:
        return _day(int(part["y"]), int(part["m"]), int(part["d"]), today)
    if "day" in part:
        month = _month(part.get("m1") or part["m2"])
        return _day(int(part.get("y1", 0)), month, int(part.get("d1") or part["d2"]), today)
    return _whole_month(_month(part["m3"]), int(part.get("y3", 0)), today)


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else _NUMBERS[text]


def _ago(count: int, unit: str, today: date) -> tuple[date, date]:
    """Return the days around so long ago: a week ago is not to the day."""
    middle = today - timedelta(days=count * _UNIT_DAYS[unit])
    around = timedelta(days=_UNIT_DAYS[unit] // 2)
    return middle - around, middle + around


def _period(which: str, unit: str, today: date) -> tuple[date, date]:
    """Return this or the last week, month, quarter or year; the last one also means the days just past."""
    if which == "this":
        return today - timedelta(days=_UNIT_DAYS[unit]), today
    if unit == "week":
        monday = today - timedelta(days=today.weekday() + 7)
        return monday, monday + timedelta(days=6)
    if unit == "month":
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    return today - timedelta(days=_UNIT_DAYS[unit]), today


def _season(name: str, earlier: bool, today: date) -> tuple[date, date]:
    year = today.year - (today.month < _SEASONS[name])
    first = date(year - (earlier and year == today.year), _SEASONS[name], 1)
    return first, min(today, first + timedelta(days=91))


def _month(text: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(text[:3]))


def _day(year: int, month: int, day: int, today: date) -> tuple[date, date] | None:
    """Return one day, of the past if no year is named."""
    try:
        found = date(year or today.year, month, day)
        if not year and found > today:
            found = found.replace(year=today.year - 1)
    except ValueError:
        return None
    return found, found


def _whole_month(month: int, year: int, today: date) -> tuple[date, date] | None:
    year = year or today.year - (month > today.month)
    if not 1 <= year <= 9998:
        return None
    after = date(year + month // 12, month % 12 + 1, 1)
    return date(year, month, 1), after - timedelta(days=1)
