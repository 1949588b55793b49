"""Judges of the end of a shoe and of the next pack: each is counted, or scanned card by card."""

from __future__ import annotations

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.decide.draft import Draft
from controller.table.inputs import CloseShoe, LoadPack, ScanPack, ScanRest
from controller.table.irregularities.holds import Reason
from controller.table.queries.device_failures import no_card_can_be_read
from controller.table.queries.prompts import waits
from controller.table.shoe.reconciliation import Verdict, finding_messages, reconcile
from controller.table.shoe.shoe import Shoe
from controller.table.state.phases import Phase
from controller.table.state.state import State


def scan_rest(draft: Draft, command: ScanRest) -> Message | None:
    """Begin to scan the rest of the shoe, or begin again."""
    if not draft.state.closes:
        return waits(draft.state)
    if blind := no_card_can_be_read(draft.state):
        return blind
    draft.add(f.RestOpened())
    return None


def close_shoe(draft: Draft, command: CloseShoe) -> Message | None:
    """Reconcile the shoe; a discrepancy stops the table.

    A house that wants every card scanned takes a mere number while no reader works, and then the
    reconciliation is not clean.
    """
    state = draft.state
    if not state.closes:
        return waits(state)
    wants_scan = state.setup.reconcile == "scan"
    if command.left is None and not state.ledger.scans_rest:
        return message("count-or-scan-the-rest")
    if command.left is not None and wants_scan and not state.run.blind:
        return message("house-scans-the-rest")
    rest = state.ledger.rest if command.left is None else command.left
    found = reconcile(state.shoe, rest)
    wanted = (Verdict.PROVEN,) if wants_scan else (Verdict.PROVEN, Verdict.AGREES)
    number = state.shoe.number
    left = rest if isinstance(rest, int) else len(rest)
    draft.add(
        f.ShoeReconciled(
            number, left, found.scanned, found.verdict, found.missing, found.unread,
            found.many, found.few, clean=found.verdict in wanted,
        )
    )  # fmt: skip
    if found.verdict is Verdict.DISCREPANT:
        draft.hold(
            Reason.SHOE_OFF,
            message("shoe-does-not-add-up", shoe=number, finding=finding_messages(found)),
        )
    return None


def scan_pack(draft: Draft, command: ScanPack) -> Message | None:
    """Begin to scan a pack before it is loaded, or begin again."""
    state = draft.state
    if state.phase is not Phase.SHUFFLE or state.must_close:
        return waits(state)
    if blind := no_card_can_be_read(state):
        return blind
    draft.add(f.PackOpened())
    return None


def load_pack(draft: Draft, command: LoadPack) -> Message | None:
    """Load a new shoe, when one is due and the one before is reconciled."""
    state = draft.state
    label, size = command.pack.strip(), state.shoe.pack.size
    if state.phase is not Phase.SHUFFLE or state.must_close:
        return waits(state)
    if not label.isprintable():
        return message("pack-label-one-line")
    if command.counted is not None and command.counted != size:
        missing = message(
            "pack-counted-short", counted=command.counted, size=size, missing=size - command.counted
        )
        surplus = message(
            "pack-counted-over", counted=command.counted, size=size, surplus=command.counted - size
        )
        draft.hold(Reason.PACK_SIZE, missing if command.counted < size else surplus)
        return None
    scanned = command.counted is None and state.ledger.scans_pack
    if scanned and (finding := _not_this_pack(state)):
        draft.hold(Reason.PACK_SIZE, message("pack-does-not-add-up", finding=finding))
        return None
    watched = state.ledger.pack
    counted = scanned or command.counted is not None
    burns = state.options.burns(dealer_change=False)
    draft.add(f.PackLoaded(state.shoe.number + 1, size, burns, counted, label, scanned))
    _warn(draft, watched)
    return None


def _not_this_pack(state: State) -> tuple[Message, ...]:
    """What is wrong with the pack that went through the reader; empty if nothing is."""
    empty = Shoe(state.shoe.pack, state.shoe.penetration_cards)
    found = reconcile(empty, state.ledger.rest)
    return finding_messages(found) if found.verdict is Verdict.DISCREPANT else ()


def _warn(draft: Draft, label: str) -> None:
    """Raise the early warning if the shoes of this pack so far call for it."""
    state: State = draft.state
    watch = state.ledger.watches.get(label)
    about = watch.alarm(state.shoe.pack) if watch else None
    if watch and about:
        draft.add(f.PackDoubted(label, about.kind, about.missing, watch.shoes))
