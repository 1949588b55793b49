"""Days that were dealt, written as a service writes them, and recovered."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from controller.record.files.day_writer import no_step
from controller.record.files.signing import default_key_path
from controller.record.journal import Journal
from controller.table.facts import DayOpened, Record
from controller.table.gaming_day import CarryOver
from controller.table.state.state import State
from tests.support.dealt.croupier import Croupier
from tests.support.dealt.days import CalendarPit, commits, some_round

ROUNDS = 3


def dealt(
    name: str = "blackjack", seed: int = 5, days: int = 2, rounds: int = ROUNDS
) -> CalendarPit:
    """A table that deals some rounds on each of some days; the last is open, with bets placed.

    It is dealt once: each who asks has a copy to go on with.
    """
    return _dealt(name, seed, days, rounds).copied()


@cache
def _dealt(name: str, seed: int, days: int, rounds: int) -> CalendarPit:
    pit = CalendarPit(name)
    croupier = Croupier(pit, random.Random(seed))
    for day in range(days):
        if day:
            assert pit.close_day().refused == ""
        for _ in range(rounds):
            some_round(croupier)
    return pit


class WrittenRecord(NamedTuple):
    """The files of a record that was written, with the records' first and last."""

    ends: tuple[Record, Record]
    files: dict[str, tuple[bytes, int]]
    key: tuple[bytes, int]


#: Records that were written anew in this process: the same ones are laid as the same bytes.
_WRITTEN: Final[dict[tuple[int, int, int], WrittenRecord]] = {}


def write(folder: Path, records: list[Record], step: Callable[[str], None] = no_step) -> None:
    """Write records as a service does, commit by commit, going on where the record ends.

    Whole records that were written before are laid with the same bytes and modes.
    """
    anew = step is no_step and records and not folder.exists()
    if not anew or default_key_path(folder).exists():
        _write(folder, records, step)
        return
    which = (id(records[0]), id(records[-1]), len(records))
    if which not in _WRITTEN:
        _write(folder, records, step)
        _WRITTEN[which] = WrittenRecord(
            (records[0], records[-1]),
            {each.name: _content(each) for each in folder.iterdir()},
            _content(default_key_path(folder)),
        )
        return
    written = _WRITTEN[which]
    folder.mkdir(parents=True, mode=0o700)
    for name, (content, mode) in written.files.items():
        _lay(folder / name, content, mode)
    _lay(default_key_path(folder), *written.key)


def _content(path: Path) -> tuple[bytes, int]:
    return path.read_bytes(), path.stat().st_mode


def _lay(path: Path, content: bytes, mode: int) -> None:
    path.write_bytes(content)
    path.chmod(mode)


def _write(folder: Path, records: list[Record], step: Callable[[str], None]) -> None:
    with closing(Journal(folder, step=step, draw=bytes)) as journal:
        journal.recover()
        there = journal.head.seq
        for commit in commits(records[there:]):
            journal.write(commit)


def with_another_bet(opened: Record) -> tuple[Record, CarryOver]:
    """The record that opens a day, with a bet taken over that nobody placed; and what it is."""
    assert isinstance(opened.fact, DayOpened)
    carried = opened.fact.carried
    assert carried is not None
    betting = carried.fields["betting"]
    fields = {**carried.fields, "betting": replace(betting, wagers={**betting.wagers, 9: 100})}
    forged = CarryOver(fields, carried.hidden, carried.nonce, carried.form)
    return opened._replace(fact=replace(opened.fact, carried=forged)), forged


def recovered(folder: Path) -> State:
    with closing(Journal(folder)) as journal:
        state = journal.recover()
    assert state is not None
    return state
