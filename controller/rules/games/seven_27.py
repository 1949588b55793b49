"""Seven Twenty-Seven: the vying pot game (RULINGS.md, section 4, V727-A1 to V727-A10).

Four to ten players, one deck, no house: the table is the banker of the pot. Faces count a half,
aces 1 toward 7 and 11 toward 27. `felt.hands` lie in order of play, from the dealer's left; the
last one deals. Points are counted in halves.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final, NamedTuple, TypeAlias

from controller.rules.actions import Action, Bid, Move, Outcome
from controller.rules.cards import DECK_52, Card, Pack, Rank, card
from controller.rules.frozen import frozen
from controller.rules.game import Edge, Game, PotParts, PotRules
from controller.rules.hands import TotalKind, TotalPart, TotalParts
from controller.rules.messages import Amount, Message, Words, message
from controller.rules.money import Odds
from controller.rules.options import MOST, HouseOptions, about, limit, option
from controller.rules.script.felt import Felt, Hand, Play, Result
from controller.rules.script.report import Facts, codes, own_cards
from controller.rules.script.steps import Ask, Deal, Reveal, Script, Settle, Step, Vie
from controller.rules.sheets.grids import value_grid
from controller.rules.sheets.sheet import Grid, Sheet, play_text, section, spans, text_of

#: Raised with every change of behaviour (tests/contracts/behaviour says when).
REVISION: Final = 1

PASS, BET, CALL, RAISE, FOLD = Action.PASS, Action.BET, Action.CALL, Action.RAISE, Action.FOLD
CARD, NO_CARD = Action.CARD, Action.NO_CARD

#: The two targets, in halves of a point.
LOW, HIGH = 14, 54
PACK: Final = Pack(decks=1)
#: No betting round could have more raises.
MOST_RAISES: Final = 100


class Showdown(Enum):
    """Who is nearest ("Showdown Variations"); agreed on beforehand."""

    NEAREST = "nearest"
    OVER_IS_BUST = "over-is-bust"
    UNDER_TRUMPS_OVER = "under-trumps-over"


class FirstCard(Enum):
    """Which of the two first cards comes first (V727-A1)."""

    DOWN = "down"
    UP = "up"


@frozen
class SevenOptions(HouseOptions):
    """The house options of Seven Twenty-Seven; amounts in minor units."""

    ante: int = limit(1_000, message("option-ante"), free=0)
    min_raise: int = limit(1_000, message("option-min-raise"), free=1)
    max_raise: int = limit(10_000, message("option-max-raise"))
    max_raises_per_round: int = option(MOST_RAISES, message("option-max-raises"), ruling="V727-A3")
    showdown: Showdown = option(
        Showdown.NEAREST, message("option-showdown"), choices=tuple(Showdown)
    )
    first_card: FirstCard = option(
        FirstCard.DOWN, message("option-first-card"), choices=tuple(FirstCard), ruling="V727-A1"
    )
    free_ace: bool = option(
        False,
        message("option-free-ace"),
        choices=(False, True),
        ruling="V727-A4",
    )

    def problem(self, pack: Pack) -> Message | None:
        """Why these options make no sense for `pack`, or None."""
        if not 0 < self.min_raise <= self.max_raise <= MOST:
            return message("raises-do-not-fit", most=MOST)
        if self.ante < 0 or (self.ante and not self.min_bet <= self.ante <= self.max_bet):
            return message("ante-outside-bets")
        if not 0 <= self.max_raises_per_round <= MOST_RAISES:
            return message("too-many-raises", most=MOST_RAISES)
        if (problem := HouseOptions.problem(self, pack)) is not None:
            return problem
        for name in ("ante", "min_raise"):
            if getattr(self, name) % self.smallest_chip:
                return message("option-not-in-chips", option=name)
        return None

    def wager_problem(self, amount: int | None) -> Message | None:
        """Why a wager of `amount` is not taken: everybody puts in the same ante."""
        if amount is None:
            return message("ante-has-no-amount")
        if self.ante and amount != self.ante:
            return message("ante-is", ante=Amount(self.ante))
        return HouseOptions.wager_problem(self, amount)

    @property
    def wager_bounds(self) -> tuple[int, int]:
        """The ante, for everybody the same."""
        return (self.ante, self.ante) if self.ante else (self.min_bet, self.max_bet)

    @property
    def stakes(self) -> tuple[int, int]:
        """The least and the largest raise: the ante is the smallest part of what is at stake."""
        return self.min_raise, self.max_raise

    def some_wagers(self) -> Iterable[int]:
        """The ante; the least wager where it is free."""
        return (self.ante or self.min_bet,)

    def wagers_problem(self, wagers: Sequence[int | None]) -> Message | None:
        """Why a round cannot be played for these antes."""
        return message("antes-differ") if len(set(wagers)) > 1 else None

    @property
    def limits(self) -> Message:
        """The table's limits, for displays, without a currency."""
        return message(
            "ante-and-raises",
            ante=Amount(self.ante),
            low=Amount(self.min_raise),
            high=Amount(self.max_raise),
        )


