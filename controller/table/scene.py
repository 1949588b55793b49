"""`scene`: the whole picture of a state, for lights, buzzer and displays."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Button
from controller.devices.scene import (
    CardView,
    DealerView,
    DeviceView,
    HandView,
    HoldView,
    Key,
    Light,
    PlayersView,
    Scene,
    ShoeView,
    Sound,
)
from controller.rules.cards import DECK_52, JOKER, Card
from controller.rules.felt import DEALER_SEAT, Action, Felt, Hand, Outcome
from controller.rules.game import Ask, Game, Settle, Step
from controller.rules.money import amount_text
from controller.table.holds import HOLDS, WAY_LABELS, Hold, Way
from controller.table.phases import Phase
from controller.table.state import State
from controller.table.words import (
    ACTION_KEYS,
    ACTION_WORDS,
    Sentence,
    limits,
    net_text,
    result_text,
    sentence,
    wager_text,
)

_OUTCOME_LIGHTS: Final = {
    Outcome.WIN: Light.WON, Outcome.LOSE: Light.LOST, Outcome.PUSH: Light.PUSH,
}  # fmt: skip
_CARD_VIEWS: Final[dict[Card, CardView]] = {
    each: CardView(each.code, each.label, each.finnish) for each in (*DECK_52, JOKER)
}
_BUTTONS: Final = {Action.STAND: Button.STAND.value, Action.HIT: Button.HIT.value}


def scene(state: State) -> Scene:
    """Everything that the table shows of `state`."""
    sound = Sound.HELD if state.holds else Sound.REFUSED if state.told else Sound.QUIET
    return Scene(lights(state), sound, lambda: displays(state))


def displays(state: State) -> tuple[DealerView, PlayersView]:
    """What the dealer and the players read."""
    said = sentence(state)
    hands = hand_views(state.game, state.round.felt, state.step) if state.round else ()
    hands = _with_bets(state, hands)
    dealer = dealer_hand_view(state)
    shoe = shoe_view(state)
    number = state.round.number if state.round else 0
    display = DealerView(
        seq=state.seq, game=state.game.title, round=number, phase=state.phase.value,
        tone=said.tone, headline=said.headline, why=said.why, seat=said.seat,
        keys=() if state.holds else (*keys(state), CALL_FLOOR), hands=hands, dealer=dealer,
        shoe=shoe,
        holds=tuple(hold_view(state, each) for each in state.holds),
        devices=device_views(state), told=state.told, seats=state.setup.seats,
        limits=limits(state), rule=state.game.shown_rule, simulated=state.simulated,
    )  # fmt: skip
    players = PlayersView(
        seq=state.seq, game=state.game.title, round=number, notice=notice(state, said),
        hands=hands, dealer=dealer, shoe=shoe, seats=state.setup.seats, limits=limits(state),
        rule=state.game.shown_rule, simulated=state.simulated,
    )  # fmt: skip
    return display, players


def lights(state: State) -> tuple[Light, ...]:
    """The light of each spot, seat 1 first."""
    seats = state.setup.seats
    if state.holds:
        return (Light.HELD,) * seats
    if state.phase is Phase.BETTING:
        return tuple(
            Light.BET if seat in state.wagers else Light.EMPTY for seat in range(1, seats + 1)
        )
    if state.phase is not Phase.ROUND or state.round is None:
        return (Light.SHUFFLE,) * seats
    shown = [Light.EMPTY] * seats
    step = state.step
    for hand in state.round.felt.hands:
        seat = hand.place.seat - 1
        light = hand_light(hand, step)
        # Of several hands at a spot, the one in turn speaks for it.
        if shown[seat] is Light.EMPTY or (step is not None and step.hand is hand):
            shown[seat] = light
    return tuple(shown)


def hand_light(hand: Hand, step: Step | None) -> Light:
    """What the spot says of one hand."""
    if step is not None and step.hand is hand and not isinstance(step, Settle):
        if isinstance(step, Ask):
            return Light.CHOOSE
        return Light.FORCED if step.play and step.play.forced else Light.CARD
    if hand.settled:
        return Light.EMPTY
    if hand.result is not None:
        return _OUTCOME_LIGHTS[hand.result.outcome]
    return Light.STANDING if hand.standing else Light.BET


def hand_views(game: Game, felt: Felt, step: Step | None) -> tuple[HandView, ...]:
    """The players' hands of a felt, in order of play."""
    return tuple(one_hand_view(game, hand, step) for hand in felt.hands)


def one_hand_view(game: Game, hand: Hand, step: Step | None) -> HandView:
    """One hand, the dealer's included."""
    active = step is not None and step.hand is hand
    return HandView(
        seat=hand.place.seat, hand=hand.place.hand, light=hand_light(hand, step).value,
        cards=tuple(_CARD_VIEWS[each] for each in hand.cards),
        total=str(game.total(hand.cards)) if hand.cards else "",
        wager=wager_text(hand) if hand.place.seat != DEALER_SEAT else "",
        note="stands" if hand.standing and not hand.result else "", result=result_text(hand),
        net=net_text(hand), settled=hand.settled, active=active,
    )  # fmt: skip


