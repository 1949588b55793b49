"""`[pit]`: what the pit may ask of a table over the bus."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from controller.table.inputs.pit import PIT_ACTS

#: A public key of Ed25519, in hex.
PitKey = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
ActName = Literal[
    "close_table", "open_table", "set_options", "change_dealer", "send_note", "ask_fill",
    "silence_alarms",
]  # fmt: skip


class PitSection(BaseModel):
    """`[pit]`: what the pit may ask of this table over the bus.

    `keys` are the public keys of the pits that are listened to, as `tablectl pit CONFIG --key`
    prints them; `acts` what they may ask for. Who deals is to be seen at the table: a house that
    lets the pit say so names `change_dealer`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    keys: Annotated[tuple[PitKey, ...], Field(min_length=1, max_length=8)]
    acts: tuple[ActName, ...] = tuple(each for each in PIT_ACTS if each != "change_dealer")
