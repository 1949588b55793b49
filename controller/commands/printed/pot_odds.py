"""`tablectl odds` of a game for a pot: what comes, what wins, and what the next card is worth."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.odds.pot.pot_sheet import points_text, pot_sheet, write_pot_sheet
from controller.rules.cards import Card, card
from controller.rules.game import Game

if TYPE_CHECKING:
    from controller.odds.pot.pot_chances import Estimate, PotChances

#: What belongs to a house that pays, by the name of the argument.
HOUSE_ALONE: Final = (
    "strategy", "wager", "penetration", "width", "compare", "par", "exact", "simulate",
)  # fmt: skip
#: This many rows of each table are printed; all of them with --csv or --json.
ROWS: Final = 16


def run_pot(plays: Game, arguments: argparse.Namespace) -> int:
    """Print the chances; the exit status."""
    from controller.odds.exact.exact_odds import NoOdds  # noqa: PLC0415  (numpy is an extra)
    from controller.odds.pot.pot_chances import ROUNDS, pot_chances  # noqa: PLC0415

    if house_alone := [each for each in HOUSE_ALONE if getattr(arguments, each)]:
        return fail(
            f"--{house_alone[0]}: players play for the pot, there is no house; "
            "use --seats, --hand, --rounds, --seed, --option, --json, --csv or --expectations",
            EXIT_USAGE,
        )
    if arguments.hand and arguments.expectations:
        return fail("--expectations holds all hands: leave out --hand", EXIT_USAGE)
    try:
        found = pot_chances(
            plays,
            plays.seats.start if arguments.seats is None else arguments.seats,
            _cards(arguments.hand or ""),
            ROUNDS if arguments.rounds is None else arguments.rounds,
            1 if arguments.seed is None else arguments.seed,
        )
    except (NoOdds, ValueError) as error:
        return fail(str(error), EXIT_USAGE)
    if arguments.expectations:
        return _write_sheet(plays, found, Path(arguments.expectations))
    if arguments.json:
        print(json.dumps(found.as_data(), indent=1, ensure_ascii=False))
    elif arguments.csv:
        csv.writer(sys.stdout, lineterminator="\n").writerows(_table(found))
    else:
        _write(plays, found)
    return 0


def _write_sheet(plays: Game, found: PotChances, path: Path) -> int:
    """Write what the page `/odds` shows; the exit status."""
    assert plays.pot is not None
    try:
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        write_pot_sheet(path, pot_sheet(found, plays.pot.targets))
    except OSError as error:
        return fail(f"{path}: cannot be written ({error.strerror})", EXIT_USAGE)
    return 0


def _cards(text: str) -> list[Card]:
    """The cards of a hand. Raises `ValueError`."""
    found = []
    for code in text.replace(",", " ").split():
        try:
            found.append(card(code))
        except ValueError as error:
            raise ValueError(f"--hand: {code[:20]!r} is no card: write it like 7c or Kd") from error
    return found


def _table(found: PotChances) -> Iterator[Sequence[object]]:
    """Every figure, a line each; `within` is how far it may be off, 95 times of 100."""
    yield ("about", "hand", "points", "figure", "value", "within")
    for total in found.totals:
        points = points_text(total.points)
        yield ("total", f"{total.cards} cards", points, "chance", total.chance, 0)
    for win in found.wins:
        figures = {"comes": win.comes, **{f"wins {each}": win.wins[each] for each in win.wins},
                   "wins both": win.both, "share": win.share}  # fmt: skip
        for name, each in figures.items():
            yield ("last hand", "", points_text(win.points), name, each.value, each.within)
    for hand in found.worth:
        for name, each in (("refused", hand.refused), ("taken", hand.taken)):
            yield ("next card", hand.hand, points_text(hand.points), name, each.value, each.within)


def _write(plays: Game, found: PotChances) -> None:
    rules = plays.pot
    assert rules is not None
    low, high = rules.targets
    print(f"{plays.title}, {found.players} players: there is no house, players play for the pot")
    print("Everybody draws as the table's own advice does; nobody bets or folds.")
    print(f"\nChances of points by number of cards, exact\n{'cards':>7}{low:>9}{high:>9}")
    for cards in dict.fromkeys(each.cards for each in found.totals):
        at = [
            sum(each.chance for each in found.totals
                if each.cards == cards and each.points[nth] == target)
            for nth, target in enumerate(rules.targets)
        ]  # fmt: skip
        print(f"{cards:>7}{at[0]:>9.2%}{at[1]:>9.2%}")
    if found.wins:
        print(f"\nA player's last hand, and what it wins of the pot ({found.rounds:,} rounds)")
        print(f"{'points':>12}{'comes':>9}{'wins ' + low:>9}{'wins ' + high:>9}{'both':>8}  share")
        for win in found.wins[:ROWS]:
            print(
                f"{points_text(win.points):>12}{win.comes.value:>9.2%}{win.wins[low].value:>9.1%}"
                f"{win.wins[high].value:>9.1%}{win.both.value:>8.2%}  {_shown(win.share)}"
            )
    print("\nWhat a hand is worth of the pot, if the next card is")
    print(f"{'hand':>12}{'points':>12}  {'refused':<17}{'taken':<17}better")
    rows = found.worth[:ROWS]
    for hand in rows:
        better = "take" if hand.taken.value > hand.refused.value else "refuse"
        print(
            f"{hand.hand:>12}{points_text(hand.points):>12}  {_shown(hand.refused):<17}"
            f"{_shown(hand.taken):<17}{better}"
        )
    if len(found.worth) > len(rows) or len(found.wins) > ROWS:
        print("\nAll of it: --csv or --json. One hand: --hand '7c 9d'.")


def _shown(each: Estimate) -> str:
    return f"{each.value:.1%} ± {each.within:.1%}"
