"""Finnish 27, in the order of its rule book (RULINGS.md, section 1, F27-A1 to F27-A18).

Six decks with Jokers; a hand that holds one totals 27. Double exposure: every card lies face up.
Stand, hit, double, split once, surrender; forced play settles hit or stand (F27-A2, F27-A3).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple, TypeAlias

from controller.rules.actions import DEALER_SEAT, Action, Outcome
from controller.rules.cards import JOKER, Card, Pack, Rank, Suit
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game
from controller.rules.games.edges import computed, exact_at
from controller.rules.games.nearest import bust, nearer, stands_in
from controller.rules.hands import (
    SCALE_27_WILD,
    Total,
    first_holding,
    hard_from,
    hard_under,
    soft_from,
    soft_under,
)
from controller.rules.messages import Amount, Message, Seat, Words, message
from controller.rules.money import EVEN, HALF, Odds
from controller.rules.options import MOST, ShoeOptions, money_option, option
from controller.rules.script.felt import Bonus, Felt, Hand, Play, Result
from controller.rules.script.report import house_report
from controller.rules.script.steps import DONE, AddWager, Ask, Deal, Script, Settle
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
from controller.rules.sheets.sheet import (
    Grid,
    Kind,
    Section,
    Sheet,
    bonus_text,
    by_kind,
    each_rank,
    grown,
    of_suit,
    result_text,
    section,
    text_of,
    two_cards,
)

#: Raised with every change of behaviour (tests/contracts/behaviour says when).
REVISION: Final = 1

total = SCALE_27_WILD.total

STAND, HIT, DOUBLE = Action.STAND, Action.HIT, Action.DOUBLE
SPLIT, SURRENDER = Action.SPLIT, Action.SURRENDER
WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH

Totals: TypeAlias = Play[Total, Total]

#: "Form The Dealer's Complete Hand": the dealer hits these and stands on the rest. A dealer who
#: will draw is called weak, one who will stand is called strong.
DEALER_HITS: Final = (hard_under(23), soft_under(25))

#: "Form The Player's Complete Hand": what is forced against a weak dealer.
WEAK_HITS: Final = (hard_under(15), soft_under(24))
WEAK_STANDS: Final = (hard_from(25), soft_from(27))

#: Where every total ends (F27-A4): nothing can improve a 27.
BEST: Final = 27


class Forced(Enum):
    """How far forced play reaches (F27-A2, F27-A3)."""

    HIT_OR_STAND = "hit_or_stand"
    AFTER_HIT = "after_hit"


@frozen
class FinnishOptions(ShoeOptions):
    """The house options of Finnish 27; dollars of the bonus table in minor units."""

    double_after_split: bool = option(
        True, message("option-double-post-split"), choices=(True, False), ruling="F27-A1"
    )
    forced_play: Forced = option(
        Forced.HIT_OR_STAND,
        message("option-forced-play"),
        choices=tuple(Forced),
        ruling="F27-A2, F27-A3",
    )
    bonus_999_mixed: int = money_option(9_000, message("option-bonus-mixed"), ruling="F27-A9")
    bonus_999_suited: int = money_option(99_000, message("option-bonus-suited"), ruling="F27-A9")
    bonus_999_jackpot: int = money_option(999_000, message("option-bonus-jackpot"), ruling="F27-A9")

    def problem(self, pack: Pack) -> Message | None:
        """Why these options make no sense for `pack`, or None."""
        for name in ("bonus_999_mixed", "bonus_999_suited", "bonus_999_jackpot"):
            amount = getattr(self, name)
            if not 0 <= amount <= MOST or amount % max(1, self.smallest_chip):
                return message("option-must-be-chips", option=name, most=MOST)
        return ShoeOptions.problem(self, pack)


def script(felt: Felt, options: FinnishOptions) -> Script:
    """One round, in the order of the rule book."""
    dealer = felt.dealer

    # Dealing Initial Hands
    for _ in range(2):
        for hand in felt.hands:
            yield Deal(hand)
        yield Deal(dealer)

    # Determine Whether A Predetermined Outcome Occurs: a 27 of two cards on either side
    dealers_27 = initial_27(dealer.cards)
    for hand in felt.hands:
        hand.result = initial_outcome(initial_27(hand.cards), dealers_27)
    for hand in felt.hands:
        if hand.result:
            yield Settle(hand)

    # Form The Player's Complete Hand(s); a split puts the second hand right behind the first
    shown = total(dealer.cards)
    for hand in felt.hands:
        if not hand.result:
            yield from form_hand(felt, hand, shown, options)

    # Determine Whether A Predetermined Outcome Occurs, after all player hands are complete
    nines = dealer_nines(dealer.cards)
    for hand in felt.in_play():
        hand.result = predetermined(hand, nines, options)
        if hand.result:
            yield Settle(hand)

    # Form The Dealer's Complete Hand, if any game is left
    left = felt.in_play()
    while left and (draw := dealer_draws(shown)):
        yield Deal(dealer, draw)
        shown = total(dealer.cards)

    # Determine The Outcome Of Each Remaining Game; Resolution Of The Game Wager(s)
    for hand in left:
        hand.result = outcome(total(hand.cards), shown)
    for hand in left:
        yield Settle(hand)


def form_hand(felt: Felt, hand: Hand, shown: Total, options: FinnishOptions) -> Script:
    """The player's hand until it is complete, the first of two post-split hands included."""
    while not (player := total(hand.cards)).bust:
        play = plays(player, shown, standing_of(hand), options.double_after_split,
                     options.forced_play)  # fmt: skip
        action = play.forced or (yield Ask(hand, play))
        if action in (DOUBLE, SPLIT) and (yield AddWager(hand, action, hand.wager)) is not DONE:
            continue
        felt.note(hand, play, action)
        if action in (STAND, SURRENDER):
            return
        if action is SPLIT:
            felt.split(hand)
            continue
        if action is DOUBLE:
            hand.double()
        yield Deal(hand, play)
        if action is DOUBLE:
            return


