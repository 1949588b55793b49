"""Chances in a game for a pot: totals by number of cards, exactly; what a hand wins among so many
players, and what one more card is worth, from rounds that are dealt.

There is no house. Everybody draws as the game's own `advise` does, and nobody bets or folds: what
players do with their money no rule says. Hands of a round come from one pack, so that among several
players only dealing counts what they win: such figures have an interval of 95 %.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from controller.odds.exact.exact_odds import NoOdds
from controller.odds.pot.pot_tables import PotTables, pot_tables, share_table
from controller.rules.cards import Card
from controller.rules.frozen import frozen
from controller.rules.game import Game, PotRules
from controller.rules.options import plain

if TYPE_CHECKING:
    from controller.odds.pot.pot_kernel import PotBlock

#: Exact chances are listed for hands of this many cards.
MOST_CARDS: Final = 6
#: Rounds are dealt in this many blocks, which tell how sure the figures are.
BLOCKS: Final = 20
#: Rounds without another number: a share is then known to some 0.002 of the pot.
ROUNDS: Final = 2_000_000
#: Student's t of 19 degrees of freedom, and the normal distribution's, 95 %.
_T_19: Final = 2.093
_NORMAL: Final = 1.96


@frozen
class PointsChance:
    """The chance that a hand of that many cards has these points, exactly."""

    cards: int
    points: tuple[str, ...]
    chance: float


@frozen
class Estimate:
    """A figure from dealt rounds, and how far it may be off to either side, 95 times of 100."""

    value: float
    within: float


@frozen
class WinChance:
    """A player's last hand with these points: how often it comes, and what it wins of a pot of 1.

    `wins` are the chances to win each part, alone or shared, by target.
    """

    points: tuple[str, ...]
    comes: Estimate
    wins: dict[str, Estimate]
    both: Estimate
    share: Estimate


@frozen
class CardWorth:
    """What a hand is worth, of a pot of 1, if the next card is refused and if it is taken.

    `advised`: the sensible player takes it.
    """

    hand: str
    points: tuple[str, ...]
    refused: Estimate
    taken: Estimate
    advised: bool


@frozen
class PotChances:
    """The chances of a game for a pot, at a table with `players` players."""

    game: str
    revision: int
    options: dict[str, Any]
    players: int
    rounds: int
    seed: int
    totals: tuple[PointsChance, ...]
    wins: tuple[WinChance, ...]
    worth: tuple[CardWorth, ...]

    def as_data(self) -> dict[str, Any]:
        """As `--json` prints it."""
        basis = "totals exact; the rest from dealt rounds, 95 % intervals, nobody bets or folds"
        return asdict(self) | {"basis": basis}


def pot_chances(
    game: Game, players: int, hand: Sequence[Card] = (), rounds: int = ROUNDS, seed: int = 1
) -> PotChances:
    """The chances; `hand` alone is looked at where one is given. Raises `NoOdds`."""
    rules = game.pot
    if rules is None:
        raise NoOdds(f"{game.title} is not played for a pot")
    if problem := _problem(game, rules, players, hand, rounds):
        raise NoOdds(problem)
    try:
        from controller.odds.pot import pot_kernel as kernel  # noqa: PLC0415  (numba is an extra)
    except ImportError as error:
        raise NoOdds("rounds are dealt by numba: install tablectl[odds]") from error
    tables = pot_tables(game, [tuple(hand)] if hand else ())
    shares = share_table(rules, players)
    letters = tuple(tables.letter(card) for card in hand)

    def dealt(does: int) -> list[PotBlock]:
        return [
            kernel.deal_pots(
                tables, shares, players, rounds // BLOCKS, seed, block, hand=letters, does=does
            )
            for block in range(BLOCKS)
        ]

    wins: tuple[WinChance, ...] = ()
    if hand:
        firsts, tried = [tables.hand(hand)], [dealt(kernel.REFUSES), dealt(kernel.TAKES)]
    else:
        wins = tuple(_wins(rules, tables, shares, dealt(kernel.AS_ADVISED)))
        tried = [dealt(kernel.BY_TURNS)] * 2
        firsts = np.flatnonzero(tables.size == rules.first_cards).tolist()
    worth = [_worth(rules, tables, at, tried) for at in firsts]
    return PotChances(
        game.name, game.revision, plain(game.options), players, rounds, seed,
        tuple(totals(game, rules, tables)), wins,
        tuple(sorted(worth, key=lambda each: -max(each.refused.value, each.taken.value))),
    )  # fmt: skip


def _problem(game: Game, rules: PotRules, players: int, hand: Sequence[Card], rounds: int) -> str:
    """What makes no sense of what was asked for, and what does; empty: it does."""
    if players not in game.seats:
        first, last = game.seats.start, game.seats.stop - 1
        return f"{game.title} is dealt to {first} to {last} players, not to {players}"
    if rounds < 100 * BLOCKS:
        return f"deal {100 * BLOCKS} rounds or more, not {rounds}"
    pack = Counter(game.pack.cards())
    for card, count in Counter(hand).items():
        if count > pack[card]:
            return f"{card.code} stands {count} times in the hand: the pack has {pack[card]}"
    most = game.pack.size - (players - 1) * rules.first_cards - 1
    if hand and not rules.first_cards <= len(hand) <= most:
        return f"a hand has {rules.first_cards} to {most} cards here, not {len(hand)}"
    return ""


def totals(game: Game, rules: PotRules, tables: PotTables) -> Iterator[PointsChance]:
    """Every hand of up to `MOST_CARDS` cards of a full pack, by its points; exact."""
    size = [len(each) for each in tables.letters]
    for cards in range(rules.first_cards, MOST_CARDS + 1):
        ways: Counter[tuple[int, ...]] = Counter()
        for letters in combinations_with_replacement(range(len(size)), cards):
            counts = Counter(letters)
            many = prod(comb(size[each], count) for each, count in counts.items())
            if many:
                held = [
                    card for each, count in counts.items() for card in tables.letters[each][:count]
                ]
                ways[tuple(rules.points(held, game.options))] += many
        whole = comb(sum(size), cards)
        for points, many in sorted(ways.items()):
            yield PointsChance(cards, _text(rules, points), float(Fraction(many, whole)))


def _text(rules: PotRules, points: Sequence[int]) -> tuple[str, ...]:
    return tuple(rules.text(each) for each in points)


def _of_blocks(values: NDArray[np.float64]) -> Estimate:
    """The mean of blocks, and its interval."""
    within = _T_19 * float(values.std(ddof=1)) / sqrt(len(values))
    return Estimate(float(values.mean()), within)


def _wins(
    rules: PotRules, tables: PotTables, shares: NDArray[np.float64], blocks: Sequence[PotBlock]
) -> Iterator[WinChance]:
    """By the points of a player's last hand, the most frequent first; not those that are too rare
    to say anything of them.
    """
    ends = np.stack([each.ends for each in blocks]).astype(float)
    hands = ends.sum(axis=(2, 3, 4, 5))
    for group in np.argsort(-hands.sum(axis=0), kind="stable"):
        count, mine = hands[:, group], ends[:, group]
        if not (count > 0).all():
            continue
        low, high = mine[:, 1].sum(axis=(1, 2, 3)), mine[:, :, 1].sum(axis=(1, 2, 3))
        yield WinChance(
            _text(rules, tables.points[group]),
            _of_blocks(count / hands.sum(axis=1)),
            dict(zip(rules.targets, (_of_blocks(low / count), _of_blocks(high / count)),
                     strict=True)),
            _of_blocks(mine[:, 1, 1].sum(axis=(1, 2)) / count),
            _of_blocks((mine * shares).sum(axis=(1, 2, 3, 4)) / count),
        )  # fmt: skip


def _worth(
    rules: PotRules, tables: PotTables, at: int, tried: Sequence[Sequence[PotBlock]]
) -> CardWorth:
    """What refusing and taking are worth with the hand `at`, from the rounds of each."""
    found = []
    for does, blocks in enumerate(tried):
        rounds, total, squares = np.sum([each.held[at, does] for each in blocks], axis=0)
        mean = total / rounds
        spread = sqrt(max(squares / rounds - mean * mean, 0.0))
        found.append(Estimate(float(mean), _NORMAL * spread / sqrt(rounds)))
    points = tables.points[tables.group[at]]
    refused, taken = found
    advised = bool(tables.takes[at])
    return CardWorth(tables.name(at), _text(rules, points), refused, taken, advised)
