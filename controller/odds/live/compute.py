"""Computes the expectations of a game with its options: exact, one player, a fresh shoe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import numpy as np

from controller.odds.engine import Engine
from controller.odds.exact import ExactOdds, NoOdds, Strategy, odds_of
from controller.odds.live.expectations import Choices, Expectations, Spot, Worth
from controller.odds.passes import NEVER
from controller.odds.probe import NoTable
from controller.odds.solve import Chances, Passing, situations
from controller.odds.strategies import Best, Cell, best_total, cells, entry_slots
from controller.odds.tables import Ending, Settled, Side, Tables
from controller.odds.tabulate import tabulate
from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.edges import changes
from controller.rules.game import Game

#: Digits of a figure in the file; a round's own deviation is ten million times the last of them.
DIGITS: Final = 8

Values = dict[Cell, dict[Action, float]]


class Followed(NamedTuple):
    """One strategy at one wager: what every action is worth and how often cells come up."""

    odds: ExactOdds
    tables: Tables
    values: Values
    chances: dict[Cell, float]


def expectations(game: Game, defaults: Game) -> Expectations:
    """The expectations of `game` by the best strategy by totals at its least wager.

    Where a bonus is a fixed amount, the same strategy is followed at the largest wager, too: every
    figure is a share of the wager and an amount. Raises `NoOdds`.
    """
    least, most = game.options.wager_bounds
    if game.vying:
        raise NoOdds(f"{game.title}: players play for the pot, there is no house")
    first = _followed(game, least, None)
    best = first.odds.best
    assert best is not None, "the best strategy was computed"
    second = _followed(game, most, best) if _has_amounts(first.tables) and most > least else None
    more = None if second is None else second.values
    wagers = (least, most)
    lines = {
        Spot(*cell): Choices(
            action,
            _costs(action, first.values[cell], None if more is None else more[cell], wagers),
            first.chances[cell],
        )
        for cell, action in best.chart.items()
        if cell in first.values
    }
    lines.update(_side_lines(first.tables))
    edges = {str(least): first.odds.edge}
    if second is not None:
        edges[str(most)] = second.odds.edge
    value = _worth(-first.odds.edge, None if second is None else -second.odds.edge, wagers)
    return Expectations(
        identity=game.identity,
        changes=changes(game.options, defaults.options),
        value=value,
        loss=_most_lost(first.tables),
        gain=_most_won(first.tables, None if second is None else second.tables, wagers),
        pairs=tuple(dict.fromkeys(_pairs(first.tables))),
        lines=lines,
        facts={**first.odds.as_data(), "edges": edges},
    )


def _followed(game: Game, wager: int, strategy: Best | None) -> Followed:
    """The strategy at that wager; the best one there without any. Raises `NoOdds`."""
    try:
        tables = tabulate(game, wager)
    except NoTable as error:
        raise NoOdds(str(error)) from error
    if tables.most_hands > 2:
        raise NoOdds(
            f"{game.title}: what it costs to split a hand again, or not to, is not computed, and "
            "so there is no expectation that a live table could be held against"
        )
    engine = Engine(tables)
    places = cells(tables)
    if strategy is None:
        strategy, _ = best_total(engine, places)
    values, chances, tally = _follow(engine, places, strategy.chart)
    return Followed(odds_of(game, engine, tally, Strategy.BEST, strategy), tables, values, chances)


def _follow(
    engine: Engine, places: Mapping[int, Mapping[int, Cell]], chart: Mapping[Cell, Action]
) -> tuple[Values, dict[Cell, float], Chances]:
    """What every action is worth if play goes on by `chart`; how often each cell comes up by it.

    Hands of a cell weigh as their cards come up in a full shoe, whatever play leads to them.
    """
    number = {cell: at for at, cell in enumerate(chart)}
    sums = np.zeros((len(number), max((len(cell.options) for cell in number), default=1)))
    weights, often = np.zeros(len(number)), np.zeros(len(number))
    tally = Chances()
    for shown in engine.tables.shown:
        table = np.full(len(engine.tables.cards), -1)
        for state, cell in places[shown].items():
            table[state] = number[cell]
        of = table[engine.hands.state]
        slots = entry_slots(
            engine,
            {state: cell.options.index(chart[cell]) for state, cell in places[shown].items()},
        )
        for at in situations(engine, [shown]):
            passing = Passing(engine, at)
            natural, _, _ = passing.forward(None)
            passing.weigh_ends(None, natural)
            actions, _ = passing.back(slots)
            asked = passing.in_play(np.flatnonzero((of >= 0) & (natural > 0)))
            there = natural[asked] * passing.live[passing.hands.removal[asked]]
            weights += np.bincount(of[asked], there, minlength=len(number))
            for slot in range(sums.shape[1]):
                part = np.maximum(actions[slot, asked], NEVER) * natural[asked]
                sums[:, slot] += np.bincount(of[asked], part, minlength=len(number))
            reach = passing.tally(tally, slots)
            asked = passing.in_play(np.flatnonzero((of >= 0) & (reach > 0)))
            there = reach[asked] * passing.live[passing.hands.removal[asked]]
            often += np.bincount(of[asked], there, minlength=len(number))
    found = {
        cell: dict(zip(cell.options, (sums[at] / weights[at]).tolist(), strict=False))
        for cell, at in number.items()
        if weights[at] > 0
    }
    return found, dict(zip(number, often.tolist(), strict=True)), tally


def _costs(
    best: Action,
    first: Mapping[Action, float],
    second: Mapping[Action, float] | None,
    wagers: tuple[int, int],
) -> dict[Action, Worth]:
    """What each action costs against `best`."""
    return {
        action: _worth(
            first[best] - value, None if second is None else second[best] - second[action], wagers
        )
        for action, value in first.items()
    }


def _worth(first: float, second: float | None, wagers: tuple[int, int]) -> Worth:
    """The line through what a thing is worth, in first wagers, at two wagers."""
    if second is None:
        return Worth(round(first, DIGITS))
    least, most = wagers
    share = (second * most - first * least) / (most - least)
    return Worth(round(share, DIGITS), round((first - share) * least, DIGITS))


def _settled(tables: Tables) -> Iterator[Settled]:
    """Every way in which a hand may end."""
    groups: list[Mapping[int, Mapping[int, Ending]]] = [
        tables.fixed, tables.ends, tables.natural_ends,
    ]  # fmt: skip
    for group in groups:
        for endings in group.values():
            for ending in endings.values():
                yield from ending


def _has_amounts(tables: Tables) -> bool:
    """Whether a bonus is a fixed amount."""
    return any(each.result.bonus and each.result.bonus.amount for each in _settled(tables))


def _most_lost(tables: Tables) -> float:
    """The most first wagers that a seat can lose in a round, its side bet included."""
    hands = max(float(-each.net(tables.wager)) for each in _settled(tables))
    sides = [-float(net) for side in tables.sides.values() for net in _side_nets(side)]
    return tables.most_hands * hands + max(sides, default=0.0)


def _most_won(tables: Tables, other: Tables | None, wagers: tuple[int, int]) -> Worth:
    """The most that a seat can win in a round."""
    first, *more = (
        each.most_hands * max(float(one.net(each.wager)) for one in _settled(each))
        + max((float(net) for side in each.sides.values() for net in _side_nets(side)), default=0.0)
        for each in (tables, other)
        if each is not None
    )
    # Above the line through both, a bonus may be paid that is none of the larger one's.
    return _worth(first, more[0] if more else None, wagers)


def _side_nets(side: Side) -> Iterator[float]:
    for nets in side.nets.values():
        yield from map(float, nets)


def _side_lines(tables: Tables) -> Iterator[tuple[Spot, Choices]]:
    """Side bets, over the cards of a full shoe less those that the dealer shows."""
    for shown, side in tables.sides.items():
        left = list(tables.counts)
        for each in tables.dealers[shown]:
            left[next(at for at, cards in enumerate(tables.letters) if each in cards)] -= 1
        value = {
            action: sum(float(net) * times for net, times in zip(nets, left, strict=False))
            / sum(left)
            for action, nets in side.nets.items()
        }
        best = max(value, key=lambda each: value[each])
        costs = {action: Worth(round(value[best] - each, DIGITS)) for action, each in value.items()}
        yield (
            Spot(str(side.play.dealer), str(side.play.total), False, side.play.options),
            Choices(best, costs, 0.0),
        )


def _pairs(tables: Tables) -> Iterator[tuple[Card, ...]]:
    """Hands of two cards that may be split, one of each class."""
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            if node.play and Action.SPLIT in node.play.options:
                yield tables.cards[state]
