"""Casino 7-27, in the order of its rule book (RULINGS.md, section 3, C727-A1 to C727-A10).

Eight decks (or six), no Jokers; aces 1 or 11, faces 10. A player stays low (7 or less) or high (27
or less); the dealer's low and high come from one row of cards. With the pays as printed the house
loses (C727-A10).
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple, TypeAlias

from controller.rules.actions import DEALER_SEAT, Action, Outcome
from controller.rules.cards import DECK_52, Card, Pack, Rank
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game
from controller.rules.games.edges import computed
from controller.rules.games.nearest import bust
from controller.rules.hands import TotalKind, TotalPart, TotalParts
from controller.rules.messages import Message, Seat, Words, message
from controller.rules.money import Odds
from controller.rules.options import ShoeOptions, option
from controller.rules.script.felt import Felt, Hand, Play, Result, Up
from controller.rules.script.report import Facts, codes, house_report
from controller.rules.script.steps import Ask, Deal, Script, Settle
from controller.rules.sheets.grids import draw_grid, play_grid, settle_grid, value_grid
from controller.rules.sheets.sheet import (
    Grid,
    Kind,
    Sheet,
    each_rank,
    grown,
    result_text,
    section,
    text_of,
    two_cards,
)

#: Raised with every change of behaviour (tests/contracts/behaviour says when).
REVISION: Final = 1

STAY_LOW, STAY_HIGH, HIT = Action.STAY_LOW, Action.STAY_HIGH, Action.HIT
WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH

#: The two numbers to come close to "without going over".
LOW, HIGH = 7, 27
#: "The dealer will stand on all 23's", soft ones included (C727-A6).
DEALER_STANDS: Final = 23
ACE_GAIN: Final = 10


@frozen
class CasinoOptions(ShoeOptions):
    """The house options of Casino 7-27."""

    penetration_cards: int = option(312, message("option-penetration-cards"), ruling="F27-A16")
    decks: int = option(8, message("option-decks"), choices=(8, 6))
    low_pays: Odds = option(Odds(3, 1), message("option-low-pays"), ruling="C727-A9, A10")
    high_pays: Odds = option(Odds(1, 1), message("option-high-pays"), ruling="C727-A9, A10")
    seven_27_pays: Odds = option(Odds(25, 1), message("option-7-27-pays"), ruling="C727-A4, A9")


class LowHigh(NamedTuple):
    """What a hand counts: `low` with every ace 1, `high` as close to 27 as aces can bring it.

    `aces` tells a 7-27: low 7 with two aces or more (C727-A4).
    """

    low: int
    high: int
    aces: int

    @property
    def bust(self) -> bool:
        """Whether 27 is passed with every ace 1."""
        return self.low > HIGH

    @property
    def seven_27(self) -> bool:
        """Whether the hand represents both 7 and 27."""
        return self.low == LOW and self.aces >= 2

    @property
    def parts(self) -> TotalParts:
        """Low and high."""
        return _low_and_high(self.low, self.high)

    def __str__(self) -> str:
        return f"low {self.low} / high {self.high}"


@lru_cache(maxsize=1024)
def _low_and_high(low: int | None, high: int, *, may_bust: bool = False) -> TotalParts:
    low_kind = TotalKind.NO_LOW if low is None else TotalKind.LOW
    high_kind = TotalKind.HIGH_BUST if may_bust and high > HIGH else TotalKind.HIGH
    return (TotalPart(low_kind, low), TotalPart(high_kind, high))


_POINTS: Final = {each: min(int(each.rank), 10) for each in DECK_52}
#: What an ace counts inside a sum beside its point: more than any pack of points.
_ACE: Final = 100_000
_SUMMED: Final = {
    each: points + (_ACE if each.rank is Rank.ACE else 0) for each, points in _POINTS.items()
}

Counts: TypeAlias = Play[LowHigh, Up]


@lru_cache(maxsize=1024)
def _counted(summed: int) -> LowHigh:
    aces, low = divmod(summed, _ACE)
    high = max((low + ACE_GAIN * n for n in range(min(aces, 2) + 1) if low + ACE_GAIN * n <= HIGH),
               default=low)  # fmt: skip
    return LowHigh(low, high, aces)


def total(cards: Sequence[Card]) -> LowHigh:
    """Low and high of a hand; two aces at most count 11 (three would pass 27)."""
    summed = 0
    for each in cards:
        summed += _SUMMED[each]
    return _counted(summed)


def script(felt: Felt, options: CasinoOptions) -> Script:
    """One round, in the order of the rule book."""
    dealer = felt.dealer

    # One card face up to each player, one to the dealer, a second to each player
    for hand in felt.hands:
        yield Deal(hand)
    yield Deal(dealer)
    for hand in felt.hands:
        yield Deal(hand)

    # Each player takes additional cards in turn, and stays low or high
    up = Up(dealer.cards[0])
    for hand in felt.hands:
        while True:
            mine = total(hand.cards)
            hand.result = settled_at_once(mine, options)
            if hand.result:
                yield Settle(hand)
                break
            play = plays(mine, up)
            action = play.forced or (yield Ask(hand, play))
            felt.note(hand, play, action)
            if action is not HIT:
                break
            yield Deal(hand, play)

    # The dealer takes cards until 23 or more, if any hand is left (also for lows alone, C727-A8)
    left = felt.in_play()
    dealers = total(dealer.cards)
    while left and (draw := dealer_draws(dealers)):
        yield Deal(dealer, draw)
        dealers = total(dealer.cards)

    # Low hands play against the dealer's low hand, high hands against the high one
    dealers_low = points_of_low(dealer.cards)
    for hand in left:
        mine = total(hand.cards)
        if hand.ended is STAY_LOW:
            hand.result = low_outcome(mine.low, dealers_low, options.low_pays)
        else:
            hand.result = high_outcome(mine.high, dealers.high, options.high_pays)
    for hand in left:
        yield Settle(hand)


@lru_cache(maxsize=1024)
def plays(player: LowHigh, up: Up) -> Counts:
    """What a hand that has not bust may do; the dealer's one card forces nothing."""
    return Play(*choices(player), player, up)


