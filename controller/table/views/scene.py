"""`scene`: the whole picture of a state, for lights, buzzer and displays."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from controller.devices.displays import DealerView, PlayersView, WagerView
from controller.devices.felt_view import GameWords, HandView, ShoeView
from controller.devices.scene import Light, Scene
from controller.rules.actions import DEALER_SEAT
from controller.rules.cards import JOKER
from controller.rules.messages import Amount, Seat, Words, message
from controller.rules.spoken import spoken
from controller.table.queries.prompts import limits, prompt
from controller.table.recorded.hands import RecordedHand
from controller.table.recorded.round import RecordedRound
from controller.table.roles import NOBODY_NAMED, PersonId
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import ENGLISH, say, show
from controller.table.views.parts.alarms import display_alarm, held_light, sound
from controller.table.views.parts.device_views import dealer_device_views
from controller.table.views.parts.hands import (
    hand_light,
    hand_views,
    in_turn,
    one_hand_view,
    turn_of,
)
from controller.table.views.parts.holds import hold_view
from controller.table.views.parts.keys import (
    call_floor_key,
    happened_keys,
    keys,
    note_keys,
    note_text,
)
from controller.table.views.parts.notices import dummy, notice
from controller.table.views.parts.recount import done, undo_keys
from controller.table.views.parts.spots import spot_views
from controller.table.views.parts.windows import player_views, window_view


def scene(state: State, names: Mapping[PersonId, str] = NOBODY_NAMED) -> Scene:
    """Everything that the table shows of `state`; people by `names`, else by id."""
    return Scene(lights(state), sound(state), lambda: displays(state, names))


def displays(
    state: State, names: Mapping[PersonId, str] = NOBODY_NAMED
) -> tuple[DealerView, PlayersView]:
    """What the dealer and the players read."""
    now, words = prompt(state), state.words
    felt, told = _felt_now(state), shown_felt(state)
    shoe = shoe_view(state)
    holds = tuple(hold_view(state, each) for each in state.holds)
    display = DealerView(
        seq=state.seq, game=state.game.title, round=told.round, phase=state.phase.value,
        tone=now.tone, headline=say(now.headline, words), lead=say(now.lead, words),
        detail="" if now.detail is None else show(now.detail, words),
        choices=tuple(show(each, words) for each in now.choices), why=say(now.why, words),
        bonus=say(now.bonus, words), seat=now.seat,
        keys=(
            *(holds[0].resolutions if holds else keys(state)), *undo_keys(state), *note_keys(state),
            call_floor_key(),
        ),
        hands=told.hands,
        dealer=told.dealer,
        shoe=shoe,
        holds=holds,
        devices=dealer_device_views(state), refusal=say(state.commands.refusal, words),
        seats=state.setup.seats,
        limits=say(limits(state), words), rule=say(state.game.rule, words),
        simulated=state.run.simulated,
        pot=pot_text(state),
        button=button(state), words=game_words(state), wager=wager_view(state),
        roles=state.setup.roles, alarm=display_alarm(state, names),
        happened=happened_keys(state), dummy=dummy(state), done=say(done(state), words),
        kept_cards=len(state.aftermath.kept_cards), spots=spot_views(state),
        note=note_text(state), window=window_view(state), players=player_views(state, names),
        at_ms=state.clock.at_ms,
    )  # fmt: skip
    players = PlayersView(
        seq=state.seq, game=state.game.title, round=felt.round, notice=notice(state, now),
        hands=felt.hands, dealer=felt.dealer, shoe=shoe, seats=state.setup.seats,
        limits=say(limits(state), words),
        rule=say(state.game.rule, words), simulated=state.run.simulated, pot=pot_text(state),
        button=button(state), words=game_words(state), dummy=dummy(state),
        window=window_view(state), players=player_views(state, names),
        at_ms=state.clock.at_ms,
    )  # fmt: skip
    return display, players


class ShownFelt(NamedTuple):
    """What lies at the spots, and of which round it is; 0: of none."""

    round: int
    hands: tuple[HandView, ...] = ()
    dealer: HandView | None = None


def shown_felt(state: State) -> ShownFelt:
    """What whoever runs the table sees: the round that is talked about, else what lies there."""
    return _felt_called(state) or _felt_now(state)


def _felt_now(state: State) -> ShownFelt:
    """What lies there now. A bet that is placed is of the round that it is for."""
    if state.phase is Phase.BETTING and state.betting.wagers:
        # Once a bet is placed the last round's cards are gone, and so are they from the picture.
        return ShownFelt(state.counts.rounds + 1, _bets(state))
    return ShownFelt(0) if state.rounds.latest is None else _felt_of(state, state.rounds.latest)


def _felt_called(state: State) -> ShownFelt | None:
    """The round that people called, to be compared with the chips; None where none was."""
    number = state.holds[0].round if state.holds else 0
    called = state.recalled(number) if number else None
    return None if called is None else _felt_of(state, called)


def _felt_of(state: State, played: RecordedRound) -> ShownFelt:
    turn = turn_of(state.step) if played is state.in_play else None
    felt, index = played.felt, state.words.index_style
    hands = hand_views(felt, turn, index)
    return ShownFelt(played.number, hands, one_hand_view(felt.dealer, turn, index))


def lights(state: State) -> tuple[Light, ...]:
    """The light of each spot, seat 1 first."""
    seats = state.setup.seats
    if state.holds:
        return (held_light(state),) * seats
    if state.remote.clapper_due_ns is not None and state.in_play is None:
        return (Light.CLAP,) * seats
    if state.phase is Phase.BETTING:
        return tuple(
            Light.BET if seat in state.betting.wagers else Light.EMPTY
            for seat in range(1, seats + 1)
        )
    if state.in_play is None:
        return (Light.SHUFFLE,) * seats
    shown = [Light.EMPTY] * seats
    turn = turn_of(state.step)
    for hand in state.hands:
        seat = hand.status.seat - 1
        # Of several hands at a spot, the one in turn speaks for it.
        if shown[seat] is Light.EMPTY or in_turn(hand, turn):
            shown[seat] = hand_light(hand, turn)
    return tuple(shown)


def pot_text(state: State) -> str:
    """What lies in the pot, where players play for one; antes that are placed included."""
    if not state.game.vying:
        return ""
    if state.in_play is not None:
        return show(Amount(pot_of(state.hands)))
    return show(Amount(sum(each or 0 for each in state.betting.wagers.values())))


def pot_of(hands: Iterable[RecordedHand]) -> int:
    """What of their wagers lies in the pot still, in minor units."""
    known = tuple(hands)
    paid = (each.result.share or 0 for each in known if each.settled and each.result)
    return sum(each.wager or 0 for each in known) - sum(paid)


def button(state: State) -> int:
    """The seat that deals the round in play, where the deal passes; 0 where it does not."""
    if not state.game.vying or state.rounds.latest is None:
        return 0
    return state.rounds.latest.wagers[-1][0]


def _bets(state: State) -> tuple[HandView, ...]:
    """The bets that are placed, in the place of hands."""
    return tuple(
        HandView(
            seat=seat, hand=1, light=Light.BET.value, cards=(), total="", total_parts=(),
            wager=show(message("bet-not-tracked") if amount is None else Amount(amount)), note="",
            result="", outcome="", net="", settled=False, active=False,
        )
        for seat, amount in sorted(state.betting.wagers.items())
    )  # fmt: skip


def game_words(state: State) -> GameWords:
    """The game's own words for its dealer and its seats, and the index style of the cards."""
    return words_view(state.words, joker=JOKER in state.shoe.pack.kinds())


