"""The books of one table out of its records, one after the other. Pure.

Facts carry all their consequences, so that no rule is applied here; the rules are played again only
to say what a round was worth.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from controller.odds.live.leak_watch import ALARM, TABLE, LeakWatch
from controller.pit.archive.books.asked import ABOUT_ASKED, AskedBook
from controller.pit.archive.books.fold_state import (
    Earlier,
    EarlierRound,
    FoldState,
    ReadKey,
    Rows,
    TallyKey,
    Values,
    quarter_of,
)
from controller.pit.archive.books.put_right import put_right, taken_back
from controller.pit.archive.books.rack import ABOUT_RACK, RackBook
from controller.pit.archive.books.round_play import HolderFinder, RoundPlay
from controller.pit.archive.hand_results import STEPS
from controller.table.facts import (
    BetsClosed,
    CardDealt,
    CardDealtDown,
    CardLeftUnread,
    DayOpened,
    DealerChanged,
    DummyBegan,
    HoldRaised,
    HoldReleased,
    PackLoaded,
    Record,
    ResolutionChosen,
    RoundCorrected,
    RoundEnded,
    RoundVoided,
    SettledRoundVoided,
    ShoeReconciled,
    TableOpened,
)
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.irregularities.holds import Reason

#: A reader that could not tell a card, or told a wrong one.
MISREADS: Final = frozenset({
    Reason.UNREADABLE, Reason.BURN_UNREAD, Reason.HIDDEN_UNREAD, Reason.MISREAD,
})  # fmt: skip
#: What a dealer did otherwise than the rules have it. Bets are the players'.
DEALER_ERRORS: Final = frozenset({
    Reason.UNEXPECTED, Reason.EARLY, Reason.DRAWN, Reason.OVERDRAWN, Reason.NOT_ASKED,
    Reason.FACE_UP, Reason.WRONG_SPOT, Reason.SKIPPED, Reason.EXPOSED, Reason.PAYOUT,
    Reason.MISDEAL,
})  # fmt: skip


@dataclass(slots=True)
class TableFold:
    """The books of a table as far as its records were taken; `rows` are not written yet.

    They may be written while `between_rounds`: `state` says all then that the next record needs.
    """

    state: FoldState
    earlier: Earlier
    holders: HolderFinder
    rows: Rows = field(default_factory=Rows)
    _play: RoundPlay | None = None

    @property
    def between_rounds(self) -> bool:
        """No round is in play."""
        return self._play is None

    def add(self, record: Record) -> None:
        """Take the next record."""
        kind = type(record.fact)
        if kind in ABOUT_RACK:
            self._rack.add(record)
        if kind in ABOUT_ASKED:
            AskedBook(self.state, self.rows, self.earlier).add(record)
        if (apply := _APPLY.get(kind)) is not None:
            apply(self, record, record.fact)

    def stepped(self, _: Record, fact: Any) -> None:
        """A step of the round in play."""
        if self._play is not None:
            self._play.step(fact, self.rows)

    def dealt(self, record: Record, fact: CardDealt | CardDealtDown) -> None:
        """A card came out of the shoe."""
        self._read(fact.source)
        self.stepped(record, fact)

    def _read(self, source: str) -> None:
        state = self.state
        if source == ENTERED_BY_HAND:
            self.rows.read(ReadKey(state.day, state.pack, state.source))["by_hand"] += 1
            return
        state.source = source or state.source
        self.rows.read(ReadKey(state.day, state.pack, state.source))["cards"] += 1

    def _misread(self, at_ms: int, source: str) -> None:
        state = self.state
        self.rows.read(ReadKey(state.day, state.pack, source or state.source))["misreads"] += 1
        self.rows.tally(self.state.key(at_ms))["misreads"] += 1

    def opened(self, _: Record, fact: TableOpened) -> None:
        """The table runs by a setup."""
        setup = fact.setup
        self.state.game, self.state.seats = setup.game, setup.seats
        self.state.buy_ins = setup.buy_ins
        self.state.set_currency(setup.currency)
        self._rack.in_currency(setup.currency)

    def day(self, _: Record, fact: DayOpened) -> None:
        """A gaming day begins."""
        self.state.day = fact.label

    def dealer(self, _: Record, fact: DealerChanged) -> None:
        """Another dealer took over."""
        self.state.dealer = fact.person

    def pack(self, _: Record, fact: PackLoaded) -> None:
        """Another pack is in the shoe."""
        self.state.pack = fact.pack

    def begins(self, record: Record, fact: BetsClosed | DummyBegan) -> None:
        """A round begins."""
        self._play = RoundPlay.begun(record.seq, record.at_ms, fact, self.state)

    def ended(self, record: Record, fact: RoundEnded) -> None:
        """A round is over."""
        play, state = self._over(record, fact.number)
        if play is not None:
            play.ended(record.at_ms, fact.net, state, self.rows, self.holders)
            self._warn(record, fact.number)
        untracked = play is not None and play.untracked
        game = play.game if play is not None else state.game
        self._rack.round_ended(fact.net, game, untracked=untracked)
        state.ended_ms = record.at_ms

    def voided(self, record: Record, fact: RoundVoided) -> None:
        """The round in play is void."""
        play, state = self._over(record, fact.number)
        if play is not None:
            play.voided(record.at_ms, state, self.rows)
        state.ended_ms = record.at_ms

    def _over(self, _: Record, number: int) -> tuple[RoundPlay | None, FoldState]:
        play, self._play = self._play, None
        self.state.rounds = number
        return play, self.state

    @property
    def _rack(self) -> RackBook:
        return RackBook(self.state, self.rows, self.earlier)

    def _warn(self, record: Record, number: int) -> None:
        """Once it has warned, the test begins anew."""
        watch = self.state.watch
        if watch.level < ALARM:
            return
        about = "" if watch.about == TABLE else watch.about
        self.rows.leaks.append(
            {"seq": record.seq, "day": self.state.day, "at_ms": record.at_ms, "round": number,
             "dealer": about, "for_players": watch.for_players}
        )  # fmt: skip
        self.state.watch = LeakWatch()

    def corrected(self, record: Record, fact: RoundCorrected) -> None:
        """A round was played otherwise than it was recorded."""
        if self._play is not None and self._play.number == fact.number:
            self._play.corrected(fact, self.rows)  # it is part of what that round comes to
            self.rows.tally(self._play.key)["corrections"] += 1
            return
        earlier, tally = self._paid_later(record, fact.number, fact.owed, "corrections")
        if earlier is not None:
            _add(tally, put_right(self._records(record, fact.number), fact, self.holders))
            for step in fact.steps:
                if step.card is not None:
                    card = (step.card.code, earlier.began_ms, earlier.seq, step.seat)
                    self.rows.cards.add(card)
            for seat, amount in (*fact.wagers, *fact.owed):
                if amount:
                    self.rows.amounts.add((abs(amount), earlier.began_ms, earlier.seq, seat))

    def voided_later(self, record: Record, fact: SettledRoundVoided) -> None:
        """A round that was over is void."""
        earlier, tally = self._paid_later(record, fact.number, fact.owed, "void")
        if earlier is not None:
            _add(tally, taken_back(self._records(record, fact.number), self.holders))

    def _paid_later(
        self, record: Record, number: int, owed: tuple[tuple[int, int], ...], counts: str
    ) -> tuple[EarlierRound | None, defaultdict[str, int]]:
        """What is paid now for a round that was over is of now, and of whoever dealt that round:
        the round, and the figures to which it is added.
        """
        net = sum(amount for _, amount in owed)
        earlier = self.earlier.round(number)
        currency = self.state.currency_of(number)
        key = self.state.key(record.at_ms)._replace(currency=currency)
        if earlier is not None:
            key = key._replace(game=earlier.game, dealer=earlier.dealer)
        tally = self.rows.tally(key)
        tally[counts] += 1
        tally["net"] += net
        self._rack.paid_later(net, currency)
        return earlier, tally

    def _records(self, record: Record, number: int) -> Iterable[Record]:
        """Those of a round that is over, and what put it right before `record`."""
        return self.earlier.records(number, record.seq)

    def raised(self, record: Record, fact: HoldRaised) -> None:
        """The table stops."""
        state, error = self.state, fact.reason in DEALER_ERRORS
        in_play = self._play.number if self._play is not None else 0
        row = {
            "number": fact.number, "seq": record.seq, "day": state.day, "shift": state.shift,
            "game": state.game, "dealer": state.dealer, "round": fact.round or in_play,
            "reason": fact.reason.value, "source": fact.source, "pack": state.pack,
            "error": error, "began_ms": record.at_ms, "answered_ms": None, "answered_by": "[]",
            "answer": "", "released_ms": None, "currency": state.currency,
        }  # fmt: skip  # the currency is of the tally, and no column
        state.stops[fact.number] = self.rows.stops[fact.number] = row
        tally = self.rows.tally(state.key(record.at_ms))
        tally["holds"] += 1
        tally["errors"] += error
        if fact.reason in MISREADS:
            self._misread(record.at_ms, fact.source)

    def unread(self, record: Record, fact: CardLeftUnread) -> None:
        """A card left that nobody read."""
        self._misread(record.at_ms, fact.source)

    def answered(self, record: Record, fact: ResolutionChosen | HoldReleased) -> None:
        """People say how a hold is to be settled, or it is settled."""
        row = self.state.stops.get(fact.number)
        if row is None:
            return
        if row["answered_ms"] is None:
            by = json.dumps([each.id for each in fact.by])
            row = {
                **row, "answered_ms": record.at_ms, "answered_by": by,
                "answer": fact.resolution.value,
            }  # fmt: skip
        if isinstance(fact, HoldReleased):
            row = {**row, "released_ms": record.at_ms}
            quarter = quarter_of(row["began_ms"])
            key = TallyKey(
                row["day"], quarter, row["shift"], row["game"], row["dealer"], row["currency"]
            )  # fmt: skip
            self.rows.tally(key)["hold_ms"] += max(0, record.at_ms - row["began_ms"])
            del self.state.stops[fact.number]
        else:
            self.state.stops[fact.number] = row
        self.rows.stops[fact.number] = row

    def shoe(self, record: Record, fact: ShoeReconciled) -> None:
        """A shoe was added up."""
        self.rows.shoes.append({
            "seq": record.seq, "day": self.state.day, "at_ms": record.at_ms, "number": fact.number,
            "pack": self.state.pack, "scanned": fact.scanned, "cards_left": fact.left,
            "verdict": fact.verdict.value, "missing": fact.missing, "unread": fact.unread,
            "many": json.dumps([[card.code, count] for card, count in fact.many]),
            "few": json.dumps([[card.code, count] for card, count in fact.few]),
            "clean": fact.clean,
        })  # fmt: skip


def _add(tally: defaultdict[str, int], figures: Values) -> None:
    for name, figure in figures.items():
        tally[name] += figure


_APPLY: Final[dict[type, Callable[[TableFold, Record, Any], None]]] = {
    **dict.fromkeys(STEPS, TableFold.stepped),
    CardDealt: TableFold.dealt, CardDealtDown: TableFold.dealt,
    TableOpened: TableFold.opened, DayOpened: TableFold.day,
    DealerChanged: TableFold.dealer, PackLoaded: TableFold.pack,
    BetsClosed: TableFold.begins, DummyBegan: TableFold.begins,
    RoundEnded: TableFold.ended, RoundVoided: TableFold.voided,
    RoundCorrected: TableFold.corrected, SettledRoundVoided: TableFold.voided_later,
    HoldRaised: TableFold.raised, HoldReleased: TableFold.answered,
    ResolutionChosen: TableFold.answered, CardLeftUnread: TableFold.unread,
    ShoeReconciled: TableFold.shoe,
}  # fmt: skip
