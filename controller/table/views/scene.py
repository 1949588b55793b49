"""`scene`: the whole picture of a state, for lights, buzzer and displays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from controller.devices.scene import (
    CardView,
    DealerView,
    DeviceView,
    GameWords,
    HandView,
    HoldView,
    Key,
    Light,
    PlayersView,
    Scene,
    ShoeView,
    WagerView,
)
from controller.rules.cards import DECK_52, JOKER, Card
from controller.rules.english import ENGLISH
from controller.rules.felt import DEALER_SEAT, SIDE_BET, Felt, Hand, Outcome
from controller.rules.game import Game
from controller.rules.money import amount_text
from controller.rules.sealed import Sealed
from controller.rules.steps import AddWager, Ask, Peek, Reveal, Settle, Step, Vie
from controller.table.irregularities.holds import RESOLUTION_LABELS, Hold, Resolution
from controller.table.phases import Phase
from controller.table.queries import open_resolutions
from controller.table.roles import Needs
from controller.table.state import State
from controller.table.views.alarms import display_alarm, held_light, sound
from controller.table.views.keys import CALL_FLOOR, happened_keys, keys
from controller.table.views.prompts import (
    Sentence,
    capital,
    limits,
    net_text,
    note_text,
    result_text,
    sentence,
    wager_text,
    where,
)

_OUTCOME_LIGHTS: Final = {
    Outcome.WIN: Light.WON, Outcome.LOSE: Light.LOST, Outcome.PUSH: Light.PUSH,
    Outcome.SURRENDER: Light.LOST,
}  # fmt: skip
_CARD_VIEWS: Final[dict[Card, CardView]] = {
    each: CardView(each.code, each.label, each.finnish) for each in (*DECK_52, JOKER)
}
_FACE_DOWN: Final = CardView("", "", "")


def scene(state: State) -> Scene:
    """Everything that the table shows of `state`."""
    return Scene(lights(state), sound(state), lambda: displays(state))


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
        tone=said.tone, headline=said.headline, lead=said.lead, detail=said.detail,
        choices=said.choices, why=said.why, bonus=said.bonus, seat=said.seat,
        keys=() if state.holds else (*keys(state), CALL_FLOOR), hands=hands, dealer=dealer,
        shoe=shoe,
        holds=tuple(hold_view(state, each) for each in state.holds),
        devices=device_views(state), told=state.told, seats=state.setup.seats,
        limits=limits(state), rule=state.game.rule, simulated=state.simulated, pot=pot_text(state),
        button=button(state), words=game_words(state), wager=wager_view(state),
        roles=state.setup.roles, alarm=display_alarm(state),
        happened=happened_keys(state), dummy=dummy(state),
    )  # fmt: skip
    players = PlayersView(
        seq=state.seq, game=state.game.title, round=number, notice=notice(state, said),
        hands=hands, dealer=dealer, shoe=shoe, seats=state.setup.seats, limits=limits(state),
        rule=state.game.rule, simulated=state.simulated, pot=pot_text(state),
        button=button(state), words=game_words(state), dummy=dummy(state),
    )  # fmt: skip
    return display, players


def dummy(state: State) -> bool:
    """Whether the round in play is played without bets."""
    return state.phase is Phase.ROUND and state.round is not None and state.round.dummy


def lights(state: State) -> tuple[Light, ...]:
    """The light of each spot, seat 1 first."""
    seats = state.setup.seats
    if state.holds:
        return (held_light(state),) * seats
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
        if shown[seat] is Light.EMPTY:
            shown[seat] = hand_light(hand, step)
    if step is not None and step.hand.place.seat != DEALER_SEAT:
        # Of several hands at a spot, the one in turn speaks for it.
        shown[step.hand.place.seat - 1] = hand_light(step.hand, step)
    return tuple(shown)


def hand_light(hand: Hand, step: Step | None) -> Light:
    """What the spot says of one hand."""
    if step is not None and step.hand is hand and not isinstance(step, Settle):
        if isinstance(step, Ask | Vie | AddWager):
            return Light.CHOOSE
        if isinstance(step, Reveal | Peek):
            return Light.CARD
        return Light.FORCED if step.play and step.play.forced else Light.CARD
    if hand.settled:
        return Light.EMPTY
    if hand.result is not None:
        return _OUTCOME_LIGHTS[hand.result.outcome]
    return Light.STANDING if hand.ended else Light.BET


def hand_views(game: Game, felt: Felt, step: Step | None) -> tuple[HandView, ...]:
    """The players' hands of a felt, in order of play."""
    return tuple(one_hand_view(game, hand, step) for hand in felt.hands)


def one_hand_view(game: Game, hand: Hand, step: Step | None) -> HandView:
    """One hand, the dealer's included."""
    # Asked of its side bet, a hand shows what the lamp of its spot shows.
    asked = step.hand if step is not None and in_turn(hand, step) else hand
    return HandView(
        seat=hand.place.seat, hand=hand.place.hand, light=hand_light(asked, step).value,
        cards=card_views(game, hand), total=total_text(game, hand),
        wager=wager_text(hand) if hand.place.seat != DEALER_SEAT else "", note=note_text(hand),
        result=result_text(hand), net=net_text(hand), settled=hand.settled,
        active=in_turn(hand, step),
    )  # fmt: skip


