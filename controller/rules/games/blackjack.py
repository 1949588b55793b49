"""Blackjack, eight decks, in the order of its rule book (RULINGS.md, section 5, BJ-A1 to BJ-A9).

The operator's second card lies face down until the last box has acted. No peek, no double after a
split, no re-split, unless the house options say so.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from controller.rules.actions import DEALER_SEAT, SIDE_BET, Action, Outcome, Place
from controller.rules.cards import DECK_52, Card, Pack, Rank
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game
from controller.rules.games.edges import computed
from controller.rules.games.nearest import nearer
from controller.rules.hands import Scale, Total, TotalKind, TotalPart, TotalParts
from controller.rules.messages import Message, Seat, Words, message
from controller.rules.money import EVEN, HALF, Odds
from controller.rules.options import ShoeOptions, option
from controller.rules.script.felt import Felt, Hand, Play, Result, Up
from controller.rules.script.report import Facts, house_report
from controller.rules.script.steps import (
    DONE,
    AddWager,
    Ask,
    Deal,
    Peek,
    Peeked,
    Reveal,
    Script,
    Settle,
)
from controller.rules.sheets.grids import (
    draw_grid,
    hand_names,
    joined,
    laid,
    play_grid,
    scale_grid,
    settle_grid,
    sorts,
)
from controller.rules.sheets.sheet import (
    Grid,
    Sheet,
    by_kind,
    each_rank,
    grown,
    result_text,
    section,
    text_of,
    two_cards,
)

#: Raised with every change of behaviour (tests/contracts/behaviour says when).
REVISION: Final = 2

STAND, HIT, DOUBLE, SPLIT = Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT
INSURANCE, NO_INSURANCE = Action.INSURANCE, Action.NO_INSURANCE
WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH

BEST: Final = 21
#: "Operator has to stand on 17 and soft 17 as well."
OPERATOR_STANDS: Final = 17
TEN: Final = 10
INSURANCE_PAYS: Final = Odds(2, 1)
#: Hands of one box, where a house lets them be split again and says no other number.
MOST_HANDS: Final = 4

#: "Values of cards": faces 10, an ace 1 or 11.
SCALE_21: Final = Scale((0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10), 10, BEST)
total = SCALE_21.total
VALUE: Final = {each: min(int(each.rank), TEN) for each in DECK_52}
#: The operator's first card, as plays are looked up by it.
UPS: Final = {each: Up(each) for each in DECK_52}


class Offers(Enum):
    """What "Operator offers" means (BJ-A5): a prompt, or the only hands allowed."""

    PROMPT = "prompt"
    ONLY = "only"

    __hash__ = object.__hash__  # a member is one object: plays are looked up by what is allowed


@frozen
class BlackjackOptions(ShoeOptions):
    """The house options of Blackjack."""

    penetration_cards: int = option(312, message("option-penetration-cards"), ruling="F27-A16")
    blackjack_pays: Odds = option(
        Odds(3, 2),
        message("option-blackjack-pays"),
        choices=(Odds(3, 2), Odds(6, 5), Odds(1, 1)),
        ruling="BJ-A1",
    )
    peek: bool = option(
        False,
        message("option-peek"),
        choices=(False, True),
        ruling="BJ-A2",
    )
    double_after_split: bool = option(
        False, message("option-double-after-split"), choices=(False, True), ruling="BJ-A3"
    )
    resplit: bool = option(False, message("option-resplit"), choices=(False, True), ruling="BJ-A3")
    max_hands: int = option(
        MOST_HANDS,
        message("option-max-hands"),
        choices=(MOST_HANDS, 3, 2),
        ruling="BJ-A3",
    )
    offers: Offers = option(
        Offers.PROMPT,
        message("option-offers"),
        choices=tuple(Offers),
        ruling="BJ-A5",
    )


class Allowed(NamedTuple):
    """The house options that say what a hand may do (BJ-A3, BJ-A5)."""

    double_after_split: bool = False
    resplit: bool = False
    offers: Offers = Offers.PROMPT
    max_hands: int = MOST_HANDS


def allowed_by(options: BlackjackOptions) -> Allowed:
    """What the house's options allow."""
    return Allowed(options.double_after_split, options.resplit, options.offers, options.max_hands)


