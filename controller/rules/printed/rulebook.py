"""A game's whole rule sheet as it is enforced: the table, the deal, the game's own part, options.

The deal is read from the script itself, step by step; options and limits from what checks them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any, Final

from controller.rules.actions import DEALER_SEAT
from controller.rules.cards import card
from controller.rules.engine.round import Run
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game, said_edge
from controller.rules.messages import Amount, Message, Seat, message
from controller.rules.money import Odds
from controller.rules.options import OptionError, Plain, about, no_choice, plain, plain_value
from controller.rules.script.steps import Deal
from controller.rules.sealed import Sealed
from controller.rules.sheets.sheet import Grid, Sheet, section, text_of

#: What the walk of the deal lays down; no game settles or forces anything before it is dealt.
_ANY_CARD: Final = "5c"


@frozen
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
    said = text_of(said_edge(edge), game.words)
    text = said.upper() if loses else f"{said[:1].upper()}{said[1:]}."
    sections = (
        section(message("sheet-table"), about_the_table(game, currency), words=game.words),
        section(message("sheet-deal"), about_the_deal(game), words=game.words),
        *game.sheet(game.options),
        section(message("sheet-house-options"), OPTIONS_NOTE, options_grid(game)),
    )
    rule = text_of(game.rule, game.words)
    return RuleBook(game.name, game.title, rule, text, loses, sections)


def about_the_table(game: Game, currency: str) -> Iterator[Message]:
    """The pack, the cut, burned cards, the limits, and which wagers are taken."""
    options, pack, known = game.options, game.pack, about(game.options)
    yield message(
        "sheet-pack", least=game.seats.start, most=game.seats.stop - 1, decks=pack.decks,
        each=pack.size // pack.decks, cards=pack.size,
    )  # fmt: skip
    if "penetration_cards" in known:
        meaning = known["penetration_cards"].meaning
        yield message("sheet-cut", cut=options.cut_after, cards=pack.size, meaning=meaning)
    else:
        yield message("sheet-no-cut")
    yield message("sheet-players-are-told")
    burned: list[Message] = []
    if cards := options.burns(dealer_change=False):
        burned.append(message("sheet-burned-after-shuffle", cards=cards))
    if cards := options.burns(dealer_change=True):
        burned.append(message("sheet-burned-at-change", cards=cards))
    if burned:
        yield message("sheet-burned", parts=tuple(burned))
    if currency:
        yield message("sheet-limits-in-currency", limits=options.limits, currency=currency)
    else:
        yield message("sheet-limits", limits=options.limits)
    chip = Amount(options.smallest_chip)
    yield message("sheet-smallest-chip", chip=chip, meaning=known["smallest_chip"].meaning)
    if odds := tuple(dict.fromkeys(game.pays(options))):
        yield message("sheet-wager-is-taken", odds=odds)


def about_the_deal(game: Game) -> Iterator[Message]:
    """The first cards in the order in which the script asks for them, and which lie face down."""
    seats = range(1, max(2, game.seats.start) + 1)
    run = Run(game, tuple((seat, game.options.min_bet) for seat in seats))
    last = None
    while isinstance(step := run.step, Deal) and step.play is None:
        dealer = step.hand.place.seat == DEALER_SEAT
        turn = (dealer, step.down, 0 if dealer else step.hand.size)
        if turn != last:
            yield _deals(dealer=dealer, down=step.down)
        last = turn
        run.feed(Sealed(card(_ANY_CARD)) if step.down else card(_ANY_CARD))


def _deals(*, dealer: bool, down: bool) -> Message:
    if dealer and down:
        return message("sheet-deals-dealer-down", dealer=Seat(DEALER_SEAT))
    if dealer:
        return message("sheet-deals-dealer-up", dealer=Seat(DEALER_SEAT))
    # Any seat: the word alone is said.
    if down:
        return message("sheet-deals-seats-down", seat=Seat(1))
    return message("sheet-deals-seats-up", seat=Seat(1))


#: The line above the table of options.
OPTIONS_NOTE: Final = (message("sheet-options-note"),)


def options_grid(game: Game) -> Grid:
    """Every house option: its value and, where another is set, the default; choices, meaning.

    Names and values stand as a file writes them, in every language.
    """
    options, defaults = game.options, plain(type(game.options)())
    either = f" {text_of(message('sheet-or'))} "
    rows = []
    for name, each in about(options).items():
        value = _word(getattr(options, name))
        default = _word(defaults[name])
        marked = (
            value
            if value == default
            else text_of(message("sheet-default", value=value, default=default))
        )
        is_odds = isinstance(getattr(options, name), Odds)
        kind = message("sheet-odds") if is_odds else message("sheet-whole-number")
        choices = either.join(map(_word, each.choices)) or text_of(kind)
        rows.append((name, marked, choices, text_of(each.meaning, game.words), each.ruling))
    columns = (
        message("sheet-head-option"), message("sheet-head-value"), message("sheet-head-choices"),
        message("sheet-head-meaning"), message("sheet-head-ruling"),
    )  # fmt: skip
    return Grid(tuple(map(text_of, columns)), tuple(rows))


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