@lru_cache(maxsize=256)
def choices(player: LowHigh) -> tuple[tuple[Action, ...], Message]:
    """What is open to a hand that has not bust, and why."""
    if player.high == HIGH:
        return (STAY_HIGH,), message("best-high", high=HIGH)
    if player.low <= LOW:
        both = message("low-and-high", low=player.low, high=player.high)
        return (STAY_LOW, STAY_HIGH, HIT), both
    too_high = message("too-high-for-low", low=player.low, high=player.high, limit=LOW)
    return (STAY_HIGH, HIT), too_high


def settled_at_once(player: LowHigh, options: CasinoOptions) -> Result | None:
    """A 7-27 is paid and a bust forfeits the hand, whatever the dealer has."""
    if player.seven_27:
        return Result(WIN, message("7-27"), odds=options.seven_27_pays)
    return bust(player.low, HIGH) if player.bust else None


@lru_cache(maxsize=256)
def dealer_draws(dealer: LowHigh) -> Play[LowHigh, LowHigh] | None:
    """The dealer's forced hit: 22 or less; None where he stands or has too many."""
    if dealer.high >= DEALER_STANDS:
        return None
    why = message("dealer-at-most", points=dealer.high, most=DEALER_STANDS - 1)
    return Play((HIT,), why, dealer, dealer)


def low_cards(cards: Sequence[Card]) -> Sequence[Card]:
    """The dealer's low hand: the longest run of first cards of 7 or less, aces 1 (C727-A5)."""
    points = 0
    for at, each in enumerate(cards):
        points += _POINTS[each]
        if points > LOW:
            return cards[:at]
    return cards


def points_of_low(cards: Sequence[Card]) -> int | None:
    """The total of the dealer's low hand, None if the first card is 8 or more."""
    low = low_cards(cards)
    return sum(_POINTS[each] for each in low) if low else None


def hand_class(cards: Sequence[Card], split: bool = False) -> Hashable:
    """What the rules look at in a hand: low, high, and aces as far as they count."""
    mine = total(cards)
    return "bust" if mine.bust else mine._replace(aces=min(mine.aces, 2))


def dealer_class(cards: Sequence[Card]) -> Hashable:
    """What the rules look at in the dealer's row: low and high, and what cards may still change."""
    counted, low = total(cards), points_of_low(cards)
    if dealer_draws(counted) is None:
        return low, "bust" if counted.high > HIGH else counted.high
    grows = len(low_cards(cards)) == len(cards)
    return low, grows, hand_class(cards)


@lru_cache(maxsize=256)
def low_outcome(mine: int, dealers: int | None, pays: Odds) -> Result:
    """A low hand against the dealer's low hand."""
    if dealers is None:
        return Result(WIN, message("dealer-has-no-low", low=mine), odds=pays)
    if mine > dealers:
        return Result(WIN, message("low-beats", player=mine, dealer=dealers), odds=pays)
    if mine < dealers:
        return Result(LOSE, message("low-loses-to", player=mine, dealer=dealers))
    return Result(PUSH, message("low-equals", player=mine, dealer=dealers))


