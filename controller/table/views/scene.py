"""`scene`: the whole picture of a state, for lights, buzzer and displays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NamedTuple

from controller.devices.displays import (
    CardView,
    DealerView,
    GameWords,
    HandView,
    HoldView,
    Key,
    PlayersView,
    ShoeView,
    WagerView,
)
from controller.devices.scene import Light, Scene
from controller.rules.actions import DEALER_SEAT, SIDE_BET, Outcome, Place
from controller.rules.cards import DECK_52, JOKER, Card, IndexStyle
from controller.rules.messages import Amount, message
from controller.rules.money import amount_text
from controller.rules.sealed import Sealed
from controller.rules.steps import AddWager, Ask, Deal, Settle, Step, Vie
from controller.table.irregularities.holds import RESOLUTION_LABELS, Hold, Resolution
from controller.table.phases import Phase
from controller.table.queries.available import open_resolutions
from controller.table.queries.counts import count_needs
from controller.table.queries.hold_prompts import advice
from controller.table.queries.prompts import limits, prompt
from controller.table.recorded.hands import RecordedFelt, RecordedHand
from controller.table.roles import NOBODY_NAMED, Needs, PersonId
from controller.table.state import State
from controller.table.views.alarms import display_alarm, held_light, sound
from controller.table.views.device_views import dealer_device_views
from controller.table.views.english import say, show
from controller.table.views.keys import CALL_FLOOR, happened_keys, keys
from controller.table.views.notices import dummy, notice
from controller.table.views.recount import done, undo_keys
from controller.table.views.texts import (
    net_text,
    note_text,
    result_text,
    total_text,
    total_views,
    wager_text,
)

_OUTCOME_LIGHTS: Final = {
    Outcome.WIN: Light.WON, Outcome.LOSE: Light.LOST, Outcome.PUSH: Light.PUSH,
    Outcome.SURRENDER: Light.LOST,
}  # fmt: skip
_CARD_VIEWS: Final[dict[IndexStyle, dict[Card, CardView]]] = {
    style: {each: CardView(each.code, each.label(style)) for each in (*DECK_52, JOKER)}
    for style in IndexStyle
}
_FACE_DOWN: Final = CardView("", "")


def scene(state: State, names: Mapping[PersonId, str] = NOBODY_NAMED) -> Scene:
    """Everything that the table shows of `state`; people by `names`, else by id."""
    return Scene(lights(state), sound(state), lambda: displays(state, names))


def displays(
    state: State, names: Mapping[PersonId, str] = NOBODY_NAMED
) -> tuple[DealerView, PlayersView]:
    """What the dealer and the players read."""
    now, words = prompt(state), state.words
    turn = turn_of(state.step)
    hands: tuple[HandView, ...] = ()
    dealer: HandView | None = None
    if state.rounds.latest:
        felt = state.rounds.latest.felt
        hands = hand_views(felt, turn, words.index_style)
        dealer = one_hand_view(felt.dealer, turn, words.index_style)
    hands = _with_bets(state, hands)
    shoe = shoe_view(state)
    number = state.rounds.latest.number if state.rounds.latest else 0
    holds = tuple(hold_view(state, each) for each in state.holds)
    display = DealerView(
        seq=state.seq, game=state.game.title, round=number, phase=state.phase.value,
        tone=now.tone, headline=say(now.headline, words), lead=say(now.lead, words),
        detail="" if now.detail is None else show(now.detail, words),
        choices=tuple(show(each, words) for each in now.choices), why=say(now.why, words),
        bonus=say(now.bonus, words), seat=now.seat,
        keys=(
            *(holds[0].resolutions if holds else keys(state)), *undo_keys(state), CALL_FLOOR,
        ),
        hands=hands,
        dealer=dealer,
        shoe=shoe,
        holds=holds,
        devices=dealer_device_views(state), refusal=say(state.commands.refusal, words),
        seats=state.setup.seats,
        limits=say(limits(state), words), rule=state.game.rule, simulated=state.run.simulated,
        pot=pot_text(state),
        button=button(state), words=game_words(state), wager=wager_view(state),
        roles=state.setup.roles, alarm=display_alarm(state, names),
        happened=happened_keys(state), dummy=dummy(state), done=say(done(state), words),
        kept=len(state.kept),
    )  # fmt: skip
    players = PlayersView(
        seq=state.seq, game=state.game.title, round=number, notice=notice(state, now),
        hands=hands, dealer=dealer, shoe=shoe, seats=state.setup.seats,
        limits=say(limits(state), words),
        rule=state.game.rule, simulated=state.run.simulated, pot=pot_text(state),
        button=button(state), words=game_words(state), dummy=dummy(state),
    )  # fmt: skip
    return display, players


def lights(state: State) -> tuple[Light, ...]:
    """The light of each spot, seat 1 first."""
    seats = state.setup.seats
    if state.holds:
        return (held_light(state),) * seats
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


class Turn(NamedTuple):
    """Whose turn it is: where, and the light of what is to be done there; None: chips move."""

    place: Place
    light: Light | None


def turn_of(step: Step | None) -> Turn | None:
    """Whose turn it is by the one next thing."""
    if step is None:
        return None
    place = step.hand.place
    if isinstance(step, Ask | Vie | AddWager):
        return Turn(place, Light.CHOOSE)
    if isinstance(step, Settle):
        return Turn(place, None)
    forced = isinstance(step, Deal) and step.play is not None and step.play.forced is not None
    return Turn(place, Light.FORCED if forced else Light.CARD)


def hand_light(hand: RecordedHand, turn: Turn | None) -> Light:
    """What the spot says of one hand; asked of its side bet, what is to be done there."""
    if turn is not None and turn.light is not None and in_turn(hand, turn):
        return turn.light
    status = hand.status
    if status.settled:
        return Light.EMPTY
    if status.result is not None:
        return _OUTCOME_LIGHTS[status.result.outcome]
    return Light.STANDING if status.ended else Light.BET


def hand_views(felt: RecordedFelt, turn: Turn | None, index: IndexStyle) -> tuple[HandView, ...]:
    """The players' hands of a felt, in order of play."""
    return tuple(one_hand_view(hand, turn, index) for hand in felt.hands)


