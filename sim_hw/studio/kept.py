"""What a game server must not lose: money, bets and seats, in one small file (SQLite).

The file holds the state as it was after fact `seq` of the table's feed, and every bet that was
settled. State and bets are written in one transaction: whoever starts again goes on after `seq`,
so that no fact counts twice and none is missed.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from sim_hw.studio.account import SettledBet, Stake
from sim_hw.studio.game_server import GameServer
from sim_hw.studio.guest import Guest
from sim_hw.studio.guests import Guests

_TABLES: Final = (
    "CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL)",
    (
        "CREATE TABLE IF NOT EXISTS bets (seq INTEGER, round INTEGER, player TEXT, seat INTEGER,"
        " amount INTEGER, behind INTEGER, won INTEGER, PRIMARY KEY (seq, player)) WITHOUT ROWID"
    ),
)


class NotKept(Exception):
    """The file cannot be read or written; the text says which, and what to do."""


class KeptFile:
    """The file at `path`, made where there is none; its owner alone may read it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        db: sqlite3.Connection | None = None
        try:
            os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))  # it holds players' secrets
            db = sqlite3.connect(path, isolation_level=None)
            db.execute("PRAGMA synchronous = FULL")
            for each in _TABLES:
                db.execute(each)
        except (OSError, sqlite3.Error) as error:
            if db is not None:
                db.close()
            raise self._file_error(error) from error
        self._db = db

    def load(self) -> dict[str, Any] | None:
        """The state as it was written last; None in a new file. Raises `NotKept`."""
        try:
            found = self._db.execute("SELECT body FROM state").fetchone()
            return None if found is None else dict(json.loads(found[0]))
        except (sqlite3.Error, ValueError) as error:
            raise self._file_error(error) from error

    def save(self, body: str, settled: Iterable[SettledBet]) -> None:
        """Write the state and further settled bets, durably, or nothing. Raises `NotKept`."""
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.execute("INSERT OR REPLACE INTO state VALUES (1, ?)", (body,))
                self._db.executemany("INSERT INTO bets VALUES (?, ?, ?, ?, ?, ?, ?)", settled)
        except sqlite3.Error as error:
            raise self._file_error(error) from error

    def bets(self) -> list[SettledBet]:
        """Every bet that was settled, in the order of the rounds."""
        rows = self._db.execute("SELECT * FROM bets ORDER BY seq, player")
        return [SettledBet(*row)._replace(behind=bool(row[5])) for row in rows]

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def _file_error(self, error: Exception) -> NotKept:
        return NotKept(
            f"the players' account {self._path} cannot be read or written: {error}; free the disk,"
            " or move the file away to begin with new accounts"
        )


class Keeper:
    """Writes what a server and its people are to the file, wherever that has changed."""

    def __init__(self, file: KeptFile, server: GameServer, guests: Guests) -> None:
        self._file = file
        self._server = server
        self._guests = guests
        self._last: dict[str, Any] = {}

    def restore(self) -> bool:
        """Take on what the file has. False where it is new. Raises `NotKept`."""
        found = self._file.load()
        if found is None:
            return False
        server = self._server
        server.api.seq = server.heard = found["seq"]
        server.account.balances.update(found["balances"])
        server.bets.stakes = [Stake(**each) for each in found["stakes"]]
        server.bets.in_play = found["in_play"]
        server.won.update({int(seat): net for seat, net in found["won"].items()})
        server.last_won = found["last_won"]
        server.away = set(found["away"])
        server.window = found["window"]
        self._guests.restore([Guest(**each) for each in found["guests"]])
        return True

    def keep(self) -> None:
        """Write what has changed since the last time. Raises `NotKept`."""
        server = self._server
        state = {
            "balances": server.account.balances,
            "stakes": [asdict(each) for each in server.bets.stakes],
            "in_play": server.bets.in_play,
            "won": server.won,
            "last_won": server.last_won,
            "away": sorted(server.away),
            "window": server.window,
            "guests": self._guests.to_keep(),
        }
        newest = json.loads(json.dumps(state))
        if newest == self._last:
            return
        self._file.save(json.dumps({"seq": server.heard, **newest}), server.settled)
        server.settled.clear()
        self._last = newest
