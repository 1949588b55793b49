"""The checkpoint that a table began from, held against its records while the table plays on.

A checkpoint is a cache. Every record up to it is played again, chain included, in a process of its
own that runs and reads only when nobody else wants to: the live path does not notice.
"""

from __future__ import annotations

import asyncio
from asyncio.subprocess import PIPE
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from controller.record.checkpoint import Point
from controller.record.replay_process import Rerun, command_quiet, digest

#: The name under which the check is told, like a device's health.
CHECKPOINT: Final = "checkpoint"

_UNCHECKED: Final = (
    "the checkpoint that the table began from could not be checked ({why}). "
    "Between rounds: stop the service, `tablectl verify` the journal, start it again"
)
_AGAIN: Final = "Start the service again: it replays every record"


class Finding(NamedTuple):
    """What came of the check: `why` is empty if the records agree.

    `refuted`: the table is not what its records say, or they do not hold; it has to stop.
    """

    refuted: bool
    why: str


async def recheck(journal: Path, point: Point) -> Finding:
    """Play the records again up to `point` and compare; takes as long as it takes."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command_quiet(journal, point.mark.seq), stdout=PIPE
        )
    except OSError as error:
        return Finding(False, _UNCHECKED.format(why=error.strerror))
    try:
        answer, _ = await process.communicate()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    if process.returncode != 0:
        return Finding(False, _UNCHECKED.format(why=f"status {process.returncode}"))
    return _judged(msgspec.json.decode(answer, type=Rerun), point)


def _judged(again: Rerun, point: Point) -> Finding:
    if again.problem:
        return Finding(True, again.problem)
    if (again.seq, again.hash) != (point.mark.seq, point.mark.hash.hex()):
        return Finding(True, f"record {point.mark.seq} is not the one that was there. {_AGAIN}")
    if again.state != digest(point.body):
        return Finding(
            True,
            "the table began from a checkpoint that is not what the records say at "
            f"{point.mark.seq}. The checkpoint was deleted. {_AGAIN}",
        )
    return Finding(False, "")
