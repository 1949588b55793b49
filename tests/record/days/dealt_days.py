"""Days that were dealt, written as a service writes them, and recovered."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path

from controller.record.files.day_writer import no_step
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


def write(folder: Path, records: list[Record], step: Callable[[str], None] = no_step) -> None:
    """Write records as a service does, commit by commit, going on where the record ends."""
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
