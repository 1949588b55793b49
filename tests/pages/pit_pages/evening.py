"""What the books of a pit have of one evening, for the pages that show it."""

from __future__ import annotations

from datetime import UTC, datetime
from random import Random
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, insert

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.fold_state import FORM, FoldState
from controller.pit.archive.storage.schema import TABLES

DAY: Final = "2026-11-26"
#: Six in the evening; the gaming day ends at four, with an hour in which nothing is dealt.
BEGAN_MS: Final = int(datetime(2026, 11, 26, 18, tzinfo=UTC).timestamp()) * 1_000
HOURS: Final = (0, 1, 2, 3, 4, 6, 7, 8, 9)
HOUR_MS: Final = 3_600_000
GAMES: Final = ("21-24-27", "blackjack", "finnish-27", "casino-7-27")
REASONS: Final = (
    ("unreadable", False, 9), ("early", True, 4), ("floor", False, 3), ("unexpected", True, 2),
    ("misdeal", True, 1),
)  # fmt: skip


def kept_evening(connection: Connection, first: int = 1) -> None:
    """Four tables, from `first` on, dealt to a fair crowd."""
    chance = Random(16)
    for number, game in enumerate(GAMES, start=first):
        table: dict[str, Any] = {
            "id": number, "name": f"T{number}", "identity": bytes(16), "seq": 9_000,
            "hash": bytes(32), "at_ms": BEGAN_MS, "archived_ms": BEGAN_MS, "software": "0.1.0",
            "game": game, "day": DAY, "dealer": "", "round": 600,
        }  # fmt: skip
        connection.execute(insert(TABLES).values(table))
        connection.execute(
            insert(b.FOLLOWED).values(
                table_id=number, form=FORM, seq=9_000, at_ms=BEGAN_MS, currency="EUR",
                kept=msgspec.json.encode(FoldState(day=DAY, game=game)).decode(),
            )
        )  # fmt: skip
        for at in HOURS:
            connection.execute(insert(b.TALLIES).values(_hour(number, game, at, chance)))
    _stops(connection, first, chance)


def _hour(number: int, game: str, at: int, chance: Random) -> dict[str, Any]:
    rounds = 35 + chance.randrange(30)
    wagered = rounds * 4 * 2_500
    net = round(chance.gauss(-0.02 * wagered, 0.05 * wagered))
    sums = dict.fromkeys(b.TALLIES.columns.keys(), 0)
    return sums | {
        "day": DAY, "table_id": number, "quarter_ms": BEGAN_MS + at * HOUR_MS, "shift": 1,
        "game": game, "dealer": f"0e17000{number}", "currency": "EUR", "rounds": rounds,
        "seats": 4 * rounds, "places": 7 * rounds, "hands": 4 * rounds,
        "wagered": wagered, "net": net, "played_ms": HOUR_MS - 240_000, "cards": 12 * rounds,
        "held_rounds": rounds, "held_wagered": wagered, "held_net": net, "theory": 20 * wagered,
        "errors": at % 2, "holds": 2, "hold_ms": 90_000,
    }  # fmt: skip


def _stops(connection: Connection, table: int, chance: Random) -> None:
    number = 0
    for reason, error, times in REASONS:
        for _ in range(times):
            number += 1
            began_ms = BEGAN_MS + chance.randrange(8) * HOUR_MS
            answered_ms = began_ms + 5_000 + chance.randrange(90_000)
            connection.execute(
                insert(b.STOPS).values(
                    table_id=table, number=number, seq=number, day=DAY, shift=1, game=GAMES[0],
                    dealer="0e170001", round=number, reason=reason, source="scanner", pack="A",
                    error=error, began_ms=began_ms, answered_ms=answered_ms,
                    answered_by='["0e170009"]', answer="continue",
                    released_ms=answered_ms + 4_000,
                )
            )  # fmt: skip
