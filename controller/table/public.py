"""`public`: what the pit, the API and the bus may know of a state; no sealed card is in it."""

from __future__ import annotations

from dataclasses import dataclass

from controller.devices.scene import DeviceView, HandView, ShoeView, Tone
from controller.rules.money import amount_text
from controller.table.holds import HOLDS
from controller.table.phases import Phase
from controller.table.scene import scene
from controller.table.state import PastRound, State
from controller.table.words import limits, net_text, result_text, sentence, wager_text

HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What a hand of a seat won or lost in a round (hand 0: a side bet); amounts as text."""

    seat: int
    hand: int
    wager: str
    outcome: str
    net: str


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round that was played, a void one included, or the one in play (`ended_ms` null)."""

    number: int
    started_ms: int
    ended_ms: int | None
    void: bool
    seats: tuple[SeatResult, ...]
    net: str


@dataclass(frozen=True, slots=True)
class OpenHold:
    """A hold as the pit sees it."""

    number: int
    title: str
    text: str
    since_ms: int


@dataclass(frozen=True, slots=True)
class StatusView:
    """The status page: what the table waits for, since when, and who must act.

    Times are wall times in ms since the epoch; `rounds_per_hour` is over the last rounds, null
    until two have been played.
    """

    seq: int
    table: str
    game: str
    software: str
    phase: str
    waiting_for: str
    why: str
    who: str
    since_ms: int
    tone: Tone
    round: int
    hands: tuple[HandView, ...]
    dealer: HandView | None
    shoe: ShoeView
    devices: tuple[DeviceView, ...]
    holds: tuple[OpenHold, ...]
    rounds_per_hour: float | None
    rounds_played: int
    rounds: tuple[RoundSummary, ...]
    limits: str
    rule: str
    seats: int
    pot: str
    button: int
    words: dict[str, str]


def public(state: State) -> StatusView:
    """The status of the table."""
    said = sentence(state)
    shown = scene(state).dealer
    return StatusView(
        seq=state.seq, table=state.setup.table, game=state.game.title, software=state.software,
        phase=state.phase.value, waiting_for=said.headline, why=said.why, who=said.who,
        since_ms=state.since_ms, tone=said.tone, round=shown.round, hands=shown.hands,
        dealer=shown.dealer, shoe=shown.shoe, devices=shown.devices,
        holds=tuple(
            OpenHold(each.number, HOLDS[each.reason].title, each.text, each.since_ms)
            for each in state.holds
        ),
        rounds_per_hour=rounds_per_hour(state.past), rounds_played=state.rounds_played,
        rounds=rounds(state), limits=limits(state), rule=state.game.rule,
        seats=state.setup.seats, pot=shown.pot, button=shown.button, words=shown.words,
    )  # fmt: skip


def rounds_per_hour(past: tuple[PastRound, ...]) -> float | None:
    """The pace of the last rounds."""
    if len(past) < 2 or past[-1].ended_ms <= past[0].ended_ms:
        return None
    return round((len(past) - 1) * HOUR_MS / (past[-1].ended_ms - past[0].ended_ms), 1)


def rounds(state: State) -> tuple[RoundSummary, ...]:
    """The rounds that can be recalled, the one in play included, newest first."""
    kept = list(state.past)
    if in_play := current_round(state):
        kept.append(in_play)
    return tuple(_summary(each, state) for each in reversed(kept))


def current_round(state: State) -> PastRound | None:
    """The round in play, as far as it has come."""
    if state.phase is not Phase.ROUND or state.round is None:
        return None
    return PastRound(state.round, state.times_ms, state.started_ms, 0, state.shoe.number, 0)


def _summary(past: PastRound, state: State) -> RoundSummary:
    seats = tuple(
        SeatResult(
            *hand.place,
            wager_text(hand),
            "void" if past.void else result_text(hand),
            "" if past.void else net_text(hand),
        )
        for hand in past.round.felt.hands
    )
    ended = past.ended_ms or None
    net = amount_text(past.net) if ended else ""
    return RoundSummary(past.round.number, past.started_ms, ended, past.void, seats, net)
