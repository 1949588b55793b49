"""The record that a table would start on: nobody has it, it can be replayed, the setup fits it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from controller.assembly import card_reader as readers
from controller.commands.doctor.finding import CheckFinding, bad, good, not_yet
from controller.commands.doctor.machine import SERVICE, Machine
from controller.config.configuration import Config
from controller.record.build import build
from controller.record.copies.copy_check import check_copy
from controller.record.files.chain_store import open_newest
from controller.record.files.database import JournalError, RecordOfAnotherBuild
from controller.record.files.day_files import openings_path
from controller.record.files.openings import Openings
from controller.record.files.signing import check_no_key, default_key_path
from controller.record.reading.replay import Decoded, replayed
from controller.service.recovery import SetupRefused, start_decision
from controller.table.inputs import Stamp, Start
from controller.table.state.state import State

_NONCE_BYTES: Final = 32


def findings(config: Config, machine: Machine) -> Iterator[CheckFinding]:
    """Whether the table could go on with its record. Nothing is written."""
    folder = config.record.folder
    what = f"record, {folder}"
    if machine.busy(SERVICE):
        yield not_yet("record.state", what, "The service runs and has it")
        return
    if _is_held(folder):
        yield bad(
            "record.lock", what, "Another program has it: a service, or a calibration",
            f"end that one: sudo fuser -v {folder / 'lock'}",
        )  # fmt: skip
        return
    yield from _state(config, what)


def _is_held(folder: Path) -> bool:
    """Whether a service has the record's lock. It is asked for shared, and let go at once."""
    try:
        descriptor = os.open(folder / "lock", os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False  # there is none yet; who may not read it, `record.rights` says
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False


def _state(config: Config, what: str) -> Iterator[CheckFinding]:
    record = config.record
    try:
        state = _replayed(config)
    except RecordOfAnotherBuild as error:
        yield bad("record.state", what, str(error), "start the build that it names")
        return
    except JournalError as error:
        yield bad(
            "record.state", what, str(error),
            f"tablectl verify {record.folder}; from a copy: tablectl restore",
        )  # fmt: skip
        return
    if state is None:
        return  # a new table
    yield good("record.state", f"{what}, replayed to record {state.seq}")
    sources = (readers.source(config.devices, config.drivers),)
    start = Start(config.setup, build(), sources, alarms=config.alarms)
    stamp = Stamp(
        time.time_ns() // 1_000_000, time.monotonic_ns(), "doctor", os.urandom(_NONCE_BYTES)
    )
    try:
        start_decision(state, start, stamp)
    except SetupRefused as error:
        yield bad(
            "record.setup", f"configuration, against {record.folder}", str(error),
            "put back what differs until the round has ended",
        )  # fmt: skip


def _replayed(config: Config) -> State | None:
    """The state after the newest day, as a start reads it; None: none. Raises `JournalError`."""
    record = config.record
    newest = open_newest(record.folder)
    if newest is None:
        check_no_key(record.folder, record.key_file or default_key_path(record.folder))
        return None
    state: State | None = None
    openings = Openings(openings_path(newest.path), missing_is_damage=True)
    with closing(newest), closing(openings):
        if record.second_copy is not None:
            check_copy(record.folder, newest, record.second_copy)
        newest.check_pages()
        for _, _, after in replayed(newest.path, newest.rows(), Decoded(openings)):
            state = after
    return state