Turn: TypeAlias = Play[Total, Up]


def script(felt: Felt, options: BlackjackOptions) -> Script:
    """One round, in the order of the rule book."""
    operator = felt.dealer
    boxes = list(felt.hands)

    # Each box and the operator are dealt two cards; the operator's second lies face down
    for hand in boxes:
        yield Deal(hand)
    yield Deal(operator)
    for hand in boxes:
        yield Deal(hand)
    yield Deal(operator, down=True)
    up = UPS[operator.cards[0]]
    blackjacks = [hand for hand in boxes if is_blackjack(hand)]

    # Insurance, if the first card is an ace, asked before box 1 acts (BJ-A6)
    insured: list[Hand] = []
    if up.card.rank is Rank.ACE:
        for hand in boxes:
            yield from offer_insurance(felt, hand, up, insured)

    # A blackjack that the operator's first card cannot push is paid before play
    if VALUE[up.card] not in (1, TEN):
        for hand in blackjacks:
            hand.result = blackjack_outcome(False, options.blackjack_pays)
            yield Settle(hand)

    # With a peek (BJ-A2), an operator's blackjack ends the round: only initial wagers are lost
    peek_result = None
    if options.peek and VALUE[up.card] in (1, TEN):
        peeked: Peeked = yield Peek(operator, lambda card: VALUE[up.card] + VALUE[card] == 11)
        peek_result = peeked.natural

    # Every box makes its decisions
    allowed = allowed_by(options)
    for hand in felt.hands:
        if not peek_result and hand.place.hand and hand not in blackjacks:
            yield from play_hand(felt, hand, up, allowed)

    # The hidden card is shown after the last box, and insurance settled
    if peek_result is None:
        yield Reveal(operator)
    else:
        yield Reveal(operator, lambda card: contradiction(up.card, card, peek_result))
    natural = is_blackjack(operator)
    for bet in insured:
        bet.result = insurance_outcome(natural)
        yield Settle(bet)

    # The operator draws to 16 and stands on 17, if a hand is left that he can beat (BJ-A9)
    left = felt.in_play()
    drawn_for = [hand for hand in left if hand not in blackjacks] if blackjacks else left
    shown = total(operator.cards)
    while drawn_for and (draw := operator_draws(shown)):
        yield Deal(operator, draw)
        shown = total(operator.cards)

    # Settlement
    for hand in left:
        if hand in blackjacks:
            hand.result = blackjack_outcome(natural, options.blackjack_pays)
        else:
            hand.result = outcome(total(hand.cards), shown, natural)
    for hand in left:
        yield Settle(hand)


def offer_insurance(felt: Felt, hand: Hand, up: Up, insured: list[Hand]) -> Script:
    """Ask a box for insurance, exactly half the wager; a blackjack is asked too (BJ-A4)."""
    half = None if hand.wager is None else HALF.on(hand.wager)
    play = Play((INSURANCE, NO_INSURANCE), message("operator-shows-an-ace"), "insurance?", up)
    bet = Hand(Place(hand.place.seat, SIDE_BET), half)
    while True:
        action = yield Ask(bet, play)
        if action is NO_INSURANCE or (yield AddWager(bet, action, half)) is DONE:
            break
    felt.note(bet, play, action, hand.cards)
    if action is INSURANCE:
        felt.hands.insert(felt.hands.index(hand), bet)
        insured.append(bet)


def play_hand(felt: Felt, hand: Hand, up: Up, allowed: Allowed) -> Script:
    """A hand until it stands or busts; a split hand gets its second card first."""
    while True:
        if len(hand.cards) == 1:
            yield Deal(hand)
        mine = total(hand.cards)
        if mine.bust:
            hand.result = too_many(mine.points)
            yield Settle(hand)
            return
        if hand.doubled:
            return
        full = hand.split and hands_of(felt, hand.place.seat) >= allowed.max_hands
        play = plays(mine, up, first_cards(hand), hand.split, allowed, full)
        action = play.forced or (yield Ask(hand, play))
        if action in (DOUBLE, SPLIT) and (yield AddWager(hand, action, hand.wager)) is not DONE:
            continue
        felt.note(hand, play, action)
        if action is STAND:
            return
        if action is SPLIT:
            felt.split(hand)
            continue
        if action is DOUBLE:
            hand.double()
        yield Deal(hand, play)


