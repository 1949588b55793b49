"""The shoe ledger: where the cards of a shoe are, and what is known of its pack. Values, pure.

The readers say how many cards left and, where they could be read, which. What is left is known only
if it is counted, or run through a reader (`reconciliation`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from controller.rules.cards import Pack
from controller.rules.frozen import frozen
from controller.rules.messages import Message
from controller.rules.sealed import Sealed
from controller.table.growing import Serials, changed
from controller.table.shoe.pack_monitor import Suspicion, Watch
from controller.table.shoe.reconciliation import Finding, Verdict, known_cards
from controller.table.shoe.shoe import Shoe

#: How many rounds since the last clean reconciliation are listed; the record has the rest.
ROUNDS_LISTED: Final = 200
#: How many packs are watched, the last ones loaded.
PACKS_WATCHED: Final = 8
#: How many foreign cards are listed; the record has the rest.
FOREIGN_LISTED: Final = 20


def _whole(pack: Pack, cards: Iterable[Sealed], left: Iterable[str] = ()) -> Serials:
    """The serial numbers of those cards and of `left`; none unless each card of a pack has one."""
    serials = Serials.of((*left, *filter(None, (each.open_serial() for each in cards))))
    return serials if len(serials) == pack.size else Serials()


class Staked(NamedTuple):
    """The wager of a hand (hand 0: a side bet); `amount` None where it is not tracked."""

    seat: int
    hand: int
    amount: int | None


@frozen
class PlayedRound:
    """A round since the last clean reconciliation, a void one included; `net` the players' gain."""

    number: int
    shoe: int
    started_ms: int
    ended_ms: int
    wagers: tuple[Staked, ...]
    net: int
    void: bool


@frozen
class Closing:
    """How a shoe was closed. `clean`: it is as the house wants it, and the list began anew."""

    shoe: int
    at_ms: int
    finding: Finding
    clean: bool


@frozen
class EarlyWarning:
    """An early warning about a pack, after `shoes` shoes of it."""

    pack: str
    suspicion: Suspicion
    shoes: int
    at_ms: int


class CutCard(NamedTuple):
    """The cut card of the shoe in use: put in after `at` cards, as people `declared` or as usual.

    `out` is how many cards were gone when it came out, in round `round` (0: none was in play) at
    `at_ms`; 0: it has not come. `scanned`: its own code was read, else by the number of cards.
    """

    at: int
    declared: bool
    out: int = 0
    round: int = 0
    at_ms: int = 0
    scanned: bool = False


class ForeignCard(NamedTuple):
    """A card that its serial number gave away; `round` 0: none was in play. No card is named."""

    shoe: int
    round: int
    at_ms: int
    message: Message


