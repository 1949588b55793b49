"""`tablectl rules`: the rules of a game, from the very objects that enforce them."""

from __future__ import annotations

import argparse
import json
import sys

from controller.commands.terminal.parsers import (
    Subcommands,
    add_command,
    add_language,
    complete_with,
)
from controller.commands.terminal.status import EXIT_USAGE, fail
from controller.languages.languages import language
from controller.rules.game import Edge, Game
from controller.rules.games.edges import exact_at
from controller.rules.games.registry import GAMES, UnknownGame, game
from controller.rules.options import OptionError
from controller.rules.printed.markdown import all_as_markdown, as_markdown, as_text
from controller.rules.printed.rulebook import options_from_text, rule_book
from controller.rules.sheets.sheet import text_of
from controller.rules.spoken import speaking


def add_parsers(commands: Subcommands) -> None:
    """Add `rules`."""
    parser = add_command(
        commands,
        "rules",
        "Print the rules of a game as they are enforced, with the house's options."
        " Without a game: list the games.",
        "tablectl rules",
        "tablectl rules blackjack --option blackjack_pays=6:5",
        "tablectl rules --markdown",
        "tablectl rules finnish-27 --lang fi",
    )
    complete_with(
        parser.add_argument("game", nargs="?", help="the game; left out: list the games"),
        lambda: GAMES,
    )
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="a house option"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--markdown", action="store_true", help="as Markdown; of all, without GAME")
    form.add_argument("--json", action="store_true", help="as data; of all, without GAME")
    add_language(parser)
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the rules of one game, or of all; the exit status."""
    with speaking(language(arguments.lang)):
        return _print(arguments)


def _print(arguments: argparse.Namespace) -> int:
    if arguments.game is None:
        return _all(arguments)
    try:
        usual = game(arguments.game)
        plays = usual.with_options(options_from_text(usual, arguments.option))
    except (UnknownGame, OptionError) as error:
        return fail(str(error), EXIT_USAGE)
    book = rule_book(plays, computed=_edge(plays))
    if arguments.json:
        print(json.dumps(book.as_data(), indent=1, ensure_ascii=False))
    else:
        sys.stdout.write(as_markdown(book) if arguments.markdown else as_text(book))
    return 0


def _edge(plays: Game) -> Edge | None:
    """The house's edge by these options: checked, or computed now where the extra is there."""
    known = plays.edge(plays.options)
    if plays.vying or (known is not None and known.exact):
        return known
    try:
        from controller.odds.exact.exact_odds import NoOdds, Sd, exact_odds  # noqa: PLC0415
    except ImportError:
        return known
    if sys.stderr.isatty():
        print("Computing the house edge by these options …", file=sys.stderr)
    try:
        found = exact_odds(plays, sd=Sd.NEAR)
    except NoOdds:
        return known
    return Edge(100 * found.edge, exact_at(found.wager))


def _all(arguments: argparse.Namespace) -> int:
    if arguments.option:
        return fail("--option belongs to a game: name it before the options", EXIT_USAGE)
    if arguments.markdown:
        sys.stdout.write(all_as_markdown(map(rule_book, GAMES.values())))
    elif arguments.json:
        books = [rule_book(each).as_data() for each in GAMES.values()]
        print(json.dumps(books, indent=1, ensure_ascii=False))
    else:
        for name, each in GAMES.items():
            print(f"{name:20}{each.title:20}{text_of(each.edge_said, each.words)}")
    return 0
