"""What the facts of a round say: bets, cards, decisions, chips, its end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from controller.rules.actions import DEALER_SEAT, Outcome, Place
from controller.rules.messages import Amount, Message, Seat, message
from controller.table import facts as f
from controller.table.facts.round import ENTERED_BY_HAND
from controller.table.irregularities.edits import EditKind
from controller.table.recorded.log_entry import LogEntry, Mark
from controller.table.state.state import State

Say = Callable[[State, f.Record, Any], LogEntry]


def _plain(record: f.Record, said: Message) -> LogEntry:
    return LogEntry(record.seq, record.at_ms, said)


def _wager_placed(state: State, record: f.Record, fact: f.WagerPlaced) -> LogEntry:
    return _plain(record, _bet(fact.seat, fact.amount))


def _bet(seat: int, amount: int | None) -> Message:
    if amount is None:
        return message("log-bet-untracked", who=Seat(seat))
    return message("log-bet", who=Seat(seat), amount=Amount(amount))


def _wager_removed(state: State, record: f.Record, fact: f.WagerRemoved) -> LogEntry:
    return _plain(record, message("log-bet-removed", who=Seat(fact.seat)))


def _bets_closed(state: State, record: f.Record, fact: f.BetsClosed) -> LogEntry:
    bets = tuple(_bet(seat, amount) for seat, amount in fact.wagers)
    said = message("log-round-begins", round=fact.number, bets=bets)
    return _plain(record, said)._replace(round=fact.number)


def _dummy_began(state: State, record: f.Record, fact: f.DummyBegan) -> LogEntry:
    said = message("log-dummy-begins", round=fact.number)
    return _plain(record, said)._replace(round=fact.number)


def _card_dealt(state: State, record: f.Record, fact: f.CardDealt) -> LogEntry:
    said = message("replay-dealt", hand=Place(fact.seat, fact.hand), card=fact.card)
    entered = fact.source == ENTERED_BY_HAND
    return _maybe_by_hand(record, said, entered=entered)._replace(picture=fact.evidence)


def _card_dealt_down(state: State, record: f.Record, fact: f.CardDealtDown) -> LogEntry:
    said = message("replay-dealt-down", hand=Place(fact.seat, fact.hand))
    return _maybe_by_hand(record, said, entered=fact.source == ENTERED_BY_HAND)


def _card_turned(state: State, record: f.Record, fact: f.CardTurned) -> LogEntry:
    said = message("replay-turned", hand=Place(fact.seat, fact.hand), card=fact.card)
    return _maybe_by_hand(record, said, entered=state.commands.named is not None)


def _maybe_by_hand(record: f.Record, said: Message, *, entered: bool) -> LogEntry:
    if not entered:
        return _plain(record, said)
    return _plain(record, message("log-by-hand", said=said))._replace(marks=(Mark.ENTRY,))


def _dealer_peeked(state: State, record: f.Record, fact: f.DealerPeeked) -> LogEntry:
    dealer = Place(DEALER_SEAT, 1)
    if fact.natural:
        return _plain(record, message("replay-blackjack", hand=dealer))
    return _plain(record, message("replay-no-blackjack", hand=dealer))


def _decided(state: State, record: f.Record, fact: f.Decided) -> LogEntry:
    hand, action = Place(fact.seat, fact.hand), fact.action
    if fact.amount is not None:
        amount = Amount(fact.amount)
        return _plain(record, message("log-bid", hand=hand, action=action, amount=amount))
    if fact.by_draw:
        return _plain(record, message("log-decided-by-draw", hand=hand, action=action))
    return _plain(record, message("log-decided", hand=hand, action=action))


def _wager_added(state: State, record: f.Record, fact: f.WagerAdded) -> LogEntry:
    hand = Place(fact.seat, fact.hand)
    if fact.amount is None:
        return _plain(record, message("log-more", hand=hand, action=fact.action))
    more = Amount(fact.amount)
    return _plain(record, message("log-more-amount", hand=hand, action=fact.action, amount=more))


def _wager_declined(state: State, record: f.Record, fact: f.WagerDeclined) -> LogEntry:
    return _plain(record, message("replay-no-further-bet", hand=Place(fact.seat, fact.hand)))


def _outcome(outcome: Outcome) -> Message:
    if outcome is Outcome.WIN:
        return message("outcome-won")
    if outcome is Outcome.LOSE:
        return message("outcome-lost")
    if outcome is Outcome.PUSH:
        return message("outcome-push")
    return message("outcome-surrendered")


def _hand_settled(state: State, record: f.Record, fact: f.HandSettled) -> LogEntry:
    hand, outcome = Place(fact.seat, fact.hand), _outcome(fact.outcome)
    if fact.net is None:
        return _plain(record, message("log-settled", hand=hand, outcome=outcome))
    net = Amount(fact.net)
    return _plain(record, message("log-settled-net", hand=hand, outcome=outcome, net=net))


def _round_ended(state: State, record: f.Record, fact: f.RoundEnded) -> LogEntry:
    said = message("log-round-over", round=fact.number, net=Amount(fact.net))
    began = state.in_play.started_ms if state.in_play else record.at_ms
    return _plain(record, said)._replace(round=fact.number, took_ms=record.at_ms - began)


def _voided(state: State, record: f.Record, fact: f.RoundVoided | f.SettledRoundVoided) -> LogEntry:
    said = message("log-round-void", round=fact.number, owed=payments(fact.owed))
    return LogEntry(
        record.seq, record.at_ms, said, _with_person(Mark.VOID, fact.by), fact.number,
        by=fact.by, reason=fact.reason,
    )  # fmt: skip


def payments(owed: tuple[tuple[int, int], ...]) -> Message:
    """Who is to be paid what, and who gives back, once a round is otherwise than it was paid."""
    if not owed:
        return message("log-nothing-owed")
    return message(
        "log-owed",
        payments=tuple(
            message("pay", who=Seat(seat), amount=Amount(amount))
            if amount > 0
            else message("collect", who=Seat(seat), amount=Amount(-amount))
            for seat, amount in owed
        ),
    )


def _corrected(state: State, record: f.Record, fact: f.RoundCorrected) -> LogEntry:
    edits = tuple(_edit(each) for each in fact.edits)
    owed = payments(fact.owed)
    said = message("log-round-corrected", round=fact.number, edits=edits, owed=owed)
    return LogEntry(
        record.seq, record.at_ms, said, _with_person(Mark.CORRECTION, fact.by), fact.number,
        by=fact.by, reason=fact.reason,
    )  # fmt: skip


def _edit(edit: f.Edit) -> Message:
    step, what = edit.at + 1, _in_truth(edit)
    if edit.do is EditKind.REPLACE:
        return message("log-step-was", step=step, what=what)
    if edit.do is EditKind.INSERT:
        return message("log-step-put-in", step=step, what=what)
    if edit.do is EditKind.REMOVE:
        return message("log-step-removed", step=step)
    if edit.do is EditKind.BURN:
        return message("log-step-put-aside", step=step)
    if edit.do is EditKind.KEEP:
        return message("log-step-kept", step=step)
    if edit.do is EditKind.DEAD:
        return message("log-hand-dead", who=Seat(edit.at))
    return message("log-bet-was", bet=_bet(edit.at, edit.amount))


def _in_truth(edit: f.Edit) -> Message:
    """What a step was in truth."""
    if edit.card is not None:
        return message("log-the-card", card=edit.card)
    if edit.action is None:
        return message("log-something-else")
    if edit.amount is not None:
        return message("log-the-bid", action=edit.action, amount=Amount(edit.amount))
    return message("log-the-action", action=edit.action)


def _with_person(mark: Mark, by: tuple[object, ...]) -> tuple[Mark, ...]:
    return (mark, Mark.PERSON) if by else (mark,)


#: What each fact of a round says.
PLAY: Final[Mapping[type[f.Fact], Say]] = {
    f.WagerPlaced: _wager_placed,
    f.WagerRemoved: _wager_removed,
    f.BetsClosed: _bets_closed,
    f.DummyBegan: _dummy_began,
    f.CardDealt: _card_dealt,
    f.CardDealtDown: _card_dealt_down,
    f.CardTurned: _card_turned,
    f.DealerPeeked: _dealer_peeked,
    f.Decided: _decided,
    f.WagerAdded: _wager_added,
    f.WagerDeclined: _wager_declined,
    f.HandSettled: _hand_settled,
    f.RoundEnded: _round_ended,
    f.RoundVoided: _voided,
    f.SettledRoundVoided: _voided,
    f.RoundCorrected: _corrected,
}
