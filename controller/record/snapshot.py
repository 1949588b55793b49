"""A table's state as bytes and back, for the checkpoint: a cache, never a record.

What a state is made of is found by its annotations, so that a new field needs nothing here. Rounds
are kept as their answers and played again when they are asked; hidden cards as their commitments.
Whatever cannot be kept is an error, and then there is no checkpoint.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType
from typing import Any, Final, get_args, get_type_hints

import msgspec

from controller.record.codec import Opening
from controller.rules.cards import Card, card
from controller.rules.felt import Action, Bid
from controller.rules.game import Game
from controller.rules.games.registry import game
from controller.rules.messages import Message, from_plain, to_plain
from controller.rules.options import plain
from controller.rules.round import Round
from controller.rules.sealed import Sealed
from controller.rules.steps import Chips, Peeked
from controller.table.growing import Serials
from controller.table.state import State

_PLAIN: Final = (NoneType, bool, int, float, str)
#: Classes that have a form of their own here.
_OWN: Final = (Card, Sealed, Message, Game, Round, Serials)
#: What the answers of a round may be, beside cards.
_ANSWERS: Final = (Action, Bid, Chips, Peeked)


class SnapshotError(ValueError):
    """A state that cannot be kept, or bytes that are no state of this software."""


def _is_named_tuple(kind: type) -> bool:
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


def _made_of(kind: Any, found: dict[str, type]) -> None:
    """Collect every class that a value annotated as `kind` may hold."""
    for each in get_args(kind):
        _made_of(each, found)
    if not isinstance(kind, type) or kind in _OWN or kind.__qualname__ in found:
        return
    if is_dataclass(kind) or _is_named_tuple(kind):
        found[kind.__qualname__] = kind
        for each in get_type_hints(kind).values():
            _made_of(each, found)
    elif issubclass(kind, Enum):
        found[kind.__qualname__] = kind


def _all_kinds() -> dict[str, type]:
    found: dict[str, type] = {}
    for kind in (State, *_ANSWERS):
        _made_of(kind, found)
    return found


_KINDS: Final = _all_kinds()
_FIELDS: Final = {
    name: tuple(each.name for each in fields(kind))
    for name, kind in _KINDS.items()
    if is_dataclass(kind)
}


def _layout() -> str:
    names = [
        f"{name}{_FIELDS.get(name, getattr(kind, '_fields', ()))}" for name, kind in _KINDS.items()
    ]
    return hashlib.sha256("".join(sorted(names)).encode()).hexdigest()[:16]


#: Tells states that are made of other fields.
LAYOUT: Final = _layout()


def pack(state: State) -> bytes:
    """The bytes of a state. Raises `SnapshotError`. As secret as the openings are."""
    return msgspec.json.encode(_packed(state))


def _packed(value: Any) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if (special := _PACKERS.get(kind)) is not None:
        return special(value)
    name = kind.__qualname__
    if _KINDS.get(name) is not kind:
        raise SnapshotError(f"a state cannot be kept with {name} in it")
    if isinstance(value, Enum):
        return ["enum", name, value.value]
    if isinstance(value, tuple):
        return ["named", name, *map(_packed, value)]
    return ["object", name, *(_packed(getattr(value, each)) for each in _FIELDS[name])]


def _pack_sealed(value: Sealed) -> list[object]:
    if value.digest or not value.known:
        return ["sealed", value.digest]
    # Without a commitment it is a card that lies face up: its record names it.
    kind = value.open()
    return ["seen", kind.code if kind else "", value.open_serial()]


_PACKERS: Final[dict[type, Callable[[Any], list[object]]]] = {
    Card: lambda value: ["card", value.code],
    Message: lambda value: ["message", to_plain(value)],
    Sealed: _pack_sealed,
    Game: lambda value: ["game", value.name, plain(value.options)],
    Round: lambda value: [
        "round", value.number, _packed(value.game), _packed(value.wagers), _packed(value.answers)
    ],
    tuple: lambda value: ["tuple", *map(_packed, value)],
    list: lambda value: ["list", *map(_packed, value)],
    frozenset: lambda value: ["set", *sorted(map(_packed, value), key=repr)],
    Serials: lambda value: ["serials", *value],
    dict: lambda value: ["dict", *([_packed(key), _packed(each)] for key, each in value.items())],
}  # fmt: skip


def unpack(content: bytes, opening: Opening) -> State:
    """The state of those bytes; `opening` finds what hidden cards are. Raises `SnapshotError`."""
    try:
        state = _Unpacking(opening).value(msgspec.json.decode(content))
    except (msgspec.DecodeError, ValueError, TypeError, LookupError, AttributeError) as error:
        raise SnapshotError(f"it cannot be read ({error})") from error
    if not isinstance(state, State):
        raise SnapshotError("it is no state")
    return state


_FORMS: Final = (
    "message",
    "card", "sealed", "seen", "game", "round", "tuple", "list", "set", "serials", "dict", "enum",
    "named", "object",
)  # fmt: skip


class _Unpacking:
    """One state in the making; rounds of the same game share it, as they do at the table."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._games: dict[str, Game] = {}

    def value(self, packed: Any) -> Any:
        if not isinstance(packed, list):
            return packed
        form, *parts = packed
        if form not in _FORMS:
            raise SnapshotError(f"it holds something unknown, {form!r}")
        return getattr(self, f"_{form}")(*parts)

    def _message(self, plain: object) -> Message:
        return from_plain(plain)

    def _card(self, code: str) -> Card:
        return card(code)

    def _sealed(self, digest: str) -> Sealed:
        return self._opening(digest) or Sealed(None, digest=digest)

    def _seen(self, code: str, serial: str) -> Sealed:
        return Sealed(card(code), serial)

    def _game(self, name: str, options: dict[str, Any]) -> Game:
        key = f"{name} {sorted(options.items())}"
        if key not in self._games:
            self._games[key] = game(name).with_options(options)
        return self._games[key]

    def _round(self, number: int, of: Any, wagers: Any, answers: Any) -> Round:
        return Round(number, self.value(of), self.value(wagers), self.value(answers))

    def _tuple(self, *parts: Any) -> tuple[Any, ...]:
        return tuple(map(self.value, parts))

    def _list(self, *parts: Any) -> list[Any]:
        return list(map(self.value, parts))

    def _set(self, *parts: Any) -> frozenset[Any]:
        return frozenset(map(self.value, parts))

    def _serials(self, *parts: str) -> Serials:
        return Serials.of(parts)

    def _dict(self, *parts: Any) -> dict[Any, Any]:
        return {self.value(key): self.value(each) for key, each in parts}

    def _enum(self, name: str, value: Any) -> Any:
        return _KINDS[name](value)

    def _named(self, name: str, *parts: Any) -> Any:
        return _KINDS[name](*map(self.value, parts))

    def _object(self, name: str, *parts: Any) -> Any:
        # Past __init__: what was kept was made by it, and is not judged a second time.
        made: Any = object.__new__(_KINDS[name])
        for each, part in zip(_FIELDS[name], parts, strict=True):
            object.__setattr__(made, each, self.value(part))
        return made
