"""The world's account of cards and payouts held against the record: after each life, each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from controller.devices.scene import Scene
from controller.record.codec import Decoder
from controller.record.files.chain_store import open_newest
from controller.record.files.database import JournalError
from controller.record.files.head_anchor import NOTHING, Position
from controller.record.journal import Journal
from controller.rules.actions import Place
from controller.table import facts as f
from controller.table.facts import Record
from sim_hw.table.felt import Lying
from tests.endurance.breaking.people import NearWorld
from tests.endurance.torture.account import (
    PUTS_ON_RECORD,
    DayVerdict,
    _cards,
    _payouts,
    recorded,
    states_of,
)
from tests.endurance.torture.account import _Recorded as Recorded


class Discrepancy(Exception):
    """The record, or what the table shows, is not what the world saw."""


class RecordCheck:
    """Follows what is acknowledged, and what must still be there when the service comes back."""

    def __init__(self, world: NearWorld) -> None:
        self.records: list[Record] = []
        self.mark: Position = NOTHING.mark
        self.lines: list[str] = []
        self.cards = 0
        self._world = world
        self._on_record: list[Recorded] = []
        self._shoe = 0
        self._settled = 0
        self._ended: f.RoundEnded | None = None

    # What is written

    def written(self, records: Sequence[Record], mark: Position) -> None:
        """The service was told that these are on the disk."""
        self.records += records
        self.mark = mark
        for record in records:
            self._follow(record.fact)

    def _follow(self, fact: f.Fact) -> None:
        if isinstance(fact, f.PackLoaded):
            self._shoe = fact.number
        elif isinstance(fact, f.CardDealt):
            self._on_record.append(Recorded(self._shoe, fact.card, False))
        elif isinstance(fact, f.CardDealtDown | f.CardBurned):
            self._on_record.append(Recorded(self._shoe, fact.card.open(), True))
        elif isinstance(fact, f.ResolutionUndone) and fact.resolution in PUTS_ON_RECORD:
            self._on_record.pop()
        elif isinstance(fact, f.BetsClosed):
            self._settled, self._ended = 0, None
        elif isinstance(fact, f.HandSettled):
            self._settled += fact.net or 0
        elif isinstance(fact, f.RoundEnded):
            self._ended = fact

    def recovered(self, journal: Journal) -> None:
        """A service came back: all that was acknowledged is there, and one commit more at most.

        Raises `Discrepancy`.
        """
        last = self.records[-1].seq if self.records else 0
        reader = open_newest(journal.folder)
        assert reader is not None
        if self.mark == NOTHING.mark:
            self.mark = reader.beginning.after
        with closing(reader):
            decode = Decoder(journal.newest_day.opening).decode
            try:
                rows = list(reader.rows(self.mark) if reader.holds(self.mark) else ())
            except JournalError as error:
                raise Discrepancy(f"the journal that was resumed does not hold: {error}") from error
            if reader.head.seq < last or not reader.holds(self.mark):
                raise Discrepancy(f"record {last} was acknowledged and is not there")
            found = [decode(each.seq, each.version, each.body) for each in rows]
            mark = reader.head
        # Where a journal answers before it has written, its head lies behind what it acknowledged.
        there = {each.seq: each for each in found}
        for each in self.records:
            if each.seq > self.mark.seq and there.get(each.seq) != each:
                raise Discrepancy(f"record {each.seq} was acknowledged and is not there")
        more = [each for each in found if each.seq > last]
        unasked = []
        for record in more:
            if isinstance(record.fact, f.TableOpened | f.ServiceStarted):
                break
            unasked.append(record)
        if len({(each.at_ms, each.mono_ns) for each in unasked}) > 1:
            raise Discrepancy(f"{len(unasked)} records of several commits were never acknowledged")
        self.written(more, mark)

    # What happened

    def round_over(self, line: str, net: int) -> None:
        """The witness saw a round end, at which the players had won `net`. Raises `Discrepancy`."""
        self.lines.append(line)
        ended = self._ended
        if ended is None:
            raise Discrepancy(f"the witness saw a round end, the record did not: {line}")
        if ended.net != net:
            raise Discrepancy(
                f"round {ended.number}: the witness saw {net} paid, on record {ended.net}"
            )
        self._cards_so_far()

    def _cards_so_far(self) -> None:
        """Each card that left the shoe is on record, once, as what it is. Raises `Discrepancy`."""
        exits, recorded = self._world.exits, self._on_record
        # A card that was drawn early is on record once its hold is resolved.
        missing = set(range(len(recorded) + 1, len(exits) + 1))
        if len(recorded) > len(exits) or not missing <= self._world.early:
            raise Discrepancy(f"{len(exits)} cards left the shoe, {len(recorded)} are on record")
        for at in range(self.cards, len(recorded)):
            (shoe, card), each = exits[at], recorded[at]
            unread = each.kind is None and each.hidden
            if each.shoe != shoe or (each.kind != card.kind and not unread):
                name = each.kind.code if each.kind else "none"
                raise Discrepancy(
                    f"card {at + 1} of shoe {shoe}: {card.kind.code} left, not {name}"
                )
        self.cards = len(recorded)

    def whole(self) -> DayVerdict:
        """All of it once more from the first record, by the account of the torture."""
        verdict = DayVerdict(cards=len(self._world.exits))
        states = states_of(self.records)
        verdict.records = len(self.records)
        _cards(verdict, self._world.exits, recorded(self.records))
        _payouts(verdict, self.lines, self.records, states)
        return verdict


def hidden_shown(lies: Mapping[Place, tuple[Lying, ...]], scene: Scene) -> str:
    """Where the players' page shows a card that lies face down, empty if it shows none."""
    players = scene.players
    hands = players.hands if players.dealer is None else (*players.hands, players.dealer)
    for hand in hands:
        for lying, card in zip(lies.get(Place(hand.seat, hand.hand), ()), hand.cards, strict=False):
            if lying is None and card.code:
                return f"seat {hand.seat} hand {hand.hand}"
    return ""


def hidden_in_status(lies: Mapping[Place, tuple[Lying, ...]], status: Any) -> str:
    """Where the status page shows a card that lies face down, empty if it shows none."""
    for hand in [*status["hands"], *filter(None, [status["dealer"]])]:
        place = Place(hand["seat"], hand["hand"])
        for lying, card in zip(lies.get(place, ()), hand["cards"], strict=False):
            if lying is None and card["code"]:
                return f"seat {place.seat} hand {place.hand}"
    return ""