class Stage(NamedTuple):
    """Where a round stands when a player acts: amounts in minor units.

    `low` to `high` is what a bet or a raise may be above the call.
    """

    phase: str
    to_call: int = 0
    pot: int = 0
    low: int = 0
    high: int = 0
    raises: int = 0

    def __str__(self) -> str:
        return self.phase


Turn: TypeAlias = Play[Stage, None]


def script(felt: Felt, options: SevenOptions) -> Script:
    """One round, in the order of the rule book; the antes lie in the pot."""
    # The deal: two cards each, around the table, one face down and one face up
    for down in (True, False) if options.first_card is FirstCard.DOWN else (False, True):
        for hand in felt.hands:
            yield Deal(hand, down=down)

    # Betting, then extra cards, until all refuse one or the stock is empty (V727-A8)
    number, took_card = 1, True
    while took_card:
        yield from betting_round(felt, number, options)
        if len(felt.in_play()) == 1 or not stock(felt):
            break
        took_card = yield from card_round(felt, number)
        number += 1

    # One player left wins the pot unseen; else a showdown of the active players
    left = felt.in_play()
    if len(left) == 1:
        left[0].result = Result(Outcome.WIN, message("last-player-standing"), share=pot(felt))
    else:
        for hand in left:
            while hand.down:
                yield Reveal(hand)
        award(left, divide([tuple(hand.cards) for hand in left], pot(felt), options))
    for hand in left:
        if hand.result and hand.result.share:
            yield Settle(hand)
        else:
            hand.settled = True


def betting_round(felt: Felt, number: int, options: SevenOptions) -> Script:
    """From the first active player on the dealer's left, until all active stakes are equal."""
    phase = f"betting {number}"
    low, high, chip = options.min_raise, options.max_raise, options.smallest_chip
    most_raises = options.max_raises_per_round
    to_act = deque(felt.in_play())
    active = len(to_act)
    staked = dict.fromkeys((hand.place for hand in to_act), 0)
    in_pot = pot(felt)
    highest = raises = 0
    while to_act and active > 1:
        hand = to_act.popleft()
        to_call = highest - staked[hand.place]
        play = bets(Stage(phase, to_call, in_pot, low, high, raises), most_raises)
        move: Move = yield Vie(hand, play, to_call, low, high, chip)
        felt.note(hand, play, move)
        if move is FOLD:
            hand.result = Result(Outcome.LOSE, message("folded"), share=0)
            hand.settled = True
            active -= 1
        elif move is not PASS:
            more = to_call + (move.amount if isinstance(move, Bid) else 0)
            staked[hand.place] += more
            in_pot += more
            hand.wager = (hand.wager or 0) + more
        if isinstance(move, Bid):
            highest = staked[hand.place]
            raises += move.action is RAISE
            to_act = deque(others_from(felt, hand))