@dataclass(frozen=True)  # without slots: `changed` copies the whole at once
class Ledger:
    """What is known of the shoes, beside the one in use (`Shoe`).

    `closed`: the shoe was added up, or there is none. While `scanning`, what is left in it is run
    through the reader: `rest`, as far as it went; with `whole` it is a pack before it is loaded.
    `rounds` are the last ones since the
    last clean reconciliation, `played` how many there were. `pack` is the label of the pack in the
    shoe, which is no longer `trusted` once it was taken out of play; `watches` is the early warning
    by label, `doubts` what it said. `serials` are the serial numbers of the pack in the shoe, if
    all are known, `known` those of packs with a label. `foreign_cards` are those since the
    last clean reconciliation. `cut` is the cut card, once it is in the shoe.
    """

    closed: bool = True
    scanning: bool = False
    rest: tuple[Sealed, ...] = field(default=(), repr=False)
    last: Closing | None = None
    rounds: tuple[PlayedRound, ...] = ()
    played: int = 0
    pack: str = ""
    trusted: bool = True
    watches: dict[str, Watch] = field(default_factory=dict, repr=False)
    doubts: tuple[EarlyWarning, ...] = ()
    whole: bool = False
    serials: Serials = field(default_factory=Serials, repr=False)
    known: dict[str, Serials] = field(default_factory=dict, repr=False)
    foreign_cards: tuple[ForeignCard, ...] = ()
    cut: CutCard | None = None

    @property
    def scans_pack(self) -> bool:
        """Whether a whole pack is run through the reader before it is loaded."""
        return self.scanning and self.whole

    @property
    def scans_rest(self) -> bool:
        """Whether what is left in a shoe that is over is run through the reader."""
        return self.scanning and not self.whole

    def is_foreign(self, serial: str) -> bool:
        """Whether a card with that serial number cannot be of the pack in the shoe.

        A card without one tells nothing, and neither does a pack that was never read whole.
        """
        return bool(serial and len(self.serials) and not self.scans_pack) and (
            serial not in self.serials
        )

    def loaded(self, before: Shoe, pack: Pack, label: str, *, scanned: bool = False) -> Ledger:
        """A pack was loaded; the shoe `before` it has no more to report.

        `scanned`: `rest` is that pack, card by card.
        """
        watches = dict(self.watches)
        if self.trusted and before.number and before.gone and before.pack == pack:
            known = known_cards(before)
            watches[self.pack] = watches.pop(self.pack, Watch()).after(pack, known)
        while len(watches) > PACKS_WATCHED:
            del watches[next(iter(watches))]
        serials = _whole(pack, self.rest) if scanned else self.known.get(label, Serials())
        return replace(
            self, closed=False, scanning=False, whole=False, rest=(), pack=label, trusted=True,
            cut=None,
            watches=watches, serials=serials, known=self._knowing(label, serials),
        )  # fmt: skip

    def _knowing(self, label: str, serials: Serials) -> dict[str, Serials]:
        """The packs that are known by label, with this one; without a label none is known again."""
        if not label or not len(serials):
            return self.known
        known = {each: those for each, those in self.known.items() if each != label}
        known[label] = serials
        while len(known) > PACKS_WATCHED:
            del known[next(iter(known))]
        return known

    def scanned(self, *, whole: bool = False) -> Ledger:
        """The rest, or a `whole` pack, is run through the reader, from its first card."""
        return replace(self, scanning=True, whole=whole, rest=())

    def not_taken(self) -> Ledger:
        """The pack that was run through the reader is not taken."""
        return replace(self, scanning=False, whole=False, rest=()) if self.scans_pack else self

    def with_foreign(self, card: ForeignCard) -> Ledger:
        """A foreign card left the shoe, or one that had left it."""
        return replace(self, foreign_cards=(*self.foreign_cards, card)[-FOREIGN_LISTED:])

    def put_in(self, serial: str) -> Ledger:
        """The card with that serial number was put in for one of this pack."""
        if not serial or not len(self.serials):
            return self
        serials = self.serials.with_one(serial)
        return replace(self, serials=serials, known=self._knowing(self.pack, serials))

    def counted(self, card: Sealed) -> Ledger:
        """One more card went through the reader."""
        return replace(self, rest=(*self.rest, card))

    def added_up(self, closing: Closing, shoe: Shoe) -> Ledger:
        """`shoe` was closed. A pack that is proven whole is in doubt no more, and known again."""
        proven = closing.finding.verdict is Verdict.PROVEN
        serials = _whole(shoe.pack, self.rest, shoe.serials) if proven else Serials()
        return replace(
            self,
            closed=True,
            scanning=False,
            whole=False,
            rest=(),
            last=closing,
            known=self._knowing(self.pack, serials),
            foreign_cards=() if closing.clean else self.foreign_cards,
            rounds=() if closing.clean else self.rounds,
            played=0 if closing.clean else self.played,
            watches=self._without_watch() if proven else self.watches,
            doubts=self._without_doubts() if proven else self.doubts,
        )

    def again(self) -> Ledger:
        """The shoe is to be added up once more."""
        return replace(self, closed=False, scanning=False, whole=False, rest=())

    def out_of_play(self) -> Ledger:
        """The pack is out of play: what was known of it is forgotten, the rounds are not."""
        return replace(
            self, closed=True, scanning=False, whole=False, rest=(), trusted=False,
            watches=self._without_watch(), doubts=self._without_doubts(), serials=Serials(),
            known={label: those for label, those in self.known.items() if label != self.pack},
        )  # fmt: skip

    def _without_watch(self) -> dict[str, Watch]:
        return {label: each for label, each in self.watches.items() if label != self.pack}

    def _without_doubts(self) -> tuple[EarlyWarning, ...]:
        return tuple(each for each in self.doubts if each.pack != self.pack)

    def doubted(self, doubt: EarlyWarning) -> Ledger:
        """The early warning spoke; it begins anew."""
        watches = {**self.watches, doubt.pack: Watch()}
        return replace(self, doubts=(*self.doubts, doubt)[-PACKS_WATCHED:], watches=watches)

    def with_round(self, played: PlayedRound) -> Ledger:
        """One more round was played."""
        rounds = (*self.rounds[1 - ROUNDS_LISTED :], played)
        return changed(self, {"rounds": rounds, "played": self.played + 1})

    def voided(self, number: int) -> Ledger:
        """A round that was over is void."""
        rounds = tuple(
            replace(each, net=0, void=True) if each.number == number else each
            for each in self.rounds
        )
        return replace(self, rounds=rounds)

    def corrected(self, number: int, wagers: tuple[Staked, ...], net: int) -> Ledger:
        """A round was played otherwise than it was recorded."""
        if all(each.number != number for each in self.rounds):
            return self
        return replace(
            self,
            rounds=tuple(
                replace(each, wagers=wagers, net=net) if each.number == number else each
                for each in self.rounds
            ),
        )
