"""Days as people write them in a question."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
)  # fmt: skip
_NUMBERS = {name[:3].lower(): number for number, name in enumerate(_MONTHS, 1)}


def date_words(day: date) -> str:
    """The day in words: "8 May 2023"."""
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def days_named(text: str) -> Iterator[str]:
    """The days that a text names in words, as the term of their numbers: "8 May 2023" is 2023_05_08."""
    words = [word.rstrip(".?!") for word in text.lower().replace(",", " ").split() if word != "of"]
    for before, word, after, last in zip(
        ["", *words], words, [*words[1:], ""], [*words[2:], "", ""], strict=False
    ):
        number = _NUMBERS.get(word[:3])
        if number and _MONTHS[number - 1].lower().startswith(word):
            for day, year in ((before, after), (after, last)):
                day = day.rstrip("stndrh")  # 1st, 2nd, 3rd, 4th
                if day.isdecimal() and len(day) <= 2 and year.isdecimal() and len(year) == 4:
                    yield f"{year}_{number:02}_{int(day):02}"
