"""What facts about the shoe itself change: loading, burning, adding up, another dealer's burns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from controller.rules.cards import Card
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.growing import changed
from controller.table.shoe.ledger import Closing, CutCard, EarlyWarning, Ledger
from controller.table.shoe.pack_monitor import Suspicion
from controller.table.shoe.reconciliation import Finding
from controller.table.shoe.recount import Recount
from controller.table.state.phases import Impossible, Phase, next_phase
from controller.table.state.state import State

#: What a fact changes in the state, by the names of its fields.
Changes = dict[str, Any]


def change_in(changes: Changes, state: State, part: str, more: Changes) -> None:
    """Add to `changes` other values of fields of a part, beside what it changes there already."""
    changes[part] = changed(changes.get(part, getattr(state, part)), more)


def _pack_loaded(state: State, fact: f.PackLoaded, at_ms: int) -> Changes:
    shoe = state.shoe.loaded(fact.burns)
    if shoe.number != fact.number:
        raise Impossible(f"shoe {fact.number} does not follow shoe {state.shoe.number}")
    return {
        "shoe": shoe,
        "phase": next_phase(state.phase, f.PackLoaded, shoe),
        "aftermath": changed(state.aftermath, {"kept_cards": (), "recount": Recount()}),
        "ledger": state.ledger.loaded(state.shoe, shoe.pack, fact.pack, scanned=fact.scanned),
    }


def _pack_opened(state: State, fact: f.PackOpened, at_ms: int) -> Changes:
    if state.phase is not Phase.SHUFFLE:
        raise Impossible("no pack is to be loaded")
    return {"ledger": state.ledger.scanned(whole=True), "shoe": state.shoe.counting(None)}


def _pack_card_counted(state: State, fact: f.PackCardCounted, at_ms: int) -> Changes:
    if not state.ledger.scans_pack:
        raise Impossible("no pack is being run through the reader")
    return {"ledger": state.ledger.counted(fact.card), "shoe": state.shoe.counting(fact.card)}


def _shoe_cut(state: State, fact: f.ShoeCut, at_ms: int) -> Changes:
    changes: Changes = {"phase": next_phase(state.phase, f.ShoeCut, state.shoe)}
    if fact.at:
        changes["ledger"] = replace(state.ledger, cut=CutCard(fact.at, fact.declared))
    return changes


def cut_card_after(state: State, changes: Changes, at_ms: int) -> None:
    """Add to `changes` that the cut card has come out, by the number of cards that are gone."""
    # Where the fact itself changes the ledger, the next card that leaves says it.
    cut, shoe = state.ledger.cut, changes.get("shoe", state.shoe)
    if cut is not None and not cut.out and shoe.gone >= cut.at and "ledger" not in changes:
        changes["ledger"] = _cut_out(state, cut, shoe.gone, at_ms, scanned=False)


def _cut_card_seen(state: State, fact: f.CutCardSeen, at_ms: int) -> Changes:
    cut = state.ledger.cut
    if cut is None or cut.scanned:
        raise Impossible("no cut card is in the shoe")
    return {"ledger": _cut_out(state, cut, state.shoe.gone, at_ms, scanned=True)}


def _cut_out(state: State, cut: CutCard, gone: int, at_ms: int, *, scanned: bool) -> Ledger:
    number = state.in_play.number if state.in_play else 0
    out = cut._replace(out=gone, round=number, at_ms=at_ms, scanned=scanned)
    return replace(state.ledger, cut=out)


def _shoe_rejected(state: State, fact: f.ShoeRejected, at_ms: int) -> Changes:
    return {
        "shoe": replace(state.shoe, to_burn=0),
        "phase": next_phase(state.phase, f.ShoeRejected, state.shoe),
        "betting": changed(state.betting, {"wagers": {}}),
        "aftermath": changed(state.aftermath, {"kept_cards": (), "recount": Recount()}),
        "ledger": state.ledger.out_of_play(),
    }


def _rest_opened(state: State, fact: f.RestOpened, at_ms: int) -> Changes:
    if state.phase is not Phase.SHUFFLE:
        raise Impossible("the shoe is not over")
    return {"ledger": state.ledger.scanned(), "shoe": state.shoe.counting(None)}


def _rest_counted(state: State, fact: f.RestCounted, at_ms: int) -> Changes:
    if not state.ledger.scans_rest:
        raise Impossible("the rest of the shoe is not being run through the reader")
    return {"ledger": state.ledger.counted(fact.card), "shoe": state.shoe.counting(fact.card)}


def _shoe_reconciled(state: State, fact: f.ShoeReconciled, at_ms: int) -> Changes:
    if fact.number != state.shoe.number:
        raise Impossible(f"shoe {fact.number} is not the one in use")
    finding = Finding(fact.scanned, fact.missing, fact.unread, fact.many, fact.few)
    closing = Closing(fact.number, at_ms, finding, fact.clean)
    return {"ledger": state.ledger.added_up(closing, state.shoe)}


def _pack_doubted(state: State, fact: f.PackDoubted, at_ms: int) -> Changes:
    about = Suspicion(fact.kind, fact.missing)
    return {"ledger": state.ledger.doubted(EarlyWarning(fact.pack, about, fact.shoes, at_ms))}


def _discards_returned(state: State, fact: f.DiscardsReturned, at_ms: int) -> Changes:
    if state.in_play is None:
        raise Impossible("discards return to the shoe in mid-round only")
    # Those that are kept lie on the felt too: they are the next to be dealt.
    cards = [card for hand in state.in_play.felt.all for card in hand.cards]
    cards += state.aftermath.kept_cards
    face_up = [card for card in cards if isinstance(card, Card)]
    face_down = [card for card in cards if isinstance(card, Sealed)]
    return {"shoe": state.shoe.refilled(state.in_play.number, face_up, face_down)}


def _card_burned(state: State, fact: f.CardBurned, at_ms: int) -> Changes:
    if fact.set_aside:
        shoe = state.shoe.without(fact.card, hidden=True)
    else:
        shoe = state.shoe.burned(fact.card)
    return {"shoe": shoe, "phase": next_phase(state.phase, f.CardBurned, shoe)}


def keeping(state: State, *cards: Card | Sealed) -> Changes:
    """That these are the cards which are kept."""
    return {"aftermath": changed(state.aftermath, {"kept_cards": cards})}


def _card_kept(state: State, fact: f.CardKept, at_ms: int) -> Changes:
    shoe = state.shoe.without(fact.card, hidden=True)
    return {"shoe": shoe, **keeping(state, *state.aftermath.kept_cards, fact.card)}


def _kept_card_used(state: State, fact: f.KeptCardUsed, at_ms: int) -> Changes:
    if not state.aftermath.kept_cards:
        raise Impossible("no card was kept")
    used, *left = state.aftermath.kept_cards
    return {"shoe": state.shoe.taken_back(used), **keeping(state, *left)}


def _dealer_changed(state: State, fact: f.DealerChanged, at_ms: int) -> Changes:
    shoe = replace(state.shoe, to_burn=fact.burns)
    phase = next_phase(state.phase, f.DealerChanged, shoe)
    people = changed(state.people, {"dealer": fact.person})
    return {"shoe": shoe, "phase": phase, "people": people}


#: Which function tells what a fact of the shoe changes.
SHOE_EVOLVERS: Final[dict[type[f.Fact], Callable[[State, Any, int], Changes]]] = {
    f.PackLoaded: _pack_loaded,
    f.PackOpened: _pack_opened,
    f.PackCardCounted: _pack_card_counted,
    f.ShoeCut: _shoe_cut,
    f.CutCardSeen: _cut_card_seen,
    f.ShoeRejected: _shoe_rejected,
    f.DiscardsReturned: _discards_returned,
    f.RestOpened: _rest_opened,
    f.RestCounted: _rest_counted,
    f.ShoeReconciled: _shoe_reconciled,
    f.PackDoubted: _pack_doubted,
    f.CardBurned: _card_burned,
    f.CardKept: _card_kept,
    f.KeptCardUsed: _kept_card_used,
    f.DealerChanged: _dealer_changed,
}
