"""What the facts of the shoe say: packs, burned cards, cards put aside, how it adds up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Message, message
from controller.table import facts as f
from controller.table.logbook.play import Say
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.shoe.reconciliation import Finding, finding_messages
from controller.table.state.state import State


def _plain(record: f.Record, said: Message) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, said)


def _aside(record: f.Record, said: Message) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, said, (Mark.ASIDE,))


def _pack_loaded(state: State, record: f.Record, fact: f.PackLoaded) -> LogEntry:
    if fact.scanned:
        how = message("log-pack-scanned")
    elif fact.counted:
        how = message("log-pack-counted")
    else:
        how = message("log-pack-declared")
    pack = message("pack-by-label", label=fact.pack) if fact.pack else message("pack-without-label")
    said = message("log-pack-loaded", shoe=fact.number, cards=fact.cards, pack=pack, how=how)
    return _plain(record, said)


def _pack_opened(state: State, record: f.Record, fact: f.PackOpened) -> LogEntry:
    return _plain(record, message("log-pack-opened"))


def _pack_card_counted(state: State, record: f.Record, fact: f.PackCardCounted) -> LogEntry:
    return _plain(record, message("log-pack-card"))


def _shoe_cut(state: State, record: f.Record, fact: f.ShoeCut) -> LogEntry:
    if not fact.at:
        return _plain(record, message("log-cut"))
    if fact.declared:
        return _plain(record, message("log-cut-declared", cards=fact.at))
    return _plain(record, message("log-cut-after", cards=fact.at))


def _cut_card_seen(state: State, record: f.Record, fact: f.CutCardSeen) -> LogEntry:
    return _plain(record, message("log-cut-card-out", cards=state.shoe.gone))


def _shoe_rejected(state: State, record: f.Record, fact: f.ShoeRejected) -> LogEntry:
    return _aside(record, message("log-shoe-rejected", shoe=state.shoe.number))


def _discards_returned(state: State, record: f.Record, fact: f.DiscardsReturned) -> LogEntry:
    return _aside(record, message("log-discards-returned"))


def _rest_opened(state: State, record: f.Record, fact: f.RestOpened) -> LogEntry:
    return _plain(record, message("log-rest-opened"))


def _rest_counted(state: State, record: f.Record, fact: f.RestCounted) -> LogEntry:
    return _plain(record, message("log-rest-card"))


def _shoe_reconciled(state: State, record: f.Record, fact: f.ShoeReconciled) -> LogEntry:
    finding = Finding(fact.scanned, fact.missing, fact.unread, fact.many, fact.few)
    found = message("shoe-finding", parts=finding_messages(finding))
    said = message("log-shoe-added-up", shoe=fact.number, left=fact.left, found=found)
    return _plain(record, said)


def _pack_doubted(state: State, record: f.Record, fact: f.PackDoubted) -> LogEntry:
    pack = message("pack-by-label", label=fact.pack) if fact.pack else message("pack-without-label")
    if fact.missing:
        said = message("pack-kind-too-seldom", pack=pack, kind=fact.kind, shoes=fact.shoes)
    else:
        said = message("pack-kind-too-often", pack=pack, kind=fact.kind, shoes=fact.shoes)
    return LogEntry(record.seq, record.at_ms, said, (Mark.ALARM,))


def _card_burned(state: State, record: f.Record, fact: f.CardBurned) -> LogEntry:
    if fact.set_aside:
        return _aside(record, message("log-put-aside"))
    return _plain(record, message("log-burned"))


def _card_kept(state: State, record: f.Record, fact: f.CardKept) -> LogEntry:
    return _aside(record, message("log-kept"))


def _kept_card_used(state: State, record: f.Record, fact: f.KeptCardUsed) -> LogEntry:
    return _aside(record, message("log-kept-used"))


def _dealer_changed(state: State, record: f.Record, fact: f.DealerChanged) -> LogEntry:
    if not fact.person:
        return _plain(record, message("log-dealer-changed"))
    return _plain(record, message("log-dealer-changed-to", person=fact.person))


#: What each fact of the shoe says.
SHOE: Final[Mapping[type[f.Fact], Say]] = {
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