def hands_of(felt: Felt, seat: int) -> int:
    """How many hands the box at `seat` has, insurance aside."""
    return sum(each.place.seat == seat and each.place.hand != SIDE_BET for each in felt.hands)


class First(Enum):
    """What the first two cards of a hand are, as far as rules ask."""

    MORE = "more than two cards"
    TWO = "two cards"
    PAIR = "two cards of one value"
    EIGHTS = "8-8"
    ACES = "A-A"
    SPLIT_ACE = "an ace of split aces, with its one card"

    __hash__ = object.__hash__  # a member is one object: its plays are looked up every decision


def first_cards(hand: Hand) -> First:
    """What the first two cards of `hand` are."""
    cards = hand.cards
    if len(cards) != 2:
        return First.MORE
    one = VALUE[cards[0]]
    if hand.split and one == 1:
        return First.SPLIT_ACE
    if one != VALUE[cards[1]]:
        return First.TWO
    return First.ACES if one == 1 else First.EIGHTS if one == 8 else First.PAIR


@lru_cache(maxsize=8192)
def plays(
    mine: Total,
    up: Up,
    first: First,
    split: bool = False,
    allowed: Allowed = Allowed(),
    full: bool = False,
) -> Turn:
    """What a hand that has not bust may do; no rule looks at the operator's card.

    `split`: it comes from a split; `full`: its box has as many hands as it may have.
    """
    if mine.points == BEST:
        return Play((STAND,), message("best-stands", points=BEST), mine, up)
    if first is First.SPLIT_ACE:
        return Play((STAND,), message("split-aces-get-one-card"), mine, up)
    only = allowed.offers is Offers.ONLY
    eleven = first is not First.MORE and mine.points == 11
    offered_pair = first in (First.EIGHTS, First.ACES)
    further: tuple[Action, ...] = ()
    if first is not First.MORE and (eleven or not only):
        further += (DOUBLE,) if not split or allowed.double_after_split else ()
    if first is First.PAIR or offered_pair:
        again = allowed.resplit and not full
        further += (SPLIT,) if (offered_pair or not only) and (not split or again) else ()
    offer = SPLIT if offered_pair else DOUBLE if eleven else None
    why = against(mine.points, total((up.card,)).points)
    return Play(
        (STAND, HIT, *further), why, mine, up,
        offer if offer in further else None,
    )  # fmt: skip


@lru_cache(maxsize=256)
def against(points: int, operator: int) -> Message:
    """What the player has, and what the operator shows (BJ-A7: the best total only)."""
    return message("points-against", player=points, dealer=operator)


def is_blackjack(hand: Hand) -> bool:
    """An ace and a ten or picture as the first two cards; 21 after a split is not one."""
    return len(hand.cards) == 2 and not hand.split and total(hand.cards).points == BEST


def hand_class(cards: Sequence[Card], split: bool) -> Hashable:
    """What the rules look at in a hand: its total, and what its first two cards are."""
    if len(cards) == 1:
        return VALUE[cards[0]]
    counted = total(cards)
    if counted.bust:
        return "bust"
    hand = laid(cards, split=split)
    return counted, first_cards(hand), is_blackjack(hand)


def operator_class(cards: Sequence[Card]) -> Hashable:
    """What the rules look at in the operator's hand: its total, and whether it is a blackjack."""
    if len(cards) == 1:
        return VALUE[cards[0]]
    counted = total(cards)
    return "bust" if counted.bust else (counted, is_blackjack(laid(cards)))


def contradiction(up: Card, hidden: Card, peeked: bool | None) -> Message | None:
    """Why the hidden card cannot be `hidden` after what the operator said of it, or None."""
    if peeked is None or peeked is (VALUE[up] + VALUE[hidden] == 11):
        return None
    if peeked:
        return message("operator-said-a-blackjack")
    return message("operator-said-no-blackjack")


