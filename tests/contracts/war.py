"""War: a sixth game, as small as a game can be. One file, as `controller/rules/README.md` asks.

One card each, the higher one wins, aces high. On a tie the player surrenders half, or goes to war:
a further wager as large as the first, one more card each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from controller.rules.actions import Action, Outcome
from controller.rules.cards import Card, Pack
from controller.rules.game import Edge, Game
from controller.rules.hands import TotalKind, TotalPart, TotalParts
from controller.rules.messages import Words, message
from controller.rules.money import EVEN, HALF, Odds
from controller.rules.options import ShoeOptions, option
from controller.rules.script.felt import Felt, Play, Result
from controller.rules.script.report import house_report
from controller.rules.script.steps import DONE, AddWager, Ask, Deal, Script, Settle
from controller.rules.sheets.grids import value_grid
from controller.rules.sheets.sheet import Section, Sheet, result_text

SURRENDER, WAR = Action.SURRENDER, Action.DOUBLE
ACE_HIGH: Final = 14


@dataclass(frozen=True, slots=True)
class Options(ShoeOptions):
    """The house options of War."""

    penetration_cards: int = option(234, message("option-penetration-cards"))
    decks: int = option(6, message("option-decks"), choices=(6, 8))
    war_pays: Odds = option(HALF, message("option-war-pays"))
    ties_win: bool = option(True, message("option-ties-win"), choices=(True, False))


class High(NamedTuple):
    """What a hand counts: its last card, the one that is compared."""

    points: int = 0

    @property
    def parts(self) -> TotalParts:
        """The number of the rank: 11 is a jack, 14 an ace."""
        return (TotalPart(TotalKind.ANNOUNCED, self.points),)

    def __str__(self) -> str:
        return {11: "jack", 12: "queen", 13: "king", 14: "ace"}.get(self.points, str(self.points))


Turn: TypeAlias = Play[High, High]


def total(cards: Sequence[Card]) -> High:
    """The last card of a hand, aces high."""
    return High(int(cards[-1].rank) if cards[-1].rank > 1 else ACE_HIGH) if cards else High()


def script(felt: Felt, options: Options) -> Script:
    """One round: a card each, then a second one for those at war."""
    dealer = felt.dealer
    for hand in felt.hands:
        yield Deal(hand)
    yield Deal(dealer)
    shown = total(dealer.cards)
    for hand in felt.hands:
        hand.result = outcome(total(hand.cards), shown)
        if hand.result:
            yield Settle(hand)

    # Those who tie, in order of play
    for hand in felt.in_play():
        play = tied(shown)
        while True:
            action = yield Ask(hand, play)
            if action is SURRENDER or (yield AddWager(hand, action, hand.wager)) is DONE:
                break
        felt.note(hand, play, action)
        if action is SURRENDER:
            hand.result = Result(Outcome.SURRENDER, message("surrenders-half"))
            yield Settle(hand)
        else:
            hand.double()
            yield Deal(hand, play)

    # The dealer's second card is for all who went to war
    left = felt.in_play()
    if left:
        yield Deal(dealer, Play((Action.HIT,), message("there-is-a-war"), shown, shown))
    for hand in left:
        hand.result = war_outcome(total(hand.cards), total(dealer.cards), options)
    for hand in left:
        yield Settle(hand)


@lru_cache
def tied(shown: High) -> Turn:
    """What a player who ties may do."""
    return Play((SURRENDER, WAR), message("both-have", rank=str(shown)), shown, shown)


def outcome(mine: High, dealers: High) -> Result | None:
    """The higher card wins; None for a tie."""
    if mine > dealers:
        return Result(Outcome.WIN, message("higher", player=str(mine), dealer=str(dealers)))
    if mine < dealers:
        return Result(Outcome.LOSE, message("lower", player=str(mine), dealer=str(dealers)))
    return None


def war_outcome(mine: High, dealers: High, options: Options) -> Result:
    """The higher second card wins; a tie by house option."""
    player, dealer = str(mine), str(dealers)
    if mine == dealers and not options.ties_win:
        return Result(Outcome.PUSH, message("equal-at-war", player=player, dealer=dealer))
    if mine >= dealers:
        why = message("wins-the-war", player=player, dealer=dealer)
        return Result(Outcome.WIN, why, odds=options.war_pays)
    return Result(Outcome.LOSE, message("loses-the-war", player=player, dealer=dealer))


def edge(options: Options) -> Edge:
    """The house's edge against a player who does what is best on a tie, exactly."""
    return Edge(float(-_players_edge(options) * 100), message("edge-from-a-full-shoe"))


def _players_edge(options: Options) -> Fraction:
    each, cards = 4 * options.decks, 52 * options.decks
    tie = Fraction(each - 1, cards - 1)
    same, left = each - 2, cards - 2
    again = Fraction(same * (same - 1) + 12 * each * (each - 1), left * (left - 1))
    lost = (1 - again) / 2
    won = lost + (again if options.ties_win else 0)
    war = won * 2 * Fraction(options.war_pays.pays, options.war_pays.per) - lost * 2
    return tie * max(war, Fraction(-1, 2))


def sheet(options: Options) -> Sheet:
    """The enforced rules."""
    low, high = High(2), High(ACE_HIGH)
    results = (outcome(high, low), outcome(low, high))
    lines = tuple(
        f"A {name} card {result_text(result)}."
        for name, result in zip(("higher", "lower"), results, strict=True)
        if result
    )
    wars = (("A higher", high, low), ("An equal", high, high), ("A lower", low, high))
    return (
        Section(
            "Values of the cards", (), value_grid(pack_of(options), lambda card: str(total([card])))
        ),
        Section("The first card", lines),
        Section(
            "War",
            (
                "On a tie: surrender half the wager, or a further wager and one more card each.",
                *(
                    f"{name} second card {result_text(war_outcome(mine, theirs, options))}."
                    for name, mine, theirs in wars
                ),
            ),
        ),
    )


@lru_cache
def _pack(decks: int) -> Pack:
    return Pack(decks)


def pack_of(options: Options) -> Pack:
    """The pack: six or eight decks."""
    return _pack(options.decks)


REASONS: Final = {
    "edge-from-a-full-shoe": "exact, from a full shoe",
    "option-decks": "decks in the shoe",
    "option-war-pays": "a won war pays, on both wagers together",
    "option-ties-win": "a tie at war wins, or pushes",
    "rule-of-war": "The higher card wins {even}, a war pays {war}.",
    "surrenders-half": "surrenders half the bet",
    "there-is-a-war": "there is a war",
    "both-have": "both have {rank}",
    "higher": "{player} beats {dealer}",
    "lower": "{player} loses to {dealer}",
    "equal-at-war": "{player} equals {dealer} at war",
    "wins-the-war": "{player} wins the war against {dealer}",
    "loses-the-war": "{player} loses the war to {dealer}",
}

GAME: Final = Game(
    name="war",
    revision=1,
    title="War",
    seats=range(1, 8),
    options=Options(),
    pack_of=pack_of,
    pays=lambda options: (EVEN, HALF, options.war_pays),
    script=script,
    counts=lambda cards, options: total(cards),
    advise=lambda play, cards: WAR,
    sheet=sheet,
    words=Words(reasons=REASONS),
    shown_rule=lambda options: message("rule-of-war", even=EVEN, war=options.war_pays),
    edge=edge,
    said=lambda cards: total(cards).parts,
    report=house_report(total),
)
