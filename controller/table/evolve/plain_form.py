"""Values of the table as plain data (what JSON can say) and back, every class and field by name.

Which classes there are is found by the annotations of what is carried, so that a new field needs
nothing here. A field that the data lacks takes its default: an older record stays readable. A
class or field that is unknown here was written by newer software (`NewerForm`). Sealed cards
become their commitments; what a `Hidden` field holds becomes one, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from typing import Any, Final, get_args, get_type_hints

from controller.rules.cards import Card, card
from controller.rules.messages import Message, from_plain, to_plain
from controller.rules.sealed import Sealed
from controller.table.growing import Serials
from controller.table.state.answers import Answered, Answers

#: The key that names the class of an object; no field of ours is called so.
CLASS: Final = "is"

Opening = Callable[[str], Sealed | None]
"""From a commitment to the sealed card behind it; None where it is not to be had."""


class FormError(ValueError):
    """Data that is no value of ours; the text says where."""


class NewerForm(FormError):
    """Data that names a class or a field that this software does not know."""


def is_named_tuple(kind: type) -> bool:
    """Whether `kind` is a NamedTuple."""
    return issubclass(kind, tuple) and hasattr(kind, "_fields")


class PlainForm:
    """The plain form of everything that a value annotated as one of `roots` may hold.

    `leave_out` names fields (by class name) that have no plain form: they come back as defaults.
    """

    def __init__(
        self, roots: tuple[Any, ...], leave_out: Mapping[str, frozenset[str]] | None = None
    ) -> None:
        self._kinds: dict[str, type] = {}
        self._left_out = dict(leave_out or {})
        for each in roots:
            self._collect(each)
        self._fields = {
            name: tuple(
                each for each in fields(kind) if each.name not in self._left_out.get(name, ())
            )
            for name, kind in self._kinds.items()
            if is_dataclass(kind)
        }

    def _collect(self, kind: Any) -> None:
        for each in get_args(kind):
            self._collect(each)
        if not isinstance(kind, type) or kind in (Answers, Card, Message, Sealed, Serials):
            return
        known = self._kinds.get(kind.__name__)
        if known is kind:
            return
        if not (is_dataclass(kind) or is_named_tuple(kind) or issubclass(kind, Enum)):
            return
        if known is not None:
            raise FormError(f"two classes are called {kind.__name__}")
        self._kinds[kind.__name__] = kind
        hints = {} if issubclass(kind, Enum) else get_type_hints(kind)
        for name, each in hints.items():
            if name not in self._left_out.get(kind.__name__, ()):
                self._collect(each)

    # -- to plain data --

    def plain(self, value: Any) -> Any:
        """The plain form of a value. Raises `FormError` for one that cannot be carried."""
        kind = type(value)
        if value is None or kind in (bool, int, float, str):
            return value
        if kind is tuple:
            return [self.plain(each) for each in value]
        if kind is Card:
            return {CLASS: "Card", "code": value.code}
        if kind is Sealed:
            return _plain_sealed(value)
        if kind is Message:
            return {CLASS: "Message", "said": to_plain(value)}
        if kind is dict:
            pairs = [[self.plain(key), self.plain(each)] for key, each in value.items()]
            return {CLASS: "dict", "items": pairs}
        if kind is frozenset:
            return {CLASS: "set", "items": sorted(map(self.plain, value), key=repr)}
        if kind is Answers:
            return {CLASS: "Answers", "answers": [_plain_answer(*each) for each in value]}
        if kind is Serials:
            return {CLASS: "Serials", "serials": sorted(value)}
        name = kind.__name__
        if self._kinds.get(name) is not kind:
            raise FormError(f"a gaming day cannot carry {name}")
        if isinstance(value, Enum):
            return {CLASS: name, "value": value.value}
        if is_named_tuple(kind):
            return {CLASS: name} | {
                field: self.plain(each) for field, each in zip(value._fields, value, strict=True)
            }
        return {CLASS: name} | {
            each.name: self.plain(getattr(value, each.name)) for each in self._fields[name]
        }

    # -- and back --

    def value(self, plain: Any, opening: Opening) -> Any:
        """The value of plain data. Raises `FormError`, `NewerForm`."""
        if isinstance(plain, list):
            return tuple([self.value(each, opening) for each in plain])
        if not isinstance(plain, dict):
            return plain
        try:
            return self._object(plain, opening)
        except (KeyError, TypeError, ValueError) as error:
            if isinstance(error, FormError):
                raise
            # The kind of the error alone: its text may hold a card that lies face down.
            raise FormError(
                f"{plain.get(CLASS, 'an object')}: its fields are not what it takes "
                f"({type(error).__name__})"
            ) from None

    def _object(self, plain: dict[str, Any], opening: Opening) -> Any:
        name = plain[CLASS]
        if name == "Card":
            return card(plain["code"])
        if name == "Sealed":
            return _sealed(plain, opening)
        if name == "Message":
            return from_plain(plain["said"])
        if name == "dict":
            pairs = plain["items"]
            return {self.value(key, opening): self.value(each, opening) for key, each in pairs}
        if name == "set":
            return frozenset(self.value(each, opening) for each in plain["items"])
        if name == "Answers":
            return Answers.of(_answer(*each) for each in plain["answers"])
        if name == "Serials":
            return Serials.of(plain["serials"])
        kind = self._kinds.get(name)
        if kind is None:
            raise NewerForm(f"{name} is not known to this software")
        if issubclass(kind, Enum):
            word = plain["value"]
            try:
                return kind(word)
            except ValueError:
                raise NewerForm(f"{name} {word!r} is not known to this software") from None
        values = {key: self.value(each, opening) for key, each in plain.items() if key != CLASS}
        if is_named_tuple(kind):
            _none_unknown(name, values, kind._fields)  # type: ignore[attr-defined]
            return kind(**values)
        return self._dataclass(kind, values)

    def _dataclass(self, kind: type, values: dict[str, Any]) -> Any:
        # Past __init__: what is carried was made by it, and is not judged a second time.
        _none_unknown(kind.__name__, values, [each.name for each in self._fields[kind.__name__]])
        made: Any = object.__new__(kind)
        for each in fields(kind):
            value = values[each.name] if each.name in values else default_of(each)
            object.__setattr__(made, each.name, value)
        return made


def default_of(field: Field[Any]) -> Any:
    """The default of a dataclass's field. Raises `FormError` where it has none."""
    if field.default is not MISSING:
        return field.default
    if field.default_factory is not MISSING:
        return field.default_factory()
    raise FormError(f"{field.name} is missing")


def _none_unknown(name: str, names: Mapping[str, Any], known: Any) -> None:
    for each in names:
        if each not in known:
            raise NewerForm(f"{name}.{each} is not known to this software")


def _plain_answer(key: str, answer: Answered) -> list[Any]:
    refused = to_plain(answer.refused) if answer.refused else None
    return [key, answer.print, answer.seq, refused]


def _answer(key: str, digest: str, seq: int, refused: Any) -> tuple[str, Answered]:
    return key, Answered(digest, seq, from_plain(refused) if refused else None)


def _plain_sealed(value: Sealed) -> dict[str, str]:
    if value.digest or not value.known:
        return {CLASS: "Sealed", "commitment": value.digest}
    # Without a commitment it is a card that lies face up: its own record names it.
    kind = value.open()
    return {CLASS: "Sealed", "code": kind.code if kind else "", "serial": value.open_serial()}


def _sealed(plain: dict[str, str], opening: Opening) -> Sealed:
    if "code" in plain:
        return Sealed(card(plain["code"]), plain["serial"])
    digest = plain["commitment"]
    return (opening(digest) if digest else None) or Sealed(None, digest=digest)
