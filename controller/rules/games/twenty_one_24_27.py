"""21-24-27, in the order of its rule book (RULINGS.md, section 2, G21-A1 to G21-A6).

Six decks with Jokers, which count 0 (G21-A4). Stand and hit are the only options; there is no
split, no double, no bonus (G21-A5). Every card lies face up.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from controller.rules.actions import DEALER_SEAT, Action, Outcome
from controller.rules.cards import Card, Pack, Rank
from controller.rules.game import Edge, Game
from controller.rules.games.edges import computed
from controller.rules.games.nearest import bust, nearer, stands_in
from controller.rules.hands import (
    SCALE_27,
    Total,
    first_holding,
    hard_from,
    hard_under,
    soft_from,
    soft_under,
)
from controller.rules.messages import Message, Seat, Words, message
from controller.rules.money import EVEN
from controller.rules.options import ShoeOptions
from controller.rules.script.felt import Felt, Hand, Play, Result
from controller.rules.script.report import house_report
from controller.rules.script.steps import Ask, Deal, Script, Settle
from controller.rules.sheets.grids import (
    draw_grid,
    first_grid,
    hand_names,
    laid,
    play_grid,
    scale_grid,
    settle_grid,
    sorts,
)
from controller.rules.sheets.sheet import Sheet, by_kind, grown, section, text_of

#: Raised with every change of behaviour (tests/contracts/behaviour says when).
REVISION: Final = 1

STAND, HIT = Action.STAND, Action.HIT
ACE, KING = Rank.ACE, Rank.KING
total = SCALE_27.total

Totals: TypeAlias = Play[Total, Total]

#: "Form The Dealer's Complete Hand": the dealer hits these and stands on the rest. A dealer who
#: will draw is called weak, one who will stand is called strong.
DEALER_HITS: Final = (hard_under(21), soft_under(24))

#: "Form The Player's Complete Hand": what is forced against a weak dealer.
WEAK_HITS: Final = (hard_under(15), soft_under(23))
WEAK_STANDS: Final = (hard_from(25), soft_from(27))


def script(felt: Felt, options: ShoeOptions) -> Script:
    """One round, in the order of the rule book."""
    dealer = felt.dealer

    # Dealing Initial Hands
    for _ in range(2):
        for hand in felt.hands:
            yield Deal(hand)
        yield Deal(dealer)

    # Determine Whether A Predetermined Outcome Occurs: a Finnish 27 on either side
    for hand in felt.hands:
        hand.result = initial_27(hand, dealer)
    for hand in felt.hands:
        if hand.result:
            yield Settle(hand)

    # Form The Player's Complete Hand
    shown = total(dealer.cards)
    for hand in felt.in_play():
        while not (player := total(hand.cards)).bust:
            play = plays(player, shown)
            action = play.forced or (yield Ask(hand, play))
            felt.note(hand, play, action)
            if action is STAND:
                break
            yield Deal(hand, play)
        else:
            hand.result = bust(player.points, player.limit)
            yield Settle(hand)

    # Form The Dealer's Complete Hand, if any game is left
    left = felt.in_play()
    while left and (draw := dealer_draws(shown)):
        yield Deal(dealer, draw)
        shown = total(dealer.cards)

    # Determine The Outcome Of The Game; Resolution Of The Game Wager
    for hand in left:
        hand.result = outcome(total(hand.cards), shown)
    for hand in left:
        yield Settle(hand)


def is_finnish_27(hand: Hand) -> bool:
    """An initial hand of an ace and a king ("Initial Hands That Have A Value Of Twenty-Seven")."""
    one, two = hand.cards[0].rank, hand.cards[1].rank
    return (one is ACE and two is KING) or (one is KING and two is ACE)


def hand_class(cards: Sequence[Card], split: bool = False) -> Hashable:
    """What the rules look at in a hand: its total, and whether the first two are a Finnish 27."""
    if len(cards) == 1:
        return cards[0].rank
    counted = total(cards)
    return "bust" if counted.bust else (counted, len(cards) == 2 and is_finnish_27(laid(cards)))


def initial_27(hand: Hand, dealer: Hand) -> Result | None:
    """The outcome that a Finnish 27 on either side settles at once; None if the hand is played."""
    if is_finnish_27(hand):
        if is_finnish_27(dealer):
            return Result(Outcome.PUSH, message("both-have-a-finnish-27"))
        return Result(Outcome.WIN, message("finnish-27"))
    if is_finnish_27(dealer):
        return Result(Outcome.LOSE, message("dealer-has-a-finnish-27"))
    return None


@lru_cache(maxsize=4096)
def plays(player: Total, dealer: Total) -> Totals:
    """What a hand of total `player` may do against the dealer's two cards (`dealer`)."""
    options: tuple[Action, ...] = (STAND, HIT)
    why = message("against", player=player, dealer=dealer)
    if first_holding(DEALER_HITS, dealer):
        if held := first_holding(WEAK_HITS, player):
            options, why = (HIT,), stands_in(held, player)
        elif held := first_holding(WEAK_STANDS, player):
            options, why = (STAND,), stands_in(held, player)
    elif player.points < dealer.points:
        options, why = (HIT,), message("under-dealer", player=player, dealer=dealer)
    elif player.points > dealer.points:
        options, why = (STAND,), message("over-dealer", player=player, dealer=dealer)
    elif not player.soft:
        options, why = (STAND,), message("equals-dealer", player=player, dealer=dealer)
    # A soft hand that equals a strong dealer's total: the rule book is silent, the player
    # chooses (G21-A1).
    return Play(options, why, player, dealer)


