"""Facts of the shoe: loading, cutting, burning, kept cards, the count at its end."""

from __future__ import annotations

from controller.rules.cards import Card
from controller.rules.frozen import frozen
from controller.rules.sealed import Sealed
from controller.table.shoe.reconciliation import Verdict


@frozen
class PackLoaded:
    """A complete pack of `cards` cards is in the shoe; the shoe gets a `number` of its own.

    Once it is cut, `burns` cards are to be burned.
    `counted`: the pack was counted, not only declared to be whole. `pack` is its label. `scanned`:
    all of it had gone through the reader (`PackOpened`), and each kind was there as often as due.
    """

    number: int
    cards: int
    burns: int
    counted: bool = False
    pack: str = ""
    scanned: bool = False


@frozen
class PackOpened:
    """A whole pack is run through the reader before it is loaded, from its first card."""


@frozen
class PackCardCounted:
    """A card of a pack that is not loaded yet went through the reader. It stays sealed."""

    card: Sealed
    source: str
    evidence: str = ""


@frozen
class ShoeCut:
    """The pack was cut and the cut card put in after `at` cards (0: the game has none).

    `declared`: people said where; else it is where the house has it.
    """

    at: int
    declared: bool


@frozen
class CutCardSeen:
    """The cut card's own code was read: it has come out of the shoe. No card has left."""

    source: str


@frozen
class ShoeRejected:
    """The pack in the shoe is not to be trusted; it is out of play."""


@frozen
class DiscardsReturned:
    """The shoe ran out in mid-round: the discards were shuffled and are in the shoe (F27-A16)."""


@frozen
class RestOpened:
    """What is left in the shoe is run through the reader, from its first card."""


@frozen
class RestCounted:
    """A card of the rest went through the reader. It belongs to no round and stays sealed."""

    card: Sealed
    source: str
    evidence: str = ""


@frozen
class ShoeReconciled:
    """Shoe `number` is over and was added up; see `reconciliation.Finding`.

    `left` cards were counted in it, or `scanned` one by one. `clean`: as the house wants it.
    """

    number: int
    left: int
    scanned: bool
    verdict: Verdict
    missing: int
    unread: int
    many: tuple[tuple[Card, int], ...]
    few: tuple[tuple[Card, int], ...]
    clean: bool


@frozen
class PackDoubted:
    """The early warning: over `shoes` shoes of `pack`, `kind` came too seldom or too often."""

    pack: str
    kind: Card
    missing: bool
    shoes: int


@frozen
class CardBurned:
    """A card went out unseen: burned by rule, or set aside after an error. It stays sealed."""

    card: Sealed
    set_aside: bool = False
    evidence: str = ""


@frozen
class CardKept:
    """A card that left the shoe in error lies face down, to be the next one that is dealt."""

    card: Sealed
    source: str = ""
    evidence: str = ""


@frozen
class KeptCardUsed:
    """The first card that was kept is taken: what follows says where it went.

    `card`, `nonce` (hexadecimal) and `serial` open the commitment under which it was kept, where
    it then lies face up.
    """

    card: Card | None = None
    nonce: str = ""
    serial: str = ""
