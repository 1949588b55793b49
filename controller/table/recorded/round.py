"""A recorded round from its first bet to its last chip, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

from controller.rules.engine.round import Wagers
from controller.rules.options import Plain
from controller.table.growing import changed
from controller.table.recorded.hands import NO_CHANGE, FeltChange, RecordedFelt, RecordedHand
from controller.table.recorded.log_entry import LogEntry
from controller.table.recorded.steps import RecordedStep, felt_after
from controller.table.shoe.ledger import ForeignCard, Staked

RecordedOptions: TypeAlias = tuple[tuple[str, Plain], ...]
"""House options by name, as plain values."""


@dataclass(frozen=True)  # without slots: `changed` copies the whole at once
class RecordedRound:
    """A round from its first bet to its last chip, or as far as it has come (`ended_ms` 0).

    It was begun under `revision` of `game` with these house `options` by the software `build`.
    `opening` is what became of the hands before the first step. `net` is the players' gain in all,
    untracked wagers left out. `foreign_cards` are those that left the shoe in it. `day` labels the
    gaming day in which it began, empty at a table without a calendar. `log` is what happened in it
    beside its steps, and later about it (`controller.table.logbook`).
    """

    number: int
    game: str
    revision: int
    options: RecordedOptions
    wagers: Wagers
    started_ms: int
    shoe: int
    build: str
    felt: RecordedFelt
    opening: FeltChange = NO_CHANGE
    steps: tuple[RecordedStep, ...] = ()
    ended_ms: int = 0
    net: int = 0
    void: bool = False
    foreign_cards: tuple[ForeignCard, ...] = ()
    day: str = ""
    log: tuple[LogEntry, ...] = ()

    @property
    def rules(self) -> str:
        """The game and its revision: `finnish-27/1`."""
        return f"{self.game}/{self.revision}"

    @property
    def dummy(self) -> bool:
        """Whether it is played without bets: cards drawn in error, played out."""
        return all(wager == 0 for _, wager in self.wagers)

    @property
    def staked(self) -> tuple[Staked, ...]:
        """The wager of each hand."""
        return tuple(Staked(*hand.place, hand.wager) for hand in self.felt.hands)

    def with_step(self, step: RecordedStep) -> RecordedRound:
        """The round after one more step. Raises `NotRecorded`."""
        felt = felt_after(self.felt, step)
        return changed(self, {"steps": (*self.steps, step), "felt": felt})

    def given_back(self) -> tuple[tuple[int, int], ...]:
        """What seats are to be paid (below zero: to give back) if the round is void.

        Of the hands that were settled; the bets of the others still lie there.
        """
        return owed((), self.felt.hands)


def net_of(felt: RecordedFelt) -> int:
    """The players' gain in all; wagers that are not tracked are left out."""
    return sum(hand.net for hand in felt.hands if hand.net is not None)


def owed(
    after: Iterable[RecordedHand], before: Iterable[RecordedHand]
) -> tuple[tuple[int, int], ...]:
    """What each seat is still to be paid (below zero: to give back), in minor units.

    Of the hands that are settled, if it was paid as they stood `before` and not as they stand
    `after`; wagers that are not tracked are left out, and those that were not or are not any more:
    what their hands were paid is known to people alone.
    """
    now, was = tuple(after), tuple(before)
    untracked = {hand.place for hand in (*now, *was) if hand.settled and hand.net is None}
    found: dict[int, int] = {}
    for hands, sign in ((was, -1), (now, 1)):
        for hand in hands:
            if hand.settled and hand.net is not None and hand.place not in untracked:
                seat = hand.status.seat
                found[seat] = found.get(seat, 0) + sign * hand.net
    return tuple(sorted((seat, amount) for seat, amount in found.items() if amount))
