"""Dates and times, as RFC 3339 writes them (section 5.6).

Also read is what servers really send: a space for the T, small letters, no seconds, no
offset, or one of hours alone. A leap second is read as the second after it. A value
that would be written otherwise than it came remembers its text.
"""

from __future__ import annotations

import re
from datetime import date, datetime, time, timedelta
from typing import Annotated, Any, Final, TypeAlias

from .texts import TEXTS, Text, Written, read

_DATE: Final = r"\d{4}-\d\d-\d\d"
_TIME: Final = (
    r"(?:[01]\d|2[0-3]):[0-5]\d(?::(?:[0-5]\d|(60))(?:\.\d+)?)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?"
)
_match_date_time: Final = re.compile(rf"{_DATE}[Tt ]{_TIME}", re.ASCII).fullmatch
_match_date: Final = re.compile(_DATE, re.ASCII).fullmatch
_match_time: Final = re.compile(_TIME, re.ASCII).fullmatch
_SECOND: Final = timedelta(seconds=1)

DateTimeText: TypeAlias = Annotated[str, datetime]
DateText: TypeAlias = Annotated[str, date]
TimeText: TypeAlias = Annotated[str, time]


def read_date_time(json: Any) -> datetime:
    """Decode a date and time; raises Mismatch."""
    return read(datetime, json)


def read_date(json: Any) -> date:
    """Decode a date; raises Mismatch."""
    return read(date, json)


def read_time(json: Any) -> time:
    """Decode a time of day; raises Mismatch."""
    return read(time, json)


# What is made of a value has no text and is a plain one. `datetime` calls the
# constructor of a subclass for the results of arithmetic, but not in `replace`.


class _WrittenDateTime(Written, datetime):
    __slots__ = ("text",)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return datetime(*args, **kwargs)

    def replace(self, *args: Any, **kwargs: Any) -> Any:
        plain = datetime.combine(self.date(), self.timetz())
        return plain.replace(*args, **kwargs)

    __replace__ = replace

    def __repr__(self) -> str:
        return repr(self.replace())

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        return read_date_time, (self.text,)


class _WrittenTime(Written, time):
    __slots__ = ("text",)

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        return time(*args, **kwargs)

    def replace(self, *args: Any, **kwargs: Any) -> Any:
        plain = datetime.combine(date.min, self).timetz()
        return plain.replace(*args, **kwargs)

    __replace__ = replace

    def __repr__(self) -> str:
        return repr(self.replace())

    def __reduce_ex__(self, protocol: Any, /) -> Any:
        return read_time, (self.text,)


def _parse_date_time(text: str) -> datetime:
    match = _match_date_time(text)
    if match is None:
        raise ValueError("no date and time")
    value = datetime.fromisoformat(_without_leap_second(match))
    if match[1]:
        value += _SECOND
    if _format(value) == text:
        return value
    day, clock = value.date(), value.timetz()
    written = datetime.__new__(
        _WrittenDateTime,
        *(day.year, day.month, day.day),
        *(clock.hour, clock.minute, clock.second, clock.microsecond),
        clock.tzinfo,
    )
    written.text = text
    return written


def _parse_date(text: str) -> date:
    if _match_date(text) is None:
        raise ValueError("no date")
    return date.fromisoformat(text)


def _parse_time(text: str) -> time:
    match = _match_time(text)
    if match is None:
        raise ValueError("no time")
    value = time.fromisoformat(_without_leap_second(match))
    if match[1]:
        value = (datetime.combine(date.min, value) + _SECOND).timetz()
    if _format(value) == text:
        return value
    written = time.__new__(
        _WrittenTime,
        *(value.hour, value.minute, value.second, value.microsecond),
        value.tzinfo,
    )
    written.text = text
    return written


def _without_leap_second(match: re.Match[str]) -> str:
    text = match.string.upper()
    return f"{text[: match.start(1)]}59{text[match.end(1) :]}" if match[1] else text


def _format(value: datetime | time) -> str:
    text = value.isoformat()
    return f"{text.removesuffix('+00:00')}Z" if text.endswith("+00:00") else text


TEXTS[datetime] = Text(
    "a date and time as RFC 3339 writes it", _parse_date_time, _format
)
TEXTS[date] = Text("a date as RFC 3339 writes it", _parse_date, date.isoformat)
TEXTS[time] = Text("a time of day as RFC 3339 writes it", _parse_time, _format)
