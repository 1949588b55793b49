"""Commands about the shoe: loading, cutting, adding up."""

from __future__ import annotations

from typing import Literal

from controller.rules.frozen import frozen
from controller.table.inputs.bounds import CardCount, PackName


@frozen
class LoadPack:
    """A complete, shuffled pack is in the shoe.

    `counted`: how many cards a machine or people counted in it; null where nobody did. `pack` is
    the label of the pack, where the house has several: each is watched by itself. After
    `scan_pack` it says that all of it went through; with `counted`, that people counted instead.
    """

    counted: CardCount | None = None
    pack: PackName = ""
    do: Literal["load_pack"] = "load_pack"


@frozen
class ScanPack:
    """The pack will be run through the reader, all of it, before it is loaded and cut.

    `load_pack` ends it: a pack in which a kind is missing or too often is not taken.
    """

    do: Literal["scan_pack"] = "scan_pack"


@frozen
class CutShoe:
    """The pack has been cut and the cut card is in its place.

    `at`: after how many cards it was put in; null: where the house has it. The ledger tells it;
    when to shuffle is the house's number of cards alone.
    """

    at: CardCount | None = None
    do: Literal["cut"] = "cut"


@frozen
class ScanRest:
    """What is left in the shoe will be run through the reader, from its first card."""

    do: Literal["scan_rest"] = "scan_rest"


@frozen
class CloseShoe:
    """The shoe is over: `left` cards were counted in it; null: all were run through the reader."""

    left: CardCount | None = None
    do: Literal["close_shoe"] = "close_shoe"
