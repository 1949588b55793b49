"""Small records of every game, as a table writes them: two gaming days with all that may happen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from controller.devices.inputs import Doubt, Reading
from controller.people.document import (
    PersonLine,
    document_digest,
    people_bytes,
    roster_digest,
)
from controller.record.journal import Journal
from controller.rules.cards import Card
from controller.table import inputs as i
from controller.table.decide.decide import decide
from controller.table.inputs import WindowTimes
from controller.table.irregularities.edits import EditKind
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.roles import Person, PersonId, Role
from controller.table.shoe.reconciliation import known_cards
from controller.table.state.phases import Phase
from controller.table.state.state import State
from tests.support.dealt.croupier import Croupier, Physical
from tests.support.dealt.days import CalendarPit, commits, some_round
from tests.support.pit import SCANNER
from tests.table.money.cage import BOTH, DENOMINATIONS, buy_in, chips, fill

SEATS = 5
STEPS = 60
WEEK_MS = 7 * 86_400_000
#: Those whom the pit sends: ids and roles alone go on record. Two dealers, and the floor.
PEOPLE = (
    PersonLine("0a1b2c01", "Aino", "dealer", ""), PersonLine("0a1b2c02", "Olli", "dealer", ""),
    PersonLine("0a1b2c03", "Eino", "floor", ""),
)  # fmt: skip


def correction(pit: CalendarPit, number: int) -> i.Correct | None:
    """A correction of a card of that round with which everything later still fits."""
    for at in range(STEPS):
        for kind in pit.state.shoe.pack.kinds():
            edit = i.EditAsked(at, EditKind.REPLACE, kind.code)
            asked = i.Correct(number, (edit,), "misread")
            stamp = i.Stamp(pit.now_ms, pit.now_ms * 1_000_000, "probe", bytes(16))
            if not decide(pit.state, asked, stamp).refused:
                return asked
    return None


def corrected(pit: CalendarPit, number: int) -> None:
    """Correct a card of a round that is over; a game may have none that fits."""
    asked = correction(pit, number)
    if asked is not None:
        assert pit.give(asked).refused == ""
        square(pit)


def square(pit: CalendarPit) -> None:
    """Whoever is owed something is paid, whoever owes something has paid."""
    while pit.state.held_for(Reason.DIFFERENCE):
        assert pit.resolve(Resolution.SQUARED).refused == ""


def called_and_released(pit: CalendarPit) -> None:
    """The dealer calls the floor, and play goes on."""
    pit.give(i.CallFloor())
    assert pit.resolve(Resolution.RELEASE).refused == ""


def signed(pit: CalendarPit, command: i.Command) -> None:
    """A slip that both sign."""
    assert pit.give(command, by=BOTH).refused == ""


def racked(pit: CalendarPit) -> None:
    """The table keeps account of its chips from now on: its rack is opened and filled, a player
    buys some of them.
    """
    pit.setup = replace(pit.state.setup, chips=DENOMINATIONS, buy_ins=True)
    pit.give(i.Start(pit.setup, "0.0-test", ()))
    signed(pit, i.OpenRack(chips(30, 30, 30)))
    fill(pit, 4)
    signed(pit, i.ChangeBox("A7"))
    assert buy_in(pit, 4, seat=2).refused == ""


def rolled(pit: CalendarPit) -> None:
    """The rack goes to the next shift with another box; a slip of it is void."""
    signed(pit, i.CloseRack(chips(30, 30, 30), roll=True, box="A8"))
    signed(pit, i.CountBox(pit.state.money.slips - 1, 12_300))
    fill(pit, 2)
    signed(pit, i.VoidSlip(pit.state.money.slips, "never came"))


def reclosed(pit: CalendarPit) -> None:
    """A rack is closed and its box taken, the count was wrong, and the shift goes on."""
    signed(pit, i.CloseRack(chips(30, 30, 29), box="A9"))
    closer = pit.state.money.slips - 1
    signed(pit, i.CountBox(closer + 1, 500))
    signed(pit, i.VoidSlip(closer, "counted wrong"))


def timed(pit: CalendarPit, croupier: Croupier) -> None:
    """From now on players are elsewhere: seats are theirs, and clocks run."""
    times = WindowTimes(
        bets_ms=60_000, last_call_ms=5_000, decision_ms=60_000, no_answer=pit.state.game.no_answer
    )
    pit.setup = replace(pit.state.setup, windows=times)
    pit.give(i.Start(pit.setup, "0.0-test", ()))
    while pit.state.holds:
        assert pit.resolve(Resolution.COUNT).refused == ""
    if pit.state.phase is not Phase.BETTING:
        croupier.open_bets()
    for seat in (1, 2):
        pit.give(i.TakeSeat(seat, f"player-{seat}", f"Player {seat}"))
    pit.give(i.MarkAway(2, away=True))
    called_and_released(pit)  # the clock stands, and goes on
    while pit.state.remote.window is not None and not pit.state.remote.window.last_called:
        pit.wait(2)
    pit.wait(10)  # nobody has bet in time
    some_round(croupier)
    pit.give(i.MarkAway(2, away=False))
    pit.give(i.LeaveSeat(1))


def directed(pit: CalendarPit, serial: int, people: tuple[PersonLine, ...]) -> None:
    """The pit's directory of people, that one, is in force from now on."""
    digest = document_digest(b"directory %d" % serial, people_bytes(people))
    roster = roster_digest(pit.state.setup.table, people)
    report = i.DirectoryReport(
        serial, digest, roster, len(people), pit.now_ms, pit.now_ms + WEEK_MS
    )
    assert pit.give(report).refused == ""
    assert pit.state.pit.directory is not None
    assert pit.state.pit.directory.serial == serial


