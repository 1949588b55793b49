"""The chances of a game for a pot on one page, as data: points, what wins, what a card is worth."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.rules.frozen import frozen
from controller.rules.messages import message
from controller.rules.sheets.sheet import text_of

if TYPE_CHECKING:
    from controller.odds.pot.pot_chances import PotChances

#: This many rows of what wins and of what a card is worth are on the page.
ROWS: Final = 24


class NoPotSheet(ValueError):
    """A file of chances that cannot be used; the message says why."""


@frozen
class PointsLine:
    """Hands of a number of cards: the chance to have each target's points, in per cent, exact."""

    cards: int
    chances: list[float]


@frozen
class WinLine:
    """A player's last hand, in per cent: how often it comes, each part it wins, both, its share."""

    points: str
    comes: float
    wins: list[float]
    both: float
    share: float
    within: float


@frozen
class CardLine:
    """What first cards are worth, in per cent of the pot, if the next card is refused or taken."""

    hand: str
    points: str
    refused: float
    taken: float
    within: float


@frozen
class PotSheet:
    """Chances among `players` players, from dealt rounds but for `points`, which are exact.

    `within` of a line: how far its share, or the worse known of two, may be off, 95 times of 100.
    """

    players: int
    rounds: int
    targets: list[str]
    points: list[PointsLine]
    wins: list[WinLine]
    cards: list[CardLine]


def pot_sheet(found: PotChances, targets: Sequence[str]) -> PotSheet:
    """The page of these chances; `targets` are those of the game (`PotRules.targets`)."""
    points = [
        PointsLine(
            cards,
            [
                100
                * sum(
                    each.chance
                    for each in found.totals
                    if each.cards == cards and each.points[nth] == target
                )
                for nth, target in enumerate(targets)
            ],
        )
        for cards in dict.fromkeys(each.cards for each in found.totals)
    ]
    wins = [
        WinLine(
            points_text(win.points),
            100 * win.comes.value,
            [100 * win.wins[target].value for target in targets],
            100 * win.both.value,
            100 * win.share.value,
            100 * win.share.within,
        )
        for win in found.wins[:ROWS]
    ]
    cards = [
        CardLine(
            each.hand.replace("T", "10"),
            points_text(each.points),
            100 * each.refused.value,
            100 * each.taken.value,
            100 * max(each.refused.within, each.taken.within),
        )
        for each in found.worth[:ROWS]
    ]
    return PotSheet(found.players, found.rounds, list(targets), points, wins, cards)


def points_text(points: Sequence[str]) -> str:
    """Points toward each target, once where they are the same."""
    return " / ".join(dict.fromkeys(points))


def in_words(sheet: PotSheet) -> PotSheet:
    """The sheet with its points as people write them in the language that is spoken."""
    return replace(
        sheet,
        targets=[_points(each) for each in sheet.targets],
        wins=[replace(each, points=_points(each.points)) for each in sheet.wins],
        cards=[replace(each, points=_points(each.points)) for each in sheet.cards],
    )


def _points(text: str) -> str:
    return text_of(message("odds-number", number=text))


def write_pot_sheet(path: Path, sheet: PotSheet) -> None:
    """Write it in one step."""
    made = path.with_name(f".{path.name}.new")
    made.write_text(json.dumps(asdict(sheet), ensure_ascii=False) + "\n", encoding="utf-8")
    made.replace(path)


def read_pot_sheet(path: Path) -> PotSheet:
    """The sheet in that file. Raises `NoPotSheet`."""
    try:
        data = json.loads(path.read_bytes())
        return PotSheet(
            players=data["players"],
            rounds=data["rounds"],
            targets=data["targets"],
            points=[PointsLine(**each) for each in data["points"]],
            wins=[WinLine(**each) for each in data["wins"]],
            cards=[CardLine(**each) for each in data["cards"]],
        )
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise NoPotSheet(f"{path}: no file of chances: {error}") from error
