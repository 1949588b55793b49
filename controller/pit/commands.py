"""The commands as the API takes them: the table's own, checked at the border.

No command is listed here: each class of `controller.table.inputs.Command` becomes a model with
the same fields and bounds, plus `seen`.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from enum import Enum
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, Final, get_args, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, Strict, create_model, model_validator

from controller.table.inputs import Command


class Asked(BaseModel):
    """A command and the record that its sender's picture stood on."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    seen: Annotated[int, Field(ge=-1, le=2**53)] | None = Field(
        None,
        description="The seq of the picture that this answers: if the table has moved on since, "
        "the command is refused. Left out: it is meant for the table as it is.",
    )

    @model_validator(mode="before")
    @classmethod
    def _whole_numbers(cls, given: Any) -> Any:
        # JSON has one kind of number: 2.0 is the integer 2 (JSON Schema 2020-12, 6.1.1).
        if not isinstance(given, dict):
            return given
        return {
            name: int(value) if isinstance(value, float) and value.is_integer() else value
            for name, value in given.items()
        }

    @property
    def command(self) -> Command:
        """What the table is asked."""
        kind = _COMMANDS[type(self)]
        made: Command = kind(**{each.name: getattr(self, each.name) for each in fields(kind)})
        return made


def _model(command: type[Command]) -> type[Asked]:
    hints = get_type_hints(command, include_extras=True)
    taken: dict[str, Any] = {}
    for each in fields(command):
        hint = hints[each.name]
        if isinstance(hint, type) and issubclass(hint, Enum):
            # JSON has no enums: their values are what is sent.
            hint = Annotated[hint, Strict(False)]
        needed = each.default is MISSING or each.name == "do"
        taken[each.name] = (hint, ... if needed else each.default)
    made: type[Asked] = create_model(
        command.__name__, __base__=Asked, __doc__=command.__doc__, **taken
    )
    return made


_COMMANDS: Final = {_model(each): each for each in get_args(Command)}

if TYPE_CHECKING:
    AnyAsked = Asked
else:
    AnyAsked = Annotated[reduce(or_, _COMMANDS), Field(discriminator="do")]
