"""Faults of the devices, planned in a file or asked for by a visitor, one card at a time.

A fault file is TOML or JSON: a list `fault` of tables with `round` (1 is the first that is played),
`card` (the n-th card that leaves the shoe in that round), `kind`, and `for_s` where it lasts.
"""

from __future__ import annotations

import json
import tomllib
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

FAULTS_LIMIT: Final = 10_000
LASTS_LIMIT_S: Final = 3600.0


class FaultKind(Enum):
    """What goes wrong with one card; the value is its name in files."""

    UNPLUG = "unplug"
    """The scanner's plug is out from before the card leaves until `for_s` later."""
    GARBAGE = "garbage"
    """The scanner says rubbish instead of the code."""
    SPLIT = "split"
    """The code comes in two pieces."""
    DOUBLE = "double"
    """The code of one card comes twice."""
    PUSH_BACK = "push_back"
    """The card is read, pushed back before it reaches the beam, and drawn again."""
    MISS_CODE = "miss_code"
    """The card leaves without its code being read."""
    MERGED = "merged"
    """The code comes twice without the end of the first: one frame of two."""
    NOISE = "noise"
    """Random bytes without an end come right before the code."""
    WRONG_RATE = "wrong_rate"
    """For `for_s` the scanner talks at another rate than the line listens."""
    UNPLUG_IN_CODE = "unplug_in_code"
    """The plug is pulled when half of the code was said, until `for_s` later."""
    BEAM_STUCK = "beam_stuck"
    """The card stays in the beam for `for_s`, and leaves then."""
    BOUNCE = "bounce"
    """The contact of the button that is pressed next bounces."""
    TWO_CODES = "two_codes"
    """The next card comes along half-way: its code is read as well, and it is pushed back."""
    LEAN = "lean"
    """A hand leans on all buttons at once, before the card is drawn."""
    POWER_CUT = "power_cut"
    """The power of the service is cut as the card is pulled; the service is started again."""


class CameraFault(Enum):
    """What goes wrong with one card where a camera reads it; the value is its name in files."""

    HAND = "hand"
    """Fingers lie over an edge of the card while it passes."""
    BLUR = "blur"
    """The picture is out of focus while the card passes."""
    BACK = "back"
    """The card shows its back: it was put into the shoe the wrong way."""
    TWO = "two_cards"
    """The next card comes along half-way, and is pushed back."""
    OTHER_INDEX = "foreign_index"
    """A card of a pack from abroad: its index is in no alphabet of this table's."""
    BLINK = "blink"
    """The camera goes away as the card is pulled, until `for_s` later."""
    FROZEN = "frozen"
    """The camera sends the same picture from now on, until `for_s` later."""
    DARK = "dark"
    """The light of the shoe is out, until `for_s` later."""
    SMALL = "small_picture"
    """The camera is plugged anew and gives pictures of another size, until `for_s` later."""


AnyFault = FaultKind | CameraFault

#: Faults that last: they have a `for_s`.
LASTING: Final[tuple[AnyFault, ...]] = (
    FaultKind.UNPLUG, FaultKind.WRONG_RATE, FaultKind.UNPLUG_IN_CODE, FaultKind.BEAM_STUCK,
    CameraFault.BLINK, CameraFault.FROZEN, CameraFault.DARK, CameraFault.SMALL,
)  # fmt: skip


class FaultError(ValueError):
    """A fault file that makes no sense; the message says where and what to write."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One planned fault; `for_s` in seconds, only for those that last."""

    round: int
    card: int
    kind: AnyFault
    for_s: float = 0.0


class Faults:
    """The faults still to come: planned by round and card, or queued for the next card."""

    def __init__(self, planned: Iterable[Fault] = ()) -> None:
        self._planned: dict[tuple[int, int], list[Fault]] = {}
        self._asked: deque[tuple[AnyFault, float]] = deque(maxlen=FAULTS_LIMIT)
        for fault in planned:
            self.plan(fault)

    @property
    def left(self) -> int:
        """How many planned ones have not come yet."""
        return len(self._planned)

    def plan(self, fault: Fault) -> None:
        """Let `fault` happen in its round, to its card."""
        self._planned.setdefault((fault.round, fault.card), []).append(fault)

    def ask(self, kind: AnyFault, for_s: float = 0.0) -> None:
        """Let `kind` happen to the next card; one that lasts, for `for_s`."""
        self._asked.append((kind, for_s))

    def take(self, round_: int, card: int) -> list[Fault]:
        """What goes wrong with this card, planned first; each fault happens once."""
        faults = self._planned.pop((round_, card), [])
        while self._asked:
            faults.append(Fault(round_, card, *self._asked.popleft()))
        return faults


def load_faults(path: Path) -> list[Fault]:
    """The faults in the file at `path`: JSON if it ends in .json, else TOML.

    Raises `FaultError`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise FaultError(f"cannot read the fault file {path}: {error}") from error
    try:
        data = json.loads(text) if path.suffix == ".json" else tomllib.loads(text)
    except (json.JSONDecodeError, tomllib.TOMLDecodeError) as error:
        raise FaultError(f"{path} is not valid {path.suffix[1:] or 'TOML'}: {error}") from error
    return parse_faults(data)


def parse_faults(data: Any) -> list[Fault]:
    """The faults in the parsed contents of a fault file. Raises `FaultError`."""
    if not isinstance(data, dict) or set(data) != {"fault"} or not isinstance(data["fault"], list):
        raise FaultError("a fault file holds one list called 'fault': write [[fault]] before each")
    if len(data["fault"]) > FAULTS_LIMIT:
        raise FaultError(f"a fault file holds at most {FAULTS_LIMIT} faults: leave some out")
    return [_fault(number, each) for number, each in enumerate(data["fault"], 1)]


def _fault(number: int, data: Any) -> Fault:
    where = f"fault {number}"
    if not isinstance(data, dict):
        raise FaultError(f"{where} must be a table with round, card and kind")
    if unknown := sorted(set(data) - {"round", "card", "kind", "for_s"}):
        raise FaultError(f"{where} has an unknown key {unknown[0]!r}: use round, card, kind, for_s")
    named: dict[object, AnyFault] = {each.value: each for each in (*FaultKind, *CameraFault)}
    kind = named.get(data.get("kind")) if isinstance(data.get("kind"), str) else None
    if kind is None:
        kinds = ", ".join(str(each) for each in named)
        raise FaultError(f"{where}: kind {data.get('kind')!r} is unknown; choose one of {kinds}")
    numbers: list[int] = []
    for name in ("round", "card"):
        value = data.get(name)
        if type(value) is not int or value < 1:
            raise FaultError(f"{where}: {name} must be a whole number from 1, not {value!r}")
        numbers.append(value)
    for_s = data.get("for_s", 0)
    if kind not in LASTING:
        if "for_s" in data:
            lasting = ", ".join(each.value for each in LASTING)
            raise FaultError(f"{where}: for_s belongs to {lasting} only; leave it out")
    elif type(for_s) not in (int, float) or not 0 < for_s <= LASTS_LIMIT_S:
        raise FaultError(
            f"{where}: {kind.value} needs for_s, seconds above 0 and up to {LASTS_LIMIT_S:.0f}"
        )
    return Fault(numbers[0], numbers[1], kind, float(for_s))