def others_from(felt: Felt, hand: Hand) -> Iterable[Hand]:
    """The other active players, in order of play from the one after `hand`."""
    at = felt.hands.index(hand)
    order = (*felt.hands[at + 1 :], *felt.hands[:at])
    return (each for each in order if each.result is None)


@lru_cache(maxsize=4096)
def bets(stage: Stage, max_raises: int) -> Turn:
    """What a player may do in a betting round ("THE BETTING")."""
    money = message("pot", amount=Amount(stage.pot))
    if not stage.to_call:
        return Play((PASS, BET), money, stage, None)
    open_to_raise = stage.raises < max_raises
    options = (FOLD, CALL, RAISE) if open_to_raise else (FOLD, CALL)
    return Play(options, money, stage, None)


def card_round(felt: Felt, number: int) -> Generator[Step, Any, bool]:
    """Each active player takes one card, face down, or refuses; whether anyone took one."""
    took = False
    left = stock(felt)
    play = drawing(Stage(f"cards {number}", pot=pot(felt)))
    for hand in felt.in_play():
        if not left:
            break
        action = yield Ask(hand, play)
        felt.note(hand, play, action)
        if action is CARD:
            took = True
            left -= 1
            yield Deal(hand, play, down=True)
    return took


@lru_cache(maxsize=4096)
def drawing(stage: Stage) -> Turn:
    """What a player may do in a round of cards ("EXTRA CARDS")."""
    return Play((CARD, NO_CARD), message("pot", amount=Amount(stage.pot)), stage, None)


def pot(felt: Felt) -> int:
    """All antes, bets and raises, of those who folded too."""
    return sum([hand.wager or 0 for hand in felt.hands])


def stock(felt: Felt) -> int:
    """Cards that are left to be dealt."""
    return PACK.size - sum([hand.size for hand in felt.hands])


class Score(NamedTuple):
    """A hand's points toward 7 and toward 27, in halves."""

    low: int
    high: int

    @property
    def parts(self) -> TotalParts:
        """The points toward 7 and toward 27, once where they are the same."""
        return _toward(self.low, self.high)

    def __str__(self) -> str:
        return (
            points(self.low)
            if self.low == self.high
            else f"{points(self.low)} / {points(self.high)}"
        )


@lru_cache(maxsize=1024)
def _toward(low: int, high: int) -> TotalParts:
    numbers = (low,) if low == high else (low, high)
    return tuple(TotalPart(TotalKind.HALVES, halves) for halves in numbers)


def points(halves: int) -> str:
    """Halves as a display writes them: 6.5."""
    return f"{halves / 2:g}"


_HALVES: Final = {each: 1 if each.rank > 10 else 2 * int(each.rank) for each in DECK_52}
_ACES: Final = frozenset(each for each in DECK_52 if each.rank is Rank.ACE)
ACE_GAIN: Final = 20


def score(cards: Sequence[Card], options: SevenOptions) -> Score:
    """What a hand counts: aces 1 toward 7 and 11 toward 27, or free for each (V727-A4)."""
    low = aces = 0
    for each in cards:
        low += _HALVES[each]
        if each in _ACES:
            aces += 1
    if not options.free_ace:
        return Score(low, low + ACE_GAIN * aces)
    could_be = [low + ACE_GAIN * high for high in range(aces + 1)]

    def best(target: int) -> int:
        return min(could_be, key=lambda halves: distance(halves, target, options.showdown) or _OUT)

    return Score(best(LOW), best(HIGH))


_OUT: Final = (10_000, True)


def distance(halves: int, target: int, variant: Showdown) -> tuple[int, bool] | None:
    """How far a score is from a target; less is nearer; None: it cannot win that half."""
    over = halves > target
    if over and variant is Showdown.OVER_IS_BUST:
        return None
    return abs(halves - target), over and variant is Showdown.UNDER_TRUMPS_OVER


def nearest(scores: Sequence[int], target: int, variant: Showdown) -> list[int]:
    """The places in `scores` of those nearest to `target`; nobody, if all are out."""
    away = [distance(each, target, variant) for each in scores]
    least = min((each for each in away if each is not None), default=None)
    return [at for at, each in enumerate(away) if each is not None and each == least]


