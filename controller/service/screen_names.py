"""What players at a distance are called on screens: beside the record, for as long as they play.

A game server gives a name with each seat. No fact has it, for a record is kept for years and goes
to many places. It is shown while its player has a seat, or has one reserved, and is then forgotten;
a file keeps it for a service that starts again meanwhile.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from controller.access.durable_file import forget_unfinished, put_in_place
from controller.access.private_file import read_private
from controller.record.writer_thread import WriterThread
from controller.table.roles import PersonId, player_person
from controller.table.state.state import State

log = logging.getLogger(__name__)

#: What the file is called, after the record's folder.
SUFFIX: Final = ".players"


def names_path(record: Path) -> Path:
    """Where the names lie of those who play at the table whose record that is."""
    return record.with_name(f"{record.name}{SUFFIX}")


class ScreenNames:
    """Names by the server's own ids of players. A file that cannot be written is logged."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._called: dict[str, str] = {}
        self._thread: WriterThread[bytes] | None = None

    @property
    def names(self) -> Mapping[PersonId, str]:
        """The names of those who have a seat, for what is shown and nothing else."""
        return {player_person(player): name for player, name in self._called.items()}

    def recover(self, state: State | None) -> None:
        """Know again who sits at the table of `state`, as a service before this one did.

        What one that was killed had begun to write goes: there names would stay for good.
        """
        try:
            forget_unfinished(self._path)
            self._called = _names_in(read_private(self._path)[0])
        except FileNotFoundError:
            return
        except (OSError, ValueError) as error:
            log.warning("players are shown without their names, %s: %s", self._path, error)
        self.keep_seated(state)

    def note(self, player: str, name: str) -> None:
        """Call a player that."""
        self._called = {**self._called, player: name}
        self._write()

    def keep_seated(self, state: State | None) -> None:
        """Forget whoever has no seat."""
        seated = state.remote.players.values() if state is not None else ()
        here = {each.player for each in seated} | {each.next[0] for each in seated if each.next}
        if self._called.keys() - here:
            self._called = {each: name for each, name in self._called.items() if each in here}
            self._write()

    def _write(self) -> None:
        if self._thread is None:
            # A disk may be slow: no card waits for a name.
            self._thread = WriterThread(self._put, name="screen-names")
        self._thread.submit(json.dumps(self._called, ensure_ascii=False).encode())

    def _put(self, content: bytes) -> Iterator[None]:
        try:
            put_in_place(self._path, content)
        except OSError as error:
            log.warning("names of players cannot be kept for the next start: %s", error)
        yield

    def close(self) -> None:
        """Finish what is being written; safe to call twice."""
        if self._thread is not None:
            self._thread.close()
            self._thread = None


def _names_in(content: bytes) -> dict[str, str]:
    """The names in a file. Raises `ValueError`."""
    found = json.loads(content)
    if not isinstance(found, dict) or not all(isinstance(each, str) for each in found.values()):
        raise ValueError("it holds no names")
    return found
