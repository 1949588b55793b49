"""`tablectl odds`: what a house option costs, exactly, from the rules that are enforced."""

from __future__ import annotations

import argparse
import gc
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.commands.printed.odds_text import write_exact, write_simulated
from controller.commands.printed.pot_odds import run_pot
from controller.commands.terminal.parsers import Subcommands, add_command, complete_with
from controller.commands.terminal.progress import progress
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.rules.game import Game
from controller.rules.games.registry import GAMES, UnknownGame, game
from controller.rules.money import amount_of
from controller.rules.options import OptionError, about, plain_value
from controller.rules.printed.rulebook import options_from_text

if TYPE_CHECKING:
    from controller.odds.exact.exact_odds import ExactOdds

#: Rounds of a simulation: the edge is then known to some 0.02 %.
ROUNDS: Final = 100_000_000
STRATEGIES = ("published", "advise", "best", "best-composition")

#: Options that say how a simulation deals.
ONLY_SIMULATED: Final = ("seats", "penetration", "rounds", "width", "seed")


def add_parsers(commands: Subcommands) -> None:
    """Add `odds`."""
    parser = add_command(
        commands,
        "odds",
        "Compute the house's edge of a game with its options: exactly, for one player and a fresh"
        " shoe, from the rules that are enforced.",
        "tablectl odds blackjack",
        "tablectl odds blackjack --option blackjack_pays=6:5 --strategy best-composition",
        "tablectl odds finnish-27 --wager 100.00 --json",
        "tablectl odds blackjack --strategy best --csv > mine.csv",
        "tablectl odds blackjack --strategy mine.csv",
        "tablectl odds seven-twenty-seven --seats 6 --hand '7c 9d'",
        "tablectl odds 21-24-27 --simulate --seats 7 --penetration 162 --width 0.01",
    )
    complete_with(parser.add_argument("game", help="the game"), lambda: GAMES)
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    parser.add_argument("--wager", metavar="AMOUNT", help="the first wager; the table's least one")
    parser.add_argument(
        "--strategy",
        metavar="STRATEGY",
        help=f"whose play: {', '.join(STRATEGIES)}, or a file that ends in .csv and was written by"
        " --csv; without it the published one where there is one, the best by totals otherwise",
    )
    parser.add_argument(
        "--hand",
        metavar="CARDS",
        help="of a game for a pot: what these cards are worth, and the next one, such as '7c 9d'",
    )
    _add_simulation(parser)
    _add_deviation(parser)
    _add_form(parser)
    parser.set_defaults(command=run)


def _add_simulation(parser: argparse.ArgumentParser) -> None:
    """Exactly, or by a simulation, and of what."""
    basis = parser.add_mutually_exclusive_group()
    basis.add_argument(
        "--exact", action="store_true", help="one player, a fresh shoe each round (the default)"
    )
    basis.add_argument(
        "--simulate",
        action="store_true",
        help="as it is dealt: all seats from one shoe, up to the cut card",
    )
    simulated = parser.add_argument_group("a simulation")
    simulated.add_argument("--seats", type=int, help="players at the table (1)")
    simulated.add_argument("--penetration", type=int, metavar="CARDS", help="the house's own")
    simulated.add_argument("--rounds", type=int, help=f"at least so many ({ROUNDS:,})")
    simulated.add_argument(
        "--width",
        type=float,
        metavar="PER_CENT",
        help="end once the edge is known so well to either side, 95 times of 100",
    )
    simulated.add_argument("--seed", type=int, help="the same seed gives the same figures (1)")


def _add_deviation(parser: argparse.ArgumentParser) -> None:
    """How the standard deviation is computed."""
    deviation = parser.add_mutually_exclusive_group()
    deviation.add_argument(
        "--exact-sd",
        action="store_true",
        help="an exact standard deviation where that takes minutes (Finnish 27)",
    )
    deviation.add_argument(
        "--near-sd",
        action="store_true",
        help="a standard deviation that is not exact after a split: half the time",
    )


def _add_form(parser: argparse.ArgumentParser) -> None:
    """What is printed or written of it."""
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as data")
    form.add_argument(
        "--csv", action="store_true", help="the strategy, a line for each place on its card"
    )
    form.add_argument(
        "--expectations",
        metavar="FILE",
        help="write what a live table is held against, and the page /odds shows, to this file",
    )
    form.add_argument("--par", action="store_true", help="a PAR sheet, as Markdown")
    form.add_argument(
        "--compare", metavar="OPTION", help="what each choice of this option costs, side by side"
    )


def run(arguments: argparse.Namespace) -> int:
    """Print the odds of one game; the exit status."""
    try:
        plays = game(arguments.game)
        plays = plays.with_options(options_from_text(plays, arguments.option))
        wager = _wager(arguments.wager)
    except (UnknownGame, OptionError, ValueError) as error:
        return fail(str(error), EXIT_USAGE)
    try:
        with _uncollected():
            from controller.odds.exact import exact_odds as exact  # noqa: PLC0415
    except ImportError:
        return fail("odds need numpy and numba: install tablectl[odds]", EXIT_USAGE)
    if plays.pot is not None:
        return run_pot(plays, arguments)
    if arguments.hand is not None:
        return fail(f"--hand: {plays.title} is not played for a pot", EXIT_USAGE)
    if arguments.expectations:
        return _write_expectations(plays, Path(arguments.expectations))
    try:
        chosen = _strategy(arguments.strategy)
    except ValueError as error:
        return fail(str(error), EXIT_USAGE)
    if arguments.simulate:
        return _simulate(plays, wager, chosen, arguments)
    if only_simulated := [each for each in ONLY_SIMULATED if getattr(arguments, each) is not None]:
        return fail(f"--{only_simulated[0]} is for a simulation: add --simulate", EXIT_USAGE)
    if arguments.csv and chosen is exact.Strategy.BEST_COMPOSITION:
        return fail("--csv prints a strategy by totals, not best-composition", EXIT_USAGE)
    try:
        with _uncollected():
            if arguments.compare:
                return _compare(plays, arguments.compare, wager, chosen)
            odds = exact.exact_odds(
                plays,
                wager,
                chosen,
                costs=arguments.csv or arguments.par,
                sd=_sd(arguments),
            )
    except exact.NoOdds as error:
        return fail(str(error), EXIT_USAGE)
    _print(plays, odds, arguments)
    return 0