@lru_cache(maxsize=64)
def operator_draws(operator: Total) -> Play[Total, Total] | None:
    """The operator's forced card, or None where he stands or has too many."""
    if operator.points >= OPERATOR_STANDS:
        return None
    why = message("operator-under", points=operator.points, stands=OPERATOR_STANDS)
    return Play((HIT,), why, operator, operator)


@lru_cache(maxsize=16)
def blackjack_outcome(natural: bool, pays: Odds) -> Result:
    """A player's blackjack: only an operator's (`natural`) pushes it."""
    if natural:
        return Result(PUSH, message("both-have-a-blackjack"))
    return Result(WIN, message("blackjack"), odds=pays)


@lru_cache(maxsize=64)
def too_many(points: int) -> Result:
    """A hand over 21 loses at once."""
    return Result(LOSE, message("too-many", points=points))


def insurance_outcome(natural: bool) -> Result:
    """Insurance against an operator's blackjack."""
    if natural:
        return Result(WIN, message("insurance-won"), odds=INSURANCE_PAYS)
    return Result(LOSE, message("insurance-lost"))


@lru_cache(maxsize=4096)
def outcome(mine: Total, operator: Total, natural: bool) -> Result:
    """A hand that has not bust and is no blackjack against the operator's complete hand."""
    if natural:
        return Result(LOSE, message("operator-has-a-blackjack"))
    if operator.bust:
        return Result(WIN, message("operator-has-too-many", points=operator.points))
    return nearer(mine, operator)


@lru_cache(maxsize=256)
def said_total(counted: Total) -> TotalParts:
    """A total as it is announced: "the maximum result is announced only" (BJ-A7)."""
    kind = TotalKind.ANNOUNCED_BUST if counted.bust else TotalKind.ANNOUNCED
    return (TotalPart(kind, counted.points),)


def fact_total(counted: Total) -> str:
    """A total as it is recorded: hard or soft, also over 21."""
    return f"{'soft' if counted.soft else 'hard'} {counted.points}"


def hand_facts(hand: Hand, counted: Total) -> Facts:
    """What the report of a finished hand holds."""
    return {"total": fact_total(counted) if hand.place.hand else "insurance"}


def operator_facts(operator: Hand, counted: Total) -> Facts:
    """What the report of the operator's hand holds."""
    return {"total": fact_total(counted), "blackjack": is_blackjack(operator)}


#: A sensible player: pairs to split, by value, against up to which card of the operator.
_SPLITS: Final = {1: 10, 8: 9, 9: 6, 7: 7, 6: 6, 3: 7, 2: 7}


def advise(play: Play[Total | str, Up], cards: Sequence[Card]) -> Action:
    """What a sensible player does; insurance is not taken."""
    mine, options = play.total, play.options
    if isinstance(mine, str):
        return NO_INSURANCE
    dealer = VALUE[play.dealer.card]
    against = 11 if dealer == 1 else dealer
    if SPLIT in options and against <= _SPLITS.get(VALUE[cards[0]], 0):
        return SPLIT
    if DOUBLE in options and not mine.soft and mine.points in (10, 11) and against < mine.points:
        return DOUBLE
    if mine.soft:
        return HIT if mine.points < 18 else STAND
    return HIT if mine.points < (17 if against >= 7 else 12 if against >= 4 else 13) else STAND


def edge(options: BlackjackOptions) -> Edge | None:
    """The house's edge, as computed from these rules; `max_hands` matters with `resplit` alone."""
    if not options.resplit or options.max_hands == 2:
        options = replace(options, resplit=False, max_hands=MOST_HANDS)
    return computed(GAME.identity, options, GAME.options)


