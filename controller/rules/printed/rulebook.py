"""A game's whole rule sheet as it is enforced: the table, the deal, the game's own part, options.

The deal is read from the script itself, step by step; options and limits from what checks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, Final

from controller.rules.actions import DEALER_SEAT
from controller.rules.cards import card
from controller.rules.engine.round import Run
from controller.rules.english import ENGLISH
from controller.rules.game import Edge, Game
from controller.rules.messages import message
from controller.rules.money import Odds, amount_text
from controller.rules.options import OptionError, Plain, about, no_choice, plain, plain_value
from controller.rules.script.steps import Deal
from controller.rules.sealed import Sealed
from controller.rules.sheets.sheet import Grid, Section, Sheet

#: What the walk of the deal lays down; no game settles or forces anything before it is dealt.
_ANY_CARD: Final = "5c"


@dataclass(frozen=True, slots=True)
class RuleBook:
    """The enforced rules of a game with its house options.

    `rule` is the rule in one line; `edge` the house's edge in words. `house_loses`: it is known to
    be negative; whoever shows the book shows that before everything else.
    """

    game: str
    title: str
    rule: str
    edge: str
    house_loses: bool
    sections: Sheet

    def as_data(self) -> dict[str, Any]:
        """The same as plain data, for JSON."""
        return asdict(self)


def rule_book(game: Game, currency: str = "", computed: Edge | None = None) -> RuleBook:
    """The enforced rules of `game` with its options; `currency` (ISO 4217) if it is known.

    `computed`: the house's edge where it was computed for these options.
    """
    edge = computed or game.edge(game.options)
    loses = edge is not None and edge.loses
    said = "house edge not computed" if edge is None else str(edge)
    text = said.upper() if loses else f"{said.capitalize()}."
    sections = (
        Section("The table", table_lines(game, currency)),
        Section("The deal", tuple(deal_lines(game))),
        *game.sheet(game.options),
        Section("House options", OPTIONS_NOTE, options_grid(game)),
    )
    rule = ENGLISH.say(game.rule, game.words)
    return RuleBook(game.name, game.title, rule, text, loses, sections)


def table_lines(game: Game, currency: str) -> tuple[str, ...]:
    """The pack, the cut, burned cards, the limits, and which wagers are taken."""
    options, pack, known = game.options, game.pack, about(game.options)
    players = f"{game.seats.start} to {game.seats.stop - 1} players"
    cut = "The pack is shuffled before every round."
    if "penetration_cards" in known:
        text = known["penetration_cards"].text
        cut = f"The cut is at {options.cut_after} of {pack.size} cards: {text}."
    burned = (
        f"{options.burns(dealer_change=change)} {when}"
        for change, when in ((False, "after a shuffle"), (True, "when dealers change"))
        if options.burns(dealer_change=change)
    )
    chip = amount_text(options.smallest_chip)
    odds = ", ".join(map(str, dict.fromkeys(game.pays(options))))
    lines = (
        f"{players}; {pack}, {pack.size} cards.",
        cut,
        "Players are told of every shuffle.",
        f"Cards burned, face down: {text}." if (text := ", ".join(burned)) else "",
        f"{ENGLISH.say(options.limits, game.words)}{currency and f', in {currency}'}.",
        f"The smallest chip is {chip}: {known['smallest_chip'].text}.",
        f"A wager is taken if the smallest chip can pay it at {odds}." if odds else "",
    )
    return tuple(line for line in lines if line)


def deal_lines(game: Game) -> Iterator[str]:
    """The first cards in the order in which the script asks for them, and which lie face down."""
    seats = range(1, max(2, game.seats.start) + 1)
    run = Run(game, tuple((seat, game.options.min_bet) for seat in seats))
    last = None
    while isinstance(step := run.step, Deal) and step.play is None:
        dealer = step.hand.place.seat == DEALER_SEAT
        turn = (dealer, step.down, 0 if dealer else step.hand.size)
        if turn != last:
            whom = f"The {game.words.dealer}" if dealer else f"Each {game.words.seat} in order"
            yield f"{whom}: one card, face {'down' if step.down else 'up'}."
        last = turn
        run.feed(Sealed(card(_ANY_CARD)) if step.down else card(_ANY_CARD))


#: The lines above the table of options.
OPTIONS_NOTE: Final = (
    "Amounts are in minor units (cents). What differs from the default is marked.",
)


def options_grid(game: Game) -> Grid:
    """Every house option: its value and, where another is set, the default; choices, meaning."""
    options, defaults = game.options, plain(type(game.options)())
    rows = []
    for name, each in about(options).items():
        value = _word(getattr(options, name))
        default = _word(defaults[name])
        marked = value if value == default else f"{value} (default: {default})"
        kind = "odds" if isinstance(getattr(options, name), Odds) else "a whole number"
        choices = " or ".join(map(_word, each.choices)) or kind
        rows.append((name, marked, choices, each.text, each.ruling))
    return Grid(("option", "value", "choices", "meaning", "ruling"), tuple(rows))


def _word(value: object) -> str:
    plainly = plain_value(value)
    return str(plainly).lower() if isinstance(plainly, bool) else str(plainly)


def options_from_text(game: Game, texts: Iterable[str]) -> dict[str, object]:
    """House options written as `name=value`, as plain values of the types that they have.

    Raises `OptionError` for a text that is not one; unknown names are left to `with_options`.
    """
    known = plain(game.options)
    options: dict[str, object] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise OptionError(message("option-not-name-value", text=repr(text[:40])))
        options[name] = _read(name, value, known.get(name, ""))
    return options


def _read(name: str, text: str, like: Plain) -> Plain:
    """A plain value of the type of `like`."""
    if isinstance(like, bool):
        if text not in ("true", "false"):
            raise OptionError(no_choice(name, ("true", "false"), text))
        return text == "true"
    if isinstance(like, int):
        if not re.fullmatch(r"-?[0-9]{1,15}", text):
            raise OptionError(message("option-not-whole", option=name, value=repr(text[:20])))
        return int(text)
    return text
