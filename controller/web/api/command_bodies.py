"""Bodies of commands: the table's own command classes as JSON, with `view_seq` and `people`.

No command is listed here: each class of `controller.table.inputs.Command` becomes a model with the
same fields and bounds. It is not the class itself that pydantic validates: the body holds what is
not of the command (`view_seq`, `people`), unknown fields are refused, `do` must be sent although
the class has it by default, JSON knows no enums and only one kind of number.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, Strict, create_model, model_validator

from controller.table.inputs import Command

#: What a sender's key is made of.
KEY_PATTERN: Final = r"^[A-Za-z0-9._-]+$"
#: This many commands one batch may hold.
BATCH_MAX: Final = 64


class _JsonObject(BaseModel):
    """A command, or a part of one, as JSON sends it."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    @model_validator(mode="before")
    @classmethod
    def _whole_numbers(cls, body: Any) -> Any:
        # JSON has one kind of number: 2.0 is the integer 2 (JSON Schema 2020-12, 6.1.1).
        if not isinstance(body, dict):
            return body
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in body.items()
        }


class Proof(_JsonObject):
    """Who authorizes a command: a name, and the PIN that proves it."""

    name: Annotated[str, Field(min_length=1, max_length=40)]
    pin: Annotated[str, Field(min_length=1, max_length=64, json_schema_extra={"writeOnly": True})]


class CommandBody(_JsonObject):
    """A command, the record that its sender's view was made from, and who authorizes it."""

    # Each is built with the union of all, and not for itself before that.
    model_config = ConfigDict(defer_build=True)

    view_seq: Annotated[int, Field(ge=-1, le=2**53)] | None = Field(
        None,
        description="The seq of the view that this answers: if the table has moved on since, "
        "the command is refused. Left out: it is meant for the table as it is.",
    )
    people: Annotated[tuple[Proof, ...], Strict(False), Field(max_length=2)] = Field(
        (),
        description="Who authorizes it, where the table asks for the floor or for two people.",
    )

    player: Annotated[str, Field(max_length=64)] = Field(
        "",
        description="For whom a game server sends it: the table refuses it at a seat that this "
        "player has not taken. Left out: it is of the house.",
    )

    @property
    def proofs(self) -> list[tuple[str, str]]:
        """Names and PINs."""
        return [(each.name, each.pin) for each in self.people]

    @property
    def command(self) -> Command:
        """The table's own command."""
        built: Command = _built(_COMMANDS[type(self)], self)
        return built


def _built(kind: type[Any], sent: BaseModel) -> Any:
    """The table's own class `kind` with the values that were sent."""
    values = {each.name: getattr(sent, each.name) for each in fields(kind)}
    for name, value in values.items():
        if isinstance(value, tuple):
            values[name] = tuple(_built(_NESTED[type(each)], each) for each in value)
    return kind(**values)


def _hint(hint: Any) -> Any:
    """A field's type as JSON sends it: enums by their values, lists of parts as lists of models."""
    if _is_enum(hint) or any(_is_enum(each) for each in get_args(hint)):
        # JSON has no enums: their values are what is sent.
        return Annotated[hint, Strict(False)]
    if get_origin(hint) is Annotated and get_origin(get_args(hint)[0]) is tuple:
        parts, *bounds = get_args(hint)
        part = _model(get_args(parts)[0], _JsonObject)
        _NESTED[part] = get_args(parts)[0]
        listed = tuple.__class_getitem__((part, ...))
        return Annotated[(listed, Strict(False), *bounds)]
    return hint


def _is_enum(hint: Any) -> bool:
    return isinstance(hint, type) and issubclass(hint, Enum)


def _model(kind: type[Any], base: type[BaseModel]) -> type[Any]:
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, Any] = {}
    for each in fields(kind):
        needed = each.default is MISSING or (each.name == "do" and base is CommandBody)
        found[each.name] = (_hint(hints[each.name]), ... if needed else each.default)
    made: type[Any] = create_model(kind.__name__, __base__=base, __doc__=kind.__doc__, **found)
    return made


_NESTED: Final[dict[type[Any], type[Any]]] = {}
_COMMANDS: Final = {_model(each, CommandBody): each for each in get_args(Command)}

if TYPE_CHECKING:
    AnyCommandBody = CommandBody
else:
    AnyCommandBody = Annotated[reduce(or_, _COMMANDS), Field(discriminator="do")]


class BatchItem(_JsonObject):
    """A command of a batch, and its key: sent again with it, the command acts once."""

    key: Annotated[str, Field(min_length=1, max_length=64, pattern=KEY_PATTERN)]
    command: AnyCommandBody


class Batch(_JsonObject):
    """Commands of several players at once."""

    commands: Annotated[
        tuple[BatchItem, ...], Strict(False), Field(min_length=1, max_length=BATCH_MAX)
    ]
