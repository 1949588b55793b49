"""A game's odds on one page, as data: figures, options, what another option costs, the card.

Its texts are in the language that is spoken while it is made.
"""

from __future__ import annotations

from collections.abc import Iterator

from controller.odds.charts.words import dealer_text, letter_of
from controller.odds.live.card_words import (
    PAIR,
    dealer_in_words,
    hand_in_words,
    outcome_in_words,
)
from controller.odds.live.expectations import Choices, Expectations, Spot
from controller.rules.frozen import frozen
from controller.rules.game import Game
from controller.rules.games.edges import COMPUTED
from controller.rules.messages import Amount, Message, Value, message
from controller.rules.options import HouseOptions, about, plain_text, plain_value
from controller.rules.sheets.sheet import text_of


@frozen
class ActionCost:
    """An action and what it costs against the best one, in per cent of the least first wager.

    Of a larger wager bonuses of a fixed amount are a smaller part.
    """

    action: str
    cost_per_cent: float


@frozen
class CardPlay:
    """A decision where these actions are open: `chance` is how often it comes up, of 1 round."""

    best: str
    costs: list[ActionCost]
    chance: float


@frozen
class CardCell:
    """A place on a strategy card.

    `letters` are the best actions, that of most options first; `mistake_per_cent` is what the least
    mistake costs where the first stands. `plays` are in the same order.
    """

    letters: str
    mistake_per_cent: float
    plays: list[CardPlay]


@frozen
class CardRow:
    """A row of a strategy card: a hand, and a cell a column (none: it never comes up)."""

    hand: str
    cells: list[CardCell | None]


@frozen
class StrategyCard:
    """A strategy as a table; `meanings` are the letters with their actions."""

    columns: list[str]
    rows: list[CardRow]
    meanings: list[tuple[str, str]]


@frozen
class ComparedOption:
    """What another choice of an option comes to; edges in per cent of the first wager."""

    option: str
    value: str
    edge_per_cent: float
    difference_per_cent: float


@frozen
class OptionValue:
    """A house option as it is configured; `default` is empty where it is the default."""

    name: str
    value: str
    default: str
    meaning: str


@frozen
class OddsSheet:
    """A PAR sheet with its strategy card; `chances` in per cent of hands a round."""

    edge_per_cent: float
    figures: list[tuple[str, str]]
    options: list[OptionValue]
    chances: list[tuple[str, float]]
    compared: list[ComparedOption]
    card: StrategyCard


def odds_sheet(game: Game, usual: Game, found: Expectations) -> OddsSheet:
    """The page of `game`, whose defaults are those of `usual`."""
    facts = found.facts
    edge = float(facts["edge_per_cent"])
    figures: list[tuple[Message, Value]] = [
        (message("odds-rules"), game.identity),
        (message("odds-strategy"), message("odds-best-by-totals")),
        *(
            (message("odds-edge-at", wager=Amount(int(wager))), _per_cent(100 * each))
            for wager, each in facts["edges"].items()
        ),
        (
            message("odds-deviation"),
            message("odds-deviation-is", number=f"{facts['sd']:.4f}")
            if facts["sd_is_exact"]
            else message("odds-deviation-is-about", number=f"{facts['sd']:.2f}"),
        ),
        (
            message("odds-hands"),
            message("odds-number", number=f"{facts['hands_per_round']:.5f}"),
        ),
        (message("odds-basis"), message("odds-exact")),
    ]
    return OddsSheet(
        edge_per_cent=edge,
        figures=[(text_of(name), text_of(value)) for name, value in figures],
        options=list(_options(game, usual)),
        chances=[
            (outcome_in_words(name, game.words), 100 * each)
            for name, each in facts["outcomes"].items()
        ],
        compared=list(_compared(found, edge)),
        card=strategy_card(found),
    )


def _per_cent(value: float) -> Message:
    return message("odds-per-cent", number=f"{value:.5f}".replace("-", "\N{MINUS SIGN}"))


def _options(game: Game, usual: Game) -> Iterator[OptionValue]:
    for name, each in about(game.options).items():
        value, default = _value(game.options, name), _value(usual.options, name)
        meaning = text_of(each.meaning, game.words)
        yield OptionValue(name, value, "" if value == default else default, meaning)


def _value(options: HouseOptions, name: str) -> str:
    """An option's value: amounts as money, the others as files write them."""
    value = plain_value(getattr(options, name))
    if about(options)[name].money and type(value) is int:
        return text_of(Amount(value))
    return plain_text(value)


def _read(changes: str) -> dict[str, str]:
    return dict(each.split("=", 1) for each in changes.split())


def _compared(found: Expectations, edge: float) -> Iterator[ComparedOption]:
    """The computed set-ups that differ from this one by one option."""
    mine = _read(found.changes)
    for changes, other in COMPUTED.get(found.identity, {}).items():
        theirs = _read(changes)
        differ = [name for name in {**mine, **theirs} if mine.get(name) != theirs.get(name)]
        if len(differ) == 1:
            value = theirs.get(differ[0]) or text_of(message("odds-default"))
            yield ComparedOption(differ[0], value, other, other - edge)


def strategy_card(found: Expectations) -> StrategyCard:
    """The best play: hands down, the dealer across; the other way where dealers are more."""
    wager = int(found.facts["wager"])
    places: dict[tuple[str, str], list[tuple[Spot, Choices]]] = {}
    for spot, choices in found.lines.items():
        hand = f"{spot.player}{PAIR if spot.pair else ''}"
        places.setdefault((hand, dealer_text(spot.dealer)), []).append((spot, choices))
    hands = sorted({hand for hand, _ in places}, key=_by_number)
    dealers = sorted({dealer for _, dealer in places}, key=_by_number)
    across = len(dealers) <= len(hands)
    columns, down = (dealers, hands) if across else (hands, dealers)
    across_in_words, down_in_words = (
        (dealer_in_words, hand_in_words) if across else (hand_in_words, dealer_in_words)
    )
    rows = [
        CardRow(
            down_in_words(name),
            [
                _cell(places.get((name, each) if across else (each, name), []), wager)
                for each in columns
            ],
        )
        for name in down
    ]
    actions = dict.fromkeys(each for spot in found.lines for each in spot.options)
    meanings = [(letter_of(each), each.value.replace("-", " ")) for each in actions]
    return StrategyCard([across_in_words(each) for each in columns], rows, meanings)


def _by_number(text: str) -> tuple[str, list[int], str]:
    """Totals of one kind by their numbers; the dealer's first card, ace first."""
    kind = text.partition(" ")[0]
    numbers = "".join(each if each.isdigit() else " " for each in text).split()
    return kind, [int(each) for each in numbers] or [1], text


def _cell(found: list[tuple[Spot, Choices]], wager: int) -> CardCell | None:
    if not found:
        return None
    ordered = sorted(found, key=lambda each: -len(each[0].options))
    letters = dict.fromkeys(letter_of(choices.best) for _, choices in ordered)
    plays = [
        CardPlay(
            choices.best.value,
            [
                ActionCost(action.value, 100 * cost.on(wager) / wager)
                for action, cost in choices.costs.items()
            ],
            choices.chance,
        )
        for _, choices in ordered
    ]
    mistakes = [each.cost_per_cent for each in plays[0].costs if each.action != plays[0].best]
    return CardCell("/".join(letters), min(mistakes, default=0.0), plays)