class Division(NamedTuple):
    """Who wins which half, by place in order of play, and what each takes (minor units)."""

    scores: list[Score]
    low: list[int]
    high: list[int]
    shares: list[int]


def divide(hands: Sequence[tuple[Card, ...]], amount: int, options: SevenOptions) -> Division:
    """Divide the pot among the active hands (V727-A5 to A7); odd chips go by V727-A6."""
    scores = [score(cards, options) for cards in hands]
    low = nearest([each.low for each in scores], LOW, options.showdown)
    high = nearest([each.high for each in scores], HIGH, options.showdown)
    shares = [0] * len(hands)
    left = amount // options.smallest_chip
    parts = halves((low, high), len(hands))
    for nth_part, (part, winners) in enumerate(parts, 1):
        chips = left if nth_part == len(parts) else int(left * part)
        left -= chips
        each, odd = divmod(chips, len(winners))
        for nth, winner in enumerate(winners):
            shares[winner] += (each + (nth < odd)) * options.smallest_chip
    return Division(scores, low, high, shares)


def halves(winners: Sequence[list[int]], players: int) -> PotParts:
    """The halves of the pot and who shares them; the whole where nobody qualifies for one."""
    low, high = winners
    if low and high:
        return [(Fraction(1, 2), low), (Fraction(1, 2), high)]
    return [(Fraction(1), low or high or list(range(players)))]


def award(hands: Sequence[Hand], division: Division) -> None:
    """Write the division down as each hand's result."""
    for at, hand in enumerate(hands):
        if share := division.shares[at]:
            hand.result = Result(Outcome.WIN, won(at, division), share=share)
        else:
            lost = message("not-nearest", score=str(division.scores[at]))
            hand.result = Result(Outcome.LOSE, lost, share=0)


def won(at: int, division: Division) -> Message:
    """What the winner at place `at` won: one half of the pot, both, or a share of all."""
    low, high = division.scores[at]
    halves = [
        message("nearest-to", points=points(mine), target=target)
        if len(winners) == 1
        else message("shares-nearest-to", points=points(mine), target=target)
        for mine, target, winners in ((low, 7, division.low), (high, 27, division.high))
        if at in winners
    ]
    if len(halves) == 2:
        return message("both-halves", low=halves[0], high=halves[1])
    return halves[0] if halves else message("nobody-wins-a-half")


def report(felt: Felt, options: SevenOptions) -> Facts:
    """A finished round as data, folded cards included."""
    left = [hand for hand in felt.hands if hand.ended is not FOLD]
    shown = len(left) > 1
    division = divide([tuple(hand.cards) for hand in left], pot(felt), options) if shown else None
    steps = []
    for point in felt.points:
        step: Facts = {
            "seat": point.place.seat,
            "phase": str(point.play.total),
            "allowed": [each.value for each in point.play.options],
            "action": point.action.value,
        }
        steps.append(step if point.amount is None else {**step, "amount": point.amount})

    def seats(places: Iterable[int]) -> list[int]:
        return [left[at].place.seat for at in places]

    def by_seat(value: Callable[[Hand], object], hands: Iterable[Hand] = felt.hands) -> Facts:
        return {str(hand.place.seat): value(hand) for hand in hands}

    scores = division.scores if division else []
    return {
        "steps": steps,
        "pot": pot(felt),
        "cards": by_seat(lambda hand: codes(own_cards(hand))),
        "scores": {
            str(hand.place.seat): [each.low / 2, each.high / 2]
            for hand, each in zip(left, scores, strict=False)
        },
        "low_winners": seats(division.low) if division else [],
        "high_winners": seats(division.high) if division else [],
        "payout": by_seat(lambda hand: hand.result.share if hand.result else 0),
        "net": by_seat(lambda hand: hand.result.net(hand.wager or 0) if hand.result else 0),
        "ended": "showdown" if shown else "last player standing",
    }


_BY_SIDE: Final = SevenOptions()