class Initial(Enum):
    """An initial hand with a value of twenty-seven; the number is its rank (F27-A18)."""

    JO_JO = 3
    FINNISH_27 = 2
    JOANCA = 1

    @property
    def title(self) -> Message:
        """The rule book's name for it."""
        return (message("joanca"), message("finnish-27"), message("jo-jo"))[self.value - 1]


def initial_27(cards: Sequence[Card]) -> Initial | None:
    """Which 27 an initial hand is ("Initial Hands That Have A Value Of Twenty-Seven")."""
    one, two = cards[0].rank, cards[1].rank
    if not one or not two:
        return Initial.JOANCA if one or two else Initial.JO_JO
    # An ace and a king: no other two ranks are 1 and 13.
    return Initial.FINNISH_27 if one + two == 14 and one * two == 13 else None


@lru_cache
def initial_outcome(player: Initial | None, dealer: Initial | None) -> Result | None:
    """The outcome that an initial 27 on either side settles at once; None if the hand is played."""
    if player is None and dealer is None:
        return None
    if player is dealer:
        assert player
        return Result(PUSH, message("both-have", combination=player.title))
    if player is None or (dealer and dealer.value > player.value):
        assert dealer
        return Result(LOSE, message("dealer-has", combination=dealer.title))
    why = (
        message("combination-beats", combination=player.title, dealer=dealer.title)
        if dealer
        else player.title
    )
    return Result(WIN, why, bonus=INITIAL_BONUS.get(player))


class Standing(NamedTuple):
    """What the rules ask of a hand beside its total: number of cards, a pair, post-split."""

    cards: int
    pair: bool = False
    split: bool = False


def standing_of(hand: Hand) -> Standing:
    """Where `hand` stands; a pair is two cards of one numeric value, which is of one rank."""
    cards = hand.cards
    pair = len(cards) == 2 and cards[0].rank is cards[1].rank
    return Standing(len(cards), pair, hand.split)


