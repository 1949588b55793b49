"""What a shift of a rack came to by its chips, beside what its rounds say.

    win = closer + credits + drop - opener - fills

Every payout is on record, so that the two must agree: what is between them is a chip that was paid,
taken, counted or written down otherwise than the record says. One shape and one sum, for the
table's own page and for the pit's.
"""

from __future__ import annotations

from controller.rules.frozen import frozen


@frozen
class RackSums:
    """What the slips of shifts, and their rounds, add up to; minor units.

    `buy_ins` is the cash that slips say went into drop boxes: part of what those are counted to
    hold. `closer` is null while the last shift is open. `rounds` is the house's win by the
    rounds; `untracked` of them had wagers without an amount, `outside` were not dealt in a shift.
    """

    opener: int
    closer: int | None
    fills: int
    credits: int
    drop: int
    buy_ins: int
    rounds: int
    untracked: int
    outside: int


@frozen
class RackWin:
    """What a shift came to: closer + credits + drop - opener - fills, beside what its rounds say.

    `drop` is the cash that was counted so far, `buy_ins` what of it slips say was paid for chips:
    it is no sum of its own. `difference` is how much more the chips say. A figure is null while
    something is `missing` for it, in words. Its rounds are `first_round` to
    `last_round`; below that, none. Amounts are minor units.
    """

    opener: int
    closer: int | None
    fills: int
    credits: int
    drop: int
    buy_ins: int
    chips: int | None
    rounds: int
    difference: int | None
    missing: tuple[str, ...]
    first_round: int
    last_round: int


def rack_win(
    sums: RackSums, lacking: tuple[str, ...], beside: tuple[str, ...], first: int, last: int
) -> RackWin:
    """The win of rounds `first` to `last`.

    While anything is `lacking` the chips say nothing; what stands `beside` is reported, too.
    """
    chips = None
    if not lacking:
        chips = (sums.closer or 0) + sums.credits + sums.drop - sums.opener - sums.fills
    difference = None if chips is None or sums.untracked else chips - sums.rounds
    return RackWin(
        sums.opener, sums.closer, sums.fills, sums.credits, sums.drop, sums.buy_ins, chips,
        sums.rounds, difference, (*lacking, *beside), first, last,
    )  # fmt: skip
