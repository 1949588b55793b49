"""Which rounds and slips of a shift could hold the difference of its two wins. Blocks.

What explains it is a chip that was paid, taken, counted or written down otherwise than the record
says. So where a round has an amount that is the difference, or half of it (paid where it was to be
taken), or somebody said that something was wrong in it, it is looked at first. It proves nothing.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from msgspec import Struct
from sqlalchemy import Connection, and_, or_, select

from controller.pit.archive.books import schema as b
from controller.pit.archive.books.win import RackRows, Row
from controller.pit.archive.storage import schema as s
from controller.pit.reports.words import in_words, put_right
from controller.rules.money import amount_text
from controller.table.irregularities.holds import Reason
from controller.table.rack_win import RackWin

#: So many are named, those of which most is said first.
MOST_SUSPECTS: Final = 20
#: So many rounds with such an amount are looked at, the oldest first.
_MOST_ROUNDS: Final = 2_000
#: Holds by which people say that chips did not lie, or go, as they should.
_OF_CHIPS: Final = tuple(
    each.value for each in (
        Reason.PAYOUT, Reason.DIFFERENCE, Reason.BETS_DIFFER, Reason.LATE_BET, Reason.PAST_POSTING,
        Reason.MISREAD, Reason.MISDEAL, Reason.FLOOR,
    )
)  # fmt: skip
#: Of a shift that goes on.
_NO_END: Final = 2**62
_SLIPS: Final = frozenset({"fill", "credit", "buy_in", "count"})


class Suspect(Struct, frozen=True):
    """A round, or (`round` 0) a slip, that could hold the difference, and why."""

    round: int
    slip: int
    why: tuple[str, ...]


def suspects(
    connection: Connection, shift: Row, win: RackWin, rack: RackRows
) -> tuple[Suspect, ...]:
    """Those of a shift whose wins differ, the likeliest first; `MOST_SUSPECTS` at most."""
    if not win.difference:
        return ()
    said: defaultdict[tuple[int, int], list[str]] = defaultdict(list)
    whole = abs(win.difference)
    words = {whole: "the difference"}
    if whole % 2 == 0:
        words[whole // 2] = "half of the difference"
    for number, seat, amount in _with_amounts(connection, shift, tuple(words)):
        said[number, 0].append(f"seat {seat} has {amount_text(amount)}, {words[amount]}")
    for number, reason in _held(connection, shift):
        said[number, 0].append(f"held: {in_words(reason)}")
    for number, corrections, void in _put_right(connection, shift, win):
        said[number, 0].append(put_right(corrections, void=void))
    for slip in rack.slips:
        of_shift = slip["shift"] == shift["number"] and slip["void_ms"] is None
        if of_shift and slip["kind"] in _SLIPS and slip["amount"] in words:
            kind, amount = slip["kind"].replace("_", "-"), slip["amount"]
            said[0, slip["slip"]].append(f"{kind} of {amount_text(amount)}, {words[amount]}")
    # Of as much that is said, slips before rounds: there are fewer.
    likely = sorted(said.items(), key=lambda each: (-len(each[1]), each[0]))
    return tuple(Suspect(*key, tuple(why)) for key, why in likely[:MOST_SUSPECTS])


def _with_amounts(
    connection: Connection, shift: Row, amounts: tuple[int, ...]
) -> list[tuple[int, int, int]]:
    """Rounds, seats and amounts: a wager of that, or won or lost."""
    a, r = b.ROUND_AMOUNTS.c, s.ROUNDS.c
    query = (
        select(r.number, a.seat, a.amount)
        .join(s.ROUNDS, and_(r.table_id == a.table_id, r.seq == a.seq))
        .where(
            a.table_id == shift["table_id"], a.amount.in_(amounts),
            a.at_ms >= shift["opened_ms"], r.number >= shift["first_round"],
        )
        .order_by(a.at_ms, a.seat)
        .limit(_MOST_ROUNDS)
    )  # fmt: skip
    if shift["closed_ms"] is not None:
        query = query.where(a.at_ms <= shift["closed_ms"])
    return [(each[0], each[1], each[2]) for each in connection.execute(query)]


def _held(connection: Connection, shift: Row) -> list[tuple[int, str]]:
    """Rounds of the shift with a hold that is of chips."""
    k = b.STOPS.c
    query = (
        select(k.round, k.reason)
        .where(
            # By reason and time there is an index; by the table alone it would be all its holds.
            k.table_id + 0 == shift["table_id"], k.shift == shift["number"],
            k.reason.in_(_OF_CHIPS), k.began_ms >= shift["opened_ms"],
            k.began_ms <= (shift["closed_ms"] or _NO_END), k.round > 0,
        )
        .order_by(k.began_ms, k.number)
        .limit(_MOST_ROUNDS)
    )  # fmt: skip
    return [(each[0], each[1]) for each in connection.execute(query)]


def _put_right(connection: Connection, shift: Row, win: RackWin) -> list[tuple[int, int, bool]]:
    """Rounds of the shift that were corrected or made void, whenever that was."""
    r = s.ROUNDS.c
    query = (
        select(r.number, r.corrections, r.void)
        .where(
            r.table_id == shift["table_id"], r.number >= win.first_round,
            r.number <= win.last_round, or_(r.void, r.corrections > 0),
        )
        .order_by(r.number)
        .limit(_MOST_ROUNDS)
    )  # fmt: skip
    return [(each[0], each[1], each[2]) for each in connection.execute(query)]
