"""House options: typed settings of a game, named and defaulted as in RULINGS.md.

An option is a field of the game's options, made by `option`, with its choices and what it means.
In a file, in the record and on a display it is a plain value: a number, true or false, or a word;
odds are written `3:2`. Amounts are minor units.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, fields, replace
from enum import Enum
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

from controller.rules.cards import Pack
from controller.rules.english import ENGLISH
from controller.rules.frozen import frozen
from controller.rules.messages import Amount, Message, Words, message
from controller.rules.money import Odds, amount_text

T = TypeVar("T")
O = TypeVar("O", bound="HouseOptions")  # noqa: E741
Plain: TypeAlias = int | str | bool

#: No table could mean a larger amount (minor units): a misplaced digit is refused.
MOST: Final = 10**12
#: Characters of a wrong value that are repeated.
MOST_QUOTED: Final = 40
#: No house burns more cards at once.
MOST_BURNED: Final = 10


class OptionError(ValueError):
    """A house option that is unknown or makes no sense; `why` says what is allowed.

    `words`: those of the game whose reason it is.
    """

    def __init__(self, why: Message, words: Words = Words()) -> None:
        super().__init__(why)
        self.why = why
        self.words = words

    def __str__(self) -> str:
        return ENGLISH.say(self.why, self.words)


class About(NamedTuple):
    """An option described: what it means, its choices (none: a range), the ruling.

    The words of a meaning are those of its game, or of every one.

    `free` is set for limits of a table, which are no rule of the game: the value without a limit.
    `money`: the value is an amount in minor units.
    """

    meaning: Message
    choices: tuple[object, ...]
    ruling: str
    free: int | None = None
    money: bool = False


def option(default: T, meaning: Message, *, choices: tuple[T, ...] = (), ruling: str = "") -> T:
    """A field of a game's options."""
    made: T = field(default=default, metadata={"about": About(meaning, choices, ruling)})
    return made


def money_option(default: int, meaning: Message, *, ruling: str = "") -> int:
    """A field that is an amount of money, in minor units."""
    made: int = field(default=default, metadata={"about": About(meaning, (), ruling, money=True)})
    return made


def limit(default: int, meaning: Message, *, free: int = MOST, ruling: str = "") -> int:
    """A field that limits a table; `free` is its value where no limit is to be had."""
    described = About(meaning, (), ruling, free, money=True)
    made: int = field(default=default, metadata={"about": described})
    return made


@frozen
class HouseOptions:
    """Options of every game (RULINGS.md, "House options"); amounts in minor units."""

    min_bet: int = limit(1_000, message("option-min-bet"), free=1)
    max_bet: int = limit(100_000, message("option-max-bet"))
    smallest_chip: int = limit(50, message("option-smallest-chip"), free=1)

    def problem(self, pack: Pack) -> Message | None:
        """Why these options make no sense for `pack`, or None."""
        if not 1 <= self.smallest_chip <= MOST:
            return message("smallest-chip-outside", most=MOST)
        if self.max_bet > MOST:
            return message("max-bet-too-high", most=MOST)
        if not 0 < self.min_bet <= self.max_bet:
            return message("min-bet-outside")
        if self.min_bet % self.smallest_chip:
            return message("min-bet-not-in-chips")
        return None

    def wager_problem(self, amount: int | None) -> Message | None:
        """Why a wager of `amount` (None: not tracked) is not taken by this table, or None."""
        if amount is None:
            return None
        if amount < self.min_bet:
            return message("wager-under-minimum", amount=Amount(amount), least=Amount(self.min_bet))
        if amount > self.max_bet:
            return message("wager-over-maximum", amount=Amount(amount), most=Amount(self.max_bet))
        if amount % self.smallest_chip:
            chip = Amount(self.smallest_chip)
            return message("amount-not-in-chips", amount=Amount(amount), chip=chip)
        return None

    @property
    def wager_bounds(self) -> tuple[int, int]:
        """The least and the largest wager on a spot."""
        return self.min_bet, self.max_bet

    @property
    def stakes(self) -> tuple[int, int]:
        """The least and the largest bet that a player makes, as a wall of tables shows them."""
        return self.min_bet, self.max_bet

    def some_wagers(self) -> Iterable[int]:
        """The smallest wagers within the limits."""
        chip = self.smallest_chip
        return range(self.min_bet, min(self.max_bet, self.min_bet + 1_000 * chip) + 1, chip)

    def wagers_problem(self, wagers: Sequence[int | None]) -> Message | None:
        """Why a round cannot be played for these wagers together, or None."""
        return None

    @property
    def limits(self) -> Message:
        """The table's limits, for displays, without a currency."""
        return message("limits", least=Amount(self.min_bet), most=Amount(self.max_bet))

    @property
    def cut_after(self) -> int:
        """Once this many cards are gone, the round in play is the shoe's last; 1: every round."""
        return 1

    def burns(self, *, dealer_change: bool) -> int:
        """Cards to burn after a shuffle, or when dealers change."""
        return 0