@lru_cache(maxsize=4096)
def _aim(cards: tuple[Card, ...]) -> tuple[int, int]:
    """How far the cards are from the nearer target, and what they count toward 27, in halves.

    A player counts the same cards at every bet.
    """
    low, high = score(cards, _BY_SIDE)
    return min(abs(low - LOW), abs(high - HIGH)), high


def advise(play: Turn, cards: Sequence[Card]) -> Move:
    """A sensible player: draws while far from both targets, bets when near, folds when lost."""
    away, high = _aim(tuple(cards))
    if CARD in play.options:
        return NO_CARD if away <= 4 or high > HIGH else CARD
    stage = play.total
    if away <= 2 and stage.raises < 2 and (RAISE in play.options or BET in play.options):
        return Bid(RAISE if stage.to_call else BET, stage.low)
    if not stage.to_call:
        return PASS
    return CALL if away <= 14 or (stage.to_call <= stage.low and high < HIGH) else FOLD


def takes_card(cards: Sequence[Card], _options: SevenOptions) -> bool:
    """Whether a sensible player takes a further card, whatever is bet."""
    return advise(drawing(Stage("cards")), cards) is CARD


#: What wins the pot, for its chances.
POT_RULES: Final = PotRules(
    targets=("7", "27"),
    points=score,
    away=lambda halves_, nth, options: distance(halves_, (LOW, HIGH)[nth], options.showdown),
    parts=halves,
    takes=takes_card,
    first_cards=2,
    text=points,
)


def sheet(options: SevenOptions) -> Sheet:
    """The enforced rules in print, from the functions above."""
    low, high = Amount(options.min_raise), Amount(options.max_raise)
    free = [message("sheet-sentence", said=about(options)["free_ace"].meaning)]
    return (
        section(
            message("sheet-values"),
            free if options.free_ace else (),
            value_grid(PACK, card_value),
            WORDS,
        ),
        section(
            message("sheet-betting"),
            (
                message("sheet-betting-begins"),
                message("sheet-betting-ends"),
                message("sheet-bet-and-raise", low=low, high=high),
            ),
            bets_grid(options.max_raises_per_round),
            WORDS,
        ),
        section(
            message("sheet-cards"),
            (
                message("sheet-extra-cards"),
                message("sheet-cards-in-pack", cards=PACK.size),
                message("sheet-nobody-takes"),
                message("sheet-no-card-left"),
            ),
            words=WORDS,
        ),
        section(message("sheet-showdown"), showdown_lines(options), showdown_grid(options), WORDS),
        section(message("sheet-the-pot"), pot_lines(options), words=WORDS),
    )


def in_points(halves: int) -> str:
    """Halves as points, as the reader writes them."""
    return text_of(message("total-halves", halves=halves))


def card_value(each: Card) -> str:
    """What a card counts toward 7 and toward 27."""
    counted = score((each,), _BY_SIDE)
    if counted.low == counted.high:
        return in_points(counted.low)
    return text_of(message("sheet-toward", low=counted.low, high=counted.high), WORDS)


def bets_grid(most: int) -> Grid:
    """What a player may do in a betting round, with nothing bet and after any number of raises."""
    texts = {
        raises: play_text(bets(Stage("", 1, raises=raises), most)) for raises in range(most + 1)
    }
    rows = [(text_of(message("sheet-nobody-has-bet"), WORDS), play_text(bets(Stage(""), most)))]
    for text in dict.fromkeys(texts.values()):
        raises = spans((each for each in texts if texts[each] == text), texts)
        rows.append((text_of(message("sheet-a-bet-lies", raises=raises), WORDS), text))
    head = (text_of(message("sheet-head-round-stands"), WORDS), text_of(message("sheet-head-play")))
    return Grid(head, tuple(rows))


def showdown_lines(options: SevenOptions) -> Iterator[Message]:
    """How the halves of the pot are won."""
    yield message("sheet-half-each")
    yield message("sheet-cards-speak")
    if options.showdown is Showdown.OVER_IS_BUST:
        yield message("sheet-nobody-for-a-half")
        yield message("sheet-nobody-for-either")


