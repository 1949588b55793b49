"""What the dealer may press now: the keys of the display, with the commands that they send."""

from __future__ import annotations

from typing import Final

from controller.devices.inputs import Button
from controller.devices.scene import Key
from controller.rules.felt import Action
from controller.rules.money import amount_text
from controller.rules.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Step, Vie
from controller.table.phases import Phase
from controller.table.queries import callable_now
from controller.table.state import State
from controller.table.views.prompts import ACTION_KEYS, ACTION_WORDS, choices

_BUTTONS: Final = {Action.STAND: Button.STAND.value, Action.HIT: Button.HIT.value}


def keys(state: State) -> tuple[Key, ...]:
    """What the dealer may press now."""
    if state.kept and (isinstance(state.step, Deal) or state.phase is Phase.BURN):
        return (Key("Kept card dealt", {"do": "deal_kept"}, "Enter", Button.NEXT.value),)
    if state.phase is Phase.ROUND:
        return _round_keys(state.step)
    if state.ledger.scanning or state.must_close:
        return _closing_keys(state)
    if state.phase is Phase.SHUFFLE:
        loaded = Key("Pack loaded", {"do": "load_pack"}, "Enter", Button.NEXT.value)
        through = Key("Run it through", {"do": "scan_pack"}, "r")
        return (loaded,) if state.blind else (loaded, through)
    if state.phase is Phase.CUT:
        made = Key("Cut made", {"do": "cut"}, "Enter", Button.NEXT.value)
        elsewhere = Key("Cut elsewhere", {"do": "cut"}, "n", needs="count")
        return (made,) if state.game.vying else (made, elsewhere)
    if state.phase is Phase.BETTING:
        return _betting_keys(state)
    return ()


#: Whatever else may be pressed: the dealer can always stop the table.
CALL_FLOOR: Final = Key("Call the floor", {"do": "call_floor"}, "c", Button.CALL.value)


def happened_keys(state: State) -> tuple[Key, ...]:
    """What people may say that happened now, likeliest first."""
    found = []
    for reason, number in callable_now(state):
        command: dict[str, str | int | bool] = {"do": "happened", "what": reason.value}
        if number:
            command["round"] = number
        found.append(Key(state.procedures.rows[reason].title, command))
    return tuple(found)


def _round_keys(step: Step | None) -> tuple[Key, ...]:
    if step is None:
        return ()
    seat, hand = step.hand.place
    at: dict[str, str | int | bool] = {"seat": seat, "hand": hand}
    enter = ("Enter", Button.NEXT.value)
    if isinstance(step, Ask | Vie):
        return tuple(_action_key(step, action) for action in choices(step))
    if isinstance(step, Settle):
        return (Key("Done", {"do": "settle", **at}, *enter),)
    if isinstance(step, AddWager):
        return (
            Key("Bet placed", {"do": "confirm_wager", **at}, *enter),
            Key("No bet", {"do": "decline_wager", **at}, "n"),
        )
    if isinstance(step, Reveal):
        if step.card.known:
            return (Key("Turned", {"do": "turn", **at}, *enter),)
        return (Key("Enter the card", {"do": "turn", **at}, "e", needs="card"),)
    if isinstance(step, Peek):
        return (
            Key("No blackjack", {"do": "peek", "natural": False}, "n"),
            Key("Blackjack", {"do": "peek", "natural": True}, "b"),
        )
    return ()


def _closing_keys(state: State) -> tuple[Key, ...]:
    """Adding up a shoe that is over; Next says that it is as the record expects."""
    enter = ("Enter", Button.NEXT.value)
    if state.ledger.scans_pack:
        return (
            Key("All went through", {"do": "load_pack"}, *enter),
            Key("Begin anew", {"do": "scan_pack"}, "b"),
            Key("Counted instead", {"do": "load_pack"}, "n", needs="count"),
        )
    if state.ledger.scanning:
        return (
            Key("All went through", {"do": "close_shoe"}, *enter),
            Key("Begin anew", {"do": "scan_rest"}, "b"),
        )
    scan: dict[str, str | int | bool] = {"do": "scan_rest"}
    if state.setup.reconcile == "scan" and not state.blind:
        return (Key("Run the rest through", scan, *enter),)
    left = state.shoe.left
    return (
        Key(f"{left} cards are left", {"do": "close_shoe", "left": left}, *enter),
        Key("Another number", {"do": "close_shoe"}, "n", needs="count"),
        *(() if state.blind else (Key("Run them through", scan, "r"),)),
    )


def _action_key(step: Ask | Vie, action: Action) -> Key:
    seat, hand = step.hand.place
    command: dict[str, str | int | bool] = {
        "do": "decide", "seat": seat, "hand": hand, "action": action.value,
    }  # fmt: skip
    label, letter = ACTION_WORDS[action], ACTION_KEYS[action]
    if isinstance(step, Vie) and action in (Action.BET, Action.RAISE):
        return Key(
            label, command, letter, needs="amount", low=step.low, high=step.high, chip=step.chip
        )
    if isinstance(step, Vie) and action is Action.CALL:
        label = f"Call {amount_text(step.to_call)}"
    offered = action is step.play.offer
    return Key(label, command, letter, _BUTTONS.get(action, ""), offered=offered)


def _betting_keys(state: State) -> tuple[Key, ...]:
    found: list[Key] = []
    if state.wagers:
        found.append(Key("No more bets", {"do": "close_bets"}, "Enter", Button.NEXT.value))
    if any(seat not in state.wagers for seat in state.last_wagers):
        found.append(Key("Repeat bets", {"do": "repeat_wagers"}, "r", Button.REPEAT.value))
    return tuple(found)
