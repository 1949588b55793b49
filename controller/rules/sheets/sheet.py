"""The enforced rules of a game as a sheet: sections of lines and tables.

Nothing here knows a game: it says which totals can come up, and how they are written. The tables
themselves are made in `grids`, by asking a game's own deciding functions. A sheet is made for a
reader: in the language that is spoken while it is made.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, Final, TypeAlias, TypeVar

from controller.rules.actions import Action, Outcome
from controller.rules.cards import DECK_52, JOKER, Card, Pack, Rank, Suit
from controller.rules.cards import card as named
from controller.rules.english import ENGLISH
from controller.rules.frozen import frozen
from controller.rules.hands import Total
from controller.rules.messages import Amount, Language, Message, Value, Words, message
from controller.rules.script.felt import Bonus, Play, Result
from controller.rules.spoken import spoken

T = TypeVar("T", bound=Hashable)

Kind: TypeAlias = tuple[str, int]
"""A total as a rule speaks of it: `("soft", 23)`."""


def text_of(said: Value, words: Words = Words()) -> str:
    """A message or a value of a sheet in the reader's language."""
    return spoken(ENGLISH).write(said, "", words)


def must(action: Action) -> str:
    """A cell that leaves no choice: `must hit`."""
    return text_of(message("sheet-must", action=action))


@lru_cache(maxsize=16)
def _no_choice(_: Language) -> frozenset[str]:
    return frozenset(map(must, Action))


@frozen
class Grid:
    """A table: the head and its rows. `forced` are the cells, by row and column, without a choice.

    They stand out where the table is shown.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    forced: tuple[tuple[int, int], ...] = ()

    def __post_init__(self) -> None:
        no_choice = _no_choice(spoken(ENGLISH))
        found = (
            (row, column)
            for row, cells in enumerate(self.rows)
            for column, text in enumerate(cells)
            if text in no_choice
        )
        object.__setattr__(self, "forced", tuple(found))


@frozen
class Section:
    """A part of a sheet: a title, lines of text, and a table if it has one."""

    title: str
    lines: tuple[str, ...] = ()
    grid: Grid | None = None


Sheet: TypeAlias = tuple[Section, ...]


def section(
    title: Message, lines: Iterable[Message] = (), grid: Grid | None = None, words: Words = Words()
) -> Section:
    """A part of a sheet for the reader, in a game's own `words`."""
    first, *rest = (
        f"{text[:1].upper()}{text[1:]}"
        for text in (text_of(each, words) for each in (title, *lines))
    )
    return Section(first, tuple(rest), grid)


# -- which totals come up --


def each_rank(pack: Pack) -> tuple[Card, ...]:
    """One card of each rank in `pack`, the ace first, the Joker last if there is one."""
    return (*DECK_52[: len(Rank) - 1], *((JOKER,) if pack.jokers else ()))


def of_suit(card: Card, suit: Suit) -> Card:
    """The card of that rank in another suit."""
    return named(f"{card.code[0]}{suit.value}")


def two_cards(pack: Pack) -> list[tuple[Card, ...]]:
    """Every hand of two cards, by rank alone."""
    return list(combinations_with_replacement(each_rank(pack), 2))


def grown(
    hands: Iterable[Sequence[Card]],
    pack: Pack,
    count: Callable[[Sequence[Card]], T],
    goes_on: Callable[[T], object],
) -> list[T]:
    """What `hands` can come to with one more card or several; `goes_on`: a hand may draw."""
    cards = each_rank(pack)
    found: dict[T, tuple[Card, ...]] = {}
    waiting = list({count(each): tuple(each) for each in hands}.values())
    while waiting:
        hand = waiting.pop()
        if not goes_on(count(hand)):
            continue
        for card in cards:
            more = (*hand, card)
            if (total := count(more)) not in found:
                found[total] = more
                waiting.append(more)
    return list(found)


def kind_of(total: Total) -> Kind:
    """Hard or soft, and the number."""
    return "soft" if total.soft else "hard", total.points


def by_kind(totals: Iterable[Total]) -> dict[Total, Kind]:
    """Totals with their kinds, hard before soft, small before large."""
    return {each: kind_of(each) for each in sorted(totals, key=lambda each: (each.soft, each))}


# -- how totals are written --


def spans(numbers: Iterable[int], among: Iterable[int]) -> str:
    """`numbers` as ranges: `2-14, 17`. Neighbours are those that come next `among` all."""
    chosen, order = set(numbers), sorted(set(among))
    runs: list[list[int]] = []
    last = -2
    for at, number in enumerate(order):
        if number in chosen:
            if at != last + 1:
                runs.append([])
            runs[-1].append(number)
            last = at
    return ", ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}" for run in runs)


#: Kinds of totals that a sheet names.
KINDS: Final = {
    "hard": message("total-hard"),
    "soft": message("total-soft"),
    "low": message("total-low"),
    "high": message("total-high"),
}


def label(kinds: Iterable[Kind], among: Iterable[Kind]) -> str:
    """`kinds` as ranges, each with its word: `hard 2-14, soft 14-22, soft 27`.

    Where they are all that can come up: `any`.
    """
    chosen, every = set(kinds), list(dict.fromkeys(among))
    if chosen == set(every):
        return text_of(message("sheet-any"))
    parts = []
    for word in dict.fromkeys(word for word, _ in every):
        numbers = [number for each, number in every if each == word]
        part = spans([number for number in numbers if (word, number) in chosen], numbers)
        parts += [
            text_of(message("sheet-range", kind=KINDS[word], numbers=run))
            for run in part.split(", ")
            if run
        ]
    return ", ".join(parts)


def play_text(play: Play[Any, Any]) -> str:
    """What may be done: `stand, hit`; `must hit` where the rules leave no choice."""
    if play.forced:
        return must(play.forced)
    return ", ".join(
        text_of(message("sheet-offered", action=each) if each is play.offer else each)
        for each in play.options
    )


def result_text(result: Result) -> str:
    """How a wager ends: `wins, paid 1 to 1`; a bonus with its odds or its amount."""
    if result.outcome is Outcome.WIN:
        odds = result.odds
        if result.bonus is None:
            return text_of(message("sheet-wins", odds=odds))
        bonus = bonus_text(result.bonus)
        return text_of(message("sheet-wins-with-bonus", odds=odds, bonus=bonus))
    return text_of(
        {
            Outcome.LOSE: message("sheet-loses"),
            Outcome.PUSH: message("sheet-pushes"),
            Outcome.SURRENDER: message("sheet-surrenders"),
        }[result.outcome]
    )


def bonus_text(bonus: Bonus) -> str:
    """What a bonus pays: odds, or an amount."""
    return text_of(Amount(bonus.amount) if bonus.odds is None else bonus.odds)
