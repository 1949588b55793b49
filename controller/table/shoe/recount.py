"""What is known of cards that may have left unseen: what the beam counted, and what people did."""

from __future__ import annotations

from typing import NamedTuple

from controller.rules.frozen import frozen


class SeatCount(NamedTuple):
    """The cards that people counted at a seat (0: the dealer's), and those that were shown there.

    All hands of the seat together.
    """

    seat: int
    cards: int
    shown: int


class FeltCount(NamedTuple):
    """A count of the cards on the felt: how many were counted, how many the display showed.

    `seats` is seat by seat, where people counted so.
    """

    cards: int
    shown: int
    seats: tuple[SeatCount, ...] = ()


@frozen
class Recount:
    """Cards that left the shoe and are not on record otherwise yet.

    `unread` left past the beam while the reader `source` was away, or while the table was held
    (empty, where that alone was so). `felt` is the last count of the
    felt that did not agree, None where there is none.
    """

    unread: int = 0
    source: str = ""
    felt: FeltCount | None = None

    def missing(self, shown: int) -> int:
        """How many cards are to be put on record, where the display shows `shown` on the felt."""
        more = self.felt.cards - shown if self.felt is not None else 0
        return max(self.unread, more, 0)

    def left_unread(self, source: str) -> Recount:
        """One more card left while that reader was away."""
        return Recount(self.unread + 1, self.source or source, self.felt)

    def counted(self, felt: FeltCount) -> Recount:
        """People counted the felt."""
        return Recount(self.unread, self.source, felt)

    def placed(self, shown: int, *, off_felt: bool) -> Recount:
        """One of the missing cards is on record now; `off_felt`: it lies on the felt no more."""
        felt = self.felt
        if felt is not None and off_felt and felt.cards > shown:
            felt = FeltCount(felt.cards - 1, shown, _without_one(felt.seats))
        return Recount(max(0, self.unread - 1), self.source, felt)


def _without_one(seats: tuple[SeatCount, ...]) -> tuple[SeatCount, ...]:
    """A count seat by seat with one card less, at the first seat that had too many.

    Where another seat differs still, the felt does not agree, and is counted again.
    """
    at = next((at for at, each in enumerate(seats) if each.cards > each.shown), None)
    if at is None:
        return seats
    fewer = seats[at]._replace(cards=seats[at].cards - 1)
    return (*seats[:at], fewer, *seats[at + 1 :])
