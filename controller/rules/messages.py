"""Messages: what is to be said, as a code and its parameters; the words come when it is shown.

A rule's reason, a refusal, an alarm and a device's failure are messages. They stand in facts and on
record, so that the same event can be put into another language later. A `Catalogue` has the words:
a template for each code. Only a view, the command line or the web makes words of a message.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from string import Formatter
from typing import Final, NamedTuple, NoReturn, TypeAlias, Union

from controller.rules.actions import Action, Place
from controller.rules.cards import Card, IndexStyle, card
from controller.rules.hands import Total
from controller.rules.money import Odds


class Amount(NamedTuple):
    """An amount of money in minor units."""

    minor: int


class Seat(NamedTuple):
    """A seat by its number; 0 is the dealer."""

    number: int


Value: TypeAlias = Union[
    int, str, Card, Amount, Seat, Place, Action, Total, Odds, "Message", tuple["Value", ...]
]
"""What a message may hold: numbers, text that people typed or a device said, and these types.

Other enumerations are messages themselves: `message("role-floor")`. A `Sealed` card is not among
them, so none can be put into words.
"""


class Message:
    """A message: a code in kebab case, and its parameters by name.

    Made by `message`. Two are equal if they say the same. Parameters are read as `said["card"]`.
    """

    __slots__ = ("code", "params")

    code: str
    params: tuple[tuple[str, Value], ...]

    def __init__(self, code: str, params: tuple[tuple[str, Value], ...] = ()) -> None:
        object.__setattr__(self, "code", code)
        object.__setattr__(self, "params", params)

    def __getitem__(self, name: str) -> Value:
        return dict(self.params)[name]

    def __eq__(self, other: object) -> bool:
        if type(other) is not Message:
            return NotImplemented
        return self.code == other.code and self.params == other.params

    def __hash__(self) -> int:
        return hash((self.code, self.params))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a message cannot be changed ({name})")

    def __reduce__(self) -> tuple[object, ...]:
        return Message, (self.code, self.params)

    def __repr__(self) -> str:
        return f"{self.code}({', '.join(f'{name}={value!r}' for name, value in self.params)})"


def message(code: str, /, **params: Value) -> Message:
    """The message `code` with its parameters.

    `code` is written out where it is used: tests find all codes in the source. Raises `TypeError`
    for a parameter of any other type than `Value`, a sealed card above all.
    """
    return _made(code, params)


def _made(code: str, params: Mapping[str, Value]) -> Message:
    for value in params.values():
        _check(value)
    return Message(code, tuple(sorted(params.items())) if len(params) > 1 else (*params.items(),))


_TYPES: Final = frozenset(
    {int, str, Card, Amount, Seat, Place, Action, Total, Odds, Message, tuple}
)  # fmt: skip


def _check(value: object) -> None:
    kind = type(value)
    if kind not in _TYPES:
        raise TypeError(f"a message cannot hold {kind.__name__}")
    if kind is tuple:
        for each in value:  # type: ignore[attr-defined]
            _check(each)


# -- as plain data, for records --

_TO_PLAIN: Final[dict[type, Callable[..., object]]] = {
    Card: lambda value: {"card": value.code},
    Amount: lambda value: {"amount": value.minor},
    Seat: lambda value: {"seat": value.number},
    Place: lambda value: {"place": [value.seat, value.hand]},
    Action: lambda value: {"action": value.value},
    Total: lambda value: {"total": [value.points, int(value.soft), value.limit]},
    Odds: lambda value: {"odds": [value.pays, value.per]},
    Message: lambda value: {"message": to_plain(value)},
    tuple: lambda value: {"list": [_plain(each) for each in value]},
}


def to_plain(said: Message) -> list[object]:
    """A message as JSON writes it: `["wager-under-minimum", {"least": {"amount": 500}}]`."""
    return [said.code, {name: _plain(value) for name, value in said.params}]


def _plain(value: Value) -> object:
    write = _TO_PLAIN.get(type(value))
    return value if write is None else write(value)


def from_plain(data: object) -> Message:
    """The message that `to_plain` wrote. Raises `ValueError` for anything else.

    The code need not be known here: a record may come from another build.
    """
    try:
        if not isinstance(data, list | tuple) or len(data) != 2 or not isinstance(data[0], str):
            raise TypeError("not a pair")
        return _made(data[0], {name: _value(value) for name, value in data[1].items()})
    except (TypeError, KeyError, AttributeError, IndexError) as error:
        raise ValueError(f"this is no message: {str(data)[:80]}") from error


def _value(data: object) -> Value:
    if isinstance(data, dict):
        ((kind, inner),) = data.items()
        return _FROM_PLAIN[kind](inner)
    if type(data) is int or type(data) is str:
        return data
    raise TypeError(type(data).__name__)


_FROM_PLAIN: Final[dict[str, Callable[..., Value]]] = {
    "card": card,
    "amount": Amount,
    "seat": Seat,
    "place": lambda pair: Place(*pair),
    "action": Action,
    "total": lambda parts: Total(parts[0], bool(parts[1]), parts[2]),
    "odds": lambda pair: Odds(*pair),
    "message": from_plain,
    "list": lambda values: tuple(_value(each) for each in values),
}


# -- in words --

Catalogue: TypeAlias = Mapping[str, str]
"""Templates by code: `"{amount} is under the minimum of {least}"`, in the syntax of `str.format`.