def sheet(options: BlackjackOptions) -> Sheet:
    """The enforced rules in print, from the functions above."""
    naturals = sorts(PACK, lambda cards: is_blackjack(laid(cards)))
    ends = by_kind(
        [*map(total, two_cards(PACK)), *grown(two_cards(PACK), PACK, total, operator_draws)]
    )
    shown = {each: each.points for each in ends if operator_draws(each) is None}
    mine = {each: each.points for each in ends if not each.bust}
    loses = outcome(Total(BEST), Total(BEST, True), True)
    blackjacks = {
        message("sheet-blackjack-alone"): blackjack_outcome(False, options.blackjack_pays),
        message("sheet-blackjack-both"): blackjack_outcome(True, options.blackjack_pays),
        message("sheet-blackjack-of-operator"): loses,
        message("sheet-insurance-won"): insurance_outcome(True),
        message("sheet-insurance-lost"): insurance_outcome(False),
    }
    of_blackjacks = tuple(
        (text_of(name, WORDS), result_text(each)) for name, each in blackjacks.items()
    )
    wins = settle_grid(mine, shown, lambda one, two: outcome(one, two, False), BEST, WORDS)
    operator = draw_grid(ends, operator_draws, lambda each: each.bust, WORDS)
    return (
        section(message("sheet-values"), (), scale_grid(PACK, SCALE_21)),
        section(
            message("sheet-blackjack"),
            (
                message("sheet-blackjack-is", cards=hand_names(naturals[True], PACK)),
                message("sheet-blackjack-is-paid", ten=TEN),
            ),
            words=WORDS,
        ),
        section(message("sheet-your-options"), options_lines(options), words=WORDS),
        section(message("sheet-your-hand"), (), hands_grid(naturals[False], options)),
        section(
            message("sheet-dealers-hand", dealer=Seat(DEALER_SEAT)),
            (message("sheet-hidden-is-turned"), message("sheet-operator-draws")),
            operator,
            WORDS,
        ),
        section(message("sheet-who-wins"), (), Grid(wins.head, (*of_blackjacks, *wins.rows))),
    )


def options_lines(options: BlackjackOptions) -> tuple[Message, ...]:
    """What a player may choose, and what it costs."""
    return (
        message("sheet-stand-and-hit"),
        message("sheet-double"),
        message("sheet-split-again", hands=options.max_hands)
        if options.resplit
        else message("sheet-split-once"),
        message("sheet-split-second-card"),
        message("sheet-insurance-is-asked"),
        message("sheet-insurance-pays", odds=INSURANCE_PAYS),
        message("sheet-operator-looks") if options.peek else message("sheet-operator-looks-not"),
        message("sheet-over-loses", limit=BEST),
    )


#: What the first cards of a hand are, in words.
_FIRST: Final = {
    First.MORE: message("sheet-first-more"),
    First.TWO: message("sheet-first-two"),
    First.PAIR: message("sheet-first-pair"),
    First.EIGHTS: message("sheet-first-eights"),
    First.ACES: message("sheet-first-aces"),
    First.SPLIT_ACE: message("sheet-first-split-ace"),
}


def hands_grid(played: Sequence[tuple[Card, ...]], options: BlackjackOptions) -> Grid:
    """What every hand may do, by what its first two cards are; `played`: no blackjack."""
    allowed = allowed_by(options)
    ups = {Up(each): ("first card", VALUE[each]) for each in each_rank(PACK)}
    grids: dict[str, Grid] = {}
    for split in (False, True):
        cards = [*two_cards(PACK), *(each[::-1] for each in two_cards(PACK))] if split else played
        kinds = {each: first_cards(laid(each, split=split)) for each in cards}
        totals = {
            first: [total(each) for each in cards if kinds[each] is first]
            for first in First
            if first in kinds.values()
        }
        totals[First.MORE] = grown(two_cards(PACK), PACK, total, lambda each: not each.bust)
        for first, reached in totals.items():

            def play(mine: Total, up: Up, first: First = first, split: bool = split) -> Turn:
                return plays(mine, up, first, split, allowed)

            players = by_kind(each for each in reached if not each.bust)
            name = _FIRST[first]
            if split:
                name = message("sheet-after-a-split", hand=name)
            grids[text_of(name, WORDS)] = play_grid(players, ups, play)
    return joined(grids, text_of(message("sheet-head-hand")))


def shown_rule(options: BlackjackOptions) -> Message:
    """The rule in one line."""
    return message(
        "rule-of-blackjack", draws=OPERATOR_STANDS - 1, stands=OPERATOR_STANDS,
        pays=options.blackjack_pays, insurance=INSURANCE_PAYS,
    )  # fmt: skip