def showdown_grid(options: SevenOptions) -> Grid:
    """Which scores win before which, in each variant; the one in force is marked.

    Variants have the names by which a file chooses them.
    """
    rows = []
    for variant in Showdown:
        name = variant.value
        if variant is options.showdown:
            name = text_of(message("sheet-in-force", name=name), WORDS)
        rows.append((name, *(best_first(target, variant) for target in (LOW, HIGH))))
    heads = (
        message("sheet-head-showdown"), message("sheet-head-toward-7"),
        message("sheet-head-toward-27"),
    )  # fmt: skip
    return Grid(tuple(text_of(each, WORDS) for each in heads), tuple(rows))


def best_first(target: int, variant: Showdown) -> str:
    """Scores around a target in the order in which they win, equal ones joined."""
    near = {each: distance(each, target, variant) for each in range(target - 2, target + 3)}
    order = sorted({each for each in near.values() if each is not None})
    ranks = tuple(
        " = ".join(in_points(each) for each in near if near[each] == away) for away in order
    )
    out = tuple(in_points(each) for each in near if near[each] is None)
    if not out:
        return text_of(message("sheet-best-first", scores=ranks), WORDS)
    return text_of(message("sheet-best-first-never", scores=ranks, out=out), WORDS)


def pot_lines(options: SevenOptions) -> tuple[Message, ...]:
    """Who gets the chips that cannot be halved, as `divide` gives them."""
    tied = divide([(card("7c"),), (card("7h"),)], 3 * options.smallest_chip, options).shares
    from_left = tied[0] > tied[1]
    return (
        message("sheet-same-ante"),
        message("sheet-pot-holds"),
        message("sheet-last-wins-unseen"),
        message("sheet-odd-chip", half=odd_half(options)),
        message("sheet-odd-chips-from-left")
        if from_left
        else message("sheet-odd-chips-from-right"),
    )


def odd_half(options: SevenOptions) -> int:
    """The target whose half takes the odd chip of the pot, as `divide` gives it."""
    hands = (card("7c"),), (card("7d"), card("Tc"), card("Td"))
    to_7, to_27 = divide(hands, options.smallest_chip, options).shares
    return 27 if to_27 > to_7 else 7


def shown_rule(options: SevenOptions) -> Message:
    """The rule in one line."""
    half = odd_half(options)
    if options.showdown is Showdown.NEAREST:
        return message("rule-of-seven-27", half=half)
    if options.showdown is Showdown.OVER_IS_BUST:
        return message("rule-of-seven-27-over-is-bust", half=half)
    return message("rule-of-seven-27-under-trumps", half=half)


def edge(options: SevenOptions) -> Edge:
    """There is no house."""
    return Edge(0, message("edge-of-a-pot"))


def pays(options: SevenOptions) -> tuple[Odds, ...]:
    """No odds: the pot is what the players put in."""
    return ()


