"""The odds in print: a PAR sheet of one page, as Markdown, and options side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from controller.odds.charts import Cell, Chart
from controller.odds.exact import ExactOdds
from controller.odds.words import letter_of
from controller.rules.actions import Action
from controller.rules.edges import changes
from controller.rules.game import Game
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
        f"| standard deviation of a round | {odds.sd:.5f} first wagers |",
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
    if odds.chart is not None:
        lines += ["## Strategy", "", *strategy_card(odds.chart), ""]
    return "\n".join(lines)


def strategy_card(chart: Chart) -> list[str]:
    """The strategy as a table: hands down, the dealer across; several letters: what is open."""
    dealers = list(dict.fromkeys(cell.dealer for cell in chart))
    rows: dict[tuple[str, bool], dict[str, list[str]]] = {}
    for cell, action in sorted(chart.items(), key=_by_length):
        letters = rows.setdefault((cell.player, cell.pair), {}).setdefault(cell.dealer, [])
        if (letter := letter_of(action)) not in letters:
            letters.append(letter)
    head = ["| hand | " + " | ".join(dealers) + " |", "|---" * (len(dealers) + 1) + "|"]
    body = [
        f"| {player}{' (pair)' if pair else ''} | "
        + " | ".join("/".join(row.get(dealer, ["-"])) for dealer in dealers)
        + " |"
        for (player, pair), row in rows.items()
    ]
    return [*head, *body]


def _by_length(entry: tuple[Cell, Action]) -> int:
    """Cells with most options first: the first letter is what two cards do."""
    return -len(entry[0].options)


def side_by_side(games: Sequence[Game], odds: Iterable[ExactOdds], usual: Game) -> str:
    """The same game with different options, a line each, with what each costs the player."""
    lines = [
        "| options | house edge | against the first | standard deviation |",
        "|---|---|---|---|",
    ]
    first: float | None = None
    for game, each in zip(games, odds, strict=True):
        first = each.edge if first is None else first
        name = changes(game.options, usual.options) or "as they stand"
        edge = f"{100 * each.edge:.5f} %" + (" THE HOUSE LOSES" if each.edge < 0 else "")
        lines.append(f"| {name} | {edge} | {100 * (each.edge - first):+.5f} % | {each.sd:.5f} |")
    return "\n".join(lines) + "\n"