@lru_cache(maxsize=8192)
def plays(
    player: Total,
    dealer: Total,
    at: Standing,
    double_after_split: bool = True,
    reach: Forced = Forced.HIT_OR_STAND,
) -> Totals:
    """What a hand of total `player` may do against the dealer's two cards (`dealer`)."""
    weak = first_holding(DEALER_HITS, dealer) is not None
    if at.cards == 1:
        return Play((HIT,), message("one-card-takes-a-second"), player, dealer)
    if player.points == BEST:
        return Play((STAND,), message("best", total=player), player, dealer)
    further = further_options(at, weak, double_after_split)
    forced, why = hit_or_stand(player, dealer, weak)
    if forced is not None and further and reach is Forced.AFTER_HIT:
        # The clause that bars standing below a strong dealer stands by itself.
        forced = None if weak or forced is STAND else forced
    own: tuple[Action, ...] = (STAND, HIT) if forced is None else (forced,)
    return Play((*own, *further), why, player, dealer)


def further_options(at: Standing, weak: bool, double_after_split: bool) -> tuple[Action, ...]:
    """Double, split and surrender, which two cards may select by clauses of their own."""
    if at.cards != 2:
        return ()
    double = weak and (not at.split or double_after_split)
    return (
        *((DOUBLE,) if double else ()),
        *((SPLIT,) if at.pair and not at.split else ()),
        *((SURRENDER,) if not at.split else ()),
    )


def hit_or_stand(player: Total, dealer: Total, weak: bool) -> tuple[Action | None, Message]:
    """The forced one of hit and stand, None where the player chooses; and why."""
    if weak:
        if held := first_holding(WEAK_HITS, player):
            return HIT, stands_in(held, player)
        if held := first_holding(WEAK_STANDS, player):
            return STAND, stands_in(held, player)
    elif player.points < dealer.points:
        return HIT, message("under-dealer", player=player, dealer=dealer)
    elif player.soft and player.points > dealer.points:
        return STAND, message("over-dealer", player=player, dealer=dealer)
    elif not player.soft and player.points == dealer.points:
        return STAND, message("equals-dealer", player=player, dealer=dealer)
    # Hard above or soft equal to a strong dealer: the rule book is silent, the player chooses
    # (F27-A4).
    return None, message("against", player=player, dealer=dealer)


@lru_cache(maxsize=256)
def dealer_draws(dealer: Total) -> Totals | None:
    """The dealer's forced hit, or None where the dealer stands or has bust."""
    held = first_holding(DEALER_HITS, dealer)
    return Play((HIT,), stands_in(held, dealer), dealer, dealer) if held else None


#: The ranks of three cards that win outright.
EIGHT_NINE_TEN: Final = [Rank.EIGHT, Rank.NINE, Rank.TEN]
THREE_NINES: Final = [Rank.NINE, Rank.NINE, Rank.NINE]
#: Two cards that a third may complete to one of them.
BEGUN: Final = frozenset((*combinations(EIGHT_NINE_TEN, 2), *combinations(THREE_NINES, 2)))


def predetermined(hand: Hand, nines: bool, options: FinnishOptions) -> Result | None:
    """What settles a complete hand before the dealer draws: 8-9-10 and 9-9-9 (exactly three
    cards, F27-A14), a bust, a surrender. `nines`: the dealer's initial hand is 9-9.
    """
    if hand.ended is SURRENDER:
        return Result(Outcome.SURRENDER, message("surrenders-half"))
    if len(hand.cards) == 3:
        ranks = sorted(card.rank for card in hand.cards)
        if ranks == EIGHT_NINE_TEN:
            return Result(WIN, message("8-9-10"), bonus=bonus_8_9_10(hand.cards))
        if ranks == THREE_NINES:
            return Result(WIN, message("9-9-9"), bonus=bonus_9_9_9(hand.cards, nines, options))
    player = total(hand.cards)
    return bust(player.points, BEST) if player.bust else None


#: Combinations are the same with any options.
_DEFAULTS: Final = FinnishOptions()


def hand_class(cards: Sequence[Card], split: bool) -> Hashable:
    """What the rules look at in a hand: its total, where it stands, and what wins outright."""
    hand = laid(cards, split=split)
    if len(cards) == 1:
        return cards[0]
    counted = total(cards)
    if len(cards) > 3:
        return "bust" if counted.bust else counted
    if len(cards) == 3:
        wins = predetermined(hand, False, _DEFAULTS)
        return "bust" if counted.bust else (counted, wins and wins.bonus)
    first = None if split else initial_27(cards)
    # Two cards that a third may complete to 8-9-10 or 9-9-9: which, and of which suit.
    ranks = tuple(sorted(card.rank for card in cards))
    begun = (ranks, one_suit(cards)) if ranks in BEGUN else None
    return counted, standing_of(hand), first, begun


