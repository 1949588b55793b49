"""A table in a recount: what lies there, what people count, and what they may take back."""

from __future__ import annotations

from controller.devices.displays import Key
from controller.devices.inputs import Doubt, Reading
from controller.table import inputs as i
from tests.support.pit import SCANNER, Pit, opened


def in_play(codes: str, *seats: int, name: str = "21-24-27") -> Pit:
    pit = opened(max(seats), name)
    for seat in seats:
        pit.bet(seat)
    pit.no_more_bets()
    pit.deal(codes)
    return pit


def leaves_unread(pit: Pit) -> None:
    pit.give(Reading(SCANNER, None, Doubt.READER_AWAY, apart=True))


def open_now(pit: Pit) -> set[str]:
    return {str(key.command.get("resolution", key.command["do"])) for key in resolutions(pit)}


def resolutions(pit: Pit) -> tuple[Key, ...]:
    return pit.display.holds[0].resolutions


def undo_keys(pit: Pit) -> list[Key]:
    return [each for each in pit.display.keys if each.command["do"] == "undo"]


def undo(pit: Pit) -> None:
    (key,) = undo_keys(pit)
    assert not pit.give(i.Undo(int(key.command["hold"]))).refused