def takes_over(pit: CalendarPit, croupier: Croupier, person: PersonLine) -> None:
    """A dealer of that directory comes to the table, between two rounds."""
    croupier.open_bets()
    proven = Person(PersonId(person.id), Role(person.role))
    assert pit.give(i.ChangeDealer(""), by=(proven,)).refused == ""
    assert pit.state.people.dealer == person.id
    croupier.open_bets()  # cards may be burned for it


def two_days(name: str, seed: int = 27, *, people: bool = False) -> CalendarPit:
    """A table of that game: holds, corrections, a void round, slips, a round in play; with
    `people`, those whom a pit sends, dealers of them, and a closer with a box that is void.

    It is dealt once: each who asks has a copy to go on with.
    """
    return _two_days(CalendarPit, name, seed, people).copied()


@cache
def _two_days(kind: type[CalendarPit], name: str, seed: int, people: bool) -> CalendarPit:
    pit = kind(name, SEATS)
    croupier = Croupier(pit, Random(seed))
    racked(pit)
    if people:
        directed(pit, 1, PEOPLE)
        takes_over(pit, croupier, PEOPLE[0])
    some_round(croupier)
    called_and_released(pit)
    some_round(croupier)
    corrected(pit, pit.state.counts.rounds)
    some_round(croupier)
    unread(pit, croupier)
    if people:
        reclosed(pit)
    rolled(pit)
    pit.close_day()
    assert pit.state.day is not None
    assert pit.state.day.label == "2023-11-15"
    corrected(pit, 2)  # late: a round of yesterday
    if people:
        directed(pit, 2, PEOPLE[1:])  # whoever dealt was taken out at the pit
        takes_over(pit, croupier, PEOPLE[1])
    timed(pit, croupier)
    some_round(croupier)
    pit.give(i.Happened(Reason.MISDEAL, pit.state.counts.rounds))
    assert pit.resolve(Resolution.VOID).refused == ""
    square(pit)
    some_round(croupier)
    begun(pit, croupier)
    return pit


def unread(pit: CalendarPit, croupier: Croupier) -> None:
    """A card that nobody waited for and nobody could read is put aside."""
    if pit.state.phase is not Phase.BETTING:
        croupier.open_bets()
    croupier.shoe.pop()
    pit.give(Reading(SCANNER, None, Doubt.NO_CODE, apart=True))
    if pit.state.holds:
        for each in (Resolution.SET_ASIDE, Resolution.NO_CARD):
            if pit.resolve(each).refused == "":
                return


def begun(pit: CalendarPit, croupier: Croupier) -> None:
    """A round is dealt as far as some cards and stays in play; somebody saw a late bet in it."""
    croupier.down.clear()
    croupier.open_bets()
    for seat in (1, 2, 3, 5):
        assert pit.bet(seat, 1_000).refused == ""
    answer = pit.no_more_bets()
    assert answer.refused == "", answer
    for _ in range(5):
        assert pit.state.step is not None
        croupier.answer(pit.state.step)
    assert pit.give(i.Happened(Reason.PAST_POSTING)).refused == ""
    assert pit.resolve(Resolution.STANDS).refused == ""


def written(folder: Path, name: str) -> CalendarPit:
    """Write the record of that game to `folder`."""
    pit = two_days(name, people=True)
    with closing(Journal(folder)) as journal:
        for commit in commits(pit.records):
            journal.write(commit)
    return pit


def left_in_shoe(state: State, mixed: Random) -> list[Physical]:
    """The cards that are still in the shoe, by what left it."""
    gone: Counter[Card] = known_cards(state.shoe)
    left = Counter(state.shoe.pack.cards()) - gone
    kinds = list(left.elements())
    mixed.shuffle(kinds)
    return [Physical(kind, f"N{number}") for number, kind in enumerate(kinds)]


def numbers(state: State) -> Iterator[int]:
    """The rounds of today that can be corrected, newest first."""
    for past in reversed(state.rounds.past):
        if not past.void:
            yield past.number