def dealer_hand_view(state: State) -> HandView | None:
    """The dealer's hand of the round in play or the last one."""
    if state.round is None:
        return None
    return one_hand_view(state.game, state.round.felt.dealer, state.step)


def _with_bets(state: State, hands: tuple[HandView, ...]) -> tuple[HandView, ...]:
    """While bets are open, once one is placed: the bets instead of the last round's hands."""
    if state.phase is not Phase.BETTING or not state.wagers:
        return hands
    return tuple(
        HandView(
            seat=seat, hand=1, light=Light.BET.value, cards=(), total="",
            wager="bet, not tracked" if amount is None else amount_text(amount), note="",
            result="", net="", settled=False, active=False,
        )
        for seat, amount in sorted(state.wagers.items())
    )  # fmt: skip


def shoe_view(state: State) -> ShoeView:
    """The shoe gauge: numbers of cards only."""
    shoe = state.shoe
    words = {
        Phase.SHUFFLE: "waiting for a pack",
        Phase.CUT: "to be cut",
        Phase.BURN: "to be burned",
    }
    due = "last round of the shoe" if shoe.due else "in play"
    return ShoeView(
        number=shoe.number, size=shoe.pack.size, gone=shoe.gone, cut=shoe.penetration_cards,
        state=words.get(state.phase, due), due=shoe.due,
    )  # fmt: skip


def hold_view(state: State, hold: Hold) -> HoldView:
    """An open hold with its ways on as keys."""
    kind = HOLDS[hold.reason]
    ways = tuple(
        Key(
            label=WAY_LABELS[way].text, key=WAY_LABELS[way].key,
            command={"do": "resolve", "hold": hold.number, "way": way.value},
            needs="card" if way is Way.ENTER_CARD else "",
        )
        for way in hold.ways(state.phase is Phase.ROUND)
    )  # fmt: skip
    text = f"{hold.text.rstrip('.')}. {kind.advice}"
    return HoldView(hold.number, kind.title, text[0].upper() + text[1:], hold.since_ms, ways)


def device_views(state: State) -> tuple[DeviceView, ...]:
    """How each device is; card sources that have not come up yet are down."""
    names = dict.fromkeys((*state.card_sources, *state.devices))
    absent = "not connected yet"
    return tuple(
        DeviceView(name, not (why := state.devices.get(name, absent)), why) for name in names
    )


def notice(state: State, said: Sentence) -> str:
    """What players are told, of every shuffle too ("The player is notified")."""
    if state.holds:
        return "The table is stopped. Please wait."
    if state.phase in (Phase.SHUFFLE, Phase.CUT, Phase.BURN):
        return "The dealer is shuffling." if state.shoe.number else "The table is being opened."
    told = said.headline
    if isinstance(state.step, Settle):
        told = settled_notice(state.step.hand)
    if state.phase is Phase.ROUND and state.shoe.due:
        return f"{told}. Last round before the shuffle."
    return told


def settled_notice(hand: Hand) -> str:
    """How a hand ended, in the players' words: `Seat 1 wins 20.00`."""
    amount = net_text(hand).lstrip("+-")
    return f"Seat {hand.place.seat} {result_text(hand).lower()} {amount}".strip()


def keys(state: State) -> tuple[Key, ...]:
    """What the dealer may press now."""
    if state.phase is Phase.ROUND:
        step = state.step
        if isinstance(step, Ask):
            return tuple(_action_key(step, action) for action in step.play.options)
        if isinstance(step, Settle):
            place = step.hand.place
            command: dict[str, str | int] = {
                "do": "settle", "seat": place.seat, "hand": place.hand,
            }  # fmt: skip
            return (Key("Done", command, "Enter", Button.NEXT.value),)
        return ()
    if state.phase is Phase.SHUFFLE:
        return (Key("Pack loaded", {"do": "load_pack"}, "Enter", Button.NEXT.value),)
    if state.phase is Phase.CUT:
        return (Key("Cut made", {"do": "cut"}, "Enter", Button.NEXT.value),)
    if state.phase is Phase.BETTING:
        return _betting_keys(state)
    return ()


#: Whatever else may be pressed: the dealer can always stop the table.
CALL_FLOOR: Final = Key("Call the floor", {"do": "call_floor"}, "c", Button.CALL.value)


def _action_key(step: Ask, action: Action) -> Key:
    place = step.hand.place
    command: dict[str, str | int] = {
        "do": "decide", "seat": place.seat, "hand": place.hand, "action": action.value,
    }  # fmt: skip
    return Key(ACTION_WORDS[action], command, ACTION_KEYS[action], _BUTTONS[action])


def _betting_keys(state: State) -> tuple[Key, ...]:
    found: list[Key] = []
    if state.wagers:
        found.append(Key("No more bets", {"do": "close_bets"}, "Enter", Button.NEXT.value))
    if any(seat not in state.wagers for seat in state.last_wagers):
        found.append(Key("Repeat bets", {"do": "repeat_wagers"}, "r", Button.REPEAT.value))
    return tuple(found)