#: The game's own words for dealer and seat, its reasons, and what its sheet says, in English.
WORDS: Final = Words(
    dealer="operator",
    seat="box",
    reasons={
        "rule-of-blackjack": "Operator draws to {draws} and stands on all {stands}s."
        " Blackjack pays {pays}, insurance {insurance}.",
        "operator-shows-an-ace": "the operator shows an ace",
        "points-against": "{player} against {dealer}",
        "best-stands": "{points} stands by itself",
        "split-aces-get-one-card": "split aces get one card each",
        "too-many": "bust with {points}",
        "operator-under": "{points} is under {stands}",
        "operator-said-a-blackjack": "the operator looked and said a blackjack: call the floor",
        "operator-said-no-blackjack": "the operator looked and said no blackjack: call the floor",
        "blackjack": "blackjack",
        "both-have-a-blackjack": "both have a blackjack",
        "operator-has-a-blackjack": "the operator has a blackjack",
        "operator-has-too-many": "the operator busts with {points}",
        "insurance-won": "insurance: the operator has a blackjack",
        "insurance-lost": "insurance: the operator has no blackjack",
        "option-blackjack-pays": "a blackjack pays",
        "option-peek": "the operator looks for a blackjack before the boxes act",
        "option-double-after-split": "a split hand may be doubled",
        "option-resplit": "a split hand may be split again",
        "option-max-hands": "the most hands of one box, where a split hand may be split again",
        "option-offers": (
            "8-8, A-A and 11 are offered by name, or are the only hands to split or double"
        ),
        "sheet-blackjack": "Blackjack",
        "sheet-blackjack-is": "First two cards: {cards}. After a split it is none.",
        "sheet-blackjack-is-paid": (
            "Paid at once, unless the operator's first card is an ace or counts {ten}."
        ),
        "sheet-split-once": (
            "Split: the same wager once more; each card begins a hand of its own."
        ),
        "sheet-split-again": (
            "Split: the same wager once more; each card begins a hand of its own."
            " A box has at most {hands:hand|hands}."
        ),
        "sheet-split-second-card": "A split hand gets its second card when its turn comes.",
        "sheet-insurance-is-asked": (
            "Insurance: asked of every box when the operator's first card is an ace."
        ),
        "sheet-insurance-pays": "Insurance costs half the wager and pays {odds}.",
        "sheet-operator-looks": (
            "The operator looks at the hidden card under an ace or a ten, before the boxes act;"
            " his blackjack ends the round, and only first wagers are lost."
        ),
        "sheet-operator-looks-not": (
            "The operator does not look at the hidden card: his blackjack takes all wagers of the"
            " box."
        ),
        "sheet-first-more": "more than two cards",
        "sheet-first-two": "two cards",
        "sheet-first-pair": "two cards of one value",
        "sheet-first-eights": "8-8",
        "sheet-first-aces": "A-A",
        "sheet-first-split-ace": "an ace of split aces, with its one card",
        "sheet-after-a-split": "after a split: {hand}",
        "sheet-hidden-is-turned": "The hidden card is turned after the last box has acted.",
        "sheet-operator-draws": "The operator draws if a hand other than a blackjack is left.",
        "sheet-blackjack-alone": "blackjack, the operator has none",
        "sheet-blackjack-both": "blackjack, the operator has one too",
        "sheet-blackjack-of-operator": "another hand, the operator has a blackjack",
        "sheet-insurance-won": "insurance, the operator has a blackjack",
        "sheet-insurance-lost": "insurance, the operator has none",
    },
)

PACK: Final = Pack(decks=8)
GAME: Final = Game(
    name="blackjack",
    revision=REVISION,
    title="Blackjack",
    seats=range(1, 8),
    options=BlackjackOptions(),
    pack_of=lambda options: PACK,
    pays=lambda options: (EVEN, HALF, options.blackjack_pays),
    script=script,
    counts=lambda cards, options: total(cards),
    advise=advise,
    sheet=sheet,
    shown_rule=shown_rule,
    edge=edge,
    said=lambda cards: said_total(total(cards)),
    report=house_report(total, hand_facts, operator_facts),
    hand_class=hand_class,
    dealer_class=operator_class,
    words=WORDS,
    no_answer=(NO_INSURANCE, STAND),
    hides=True,
)