@lru_cache(maxsize=1024)
def high_outcome(mine: int, dealers: int, pays: Odds) -> Result:
    """A high hand, not bust, against the dealer's high hand."""
    if dealers > HIGH:
        return Result(WIN, message("dealer-has-too-many", points=dealers), odds=pays)
    if mine > dealers:
        return Result(WIN, message("high-beats", player=mine, dealer=dealers), odds=pays)
    if mine < dealers:
        return Result(LOSE, message("high-loses-to", player=mine, dealer=dealers))
    return Result(PUSH, message("high-equals", player=mine, dealer=dealers))


def advise(play: Counts, cards: Sequence[Card]) -> Action:
    """A sensible player: stays on a low of 5 or more, a 7-27 is tried for, high stays on 22."""
    player, options = play.total, play.options
    if STAY_LOW in options:
        return STAY_LOW if player.low >= (5 if player.aces >= 2 else 4) else HIT
    return STAY_HIGH if HIT not in options or player.high >= 22 else HIT


def side(hand: Hand, counted: LowHigh) -> str:
    """Which side a hand was played for, in a word."""
    if counted.seven_27:
        return "7-27"
    return "low" if hand.ended is STAY_LOW else "high"


def hand_facts(hand: Hand, counted: LowHigh) -> Facts:
    """What the report of a finished hand holds."""
    return {"low": counted.low, "high": counted.high, "side": side(hand, counted)}


def dealer_facts(dealer: Hand, counted: LowHigh) -> Facts:
    """What the report of the dealer's hand holds."""
    low = low_cards(dealer.cards)
    return {"low": points_of_low(dealer.cards), "low_cards": codes(low), "high": counted.high}


def said(cards: Sequence[Card]) -> TotalParts:
    """What the dealer says of his row: the low, if there is one, and the high."""
    return _low_and_high(points_of_low(cards), total(cards).high, may_bust=True)


def edge(options: CasinoOptions) -> Edge | None:
    """The house's edge, as computed from these rules.

    For options that were not computed: that of pays that are no higher, if these lose; fewer decks
    change it by some hundredths of a per cent (C727-A10).
    """
    if (found := computed(GAME.identity, options, GAME.options)) is not None:
        return found
    pays_here = pays(options)
    losses = [
        found.per_cent
        for pay in product(PAYS_COMPUTED, repeat=3)
        if all(_no_higher(one, here) for one, here in zip(pay, pays_here, strict=True))
        and (found := computed(GAME.identity, _paying(pay), GAME.options))
        and found.loses
    ]
    return Edge(min(losses), message("edge-at-least"), exact=False) if losses else None


#: Pays of which some were computed together.
PAYS_COMPUTED: Final = tuple(
    Odds.parse(each)
    for each in ("1:2", "1:1", "3:2", "2:1", "3:1", "4:1", "5:1", "10:1", "15:1", "20:1", "25:1")
)


def _no_higher(one: Odds, other: Odds) -> bool:
    return one.pays * other.per <= other.pays * one.per


def _paying(pay: tuple[Odds, ...]) -> CasinoOptions:
    low, high, both = pay
    return CasinoOptions(low_pays=low, high_pays=high, seven_27_pays=both)


def sheet(options: CasinoOptions) -> Sheet:
    """The enforced rules in print, from the functions above."""
    pack = pack_of(options)
    two = two_cards(pack)
    reached = {*map(total, two), *grown(two, pack, total, lambda each: not each.bust)}
    settled = {each for each in reached if settled_at_once(each, options)}
    open_hands = sorted(reached - settled)
    one = [(each,) for each in each_rank(pack)]
    ends = {*map(total, one), *grown(one, pack, total, dealer_draws)}
    complete = {each.high: each.high for each in ends if dealer_draws(each) is None}
    lows = {low: low for each in open_hands if (low := each.low) <= LOW}
    highs = {each.high: each.high for each in open_hands}
    ups = {Up(each): ("up", _POINTS[each]) for each in each_rank(pack)}
    wins = Result(WIN, message("7-27"), odds=options.seven_27_pays)
    aces = min(each.aces for each in settled if each.seven_27)
    return (
        section(
            message("sheet-values"),
            (message("sheet-low", low=LOW), message("sheet-high", high=HIGH)),
            value_grid(pack, card_value),
            WORDS,
        ),
        section(
            message("sheet-your-hand"),
            (
                message("sheet-7-27", low=LOW, aces=aces, wins=result_text(wins)),
                message("sheet-low-over", high=HIGH),
            ),
            play_grid({each: kind(each) for each in open_hands}, ups, plays),
            WORDS,
        ),
        section(
            message("sheet-dealers-hand", dealer=Seat(DEALER_SEAT)),
            (message("sheet-dealers-low", low=LOW), message("sheet-dealer-has-no-low", low=LOW)),
            draw_grid(
                {each: ("high", each.high) for each in sorted(ends, key=lambda each: each.high)},
                dealer_draws,
                lambda each: each.high > HIGH,
            ),
            WORDS,
        ),
        section(message("sheet-who-wins-low"), (), low_grid(lows, options), WORDS),
        section(
            message("sheet-who-wins-high"),
            (),
            settle_grid(
                highs, complete, lambda one, two: high_outcome(one, two, options.high_pays), HIGH
            ),
            WORDS,
        ),
    )


