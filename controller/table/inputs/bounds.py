"""What a number or text of a command may be at most, at any table."""

from __future__ import annotations

from typing import Annotated

from annotated_types import Ge, Le, MaxLen, MinLen

# Beyond these no table could mean it: the web refuses such a body before the table is asked.
# What a table does not allow, the table itself refuses, in the words of its rule.
SeatNumber = Annotated[int, Ge(1), Le(64)]
AnySeat = Annotated[int, Ge(0), Le(64)]
HandNumber = Annotated[int, Ge(0), Le(128)]
Amount = Annotated[int, Ge(1), Le(10**12)]
HoldNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
AlarmNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
#: An id of the directory of people, eight hexadecimal digits; empty: somebody unknown there.
PersonIdText = Annotated[str, MaxLen(8)]
StepNumber = Annotated[int, Ge(0), Le(10_000)]
RoundNumber = Annotated[int, Ge(1), Le(2**31 - 1)]
ReasonText = Annotated[str, MinLen(1), MaxLen(200)]
CardCode = Annotated[str, MaxLen(12)]
CardCount = Annotated[int, Ge(0), Le(1_000)]
PackName = Annotated[str, MaxLen(32)]
#: A player by a game server's own id; no display shows it.
PlayerId = Annotated[str, MinLen(1), MaxLen(64)]
