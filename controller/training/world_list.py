"""The world's list of a training, `training.jsonl`: what it did and what people said, in order.

One JSON object a line. `seq` is the record that the dealer's display stood on when it happened:
what came of it is on record after it. `at_ms` is wall time of the machine that also stamps the
record.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

from controller.rules.actions import Place


class TrainingError(ValueError):
    """A list of a training that cannot be used; the text says why and what to do."""


class _Noted(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="what"):
    """What every line has."""

    at_ms: int
    seq: int


class Began(_Noted, frozen=True, tag="began"):
    """The training begins. `target` is the pace that is asked for, in rounds an hour.

    `service` is the address of the table's own pages, `trouble` how much of it was asked for;
    `rounds` and `minutes` end the training, 0: they do not.
    """

    game: str
    title: str
    seats: int
    seed: int
    trouble: str
    target: float
    service: str
    rounds: int = 0
    minutes: float = 0


class MadeTrouble(_Noted, frozen=True, tag="trouble"):
    """The world made trouble number `number` of that `kind`, in round `round` (0: between rounds).

    `seat` is that of the player who wishes something.
    """

    number: int
    kind: str
    round: int = 0
    seat: int = 0


class Word(_Noted, frozen=True, tag="word"):
    """The player of a hand said `said`, by the action's name; an `amount` goes with a bet."""

    round: int
    seat: int
    hand: int
    said: str
    amount: int | None = None


class BetsLie(_Noted, frozen=True, tag="bets"):
    """The players' chips for the next round lie on the spots of those `seats`."""

    seats: tuple[int, ...]


class HandLies(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as it lies on the felt; a card that lies face down has an empty code."""

    seat: int
    hand: int
    cards: tuple[str, ...]


class FeltLies(_Noted, frozen=True, tag="felt"):
    """What lay on the felt when round `round` was over."""

    round: int
    hands: tuple[HandLies, ...]

    @property
    def by_place(self) -> dict[Place, tuple[str, ...]]:
        """The same, by hand."""
        return {Place(each.seat, each.hand): each.cards for each in self.hands}


class LessAsked(_Noted, frozen=True, tag="less"):
    """The dealer asked for less trouble; `trouble` is how much there is from here on."""

    trouble: str


class Paused(_Noted, frozen=True, tag="paused"):
    """The dealer paused the world."""


class Resumed(_Noted, frozen=True, tag="resumed"):
    """The dealer let the world go on."""


class Over(_Noted, frozen=True, tag="over"):
    """The rounds or minutes that were asked for are over; the table stays up to be looked at."""


Line: TypeAlias = (
    Began | MadeTrouble | Word | BetsLie | FeltLies | LessAsked | Paused | Resumed | Over
)
_LINES: Final[msgspec.json.Decoder[Line]] = msgspec.json.Decoder(Line)


@dataclass(frozen=True, slots=True)
class WorldList:
    """A list taken apart. `pauses` are spans of wall time; the last may end with the list."""

    began: Began
    troubles: tuple[MadeTrouble, ...] = ()
    words: tuple[Word, ...] = ()
    felts: tuple[FeltLies, ...] = ()
    bets: tuple[BetsLie, ...] = ()
    trouble_at_end: str = ""
    pauses: tuple[tuple[int, int | None], ...] = ()
    over: Over | None = None


def parse_line(text: str | bytes, number: int = 1) -> Line:
    """One line of a list. Raises `TrainingError`."""
    try:
        return _LINES.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TrainingError(
            f"line {number} of the list of the training makes no sense ({error}): it is written by"
            " `tablectl demo --train` of the same build"
        ) from error


def world_list(lines: Iterable[Line]) -> WorldList:
    """The list of those lines. Raises `TrainingError` unless it says how the training began."""
    found = iter(lines)
    began, rest = next(found, None), list(found)
    if not isinstance(began, Began):
        raise TrainingError(
            "the list of the training does not say how it began: nothing was dealt, or its first"
            " line is gone"
        )
    levels = [each.trouble for each in rest if isinstance(each, LessAsked)]
    return WorldList(
        began,
        tuple(each for each in rest if isinstance(each, MadeTrouble)),
        tuple(each for each in rest if isinstance(each, Word)),
        tuple(each for each in rest if isinstance(each, FeltLies)),
        tuple(each for each in rest if isinstance(each, BetsLie)),
        levels[-1] if levels else began.trouble,
        _pauses(rest),
        next((each for each in rest if isinstance(each, Over)), None),
    )


def _pauses(lines: Iterable[Line]) -> tuple[tuple[int, int | None], ...]:
    found: list[tuple[int, int | None]] = []
    since: int | None = None
    for each in lines:
        if isinstance(each, Paused) and since is None:
            since = each.at_ms
        elif isinstance(each, Resumed | Over) and since is not None:
            found.append((since, each.at_ms))
            since = None
    return (*found, (since, None)) if since is not None else tuple(found)