def card_value(each: Card) -> str:
    """What a card counts, low and high."""
    counted = total((each,))
    if counted.high == counted.low:
        return str(counted.low)
    return text_of(message("sheet-low-or-high", low=counted.low, high=counted.high), WORDS)


def kind(each: LowHigh) -> Kind:
    """The kind of hand by which its play is listed: a high of 27, or else its low."""
    return ("high", HIGH) if each.high == HIGH else ("low", each.low)


def low_grid(lows: Mapping[int, int], options: CasinoOptions) -> Grid:
    """Who wins of low hands."""
    grid = settle_grid(lows, lows, lambda one, two: low_outcome(one, two, options.low_pays), LOW)
    without = {result_text(low_outcome(low, None, options.low_pays)) for low in lows}
    any_low = text_of(message("sheet-against-no-low"), WORDS)
    return Grid(grid.head, (*grid.rows, (any_low, ", ".join(without))))


def shown_rule(options: CasinoOptions) -> Message:
    """The rule in one line."""
    return message(
        "rule-of-casino-7-27", hits=DEALER_STANDS - 1, low=options.low_pays, high=options.high_pays,
        both=options.seven_27_pays,
    )  # fmt: skip


def pays(options: CasinoOptions) -> tuple[Odds, ...]:
    """All odds that a wager may have to be paid at."""
    return options.low_pays, options.high_pays, options.seven_27_pays


#: The game's own reasons, and what its sheet alone says, in English.
REASONS: Final = {
    "rule-of-casino-7-27": "Dealer hits {hits} or less. Low pays {low}, high {high}, 7-27 {both}.",
    "7-27": "7 and 27",
    "best-high": "high {high} cannot get better",
    "low-and-high": "low {low} / high {high}",
    "too-high-for-low": "low {low} / high {high}: over {limit}, no low",
    "dealer-at-most": "{points} is {most} or less",
    "dealer-has-no-low": "low {low}, the dealer has no low",
    "dealer-has-too-many": "the dealer has too many with {points}",
    "low-beats": "low {player} beats low {dealer}",
    "low-loses-to": "low {player} loses to low {dealer}",
    "low-equals": "low {player} equals low {dealer}",
    "high-beats": "high {player} beats high {dealer}",
    "high-loses-to": "high {player} loses to high {dealer}",
    "high-equals": "high {player} equals high {dealer}",
    "option-decks": "decks in the shoe",
    "option-low-pays": "a winning low hand pays",
    "option-high-pays": "a winning high hand pays",
    "option-7-27-pays": "a 7-27 pays",
    "sheet-low": "Low: every ace 1, to come close to {low}.",
    "sheet-high": "High: two aces at most count 11, to come close to {high}.",
    "sheet-low-or-high": "{low} or {high}",
    "sheet-7-27": "7-27, low {low} with {aces:ace|aces} or more: {wins}, at once.",
    "sheet-low-over": (
        "A low over {high} loses at once. Staying ends the hand, on the side named."
    ),
    "sheet-dealers-low": "Low: the first cards while they count {low} or less, aces 1.",
    "sheet-dealer-has-no-low": (
        "None if the first card is over {low}. They stay part of the high hand."
    ),
    "sheet-against-no-low": "any, the dealer has no low",
    "sheet-who-wins-low": "Who wins, low",
    "sheet-who-wins-high": "Who wins, high",
}
WORDS: Final = Words(reasons=REASONS)


@lru_cache
def _pack(decks: int) -> Pack:
    return Pack(decks)


def pack_of(options: Any) -> Pack:
    """The pack: six or eight decks."""
    return _pack(options.decks)


GAME: Final = Game(
    name="casino-7-27",
    revision=REVISION,
    title="Casino 7-27",
    seats=range(1, 8),
    options=CasinoOptions(),
    pack_of=pack_of,
    pays=pays,
    script=script,
    counts=lambda cards, options: total(cards),
    advise=advise,
    sheet=sheet,
    shown_rule=shown_rule,
    edge=edge,
    said=said,
    report=house_report(total, hand_facts, dealer_facts),
    hand_class=hand_class,
    dealer_class=dealer_class,
    words=WORDS,
    no_answer=(STAY_LOW, STAY_HIGH),
    raised=lambda cards: len(low_cards(cards)),
)
