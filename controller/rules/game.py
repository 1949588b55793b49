"""What a game is: a declaration, house options, and a script that says what must happen next.

A new game is one file that builds a `Game`, one line in `controller/rules/games/registry.py`, and
its golden rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from controller.rules.actions import Action, Move
from controller.rules.cards import Card, Pack
from controller.rules.english import ENGLISH
from controller.rules.frozen import frozen
from controller.rules.hands import Counted, TotalParts
from controller.rules.messages import Amount, Message, Words, message
from controller.rules.money import Odds, payable
from controller.rules.options import HouseOptions, OptionError, about, read_options
from controller.rules.script.felt import Felt, Play
from controller.rules.script.report import Report
from controller.rules.script.steps import Script
from controller.rules.sheets.sheet import Sheet

PotParts: TypeAlias = list[tuple[Fraction, list[int]]]
"""The parts of a pot, and the places of those who share each."""


@frozen
class PotRules:
    """The pure functions by which a pot is won, with the game's options as their last argument.

    `targets` names what hands come near to. `points` counts a hand toward each of them, `away` says
    how far so many points are from the nth (less is nearer; None: they cannot win that part), and
    `parts` who shares what, given the winners of each part and how many players are left. `takes`
    is the sensible player's choice of a further card, `first_cards` how many a hand begins with,
    `text` how points are written.
    """

    targets: tuple[str, ...]
    points: Callable[[Sequence[Card], Any], tuple[int, ...]]
    away: Callable[[int, int, Any], Any]
    parts: Callable[[Sequence[list[int]], int], PotParts]
    takes: Callable[[Sequence[Card], Any], bool]
    first_cards: int
    text: Callable[[int], str]


class Edge(NamedTuple):
    """The house's edge in per cent of the first wager, with all digits, and where it is from.

    `exact` is not set where it is a bound alone.
    """

    per_cent: float
    source: Message
    exact: bool = True

    @property
    def loses(self) -> bool:
        """Whether the house loses."""
        return self.per_cent < 0

    @property
    def said(self) -> Message:
        """It in words; a negative one plainly."""
        if not self.per_cent:
            return message("no-house-edge", source=self.source)
        size = abs(self.per_cent)
        text = f"{round(size, 2):g}" if size >= 0.01 else f"{size:.1g}"
        if self.loses:
            return message("house-loses", edge=text, source=self.source)
        return message("house-edge", edge=text, source=self.source)

    def __str__(self) -> str:
        return ENGLISH.say(self.said)


def said_edge(edge: Edge | None) -> Message:
    """The house's edge in words; None: nobody has computed it."""
    return message("house-edge-unknown") if edge is None else edge.said


def no_cards(cards: Sequence[Card]) -> int:
    """None of the dealer's cards is pushed up."""
    return 0