def words_view(words: Words, *, joker: bool) -> GameWords:
    """A game's words, as pages get them."""
    language = spoken(ENGLISH)
    dealer = language.write(Seat(DEALER_SEAT), "word", words)
    seat = language.write(Seat(1), "word", words)
    return GameWords(dealer, seat, joker, words.index_style)


def wager_view(state: State) -> WagerView:
    """What a wager on a spot may be."""
    low, high = state.options.wager_bounds
    return WagerView(low, high, state.options.smallest_chip)


def shoe_view(state: State) -> ShoeView:
    """The shoe gauge: numbers of cards only."""
    shoe = state.shoe
    states = {
        Phase.SHUFFLE: message("shoe-waits-for-a-pack"),
        Phase.CUT: message("shoe-to-be-cut"),
        Phase.BURN: message("shoe-to-be-burned"),
    }
    # Where every round has a shuffle of its own, the last round is nothing to tell.
    due = shoe.due and not state.game.vying
    in_play = message("shoe-last-round") if due else message("shoe-in-play")
    cut = 0 if state.game.vying else shoe.penetration_cards
    return ShoeView(
        number=shoe.number, size=shoe.pack.size, gone=shoe.gone, cut=cut,
        state=show(states.get(state.phase, in_play)), due=due,
        counted=state.must_close and state.setup.blind_counts,
    )  # fmt: skip
