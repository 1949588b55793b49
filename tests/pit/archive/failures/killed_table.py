"""A table that commits and forwards until it is killed, and goes on when it is started again.

python -m tests.pit.archive.failures.killed_table RECORD PASSWORD_FILE BROKER COUNT

A line on its standard input starts it: a process of its own, forked from this one, whose number is
the answer. It says `up` once a broker has let it in, and `done` when nothing is left to record.
"""

from __future__ import annotations

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from controller.bus.forwarder import Forwarder
from controller.config.bus_section import BusSection
from controller.record.journal import Journal
from controller.record.newest_rows import NewestRows
from controller.table.facts import Record
from tests.support.dealt.days import commits
from tests.support.dealt.journals import records

#: From one commit to the next.
_PACE_S: Final = 0.003


def _say(what: str) -> None:
    os.write(1, f"{what}\n".encode())


async def _play(folder: Path, password: Path, url: str, dealt: list[list[Record]]) -> None:
    """Record on from where the record on the disk ends."""
    loop, newest = asyncio.get_running_loop(), NewestRows()
    with ThreadPoolExecutor(1) as thread:
        journal = await loop.run_in_executor(thread, Journal, folder)
        await loop.run_in_executor(thread, journal.recover)
        journal.on_written = newest.add
        line = Forwarder(
            "T1", folder, BusSection((url,), "T1", password), newest=newest,
            status=lambda: (journal.head.seq, b"{}"), clock_ms=lambda: 1_000, software="0.1.0+test",
        )  # fmt: skip
        if not journal.head.seq:  # a line begins with what is recorded from then on
            await loop.run_in_executor(thread, journal.write, dealt[0])
        forwarding = asyncio.ensure_future(line.run())
        while not line.is_connected:  # noqa: ASYNC110  (no event tells of it)
            await asyncio.sleep(0.001)
        _say("up")
        # What was lost of the life before would be another record in this one.
        later_ms = journal.head.seq
        for commit in dealt:
            if commit[0].seq > journal.head.seq:
                written = [each._replace(at_ms=each.at_ms + later_ms) for each in commit]
                await loop.run_in_executor(thread, journal.write, written)
                line.wake()
                await asyncio.sleep(_PACE_S)
        _say("done")
        await forwarding


def main(record: str, password: str, url: str, count: str) -> None:
    """Start the table for each line that comes, until there are no more; it records so many."""
    dealt = list(commits(records(5, int(count))))
    _say("ready")
    for _ in sys.stdin:
        if not (pid := os.fork()):
            asyncio.run(_play(Path(record), Path(password), url, dealt))
            os._exit(0)
        _say(str(pid))
        os.waitpid(pid, 0)
        _say("gone")


if __name__ == "__main__":
    main(*sys.argv[1:])
