"""The odds in print: a PAR sheet of one page, as Markdown, and options side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.odds.charts.chart import Cell
from controller.odds.charts.followed import Followed
from controller.odds.charts.words import dealer_text, letter_of
from controller.odds.exact.exact_odds import ExactOdds
from controller.rules.actions import Action
from controller.rules.game import Game
from controller.rules.games.edges import changes
from controller.rules.money import amount_text
from controller.rules.options import option_text


def edge_line(edge: float) -> str:
    """The edge in words; a loss of the house plainly. `edge` in first wagers."""
    if edge < 0:
        return f"THE HOUSE LOSES {-100 * edge:.5f} % of every first wager"
    return f"house edge {100 * edge:.5f} %"


def par_sheet(game: Game, odds: ExactOdds) -> str:
    """One page: game, revision, options, edge, standard deviation, outcomes, strategy card."""
    text = edge_line(odds.edge)
    lines = [
        f"# {game.title}: PAR sheet",
        "",
        f"**{text}**" if odds.edge < 0 else f"{text[0].upper()}{text[1:]}.",
        "",
        "| | |",
        "|---|---|",
        f"| rules | {game.identity} |",
        f"| strategy | {odds.strategy.value} |",
        f"| first wager | {amount_text(odds.wager)} |",
        f"| standard deviation of a round | {_sd(odds)} first wagers |",
        f"| hands a round | {odds.hands:.5f} |",
        f"| rounds with a split | {100 * odds.splits:.5f} % |",
        "| basis | exact: one player, fresh shoe, no card put back |",
        "",
        "## Options",
        "",
        "| option | value |",
        "|---|---|",
        *(f"| `{name}` | {option_text(game.options, name)} |" for name in odds.options),
        "",
        "## Outcomes of hands",
        "",
        "| outcome | a round |",
        "|---|---|",
        *(f"| {name} | {100 * chance:.6f} % |" for name, chance in odds.outcomes.items()),
        "",
    ]
    if odds.followed is not None:
        lines += ["## Strategy", "", *strategy_card(odds.followed), ""]
    return "\n".join(lines)


def strategy_card(followed: Followed) -> list[str]:
    """The strategy as a table: hands down, the dealer across; several letters: what is open.

    Beside them what the least mistake of the first letter costs.
    """
    chart = followed.chart
    dealers = list(dict.fromkeys(dealer_text(cell.dealer) for cell in chart))
    rows: dict[tuple[str, bool], dict[str, list[str]]] = {}
    costs: dict[tuple[str, bool, str], float] = {}
    for cell, action in sorted(chart.items(), key=_by_length):
        dealer = dealer_text(cell.dealer)
        letters = rows.setdefault((cell.player, cell.pair), {}).setdefault(dealer, [])
        if not letters:
            others = [cost for each, cost in followed.costs(cell).items() if each is not action]
            if others:
                costs[cell.player, cell.pair, dealer] = min(others)
        if (letter := letter_of(action)) not in letters:
            letters.append(letter)

    def place(player: str, pair: bool, dealer: str) -> str:
        letters = "/".join(rows[player, pair].get(dealer, ["-"]))
        cost = costs.get((player, pair, dealer))
        return letters if cost is None else f"{letters} {100 * cost:.2f}"

    actions = dict.fromkeys(each for cell in chart for each in cell.options)
    meanings = ", ".join(f"{letter_of(each)} {each.value.replace('-', ' ')}" for each in actions)
    head = ["| hand | " + " | ".join(dealers) + " |", "|---" * (len(dealers) + 1) + "|"]
    body = [
        f"| {player}{' (pair)' if pair else ''} | "
        + " | ".join(place(player, pair, dealer) for dealer in dealers)
        + " |"
        for player, pair in rows
    ]
    note = (
        f"{meanings}. Several letters: the first where it is open. The number is what the least "
        "mistake costs, in per cent of the first wager, on average of the hands with which a "
        "player of this strategy comes there."
    )
    return [*head, *body, "", note]


def _by_length(entry: tuple[Cell, Action]) -> int:
    """Cells with most options first: the first letter is what two cards do."""
    return -len(entry[0].options)


def side_by_side(games: Sequence[Game], odds: Iterable[ExactOdds], usual: Game) -> str:
    """The same game with different options, a line each, with what each costs the player."""
    lines = [
        "| options | house edge | more for the house | standard deviation |",
        "|---|---|---|---|",
    ]
    first: float | None = None
    for game, each in zip(games, odds, strict=True):
        first = each.edge if first is None else first
        name = changes(game.options, usual.options) or "as they stand"
        edge = f"{100 * each.edge:.5f} %" + (" THE HOUSE LOSES" if each.edge < 0 else "")
        lines.append(f"| {name} | {edge} | {100 * (each.edge - first):+.5f} % | {_sd(each)} |")
    return "\n".join(lines) + "\n"


def _sd(odds: ExactOdds) -> str:
    """The standard deviation, with as many digits as are right."""
    return f"{odds.sd:.5f}" if odds.sd_is_exact else f"about {odds.sd:.2f}"
