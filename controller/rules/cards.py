"""Cards and packs: the 52 cards and the Joker, as interned values.

A card is one object per rank and suit, so that cards compare by identity, hash fast and cost
nothing to hold. The six Kings of hearts of a six-deck shoe are six occurrences of one `Card`.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, IntEnum
from typing import Final, NamedTuple, NoReturn


class Rank(IntEnum):
    """A rank; the number is the one that the Finnish index prints (11 Jack, 12 Queen, 13 King).

    The Joker stands at 0: it has no index and, in most games, no value of its own.
    """

    JOKER = 0
    ACE = 1
    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13


class Suit(Enum):
    """A suit; the value is its letter in a card code, the symbol what a display shows."""

    CLUBS = "c"
    DIAMONDS = "d"
    HEARTS = "h"
    SPADES = "s"

    @property
    def symbol(self) -> str:
        """The suit's sign, for displays."""
        return _SYMBOLS[self.value]


_SYMBOLS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_LETTERS: Final = "?A23456789TJQK"
_ANGLO: Final = ("Joker", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_WORDS: Final = (
    "Joker", "Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten",
    "Jack", "Queen", "King",
)  # fmt: skip


class IndexStyle(Enum):
    """A style of index: Finnish prints 1, 11, 12, 13 where Anglo prints A, J, Q, K."""

    FINNISH = "finnish"
    ANGLO = "anglo"


class CardError(ValueError):
    """A text that names no card; the message says what a card code looks like."""


class Card:
    """One kind of card. Get one by `card("Th")`; never constructed anew (identity is equality).

    `code` is rank letter and suit letter (`As`, `Th`, `9c`), `Jo` for the Joker.
    """

    __slots__ = ("code", "rank", "suit")

    code: str
    rank: Rank
    suit: Suit | None

    def __init__(self) -> None:
        raise TypeError("cards are interned: use card('Th')")

    def index(self, style: IndexStyle) -> str:
        """What its corner prints: `13` or `K`; nothing on a Finnish Joker, `Joker` on an Anglo."""
        if style is IndexStyle.ANGLO:
            return _ANGLO[self.rank]
        return str(int(self.rank)) if self.rank else ""

    def label(self, style: IndexStyle) -> str:
        """Short text for people, in the index style of their cards: `10♥`, `13♠`, `Joker`."""
        return self.index(style) + self.suit.symbol if self.suit else "Joker"

    @property
    def name(self) -> str:
        """Full English name: `King of hearts`."""
        return f"{_WORDS[self.rank]} of {self.suit.name.lower()}" if self.suit else "Joker"

    @property
    def rank_name(self) -> str:
        """The rank without the suit: `10`, `King`, `Joker`."""
        numbered = Rank.ACE < self.rank <= Rank.TEN
        return str(int(self.rank)) if numbered else _WORDS[self.rank]

    def __repr__(self) -> str:
        return self.code

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a card cannot be changed ({name})")

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return card, (self.code,)


def _make(code: str, rank: Rank, suit: Suit | None) -> Card:
    made = object.__new__(Card)
    object.__setattr__(made, "code", code)
    object.__setattr__(made, "rank", rank)
    object.__setattr__(made, "suit", suit)
    return made


JOKER: Final = _make("Jo", Rank.JOKER, None)
DECK_52: Final = tuple(
    _make(_LETTERS[rank] + suit.value, rank, suit) for suit in Suit for rank in Rank if rank
)
_BY_CODE: Final = {each.code: each for each in (*DECK_52, JOKER)}


def card(code: str) -> Card:
    """The card that a code names (`Th`, `Jo`).

    Raises `CardError` for anything else.
    """
    try:
        return _BY_CODE[code]
    except KeyError:
        raise CardError(
            f"{code[:12]!r} is no card: write rank and suit as in Th, As, 9c, or Jo for the Joker"
        ) from None


class Pack(NamedTuple):
    """What a shoe holds when it is full: `decks` decks of 52 cards and `jokers` Jokers each."""

    decks: int
    jokers: int = 0

    @property
    def size(self) -> int:
        """Number of cards in the full pack."""
        return self.decks * (len(DECK_52) + self.jokers)

    def times(self, kind: Card) -> int:
        """How often `kind` is in the pack."""
        return self.decks * (self.jokers if kind is JOKER else 1)

    def kinds(self) -> Iterator[Card]:
        """Every kind of card in the pack, each once."""
        yield from DECK_52
        if self.jokers:
            yield JOKER

    def cards(self) -> list[Card]:
        """All the cards of the pack, in order of kind."""
        return [kind for kind in self.kinds() for _ in range(self.times(kind))]

    def __str__(self) -> str:
        if self.decks == 1:
            return f"1 deck of {self.size}"
        return f"{self.decks} decks of {len(DECK_52) + self.jokers}"