@dataclass(frozen=True, slots=True, eq=False)
class Game:
    """A game as a table deals it, with its house options.

    `revision` is raised with every change of what the rules ask, allow or pay, so that a record
    is judged by the rules that it was played by; a change of words alone leaves it as it is.

    `script` walks the rule book. `counts` counts a hand; `said` is what the dealer announces of his
    own, empty where he has none. `advise` is a sensible player's choice where the rules leave one;
    it sees the own cards; `published`: it is the rule book's own strategy. `pays` lists all odds
    that a wager may have to be paid at. `sheet` and `shown_rule` are the enforced rules in print,
    `edge` the house's edge where it is known. `seats` is how many players a round takes. In a
    `vying` game players play for a pot, and the deal passes
    left. `report` makes data of a finished round. `raised` is how many of the dealer's first cards
    are pushed up. A game that `hides` deals cards face down. `words` are the game's own, its
    reasons among them.

    `hand_class` and `dealer_class` are all that the rules look at in the cards of a player's hand
    (the flag: it was split) and of the dealer's: hands of one class are asked, paid and dealt to
    alike, whatever follows. Odds are computed by classes, so that the fewer there are, the faster;
    without them, by the total and the number of cards. `pot`: what wins it in a `vying` game, for
    its chances. `no_answer` is what is chosen for a player who does not answer in time, the first
    of it that is open: it takes no card and puts no chips down.
    """

    name: str
    revision: int
    title: str
    seats: range
    options: HouseOptions
    pack_of: Callable[[Any], Pack]
    pays: Callable[[Any], tuple[Odds, ...]]
    script: Callable[[Felt, Any], Script]
    counts: Callable[[Sequence[Card], Any], Counted]
    advise: Callable[[Play[Any, Any], Sequence[Card]], Move]
    sheet: Callable[[Any], Sheet]
    shown_rule: Callable[[Any], Message]
    edge: Callable[[Any], Edge | None]
    said: Callable[[Sequence[Card]], TotalParts]
    report: Report
    raised: Callable[[Sequence[Card]], int] = no_cards
    hand_class: Callable[[Sequence[Card], bool], Hashable] | None = None
    dealer_class: Callable[[Sequence[Card]], Hashable] | None = None
    published: bool = False
    words: Words = Words()
    vying: bool = False
    hides: bool = False
    pot: PotRules | None = None
    no_answer: tuple[Action, ...] = ()

    @property
    def identity(self) -> str:
        """The game and its revision, as records name them: `finnish-27/1`."""
        return f"{self.name}/{self.revision}"

    @property
    def pack(self) -> Pack:
        """What the full shoe holds."""
        return self.pack_of(self.options)

    def total(self, cards: Sequence[Card]) -> Counted:
        """What `cards` count as a hand."""
        return self.counts(cards, self.options)

    @property
    def rule(self) -> Message:
        """The rule in one line, for displays; its words are the game's own."""
        return self.shown_rule(self.options)

    @property
    def edge_said(self) -> Message:
        """The house's edge with these options; its words are the game's own."""
        return said_edge(self.edge(self.options))

    @property
    def edge_text(self) -> str:
        """The house's edge with these options in English; a negative one plainly."""
        return ENGLISH.say(self.edge_said, self.words)

    @property
    def warning(self) -> str:
        """The one line in which whoever chose the options reads that the house loses; else empty.

        It stands wherever options are configured or looked at.
        """
        known = self.edge(self.options)
        return ENGLISH.say(known.said, self.words) if known is not None and known.loses else ""

    def with_options(self, chosen: Mapping[str, object]) -> Game:
        """The game with the `chosen` options (plain values) in place of its own.

        The cut follows the number of decks, three quarters of the pack, unless it is given.
        Raises `OptionError` for an unknown name, a wrong type or a value that makes no sense.
        """
        options = read_options(self.name, self.options, chosen)
        pack = self.pack_of(options)
        if "penetration_cards" in about(options) and pack != self.pack:
            cut: Any = chosen.get("penetration_cards", pack.size * 3 // 4)
            options = replace(options, penetration_cards=cut)  # type: ignore[call-arg]
        if problem := options.problem(pack):
            why = message("options-make-no-sense", game=self.name, why=problem)
            raise OptionError(why, self.words)
        made = replace(self, options=options)
        if all(map(made.wager_problem, options.some_wagers())):
            least = made.wager_problem(options.min_bet)
            assert least is not None
            why = message("no-wager-could-be-taken", game=self.name, why=least)
            raise OptionError(why, self.words)
        return made

    def wager_problem(self, amount: int | None) -> Message | None:
        """Why a wager of `amount` (None: not tracked) cannot be placed, or None."""
        if (problem := self.options.wager_problem(amount)) or amount is None:
            return problem
        chip = self.options.smallest_chip
        if odds := payable(amount, self.pays(self.options), chip):
            return message(
                "odds-cannot-be-paid", odds=odds, amount=Amount(amount), chip=Amount(chip)
            )
        return None