def dealer_class(cards: Sequence[Card]) -> Hashable:
    """What the rules look at in the dealer's hand: its total, and which first two cards it was."""
    if len(cards) == 1:
        return cards[0].rank
    counted = total(cards)
    if len(cards) == 2:
        return counted, initial_27(cards), dealer_nines(cards)
    return "bust" if counted.bust else counted


def dealer_nines(cards: Sequence[Card]) -> bool:
    """Whether the dealer's initial hand is 9-9, for the highest bonus (F27-A9)."""
    return [card.rank for card in cards] == [Rank.NINE, Rank.NINE]


#: "Determine The Outcome": the hand that is nearer to 27 wins, equal ones push.
outcome: Final = nearer


#: "Bonus Payouts For Predetermined Combinations Of Cards".
INITIAL_BONUS: Final = {
    Initial.FINNISH_27: Bonus(message("finnish-27"), Odds(1, 2)),
    Initial.JO_JO: Bonus(message("jo-jo"), Odds(1, 1)),
}
MIXED_8_9_10: Final = Bonus(message("8-9-10-mixed"), Odds(1, 2))
SUITED_8_9_10: Final = Bonus(message("8-9-10-suited"), Odds(1, 1))
SPADES_8_9_10: Final = Bonus(message("8-9-10-spades"), Odds(2, 1))


def one_suit(cards: Sequence[Card]) -> Suit | None:
    """The suit of all the cards, None where they are of several (F27-A15)."""
    suits = {card.suit for card in cards}
    return suits.pop() if len(suits) == 1 else None


def bonus_8_9_10(cards: Sequence[Card]) -> Bonus:
    """The bonus of an 8-9-10, odds on the wager as it stands, doubled or not (F27-A8)."""
    suit = one_suit(cards)
    if suit is Suit.SPADES:
        return SPADES_8_9_10
    return SUITED_8_9_10 if suit else MIXED_8_9_10


def bonus_9_9_9(cards: Sequence[Card], nines: bool, options: FinnishOptions) -> Bonus:
    """The bonus of a 9-9-9: fixed amounts; the last replaces the others (F27-A9)."""
    if nines:
        return Bonus(message("9-9-9-against-9-9"), amount=options.bonus_999_jackpot)
    if one_suit(cards):
        return Bonus(message("9-9-9-suited"), amount=options.bonus_999_suited)
    return Bonus(message("9-9-9-mixed"), amount=options.bonus_999_mixed)


#: Splits that pay against a weak dealer, by points of the pair; and doubles on hard hands.
_SPLITS: Final = (14, 15, 26)


def advise(play: Totals, cards: Sequence[Card]) -> Action:
    """A sensible player (the rule book's table of strategy is a picture that is not with it)."""
    player, dealer, options = play.total, play.dealer, play.options
    weak = first_holding(DEALER_HITS, dealer) is not None
    if SPLIT in options and player.points in _SPLITS and dealer.points < 20:
        return SPLIT
    if DOUBLE in options and not player.soft and 13 <= player.points <= 14 and dealer.points < 20:
        return DOUBLE
    if SURRENDER in options and not player.soft and not weak and player.points in (16, 17, 18):
        return SURRENDER
    if STAND not in options or HIT not in options:
        return options[0]
    if not weak:
        return HIT if player.soft and dealer.points < 25 else STAND
    return HIT if player.points < (24 if player.soft else 20) else STAND


def edge(options: FinnishOptions) -> Edge | None:
    """The house's edge, as computed from these rules at the least wager.

    The fixed bonuses are worth less the larger the wager is.
    """
    found = computed(GAME.identity, options, GAME.options)
    if found is None or options.min_bet != GAME.options.min_bet:
        return None
    return Edge(found.per_cent, exact_at(options.min_bet))