def _print(plays: Game, odds: ExactOdds, arguments: argparse.Namespace) -> None:
    """The odds, in the form that was asked for."""
    if arguments.par:
        from controller.odds.sheet.par_sheet import par_sheet  # noqa: PLC0415  (numpy is an extra)

        sys.stdout.write(par_sheet(plays, odds))
    elif arguments.json:
        print(json.dumps(odds.as_data(), indent=1, ensure_ascii=False))
    elif arguments.csv:
        from controller.odds.charts.chart_file import chart_text  # noqa: PLC0415  (numpy is an extra)

        assert odds.followed is not None, "it was asked for"
        sys.stdout.write(chart_text(plays, odds.followed))
    else:
        write_exact(plays, odds)


@contextmanager
def _uncollected() -> Iterator[None]:
    """No search for cycles among millions of tuples that hold none: a tenth of the time.

    Nor at the end of the program, which looks through all that is left.
    """
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _strategy(text: str | None) -> Any:
    """The strategy that was asked for; None without any. Raises `ValueError`."""
    from controller.odds.charts.chart_file import read_chart  # noqa: PLC0415  (numpy is an extra)
    from controller.odds.exact.exact_odds import Strategy  # noqa: PLC0415

    if text is None:
        return None
    if text in STRATEGIES:
        return Strategy(text)
    if not text.lower().endswith(".csv"):
        allowed = ", ".join(STRATEGIES)
        raise ValueError(f"--strategy {text[:40]!r}: it is {allowed}, or a file that ends in .csv")
    return read_chart(Path(text))


def _sd(arguments: argparse.Namespace) -> Any:
    """How the standard deviation is to be computed."""
    from controller.odds.exact.exact_odds import Sd  # noqa: PLC0415  (numpy is an extra)

    if arguments.exact_sd:
        return Sd.EXACT
    return Sd.NEAR if arguments.near_sd else Sd.QUICK


def _write_expectations(plays: Game, path: Path) -> int:
    """Compute the expectations of a game by best play, and write them; the exit status."""
    from controller.odds.exact.exact_odds import NoOdds  # noqa: PLC0415  (numpy is an extra)
    from controller.odds.live.compute import expectations  # noqa: PLC0415
    from controller.odds.live.files import write_expectations  # noqa: PLC0415

    try:
        found = expectations(plays, GAMES.get(plays.name, plays))
        path.parent.mkdir(mode=0o750, parents=True, exist_ok=True)
        write_expectations(path, found)
    except NoOdds as error:
        return fail(str(error), EXIT_USAGE)
    except OSError as error:
        return fail(f"{path}: cannot be written ({error.strerror})", EXIT_USAGE)
    return 0


def _compare(plays: Game, name: str, wager: int | None, chosen: Any) -> int:
    """Print the odds with every choice of one option; the exit status. Raises `NoOdds`."""
    from controller.odds.exact import exact_odds as exact  # noqa: PLC0415  (numpy is an extra)
    from controller.odds.sheet.par_sheet import side_by_side  # noqa: PLC0415

    known = about(plays.options)
    several = [each for each in known if known[each].choices]
    if name not in several:
        return fail(
            f"--compare {name[:40]!r}: choose one of {', '.join(several) or 'none'}", EXIT_USAGE
        )
    games = [plays.with_options({name: plain_value(each)}) for each in known[name].choices]
    odds = [exact.exact_odds(each, wager, chosen) for each in games]
    sys.stdout.write(side_by_side(games, odds, GAMES.get(plays.name, plays)))
    return 0


def _simulate(plays: Game, wager: int | None, chosen: Any, arguments: argparse.Namespace) -> int:
    """Deal, and print what came up; the exit status."""
    from controller.odds.exact import exact_odds as exact  # noqa: PLC0415  (numpy is an extra)
    from controller.odds.simulated import simulated_odds  # noqa: PLC0415

    if arguments.csv or arguments.par or arguments.compare:
        return fail("--csv, --par, --compare print exact odds: it goes with --exact", EXIT_USAGE)
    rounds = ROUNDS if arguments.rounds is None else arguments.rounds
    width = None if arguments.width is None else arguments.width / 100
    try:
        with progress("dealing") as bar:
            odds = simulated_odds.simulated_odds(
                plays,
                wager,
                chosen,
                seats=plays.seats.start if arguments.seats is None else arguments.seats,
                penetration=arguments.penetration,
                rounds=rounds,
                width=width,
                seed=1 if arguments.seed is None else arguments.seed,
                progress=bar and (lambda done: bar(min(done, rounds), rounds)),
            )
    except exact.NoOdds as error:
        return fail(str(error), EXIT_USAGE)
    if arguments.json:
        print(json.dumps(odds.as_data(), indent=1, ensure_ascii=False))
    else:
        write_simulated(plays, odds)
    return 0


def _wager(text: str | None) -> int | None:
    """An amount as people write it, in minor units. Raises `ValueError`."""
    if text is None:
        return None
    try:
        amount = amount_of(text)
    except ValueError as error:
        raise ValueError(f"--wager {error}") from error
    if not amount:
        raise ValueError(f"--wager {text!r} is no wager: it must be above 0")
    return amount
