"""The line protocol of the rig, pure: requests, answers and events as lines of ASCII.

The bench sends `ID VERB WORDS...`, the rig answers `ID ok VALUES...` or `ID error WORDS`. Between
answers come events: `at NS LINE LEVEL` for each edge of an input, `heard NS LINE HEX` for what came
on a line that is listened to, `away NS LINE` where such a line was lost, `lost N` where N could not
be sent. Every NS is the rig's monotonic clock in nanoseconds.
"""

from __future__ import annotations

from typing import Final, NamedTuple

VERSION: Final = 1
GREETING: Final = f"tablectl-rig {VERSION}"
PORT: Final = 7270
#: The longest line, its end included.
LINE_MAX: Final = 4_096
#: The most bytes of one code, as `say` takes them.
SAY_MAX: Final = 1_024
#: The longest that an edge waits for the time since the one before.
AFTER_MAX_MS: Final = 10_000
ID_DIGITS_MAX: Final = 12
NAME_MAX: Final = 32


class RigError(Exception):
    """A request that cannot be done; the text says why and what to do instead."""


class Request(NamedTuple):
    """One request: the number that its answer has to carry, the verb and what follows it."""

    number: str
    verb: str
    words: tuple[str, ...]


def request(line: bytes) -> Request:
    """Take a line apart, without its end. Raises `RigError` for one that is no request."""
    try:
        text = line.decode("ascii")
    except UnicodeDecodeError:
        raise RigError("a line is plain ASCII") from None
    if not text.isprintable():
        raise RigError("a line holds no control characters")
    number, *rest = text.split() or [""]
    if not number.isdecimal() or len(number) > ID_DIGITS_MAX or not rest:
        raise RigError(
            f"a line begins with a number of at most {ID_DIGITS_MAX} digits and a verb, as in"
            " '7 lines'"
        )
    return Request(number, rest[0], tuple(rest[1:]))


def number(text: str, what: str, low: int, high: int) -> int:
    """A whole number within its bounds. Raises `RigError`."""
    if not text.isdecimal() or len(text) > ID_DIGITS_MAX or not low <= int(text) <= high:
        raise RigError(f"{what} is a whole number of {low} to {high}, not {text!r}")
    return int(text)


def one_of(text: str, what: str, choices: tuple[str, str]) -> bool:
    """Whether the first of two words was said. Raises `RigError` for neither."""
    if text not in choices:
        raise RigError(f"{what} is {choices[0]} or {choices[1]}, not {text!r}")
    return text == choices[0]


def is_name(text: str) -> bool:
    """Whether a line, a plug or a picture may be called so."""
    return 0 < len(text) <= NAME_MAX and text.isascii() and text.replace("_", "a").isalnum()


def done(number: str, *values: object) -> str:
    """The answer to a request that was done."""
    return " ".join([number, "ok", *map(str, values)])


def refused(number: str, why: str) -> str:
    """The answer to a request that was not done."""
    return f"{number} error {why}"


def edge(at_ns: int, line: str, level: int) -> str:
    """The event of an input that changed."""
    return f"at {at_ns} {line} {level}"


def heard(at_ns: int, line: str, data: bytes) -> str:
    """The event of what came on a line that is listened to; at most `SAY_MAX` bytes."""
    return f"heard {at_ns} {line} {data.hex()}"


def away(at_ns: int, line: str) -> str:
    """The event of a line that was listened to and was lost."""
    return f"away {at_ns} {line}"


def lost(count: int) -> str:
    """The event that tells of events that could not be sent."""
    return f"lost {count}"