def sheet(options: FinnishOptions) -> Sheet:
    """The enforced rules in print, from the functions above."""
    first = sorts(PACK, initial_27)
    order = [
        message("sheet-first-hand", hand=each.title, cards=hand_names(first[each], PACK))
        for each in Initial
    ]
    names: dict[Initial | None, str] = {each: text_of(each.title, WORDS) for each in Initial}
    names[None] = text_of(message("sheet-another-hand"))
    jokers = {total(cards).points for cards in two_cards(PACK) if JOKER in cards}
    dealers = by_kind(map(total, first[None]))
    ends = by_kind([*dealers, *grown(first[None], PACK, total, dealer_draws)])
    reached = filter(not_bust, grown(two_cards(PACK), PACK, total, not_bust))
    complete = {each: each.points for each in reached}
    shown = {each: each.points for each in ends if dealer_draws(each) is None}
    joker = message("sheet-joker-makes", points=tuple(sorted(jokers)))
    return (
        section(
            message("sheet-values"), (), scale_grid(PACK, SCALE_27_WILD, text_of(joker, WORDS))
        ),
        section(
            message("sheet-first-two-cards"),
            (*order, message("sheet-first-hands-settle")),
            first_grid(names, initial_outcome),
            WORDS,
        ),
        section(message("sheet-your-options"), options_lines(), words=WORDS),
        *hand_sections(first[None], dealers, options),
        section(
            message("sheet-bonuses"),
            (
                message("sheet-bonus-three-cards"),
                message("sheet-bonus-odds"),
                message("sheet-one-bonus"),
            ),
            bonus_grid(options),
            WORDS,
        ),
        section(
            message("sheet-dealers-hand", dealer=Seat(DEALER_SEAT)),
            (message("sheet-dealer-draws-last"),),
            draw_grid(ends, dealer_draws, lambda each: each.bust),
        ),
        section(message("sheet-who-wins"), (), settle_grid(complete, shown, outcome, BEST)),
    )


def bonus_grid(options: FinnishOptions) -> Grid:
    """Every bonus, and what it pays."""
    bonuses = (*INITIAL_BONUS.values(), *three_card_bonuses(options))
    return Grid(
        (text_of(message("sheet-head-hand")), text_of(message("sheet-head-bonus"), WORDS)),
        tuple((text_of(each.name, WORDS), bonus_text(each)) for each in bonuses),
    )


def not_bust(counted: Total) -> bool:
    """Whether a hand may go on."""
    return not counted.bust


def options_lines() -> tuple[Message, ...]:
    """What a player may choose, and what it costs."""
    half = result_text(Result(Outcome.SURRENDER, message("surrenders-half")))
    return (
        message("sheet-stand-and-hit"),
        message("sheet-double"),
        message("sheet-split-a-pair"),
        message("sheet-surrender", half=half),
        message("sheet-over-loses-first", limit=BEST),
    )


def hand_sections(
    played: Sequence[tuple[Card, ...]], dealers: Mapping[Total, Kind], options: FinnishOptions
) -> Iterator[Section]:
    """What every hand may do, by where it stands; `played`: first hands that are played."""
    pairs = [each for each in played if standing_of(laid(each)).pair]
    unlike = [each for each in played if each not in pairs]
    split = {each[:1] for each in pairs}
    again = [(*one, two) for one in split for two in each_rank(PACK)]
    more = grown([*played, *again], PACK, total, not_bust)
    for title, standing, totals in (
        (message("sheet-hand-first"), Standing(2), map(total, unlike)),
        (message("sheet-hand-pair"), Standing(2, pair=True), map(total, pairs)),
        (message("sheet-hand-split-one"), Standing(1, split=True), map(total, split)),
        (message("sheet-hand-split-two"), Standing(2, split=True), map(total, again)),
        (message("sheet-hand-more"), Standing(3), more),
    ):

        def play(mine: Total, theirs: Total, at: Standing = standing) -> Totals:
            return plays(mine, theirs, at, options.double_after_split, options.forced_play)

        players = by_kind(each for each in totals if not each.bust)
        yield section(title, (), play_grid(players, dealers, play, BEST), WORDS)


def three_card_bonuses(options: FinnishOptions) -> Iterable[Bonus]:
    """Every bonus that some hand of three cards is paid before the dealer draws."""
    found: dict[Message, Bonus] = {}
    mixed = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS)
    suits = (mixed, *((each,) * 3 for each in Suit))
    for nines in (False, True):
        for ranks in combinations_with_replacement(each_rank(PACK)[:-1], 3):
            for each in suits:
                cards = (of_suit(card, suit) for card, suit in zip(ranks, each, strict=True))
                result = predetermined(laid(cards), nines, options)
                if result and result.bonus:
                    found[result.bonus.name] = result.bonus
    return found.values()