@frozen
class ShoeOptions(HouseOptions):
    """Options of the games that are dealt from a shoe. Burned cards count as gone, stay sealed."""

    penetration_cards: int = option(243, message("option-penetration-cards"), ruling="F27-A16")
    burn_after_shuffle: int = option(1, message("option-burn-after-shuffle"))
    burn_on_dealer_change: int = option(0, message("option-burn-on-dealer-change"))

    def problem(self, pack: Pack) -> Message | None:
        """Why these options make no sense for `pack`, or None."""
        if not 0 < self.penetration_cards < pack.size:
            return message("cut-outside-pack", most=pack.size - 1, cards=pack.size)
        for name in ("burn_after_shuffle", "burn_on_dealer_change"):
            if not 0 <= getattr(self, name) <= MOST_BURNED:
                return message("option-cards-outside", option=name, most=MOST_BURNED)
        return HouseOptions.problem(self, pack)

    @property
    def cut_after(self) -> int:
        """Once this many cards are gone, the round in play is the shoe's last."""
        return self.penetration_cards

    def burns(self, *, dealer_change: bool) -> int:
        """Cards to burn after a shuffle, or when dealers change."""
        return self.burn_on_dealer_change if dealer_change else self.burn_after_shuffle


def about(options: HouseOptions) -> dict[str, About]:
    """What each option of a game means, by name."""
    return {each.name: each.metadata["about"] for each in fields(options)}


def without_limits(options: HouseOptions, chosen: Mapping[str, object]) -> dict[str, object]:
    """`chosen` plain values, and every limit of a table that is not among them lifted."""
    chip = chosen.get("smallest_chip")
    chip = chip if type(chip) is int and chip > 0 else 1
    lifted: dict[str, object] = {
        name: each.free if each.free != 1 else chip
        for name, each in about(options).items()
        if each.free is not None
    }
    return {**lifted, **chosen}


def plain(options: HouseOptions) -> dict[str, Plain]:
    """Every option as a plain value, by name."""
    return {each.name: plain_value(getattr(options, each.name)) for each in fields(options)}


def plain_value(value: Any) -> Plain:
    """An option's value as files and records write it."""
    if isinstance(value, Odds):
        return value.code
    return value.value if isinstance(value, Enum) else value  # type: ignore[no-any-return]


def plain_text(value: Plain) -> str:
    """A plain value as a command line or a form writes it: `1500`, `3:2`, `true`."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_text(options: HouseOptions, name: str) -> str:
    """An option's value for people: amounts as money, the others as files write them."""
    value = plain_value(getattr(options, name))
    if about(options)[name].money and type(value) is int:
        return amount_text(value)
    return plain_text(value)


def read_options(name: str, defaults: O, chosen: Mapping[str, object]) -> O:
    """`defaults` of the game called `name` with the plain values `chosen` in their place.

    Raises `OptionError` for an unknown name, a wrong type or a value that is no choice.
    """
    known = about(defaults)
    changes: dict[str, Any] = {}
    for key, value in chosen.items():
        if key not in known:
            raise OptionError(
                message("option-unknown", game=name, option=_quoted(key), known=tuple(known))
            )
        changes[key] = _typed(key, getattr(defaults, key), value)
        choices = known[key].choices
        if choices and changes[key] not in choices:
            words = tuple(str(plain_value(each)) for each in choices)
            raise OptionError(no_choice(key, words, value))
    return replace(defaults, **changes)


def _typed(key: str, default: Any, value: object) -> object:
    """`value` as the type that the option has."""
    if isinstance(default, Odds):
        if not isinstance(value, str):
            raise OptionError(message("option-is-odds", option=key, value=_quoted(value)))
        try:
            return Odds.parse(value)
        except ValueError:
            raise OptionError(message("option-is-odds", option=key, value=_quoted(value))) from None
    if isinstance(default, Enum):
        words = tuple(str(each.value) for each in type(default))
        if value not in words:
            raise OptionError(no_choice(key, words, value))
        return type(default)(value)
    if type(value) is not type(default):
        kind = type(default).__name__
        raise OptionError(message("option-type", option=key, kind=kind, value=_quoted(value)))
    return value


def no_choice(key: str, choices: tuple[str, ...], value: object) -> Message:
    """Why `value` is none of the `choices` of the option `key`."""
    return message("option-no-choice", option=key, choices=choices, value=_quoted(value))


def _quoted(value: object) -> str:
    return repr(value)[:MOST_QUOTED]
