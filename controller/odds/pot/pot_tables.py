"""A game for a pot as tables: every hand that play may lead to, by asking the game's functions."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from operator import mul
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from controller.rules.cards import Card
from controller.rules.game import Game, PotRules

#: No game has more hands that its rules tell apart.
MOST_HANDS: Final = 500_000


@dataclass(slots=True)
class PotTables:
    """Hands by number. `letters` are the cards that no rule tells apart; hand 0 has no cards.

    `after` is the hand with one more letter (-1: no play leads there), `takes` whether the sensible
    player takes a further card, `size` how many cards it has. `group` is the number of its points,
    which `points` has; `order` is its place among all points toward each target, 0 the nearest
    (-1: it cannot win that part). `first_cards` is how many a hand begins with.
    """

    letters: list[list[Card]]
    after: NDArray[np.int32]
    takes: NDArray[np.bool_]
    size: NDArray[np.int8]
    group: NDArray[np.int32]
    points: list[tuple[int, ...]]
    order: NDArray[np.int32]
    first_cards: int
    hands: dict[tuple[int, ...], int] = field(repr=False)

    @property
    def pack(self) -> NDArray[np.int64]:
        """The letters of the whole pack."""
        return np.repeat(np.arange(len(self.letters)), [len(each) for each in self.letters])

    def letter(self, card: Card) -> int:
        """The letter of a card."""
        return next(at for at, alike in enumerate(self.letters) if card in alike)

    def hand(self, cards: Iterable[Card]) -> int:
        """The number of a hand. Raises `KeyError` for one that no play leads to."""
        held = Counter(self.letter(card) for card in cards)
        return self.hands[tuple(held[letter] for letter in range(len(self.letters)))]

    def name(self, number: int) -> str:
        """A hand in ranks, those that no rule tells apart joined by a stroke."""
        counts = next(each for each, at in self.hands.items() if at == number)
        ranks = ["/".join(dict.fromkeys(card.code[:-1] for card in each)) for each in self.letters]
        return " ".join(
            rank for rank, count in zip(ranks, counts, strict=True) for _ in range(count)
        )


def pot_tables(game: Game, also: Iterable[tuple[Card, ...]] = ()) -> PotTables:
    """The tables of a game for a pot, with the hands `also` and what follows from them."""
    rules = game.pot
    assert rules is not None, f"{game.name} is played for no pot"
    letters = _letters(game, rules)
    hands = _hands(game, rules, letters, also)
    count = len(hands)
    numbered = _numbered(letters, hands)
    after = np.full((count, len(letters)), -1, dtype=np.int32)
    takes, size = np.zeros(count, dtype=np.bool_), np.zeros(count, dtype=np.int8)
    groups: dict[tuple[int, ...], int] = {}
    group = np.zeros(count, dtype=np.int32)
    for (counts, at), number in zip(hands.items(), numbered.numbers, strict=True):
        cards = _cards(letters, counts)
        size[at] = len(cards)
        takes[at] = len(cards) < rules.first_cards or rules.takes(cards, game.options)
        points = tuple(rules.points(cards, game.options))
        group[at] = groups.setdefault(points, len(groups))
        after[at] = [numbered.at.get(number + one, -1) for one in numbered.ones]
    listed = list(groups)
    return PotTables(
        letters,
        after,
        takes,
        size,
        group,
        listed,
        _order(game, rules, listed),
        rules.first_cards,
        hands,
    )


class _HandNumbers(NamedTuple):
    """Hands as numbers, in their order: one more card of a letter is so much more.

    A hand of a letter's cards and one more than there are is no hand's number.
    """

    numbers: list[int]
    at: dict[int, int]
    ones: list[int]


def _numbered(letters: list[list[Card]], hands: Mapping[tuple[int, ...], int]) -> _HandNumbers:
    """A million hands of one card more are looked up: a number is made in a third of the time."""
    ones, one = [], 1
    for alike in letters:
        ones.append(one)
        one *= len(alike) + 2
    numbers = [sum(map(mul, counts, ones)) for counts in hands]
    return _HandNumbers(numbers, dict(zip(numbers, hands.values(), strict=True)), ones)


def _letters(game: Game, rules: PotRules) -> list[list[Card]]:
    """Cards by what they count alone and beside each other card."""
    kinds = list(dict.fromkeys(game.pack.cards()))
    found: dict[Any, list[Card]] = {}
    for card in kinds:
        partners = [rules.points((card, other), game.options) for other in kinds if other != card]
        beside = (tuple(rules.points((card,), game.options)), tuple(sorted(map(tuple, partners))))
        found.setdefault(beside, []).append(card)
    packed = game.pack.cards()
    return [[card for card in packed if card in alike] for alike in found.values()]


def _hands(
    game: Game, rules: PotRules, letters: list[list[Card]], also: Iterable[tuple[Card, ...]]
) -> dict[tuple[int, ...], int]:
    """Hands by how many they have of each letter, those that play leads to; the empty one is 0.

    From each hand of the first cards a further card may be taken whatever is sensible, and from
    those that are asked for: what drawing is worth is looked at there.
    """
    empty: tuple[int, ...] = (0,) * len(letters)
    place = {card: at for at, alike in enumerate(letters) for card in alike}
    asked: set[tuple[int, ...]] = set()
    for cards in also:
        held = [place[card] for card in cards]
        asked.add(tuple(held.count(letter) for letter in range(len(letters))))
    found: dict[tuple[int, ...], int] = {empty: 0}
    waiting = deque([empty, *sorted(asked)])
    for each in waiting:
        found.setdefault(each, len(found))
    while waiting:
        counts = waiting.popleft()
        goes_on = sum(counts) <= rules.first_cards or counts in asked
        if not goes_on and not rules.takes(_cards(letters, counts), game.options):
            continue
        for more in _one_more(letters, counts):
            if more not in found:
                found[more] = len(found)
                waiting.append(more)
        assert len(found) <= MOST_HANDS, f"{game.name} has more hands than can be looked at"
    return found


def _one_more(letters: list[list[Card]], counts: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    for letter, alike in enumerate(letters):
        if counts[letter] < len(alike):
            yield _with(counts, letter)


def _with(counts: tuple[int, ...], letter: int) -> tuple[int, ...]:
    return (*counts[:letter], counts[letter] + 1, *counts[letter + 1 :])


def _cards(letters: list[list[Card]], counts: tuple[int, ...]) -> tuple[Card, ...]:
    return tuple(
        card for alike, count in zip(letters, counts, strict=True) for card in alike[:count]
    )


def _order(game: Game, rules: PotRules, points: list[tuple[int, ...]]) -> NDArray[np.int32]:
    """The places of points toward each target: equal ones share, -1 is out."""
    order = np.full((len(rules.targets), len(points)), -1, dtype=np.int32)
    for nth in range(len(rules.targets)):
        away = [rules.away(each[nth], nth, game.options) for each in points]
        distinct = sorted({each for each in away if each is not None})
        place = {each: at for at, each in enumerate(distinct)}
        for at, each in enumerate(away):
            if each is not None:
                order[nth, at] = place[each]
    return order


def share_table(rules: PotRules, players: int) -> NDArray[np.float64]:
    """What a player gets of a pot of 1, by which parts he wins and how many win each with him.

    The places: whether he wins each part, then how many do.
    """
    parts = len(rules.targets)
    table = np.zeros((2,) * parts + (players + 1,) * parts)
    for wins in product((0, 1), repeat=parts):
        for counts in product(range(players + 1), repeat=parts):
            if any(won > many for won, many in zip(wins, counts, strict=True)):
                continue
            # Player 0 is the one who is looked at; who else wins does not matter to him.
            winners = [
                list(range(1 - won, many + 1 - won)) for won, many in zip(wins, counts, strict=True)
            ]
            if any(each and each[-1] >= players for each in winners):
                continue
            got = sum(
                float(part) / len(places)
                for part, places in rules.parts(winners, players)
                if 0 in places
            )
            table[(*wins, *counts)] = got
    return table
