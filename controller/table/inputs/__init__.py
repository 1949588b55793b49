"""What the table is asked: commands of people and game servers, readings, presses, health, start.

Commands are nouns of one thing somebody wants; `do` is their name in the API. The table answers
each with records, of which a refusal is one.
"""

from __future__ import annotations

from controller.devices.inputs import Health, Press, Reading, SpotSensed
from controller.table.inputs.clapper import Clap
from controller.table.inputs.money import (
    BuyIn,
    ChangeBox,
    CloseRack,
    CountBox,
    OpenRack,
    SignSlip,
    VoidSlip,
)
from controller.table.inputs.pit import (
    AskFill,
    CloseTable,
    DirectoryReport,
    FromPit,
    OpenTable,
    PitAct,
    ReadNote,
    SendNote,
    SetOptions,
    SilenceAlarms,
)
from controller.table.inputs.play import (
    CloseBets,
    ConfirmSettled,
    ConfirmWager,
    Decide,
    DeclineWager,
    PlaceWager,
    PressButton,
    RemoveWager,
    RepeatWagers,
    ReportPeek,
    TurnCard,
)
from controller.table.inputs.seats import LeaveSeat, MarkAway, TakeSeat
from controller.table.inputs.shoe import CloseShoe, CutShoe, LoadPack, ScanPack, ScanRest
from controller.table.inputs.stamp import Stamp, key_of, print_of
from controller.table.inputs.table import (
    UNKNOWN_PERSON,
    ChangeDealer,
    CloseDay,
    DayCheck,
    Method,
    PinReport,
    Reload,
    RemoveDays,
    SetByPit,
    Setup,
    Start,
    TimerFired,
)
from controller.table.inputs.trouble import (
    Acknowledge,
    CallFloor,
    CardsAtSeat,
    Correct,
    DealKept,
    EditAsked,
    Happened,
    Resolve,
    Undo,
)
from controller.table.inputs.windows import OpenBets, WindowKind, WindowTimes

__all__ = [
    "UNKNOWN_PERSON",
    "Acknowledge",
    "AskFill",
    "BuyIn",
    "CallFloor",
    "CardsAtSeat",
    "ChangeBox",
    "ChangeDealer",
    "Clap",
    "CloseBets",
    "CloseDay",
    "CloseRack",
    "CloseShoe",
    "CloseTable",
    "Command",
    "ConfirmSettled",
    "ConfirmWager",
    "Correct",
    "CountBox",
    "CutShoe",
    "DayCheck",
    "DealKept",
    "Decide",
    "DeclineWager",
    "DirectoryReport",
    "EditAsked",
    "FromPit",
    "Happened",
    "LeaveSeat",
    "LoadPack",
    "MarkAway",
    "Method",
    "OpenBets",
    "OpenRack",
    "OpenTable",
    "PinReport",
    "PitAct",
    "PlaceWager",
    "PressButton",
    "ReadNote",
    "Reload",
    "RemoveDays",
    "RemoveWager",
    "RepeatWagers",
    "ReportPeek",
    "Resolve",
    "ScanPack",
    "ScanRest",
    "SendNote",
    "SetByPit",
    "SetOptions",
    "Setup",
    "SignSlip",
    "SilenceAlarms",
    "Stamp",
    "Start",
    "TableInput",
    "TakeSeat",
    "TimerFired",
    "TurnCard",
    "Undo",
    "VoidSlip",
    "WindowKind",
    "WindowTimes",
    "key_of",
    "print_of",
]  # fmt: skip

Command = (
    PlaceWager | RemoveWager | RepeatWagers | CloseBets | Decide | ConfirmWager | DeclineWager
    | TurnCard | ReportPeek | ConfirmSettled | LoadPack | ScanPack | CutShoe | ScanRest | CloseShoe
    | ChangeDealer | CallFloor | Happened | DealKept | Resolve | Undo | Correct | Acknowledge
    | CloseDay | PressButton | ReadNote | OpenRack | CloseRack | SignSlip | BuyIn | ChangeBox
    | CountBox | VoidSlip | OpenBets | TakeSeat | LeaveSeat | MarkAway | Clap
)  # fmt: skip

TableInput = (
    Command
    | Reading
    | Press
    | SpotSensed
    | Health
    | Start
    | Reload
    | RemoveDays
    | TimerFired
    | DayCheck
    | PinReport
    | DirectoryReport
    | FromPit
)