@lru_cache(maxsize=256)
def dealer_draws(dealer: Total) -> Totals | None:
    """The dealer's forced hit, or None where the dealer stands or has bust."""
    held = first_holding(DEALER_HITS, dealer)
    return Play((HIT,), stands_in(held, dealer), dealer, dealer) if held else None


#: "Determine The Outcome": the hand that is nearer to 27 wins, equal ones push.
outcome: Final = nearer


#: The rule book's eighteen rules: dealer's total (hard?, from, to) -> hit hard hands below the
#: first number and soft hands below the second. "Hand 7" is hard 7 (G21-A2).
STRATEGY: Final = (
    (False, 0, 6, 22, 24),
    (False, 7, 7, 22, 23),
    (False, 8, 8, 21, 23),
    (False, 9, 10, 22, 23),
    (False, 11, 15, 22, 24),
    (False, 16, 16, 21, 24),
    (False, 17, 17, 21, 23),
    (False, 18, 18, 20, 23),
    (False, 19, 20, 19, 23),
    (False, 21, 21, 21, 22),
    (False, 22, 22, 22, 23),
    (False, 23, 23, 23, 24),
    (False, 24, 24, 24, 25),
    (False, 25, 25, 25, 25),
    (False, 26, 26, 26, 26),
    (True, 25, 25, 25, 25),
    (True, 26, 26, 26, 26),
    (True, 24, 24, 24, 25),
    (True, 17, 23, 22, 24),
    (True, 16, 16, 22, 25),
    (True, 14, 15, 23, 25),
)


@lru_cache(maxsize=4096)
def strategy(player: Total, dealer: Total) -> Action:
    """The published strategy ("Basic Strategy"), for hands that the rules leave a choice."""
    for soft, low, high, hard_target, soft_target in STRATEGY:
        if dealer.soft is soft and low <= dealer.points <= high:
            target = soft_target if player.soft else hard_target
            return HIT if player.points < target else STAND
    raise ValueError(f"no rule of strategy for a dealer's {dealer}")


def advise(play: Totals, cards: Sequence[Card]) -> Action:
    """What the published strategy does where the rules leave a choice."""
    return strategy(play.total, play.dealer)


def edge(options: ShoeOptions) -> Edge | None:
    """The house's edge, as computed from these rules."""
    return computed(GAME.identity, options, GAME.options)


def sheet(options: ShoeOptions) -> Sheet:
    """The enforced rules in print, from the functions above."""
    first = sorts(PACK, lambda cards: is_finnish_27(laid(cards)))
    names = {
        True: text_of(message("finnish-27"), WORDS),
        False: text_of(message("sheet-another-hand")),
    }
    hands = hand_names(first[True], PACK)
    played = first[False]
    dealers = by_kind(map(total, played))
    drawn = grown(played, PACK, total, lambda each: not each.bust)
    ends = grown(played, PACK, total, lambda each: dealer_draws(each) is not None)
    players = by_kind(each for each in {*dealers, *drawn} if not each.bust)
    complete = {each: each.points for each in {*dealers, *ends} if dealer_draws(each) is None}
    limit = SCALE_27.limit
    return (
        section(message("sheet-values"), (), scale_grid(PACK, SCALE_27)),
        section(
            message("sheet-first-two-cards"),
            (message("sheet-finnish-27-settles", hand=names[True], cards=hands),),
            first_grid(
                names, lambda mine, theirs: initial_27(laid(first[mine][0]), laid(first[theirs][0]))
            ),
            WORDS,
        ),
        section(
            message("sheet-your-hand"),
            (message("sheet-stand-and-hit"), message("sheet-over-loses-anyway", limit=limit)),
            play_grid(players, dealers, plays, limit),
            WORDS,
        ),
        section(
            message("sheet-dealers-hand", dealer=Seat(DEALER_SEAT)),
            (message("sheet-dealer-draws-last"),),
            draw_grid(by_kind({*dealers, *ends}), dealer_draws, lambda each: each.bust),
        ),
        section(
            message("sheet-who-wins"),
            (),
            settle_grid({each: each.points for each in players}, complete, outcome, limit),
        ),
    )


def shown_rule(_: ShoeOptions) -> Message:
    """The rule in one line."""
    hard, soft = (each.high + 1 for each in DEALER_HITS)
    return message("rule-of-21-24-27", hard=hard, soft=soft, even=EVEN)


#: The game's own reasons, and what its sheet alone says, in English.
REASONS: Final = {
    "rule-of-21-24-27": "Dealer hits under hard {hard} and under soft {soft}. Wins pay {even}.",
    "finnish-27": "Finnish 27",
    "both-have-a-finnish-27": "both have a Finnish 27",
    "dealer-has-a-finnish-27": "the dealer has a Finnish 27",
    "sheet-finnish-27-settles": "{hand}: {cards}. It settles the wager at once.",
    "sheet-over-loses-anyway": ("A hand over {limit} loses at once, whatever the dealer has."),
}
WORDS: Final = Words(reasons=REASONS)

PACK: Final = Pack(decks=6, jokers=2)
GAME: Final = Game(
    name="21-24-27",
    revision=REVISION,
    title="21-24-27",
    seats=range(1, 8),
    options=ShoeOptions(),
    pack_of=lambda options: PACK,
    pays=lambda options: (EVEN,),
    script=script,
    counts=lambda cards, options: total(cards),
    advise=advise,
    sheet=sheet,
    shown_rule=shown_rule,
    edge=edge,
    said=lambda cards: total(cards).parts,
    report=house_report(total),
    hand_class=hand_class,
    dealer_class=hand_class,
    published=True,
    words=WORDS,
    no_answer=(STAND,),
)
