"""When and by whom an input came."""

from __future__ import annotations

from controller.rules.frozen import frozen
from controller.table.gaming_day import Today
from controller.table.roles import Person


@frozen
class Stamp:
    """When and by whom an input came: the only clock and identity that the table knows.

    `at_ms` is wall time since the epoch, `mono_ns` the monotonic clock of the running service,
    `cause` names the input: `k:KEY#PRINT` for one with a sender's key, where PRINT is a keyed
    digest of the command, so that a key reused for something else is noticed and no card leaks.
    `nonce` is fresh randomness for a seal, `view_seq` the record that the sender's picture stood
    on, None if unknown. `by` are the people who proved who they are. `today` is what the calendar
    says, where the input is about the gaming day. `arrived_ns` is when the input reached the table,
    by the same clock as `mono_ns`; None: just now. `player` is for whom it was sent, by the id of a
    game server; empty: it is of the house.
    """

    at_ms: int
    mono_ns: int
    cause: str
    nonce: bytes
    view_seq: int | None = None
    by: tuple[Person, ...] = ()
    today: Today | None = None
    arrived_ns: int | None = None
    player: str = ""

    @property
    def key(self) -> str:
        """The sender's key, as the table remembers it; empty if there was none."""
        return key_of(self.cause)


def key_of(cause: str) -> str:
    """The sender's key in the cause of a record; empty if there was none."""
    return cause.partition("#")[0] if cause.startswith("k:") else ""


def print_of(cause: str) -> str:
    """The digest of the command in the cause of a record with a sender's key."""
    return cause.partition("#")[2]