#: The game's own reasons and refusals, and what its sheet alone says, in English.
REASONS: Final = {
    "rule-of-seven-27": ("Nearest to 7 and nearest to 27 halve the pot. Odd chip to the {half}."),
    "rule-of-seven-27-over-is-bust": (
        "Nearest to 7 and to 27 halve the pot; over is a bust. Odd chip to the {half}."
    ),
    "rule-of-seven-27-under-trumps": (
        "Nearest to 7 and to 27 halve the pot; under trumps over. Odd chip to the {half}."
    ),
    "pot": "Pot {amount}",
    "ante-and-raises": "Ante {ante}, bets and raises {low} to {high}",
    "folded": "folded",
    "last-player-standing": "the last player standing",
    "nearest-to": "{points} for {target}",
    "shares-nearest-to": "{points} for {target} shared",
    "both-halves": "{low} and {high}",
    "nobody-wins-a-half": "nobody wins a half: the pot is shared",
    "not-nearest": "{score} is not nearest",
    "raises-do-not-fit": ("min_raise must be above 0 and not above max_raise, that at most {most}"),
    "ante-outside-bets": "ante must be from min_bet to max_bet",
    "too-many-raises": "max_raises_per_round must be 0 to {most}",
    "option-not-in-chips": "{option} must be a whole number of smallest chips",
    "ante-has-no-amount": "the pot is kept by this table: enter the amount of the ante",
    "ante-is": "the ante is {ante}, for everybody the same",
    "antes-differ": "every player puts in the same ante",
    "option-ante": "what every player puts in the pot before the deal",
    "option-min-raise": "least bet, and least raise above the call",
    "option-max-raise": "largest bet, and largest raise above the call",
    "option-max-raises": "raises in one betting round",
    "option-showdown": "who is nearest to 7 and to 27",
    "option-first-card": "how the first card is dealt",
    "option-free-ace": "an ace counts 1 or 11 toward either target",
    "sheet-sentence": "{said:sentence}",
    "sheet-toward": "{low:halves} toward 7, {high:halves} toward 27",
    "sheet-betting": "Betting",
    "sheet-betting-begins": "It begins with the first active player on the dealer's left.",
    "sheet-betting-ends": "It ends when all active stakes are equal, or everybody passed.",
    "sheet-bet-and-raise": "A bet, and a raise above the call: {low} to {high}.",
    "sheet-head-round-stands": "where the round stands",
    "sheet-nobody-has-bet": "nobody has bet",
    "sheet-a-bet-lies": "a bet lies, raises so far: {raises}",
    "sheet-cards": "Cards",
    "sheet-extra-cards": (
        "After every betting round, in the same order: one card, face down, or none."
    ),
    "sheet-cards-in-pack": (
        "Who refused may take one later. {cards:card is|cards are} dealt, and no more."
    ),
    "sheet-nobody-takes": "When nobody takes a card comes the showdown.",
    "sheet-no-card-left": "When no card is left comes a last betting round, then the showdown.",
    "sheet-showdown": "Showdown",
    "sheet-half-each": (
        "Half the pot goes to the nearest to 7, half to the nearest to 27. Ties share."
    ),
    "sheet-cards-speak": "One player may win both. Nothing is declared: cards speak.",
    "sheet-nobody-for-a-half": (
        "If nobody qualifies for one half, the winners of the other take all."
    ),
    "sheet-nobody-for-either": "If nobody qualifies for either, all active players share.",
    "sheet-head-showdown": "showdown",
    "sheet-head-toward-7": "toward 7, best first",
    "sheet-head-toward-27": "toward 27, best first",
    "sheet-in-force": "{name} (in force)",
    "sheet-best-first": "{scores}",
    "sheet-best-first-never": "{scores}; never {out}",
    "sheet-the-pot": "The pot",
    "sheet-same-ante": (
        "Every player puts in the same ante. The deal passes to the left after the round."
    ),
    "sheet-pot-holds": ("The pot holds the antes, bets and raises of everybody, folded hands too."),
    "sheet-last-wins-unseen": "The last player left wins it unseen.",
    "sheet-odd-chip": "The odd chip of the pot goes to the {half} half.",
    "sheet-odd-chips-from-left": (
        "Odd chips inside a half go one each to its winners, from the dealer's left."
    ),
    "sheet-odd-chips-from-right": (
        "Odd chips inside a half go one each to its winners, from the dealer's right."
    ),
}
WORDS: Final = Words(reasons=REASONS)

GAME: Final = Game(
    name="seven-twenty-seven",
    revision=REVISION,
    title="Seven Twenty-Seven",
    seats=range(4, 11),
    options=SevenOptions(),
    pack_of=lambda options: PACK,
    pays=pays,
    script=script,
    counts=score,
    advise=advise,
    sheet=sheet,
    shown_rule=shown_rule,
    edge=edge,
    said=lambda cards: (),
    report=report,
    words=WORDS,
    no_answer=(PASS, FOLD, NO_CARD),
    vying=True,
    hides=True,
    pot=POT_RULES,
)
