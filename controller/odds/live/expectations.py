"""What hands are worth on average and what each decision costs: figures of a checked file.

Nothing here computes; `compute` makes the figures, `files` reads them, `held` uses them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from controller.rules.actions import Action
from controller.rules.cards import Card, card
from controller.rules.frozen import frozen

#: No file of another form is read.
FORM: Final = 1


class Spot(NamedTuple):
    """A line of the strategy card: totals as the rules report them, and what is open.

    `pair`: the hand is two cards that may be split, or could be, were they not of a split hand.
    """

    dealer: str
    player: str
    pair: bool
    options: tuple[Action, ...]


class Worth(NamedTuple):
    """An amount that goes with the wager: `share` of it, and `fixed` minor units."""

    share: float
    fixed: float = 0.0

    def on(self, wager: int) -> float:
        """The amount for a first wager, in minor units."""
        return self.share * wager + self.fixed


class Choices(NamedTuple):
    """What a line advises, what each action costs against it, and how often the line comes up."""

    best: Action
    costs: Mapping[Action, Worth]
    chance: float


@frozen
class Expectations:
    """A game with its options, by its reference strategy: the best one by totals.

    `value` is what a hand is worth to its player before a card is dealt. `loss` is the most first
    wagers that one can lose in a round, `gain` the most that it can win. `pairs` are hands of two
    cards that may be split, one of each class. `facts` are further figures, for a page.
    """

    identity: str
    changes: str
    value: Worth
    loss: float
    gain: Worth
    pairs: tuple[tuple[Card, ...], ...]
    lines: Mapping[Spot, Choices]
    facts: Mapping[str, Any]


# -- as a file --


def as_data(found: Expectations) -> dict[str, Any]:
    """The figures as plain data: lines by dealer, options by their number in `options`."""
    options = list(dict.fromkeys(spot.options for spot in found.lines))
    number = {each: at for at, each in enumerate(options)}
    lines: dict[str, list[list[Any]]] = {}
    for spot, choices in found.lines.items():
        line: list[Any] = [
            spot.player, int(spot.pair), number[spot.options], spot.options.index(choices.best),
            choices.chance, [choices.costs[each].share for each in spot.options],
        ]  # fmt: skip
        fixed = [choices.costs[each].fixed for each in spot.options]
        lines.setdefault(spot.dealer, []).append([*line, fixed] if any(fixed) else line)
    return {
        "form": FORM,
        "identity": found.identity,
        "changes": found.changes,
        "value": list(found.value),
        "loss": found.loss,
        "gain": list(found.gain),
        "pairs": [[each.code for each in cards] for cards in found.pairs],
        "facts": dict(found.facts),
        "options": [[each.value for each in options_] for options_ in options],
        "lines": lines,
    }


def from_data(data: Mapping[str, Any]) -> Expectations:
    """The same back. Raises `ValueError`, `LookupError` or `TypeError` for anything else."""
    if data["form"] != FORM:
        raise ValueError(f"form {data['form']!r} of expectations is not read by this build")
    options = [tuple(map(Action, each)) for each in data["options"]]
    lines = {}
    for dealer, rows in data["lines"].items():
        for player, pair, at, best, chance, shares, *fixed in rows:
            of = options[at]
            amounts = fixed[0] if fixed else [0.0] * len(of)
            costs = dict(zip(of, map(Worth, shares, amounts), strict=True))
            lines[Spot(dealer, player, bool(pair), of)] = Choices(of[best], costs, chance)
    return Expectations(
        data["identity"],
        data["changes"],
        Worth(*data["value"]),
        data["loss"],
        Worth(*data["gain"]),
        tuple(tuple(map(card, each)) for each in data["pairs"]),
        lines,
        data["facts"],
    )