A number may carry its noun: `{cards:card|cards}` is "1 card" or "5 cards". `{actions:or}` joins
the parts of a tuple by commas and a last "or", `{parts:;}` by semicolons. What else may follow the
colon is up to the language's `Write`, which gets a nested message as text.
"""


class Words(NamedTuple):
    """A game's own words: for what every table has, and for the reasons that it gives.

    `index_style` is the style in which the table's cards print their ranks; words name cards in it.
    """

    dealer: str = "dealer"
    seat: str = "seat"
    reasons: Catalogue = {}  # noqa: RUF012  (read only)
    index_style: IndexStyle = IndexStyle.FINNISH


Write: TypeAlias = Callable[[Value, str, Words], str]
"""How a language writes a value, by what follows the colon in the template and a game's words."""


class Language:
    """A language: how values are written, and the templates of all catalogues together.

    `code` is its name (ISO 639-1).
    """

    def __init__(self, write: Write, *catalogues: Catalogue, code: str = "en") -> None:
        """Raises `ValueError` for a code that two catalogues word differently."""
        self._write = write
        self.code = code
        self.catalogue: dict[str, str] = {}
        for each in catalogues:
            for code, template in each.items():
                if self.catalogue.setdefault(code, template) != template:
                    raise ValueError(f"{code} has two templates")

    def say(self, said: Message, words: Words = Words()) -> str:
        """The message in words; a game's own `words` come first.

        A code without a template, as of another build, is said plainly: the code and parameters.
        """
        values = {name: _Written(value, self, words) for name, value in said.params}
        template = self.template(said.code, words)
        if template is not None and values.keys() >= _names(template):
            return template.format_map(values)
        plain = ", ".join(f"{name} {value}" for name, value in values.items())
        return f"{said.code} ({plain})" if plain else said.code

    def template(self, code: str, words: Words) -> str | None:
        """The template of a message, the game's own first; None for a code of another build."""
        return words.reasons.get(code) or self.catalogue.get(code)

    def text(self, context: str, english: str) -> str:
        """A text without a code: its English is its name, in the `context` that says its kind."""
        return english

    def number_of(self, count: int, forms: list[str]) -> str:
        """A number with its noun, whose `forms` are those of the language, in their order."""
        return f"{count} {forms[0] if count == 1 else forms[1]}"

    def write(self, value: Value, spec: str, words: Words) -> str:
        """A single parameter in words."""
        if type(value) is Message:
            return self._write(self.say(value, words), spec, words)
        return self._write(value, spec, words)


class _Written:
    """A parameter on its way into a template."""

    __slots__ = ("_language", "_value", "_words")

    def __init__(self, value: Value, language: Language, words: Words) -> None:
        self._value = value
        self._language = language
        self._words = words

    def __format__(self, spec: str) -> str:
        value, language = self._value, self._language
        if type(value) is tuple:
            parts = [language.write(each, "", self._words) for each in value]
            if spec == ";":
                return "; ".join(parts)
            last = f" {spec} ".join(parts[-2:]) if spec else ", ".join(parts[-2:])
            return ", ".join([*parts[:-2], last]) if parts else ""
        if type(value) is int and "|" in spec:
            return language.number_of(value, spec.split("|"))
        return language.write(value, spec, self._words)


@lru_cache(maxsize=2048)
def _names(template: str) -> frozenset[str]:
    """`params_of`, remembered: templates are few, and taken apart slowly."""
    return frozenset(params_of(template))


def params_of(template: str) -> Iterator[str]:
    """The names of the parameters that a template uses."""
    return (name for _, name, _, _ in Formatter().parse(template) if name is not None)
