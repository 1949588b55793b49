"""Computes the expectations of a game with its options: exact, one player, a fresh shoe."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from controller.odds.charts.chart import Chart, chosen
from controller.odds.charts.followed import Followed
from controller.odds.exact.engine import Engine
from controller.odds.exact.exact_odds import ExactOdds, NoOdds, Strategy, odds_of
from controller.odds.exact.follow import follow
from controller.odds.exact.strategies import best_total, play
from controller.odds.live.expectations import Choices, Expectations, Spot, Worth
from controller.odds.tables.game_tables import Ending, Settled, Side, Tables
from controller.odds.tables.probe import NoTable
from controller.odds.tables.tabulate import tabulate
from controller.rules.actions import Action
from controller.rules.cards import Card
from controller.rules.game import Game
from controller.rules.games.edges import changes

#: Digits of a figure in the file; a round's own deviation is ten million times the last of them.
DIGITS: Final = 8


class AtWager(NamedTuple):
    """One strategy at one wager."""

    odds: ExactOdds
    tables: Tables
    followed: Followed


def expectations(game: Game, defaults: Game) -> Expectations:
    """The expectations of `game` by the best strategy by totals at its least wager.

    Where a bonus is a fixed amount, the same strategy is followed at the largest wager, too: every
    figure is a share of the wager and an amount. Raises `NoOdds`.
    """
    if game.vying:
        raise NoOdds(f"{game.title}: players play for the pot, there is no house")
    least, most = placed_wagers(game)
    first = _at_wager(game, least, None)
    chart = first.followed.chart
    second = _at_wager(game, most, chart) if _has_amounts(first.tables) and most > least else None
    wagers = (least, most)
    lines = {}
    for cell, action in chart.items():
        if cell in first.followed.values:
            more = None if second is None else second.followed.costs(cell)
            costs = {
                each: _worth(cost, None if more is None else more[each], wagers)
                for each, cost in first.followed.costs(cell).items()
            }
            lines[Spot(*cell)] = Choices(action, costs, first.followed.chances[cell])
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


def placed_wagers(game: Game) -> tuple[int, int]:
    """The least and the largest wager that the table takes, in minor units.

    A limit may be an amount that its chips do not make, or that its odds cannot be paid on.
    """
    options = game.options
    least, most = options.wager_bounds
    chip = options.smallest_chip
    lowest = next((each for each in options.some_wagers() if not game.wager_problem(each)), least)
    # Odds that can be paid on one amount can be on its double: so far down there is one.
    down = range(most - most % chip, lowest, -chip)[: lowest // chip + 1]
    return lowest, next((each for each in down if not game.wager_problem(each)), lowest)


def _at_wager(game: Game, wager: int, chart: Chart | None) -> AtWager:
    """The strategy at that wager; the best one there without any. Raises `NoOdds`."""
    try:
        tables = tabulate(game, wager)
    except NoTable as error:
        raise NoOdds(str(error)) from error
    engine = Engine(tables)
    if chart is None:
        chart, _ = best_total(engine)
    tally = play(engine, chosen(tables, chart))
    odds = odds_of(game, engine, tally, Strategy.BEST, chart)
    return AtWager(odds, tables, follow(engine, chart))


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


def _pairs(tables: Tables) -> Iterator[tuple[Card, ...]]:
    """Hands of two cards that may be split, one of each class."""
    for nodes in tables.nodes.values():
        for state, node in nodes.items():
            if node.play and Action.SPLIT in node.play.options:
                yield tables.cards[state]