def in_turn(hand: Hand, step: Step | None) -> bool:
    """Whether the next thing is about `hand`; a side bet is asked of the seat's first hand."""
    if step is None or step.hand is hand:
        return step is not None
    asked = step.hand.place
    aside = asked.hand == SIDE_BET and not isinstance(step, Settle)
    return aside and asked.seat == hand.place.seat and hand.place.hand == 1


def card_views(game: Game, hand: Hand) -> tuple[CardView, ...]:
    """The cards of a hand as they lie: one face down shows its back alone."""
    views = [_FACE_DOWN if isinstance(each, Sealed) else _CARD_VIEWS[each] for each in hand.lying()]
    if hand.place.seat == DEALER_SEAT:
        for at in range(game.raised(hand.cards)):
            views[at] = replace(views[at], raised=True)
    return tuple(views)


def total_text(game: Game, hand: Hand) -> str:
    """What a hand counts, by the cards that lie face up; nothing while that would mislead."""
    if not hand.cards or (hand.down and game.vying):
        return ""
    if hand.place.seat == DEALER_SEAT:
        return game.said(hand.cards)
    return str(game.total(hand.cards))


def pot_text(state: State) -> str:
    """What lies in the pot, where players play for one; antes that are placed included."""
    if not state.game.vying:
        return ""
    if state.phase is Phase.ROUND and state.round:
        paid = (each.result.share or 0 for each in state.hands if each.settled and each.result)
        return amount_text(sum(each.wager or 0 for each in state.hands) - sum(paid))
    return amount_text(sum(each or 0 for each in state.wagers.values()))


def button(state: State) -> int:
    """The seat that deals the round in play, where the deal passes; 0 where it does not."""
    if not state.game.vying or state.round is None:
        return 0
    return state.round.wagers[-1][0]


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


def game_words(state: State) -> GameWords:
    """The game's own words for its dealer and its seats."""
    return GameWords(state.game.words.dealer, state.game.words.seat)


def wager_view(state: State) -> WagerView:
    """What a wager on a spot may be."""
    low, high = state.options.wager_bounds
    return WagerView(low, high, state.options.smallest_chip)


def shoe_view(state: State) -> ShoeView:
    """The shoe gauge: numbers of cards only."""
    shoe = state.shoe
    words = {
        Phase.SHUFFLE: "waiting for a pack",
        Phase.CUT: "to be cut",
        Phase.BURN: "to be burned",
    }
    # Where every round has a shuffle of its own, the last round is nothing to tell.
    due = shoe.due and not state.game.vying
    in_play = "last round of the shoe" if due else "in play"
    cut = 0 if state.game.vying else shoe.penetration_cards
    return ShoeView(
        number=shoe.number, size=shoe.pack.size, gone=shoe.gone, cut=cut,
        state=words.get(state.phase, in_play), due=due,
    )  # fmt: skip


def hold_view(state: State, hold: Hold) -> HoldView:
    """An open hold with its resolutions as keys."""
    kind = state.procedures.rows[hold.reason]
    resolutions = tuple(
        Key(
            label=RESOLUTION_LABELS[resolution].text, key=RESOLUTION_LABELS[resolution].key,
            command=_resolution_command(hold, resolution),
            needs=_RESOLUTION_NEEDS.get(resolution, ""),
            who=_who(state, hold, resolution),
        )
        for resolution in open_resolutions(state, hold)
    )  # fmt: skip
    # What the title says already is not said again.
    known = hold.text.rstrip(".")
    text = kind.advice if known == kind.title else f"{known}. {kind.advice}"
    told = text[0].upper() + text[1:]
    return HoldView(
        hold.number, kind.title, told, hold.since_ms, resolutions, hold.reason.value, hold.picture
    )


#: What has to be asked before a resolution is sent.
_RESOLUTION_NEEDS: Final = {
    Resolution.ENTER_CARD: "card",
    Resolution.DEAD_HAND: "seat",
    Resolution.CORRECT: "correction",
}


def _resolution_command(hold: Hold, resolution: Resolution) -> dict[str, str | int | bool]:
    if resolution is Resolution.CORRECT:
        return {"do": "correct", "round": hold.round}
    return {"do": "resolve", "hold": hold.number, "resolution": resolution.value}


def _who(state: State, hold: Hold, resolution: Resolution) -> str:
    """Who has to stand for a resolution, at a table with roles."""
    wanted = state.procedures.needs(hold.reason, resolution)
    return wanted.name.lower() if state.setup.roles and wanted is not Needs.DEALER else ""


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
        told = settled_notice(state.game, state.step.hand)
    if dummy(state):
        return f"A round without bets. {told}."
    if state.phase is Phase.ROUND and state.shoe.due and not state.game.vying:
        return f"{told}. Last round before the shuffle."
    return told


def settled_notice(game: Game, hand: Hand) -> str:
    """How a hand ended, in the players' words: `Seat 1 wins 20.00`; a bonus is announced."""
    amount = net_text(hand).lstrip("+-")
    if hand.result and hand.result.share:
        amount = amount_text(hand.result.share)
    said = result_text(hand).lower()
    if hand.result and hand.result.outcome is Outcome.SURRENDER:
        said = "surrenders and loses half:"
    told = f"{capital(where(game, hand.place))} {said} {amount}".strip()
    bonus = hand.result.bonus if hand.result else None
    return f"{ENGLISH.say(bonus.name, game.words)}! {told}" if bonus else told