def shown_rule(options: FinnishOptions) -> Message:
    """The rule in one line."""
    hard, soft = (each.high + 1 for each in DEALER_HITS)
    jackpot = Amount(options.bonus_999_jackpot)
    return message("rule-of-finnish-27", hard=hard, soft=soft, even=EVEN, jackpot=jackpot)


#: The game's own reasons and bonuses, and what its sheet alone says, in English.
WORDS: Final = Words(
    reasons={
        "rule-of-finnish-27": "Dealer hits under hard {hard} and under soft {soft}."
        " A Joker makes 27. Wins pay {even}; 9-9-9 against 9-9 {jackpot}.",
        "finnish-27": "Finnish 27",
        "jo-jo": "Jo Jo",
        "joanca": "Joanca",
        "both-have": "both have a {combination}",
        "dealer-has": "the dealer has a {combination}",
        "combination-beats": "{combination} beats a {dealer}",
        "best": "{total} cannot get better",
        "one-card-takes-a-second": "one card takes a second",
        "surrenders-half": "surrenders half the bet",
        "8-9-10": "8-9-10",
        "8-9-10-mixed": "8-9-10 mixed suits",
        "8-9-10-suited": "8-9-10 hearts, clubs or diamonds",
        "8-9-10-spades": "8-9-10 spades",
        "9-9-9": "9-9-9",
        "9-9-9-mixed": "9-9-9 mixed suits",
        "9-9-9-suited": "9-9-9 same suit",
        "9-9-9-against-9-9": "9-9-9 against the dealer's 9-9",
        "option-must-be-chips": ("{option} must be a whole number of smallest chips, 0 to {most}"),
        "option-double-post-split": "a post-split hand may be doubled",
        "option-forced-play": (
            "forced play settles hit or stand at once, or only where nothing else is open"
        ),
        "option-bonus-mixed": "bonus for 9-9-9",
        "option-bonus-suited": "bonus for 9-9-9 of one suit",
        "option-bonus-jackpot": "bonus for any 9-9-9 while the dealer's initial hand is 9-9",
        "sheet-joker-makes": "the whole hand {points}",
        "sheet-first-hands-settle": (
            "They settle the wager at once; nothing is asked, not even surrender."
        ),
        "sheet-split-a-pair": (
            "Split a pair: the same wager once more; each card begins a hand of its own."
        ),
        "sheet-surrender": "Surrender: {half}.",
        "sheet-over-loses-first": "A hand over {limit} loses before the dealer draws.",
        "sheet-hand-first": "Your hand: first two cards",
        "sheet-hand-pair": "Your hand: a pair",
        "sheet-hand-split-one": "Your hand: one card after a split",
        "sheet-hand-split-two": "Your hand: two cards after a split",
        "sheet-hand-more": "Your hand: three cards or more",
        "sheet-bonuses": "Bonuses, on top of what a winning hand is paid",
        "sheet-bonus-three-cards": (
            "8-9-10 and 9-9-9 are exactly three cards. They win before the dealer draws."
        ),
        "sheet-bonus-odds": (
            "Odds are on the wager as it lies, doubled or not. Amounts are fixed."
        ),
        "sheet-one-bonus": "A hand is paid one bonus, the last that fits.",
        "sheet-head-bonus": "bonus",
    }
)

PACK: Final = Pack(decks=6, jokers=2)
GAME: Final = Game(
    name="finnish-27",
    revision=REVISION,
    title="Finnish 27",
    seats=range(1, 8),
    options=_DEFAULTS,
    pack_of=lambda options: PACK,
    pays=lambda options: (EVEN, HALF),
    script=script,
    counts=lambda cards, options: total(cards),
    advise=advise,
    sheet=sheet,
    shown_rule=shown_rule,
    edge=edge,
    said=lambda cards: total(cards).parts,
    report=house_report(total),
    hand_class=hand_class,
    dealer_class=dealer_class,
    words=WORDS,
    no_answer=(STAND,),
)
