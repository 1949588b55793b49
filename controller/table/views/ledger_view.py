"""The ledger of a shoe as the status page shows it, and every round since the last clean one."""

from __future__ import annotations

from dataclasses import replace

from controller.rules.frozen import frozen
from controller.rules.messages import Amount, message
from controller.table.shoe.ledger import EarlyWarning, PlayedRound
from controller.table.shoe.reconciliation import finding_messages
from controller.table.state.state import State
from controller.table.views.english import say, show
from controller.table.views.parts.alarms import pack_message


@frozen
class CutView:
    """The cut card of the shoe in use: put in after `at` cards, as people `declared` or as usual.

    `out`: how many cards were gone when it came out, in round `round` (0: none was in play), at
    `at_ms`; 0: it has not come. `scanned`: its own code was read, else by the number of cards.
    """

    at: int
    declared: bool
    out: int
    round: int
    at_ms: int
    scanned: bool


@frozen
class ForeignCardView:
    """A foreign card, or one that had left its shoe already; `round` 0: none was in play.

    `text` says which of the two and names no card: it may lie face down.
    """

    shoe: int
    round: int
    at_ms: int
    text: str


@frozen
class LedgerView:
    """How the shoes add up: `text` is what the last reconciliation found.

    `method` is how the house adds up (off, count, scan); `verdict` proven, agrees, discrepant, or
    empty before the first; `clean` as the house wants it. `since` counts the rounds since the last
    clean one, void ones included. `warnings` are the early warning's, for the pit alone. `serials`:
    the serial numbers of the pack in the shoe are known. `foreign_cards` are those since the last
    clean one, newest first. `cut` is the cut card, null while none is in the shoe.
    """

    method: str
    verdict: str = ""
    shoe: int = 0
    at_ms: int = 0
    text: str = ""
    clean: bool = False
    since: int = 0
    warnings: tuple[str, ...] = ()
    serials: bool = False
    foreign_cards: tuple[ForeignCardView, ...] = ()
    cut: CutView | None = None


@frozen
class ListedWager:
    """A wager of a hand (hand 0: a side bet), as text and in minor units (null: not tracked)."""

    seat: int
    hand: int
    wager: str
    amount: int | None


@frozen
class ListedRound:
    """A round since the last clean reconciliation; `net` is the players' gain as text."""

    number: int
    shoe: int
    started_ms: int
    ended_ms: int
    void: bool
    wagers: tuple[ListedWager, ...]
    net: str


@frozen
class LedgerList:
    """The rounds and wagers since the last clean reconciliation, newest first.

    `earlier` is how many came before the oldest of the list: the record has them.
    """

    ledger: LedgerView
    rounds: tuple[ListedRound, ...]
    earlier: int


def ledger_view(state: State) -> LedgerView:
    """How the shoes add up."""
    ledger, last = state.ledger, state.ledger.last
    warnings = tuple(_warned(each) for each in ledger.doubts)
    view = LedgerView(
        state.setup.reconcile, since=ledger.played, warnings=warnings,
        serials=len(ledger.serials) > 0,
        foreign_cards=tuple(
            ForeignCardView(each.shoe, each.round, each.at_ms, say(each.message))
            for each in reversed(ledger.foreign_cards)
        ),
        cut=CutView(*ledger.cut) if ledger.cut else None,
    )  # fmt: skip
    if last is None:
        return view
    return replace(
        view, verdict=last.finding.verdict.value, shoe=last.shoe, at_ms=last.at_ms,
        text=say(message("shoe-finding", parts=finding_messages(last.finding))), clean=last.clean,
    )  # fmt: skip


def _warned(early: EarlyWarning) -> str:
    pack, kind = pack_message(early.pack), early.suspicion.kind
    if early.suspicion.missing:
        return say(message("pack-kind-too-seldom", pack=pack, kind=kind, shoes=early.shoes))
    return say(message("pack-kind-too-often", pack=pack, kind=kind, shoes=early.shoes))


def ledger_list(state: State) -> LedgerList:
    """Every round and wager since the last clean reconciliation."""
    ledger = state.ledger
    listed = tuple(_listed(each) for each in reversed(ledger.rounds))
    return LedgerList(ledger_view(state), listed, ledger.played - len(listed))


def _listed(played: PlayedRound) -> ListedRound:
    wagers = tuple(
        ListedWager(
            seat, hand, show(message("the-bet") if amount is None else Amount(amount)), amount
        )
        for seat, hand, amount in played.wagers
    )
    net = "" if played.void else show(Amount(played.net))
    return ListedRound(
        played.number, played.shoe, played.started_ms, played.ended_ms, played.void, wagers, net
    )
