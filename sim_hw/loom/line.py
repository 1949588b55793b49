"""A line between rig and table: two ptys, back to back, with a plug at the table's."""

from __future__ import annotations

import asyncio
import os
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Final

READ_MAX: Final = 4_096
LOOK_AGAIN_S: Final = 0.002

Host = Callable[[bytes], bytes]
"""What the table's kernel makes of what the rig said, for one connection."""


def as_said(data: bytes) -> bytes:
    """A serial line, or reports that the kernel hands on as they are."""
    return data


class Wire:
    """`rig_end` and `table_end` are the names that each side opens.

    `host` makes the kernel of the table anew for each time that the plug is put in. `waits`: what
    the table says waits until the rig takes it, as USB has it; a UART overruns.
    """

    def __init__(
        self, rig_end: Path, table_end: Path, host: Callable[[], Host] = lambda: as_said, *,
        waits: bool = False,
    ) -> None:  # fmt: skip
        self._rig_end = rig_end
        self._table_end = table_end
        self._host = host
        self._made_of = host()
        self._waits = waits
        self._waiting = b""
        self._rig: tuple[int, int] | None = None
        self._table: tuple[int, int] | None = None

    def open(self) -> None:
        """Lay the line, plugged in at the table."""
        self._rig = self._end(self._rig_end)
        asyncio.get_running_loop().add_reader(self._rig[0], self._to_table)
        self.plug()

    def close(self) -> None:
        """Take the line away."""
        self.unplug()
        if self._rig is not None:
            self._away(self._rig_end, self._rig)
            self._rig = None

    def plug(self) -> None:
        """The device appears at the table; nothing happens if it is there."""
        if self._table is None:
            self._made_of = self._host()
            self._table = self._end(self._table_end)
            asyncio.get_running_loop().add_reader(self._table[0], self._to_rig)

    def unplug(self) -> None:
        """The table's end hangs up and its name is gone; what is said meanwhile is lost."""
        if self._table is not None:
            self._away(self._table_end, self._table)
            self._table = None
        self._waiting = b""

    def carry(self) -> None:
        """Bring what the rig has said to the table: before an edge that came after it."""
        if self._rig is not None:
            self._to_table()

    def _to_table(self) -> None:
        assert self._rig is not None
        try:
            data = os.read(self._rig[0], READ_MAX)
        except BlockingIOError:
            return  # it was brought before an edge
        if self._table is not None:
            _put(self._table[0], self._made_of(data))

    def _to_rig(self) -> None:
        assert self._rig is not None
        assert self._table is not None
        data = os.read(self._table[0], READ_MAX)
        sent = _put(self._rig[0], data)
        if self._waits and sent < len(data):
            self._waiting = data[sent:]
            loop = asyncio.get_running_loop()
            loop.remove_reader(self._table[0])
            loop.call_later(LOOK_AGAIN_S, self._go_on, self._table)

    def _go_on(self, table: tuple[int, int]) -> None:
        """Perhaps the rig has taken something: a pty does not say when it has room again."""
        if self._rig is None or self._table is not table:
            return  # the plug was pulled
        loop = asyncio.get_running_loop()
        self._waiting = self._waiting[_put(self._rig[0], self._waiting) :]
        if self._waiting:
            loop.call_later(LOOK_AGAIN_S, self._go_on, table)
        else:
            loop.add_reader(table[0], self._to_rig)

    @staticmethod
    def _end(name: Path) -> tuple[int, int]:
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        os.set_blocking(ours, False)
        fresh = name.with_suffix(".new")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(os.ttyname(theirs))
        fresh.replace(name)
        return ours, theirs

    @staticmethod
    def _away(name: Path, ends: tuple[int, int]) -> None:
        asyncio.get_running_loop().remove_reader(ends[0])
        name.unlink(missing_ok=True)
        for end in ends:
            os.close(end)


def _put(end: int, data: bytes) -> int:
    """Put bytes on an end; how many it had room for."""
    try:
        return os.write(end, data)
    except BlockingIOError:
        return 0  # nobody reads and the line's buffer is full
