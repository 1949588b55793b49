"""What the pit may ask of a table: acts with their author, and when they are too late.

None of them settles what wants eyes on the felt: holds are settled at the table.
"""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from annotated_types import Ge, Le, MaxLen, MinLen

from controller.rules.frozen import frozen
from controller.table.inputs.bounds import AlarmNumber, Amount
from controller.table.inputs.table import ChangeDealer
from controller.table.roles import PersonId

OptionText = Annotated[str, MinLen(1), MaxLen(60)]
NoteText = Annotated[str, MinLen(1), MaxLen(200)]


@frozen
class CloseTable:
    """No bets are taken from here on; a round in play is played to its end."""

    do: Literal["close_table"] = "close_table"


@frozen
class OpenTable:
    """Bets are taken again."""

    do: Literal["open_table"] = "open_table"


@frozen
class SetOptions:
    """House options, limits among them, by name and as text (`1500`, `3:2`, `true`); amounts in
    minor units. They stay until the configuration names another value, or the pit does.
    """

    options: Annotated[tuple[tuple[OptionText, OptionText], ...], MinLen(1), MaxLen(40)]
    do: Literal["set_options"] = "set_options"


@frozen
class SendNote:
    """A message to the dealer's display, which stays there until it is read."""

    text: NoteText
    do: Literal["send_note"] = "send_note"


@frozen
class AskFill:
    """A fill of so much (minor units) is on its way to the table: the dealer is to expect it."""

    amount: Amount
    do: Literal["ask_fill"] = "ask_fill"


@frozen
class SilenceAlarms:
    """The alarms up to a number have been seen in the pit; their causes stay open."""

    upto: AlarmNumber
    do: Literal["silence_alarms"] = "silence_alarms"


PitAct = CloseTable | OpenTable | SetOptions | ChangeDealer | SendNote | AskFill | SilenceAlarms
#: The acts by name, as a configuration allows them.
PIT_ACTS: Final = tuple(each.__dataclass_fields__["do"].default for each in get_args(PitAct))
#: Who may ask for an act: whom the pit calls so stands for the floor at a table.
PIT_BOSS: Final = "pit_boss"
PIT_AUTHORS: Final = ("floor", PIT_BOSS)
#: What the floor leaves to a pit boss.
OF_PIT_BOSSES: Final = ("close_table", "open_table", "set_options")
#: The clocks of pit and table may differ by this much, and a command lasts this long at most.
TOLERANCE_MS: Final = 5_000
MOST_LIFE_MS: Final = 60_000
#: A table that decides on a command now takes none of that moment later than this much from now.
LATEST_MS: Final = MOST_LIFE_MS + 2 * TOLERANCE_MS + 1

#: A pit is known by this many digits of its key.
PIT_CHARS: Final = 8


@frozen
class FromPit:
    """The pit asks for an act; `who` asks there, as `role`. `pit` is which one: the first digits of
    the key that signed. `asked_ms` is when, and `expires_ms` until when the table is to take it,
    by the pit's clock.
    """

    act: PitAct
    who: PersonId
    role: str
    pit: str
    asked_ms: int
    expires_ms: int


@frozen
class DirectoryReport:
    """A directory of people that the pit signed for this table has been taken, and lies on its
    disk: which one it is. Wall times in ms.
    """

    serial: int
    digest: str
    roster: str
    people: int
    issued_ms: int
    good_until_ms: int


@frozen
class ReadNote:
    """The dealer has read the oldest message of the pit: the one of that number."""

    note: Annotated[int, Ge(1), Le(2**53)]
    do: Literal["read_note"] = "read_note"