def one_hand_view(hand: RecordedHand, turn: Turn | None, index: IndexStyle) -> HandView:
    """One hand, the dealer's included."""
    status = hand.status
    return HandView(
        seat=status.seat, hand=status.hand, light=hand_light(hand, turn).value,
        cards=card_views(hand, index), total=total_text(status),
        total_parts=total_views(status.total),
        wager=wager_text(hand) if status.seat != DEALER_SEAT else "", note=note_text(hand),
        result=result_text(hand), net=net_text(hand), settled=hand.settled,
        active=in_turn(hand, turn),
    )  # fmt: skip


def in_turn(hand: RecordedHand, turn: Turn | None) -> bool:
    """Whether the next thing is about `hand`; a side bet is asked of the seat's first hand."""
    if turn is None:
        return False
    asked, status = turn.place, hand.status
    if asked.seat != status.seat:
        return False
    if asked.hand == status.hand:
        return True
    return status.hand == 1 and asked.hand == SIDE_BET and turn.light is not None


def card_views(hand: RecordedHand, index: IndexStyle) -> tuple[CardView, ...]:
    """The cards of a hand as they lie: one face down shows its back alone."""
    faces = _CARD_VIEWS[index]
    views = [_FACE_DOWN if isinstance(each, Sealed) else faces[each] for each in hand.cards]
    for at in range(hand.status.raised):
        views[at] = replace(views[at], raised=True)
    return tuple(views)


def pot_text(state: State) -> str:
    """What lies in the pot, where players play for one; antes that are placed included."""
    if not state.game.vying:
        return ""
    if state.in_play is not None:
        paid = (each.result.share or 0 for each in state.hands if each.settled and each.result)
        return amount_text(sum(each.wager or 0 for each in state.hands) - sum(paid))
    return amount_text(sum(each or 0 for each in state.betting.wagers.values()))


def button(state: State) -> int:
    """The seat that deals the round in play, where the deal passes; 0 where it does not."""
    if not state.game.vying or state.rounds.latest is None:
        return 0
    return state.rounds.latest.wagers[-1][0]


def _with_bets(state: State, hands: tuple[HandView, ...]) -> tuple[HandView, ...]:
    """While bets are open, once one is placed: the bets instead of the last round's hands."""
    if state.phase is not Phase.BETTING or not state.betting.wagers:
        return hands
    return tuple(
        HandView(
            seat=seat, hand=1, light=Light.BET.value, cards=(), total="", total_parts=(),
            wager=show(message("bet-not-tracked") if amount is None else Amount(amount)), note="",
            result="", net="", settled=False, active=False,
        )
        for seat, amount in sorted(state.betting.wagers.items())
    )  # fmt: skip


def game_words(state: State) -> GameWords:
    """The game's own words for its dealer and its seats, and the index style of the cards."""
    joker = JOKER in state.shoe.pack.kinds()
    words = state.words
    return GameWords(words.dealer, words.seat, joker, words.index_style)


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


def hold_view(state: State, hold: Hold) -> HoldView:
    """An open hold with its resolutions as keys."""
    kind = state.procedures.rows[hold.reason]
    resolutions = tuple(
        Key(
            label=say(RESOLUTION_LABELS[resolution].text), key=RESOLUTION_LABELS[resolution].key,
            command=_resolution_command(state, hold, resolution),
            needs=_resolution_needs(state, resolution),
            who=_who(state, hold, resolution),
        )
        for resolution in open_resolutions(state, hold)
    )  # fmt: skip
    words, title = state.words, say(kind.title)
    found = advice(state, hold)
    what_to_do = found if isinstance(found, str) else say(found, words)
    # What the title says already is not said again.
    known = say(hold.message, words).rstrip(".")
    text = what_to_do if known == title else f"{known}. {what_to_do}"
    return HoldView(
        hold.number, title, text, hold.since_ms, resolutions, hold.reason.value, hold.picture
    )


#: What has to be asked before a resolution is sent.
_RESOLUTION_NEEDS: Final = {
    Resolution.ENTER_CARD: "card",
    Resolution.DEAD_HAND: "seat",
    Resolution.CORRECT: "correction",
}


def _resolution_needs(state: State, resolution: Resolution) -> str:
    if resolution is Resolution.COUNT:
        return count_needs(state)
    return _RESOLUTION_NEEDS.get(resolution, "")


def _resolution_command(
    state: State, hold: Hold, resolution: Resolution
) -> dict[str, str | int | bool]:
    if resolution is Resolution.CORRECT:
        number = hold.round or (state.in_play.number if state.in_play else 0)
        return {"do": "correct", "round": number}
    return {"do": "resolve", "hold": hold.number, "resolution": resolution.value}


def _who(state: State, hold: Hold, resolution: Resolution) -> str:
    """Who has to stand for a resolution, at a table with roles."""
    wanted = state.procedures.needs(hold.reason, resolution)
    return wanted.value if state.setup.roles and wanted is not Needs.DEALER else ""
