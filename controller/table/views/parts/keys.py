"""What the dealer may press now: the keys of the display, with the commands that they send."""

from __future__ import annotations

from typing import Final

from controller.devices.displays import Key
from controller.devices.inputs import Button
from controller.rules.actions import Action
from controller.rules.messages import Amount, message
from controller.rules.script.steps import AddWager, Ask, Deal, Peek, Reveal, Settle, Step, Vie
from controller.table.irregularities.holds import Reason
from controller.table.queries.available import callable_now
from controller.table.queries.step_prompts import choices
from controller.table.queries.wagers import to_repeat
from controller.table.queries.windows import bets_are_open, bets_to_open
from controller.table.state.phases import Phase
from controller.table.state.state import State
from controller.table.views.english import say, say_value

_BUTTONS: Final = {Action.STAND: Button.STAND.value, Action.HIT: Button.HIT.value}
#: Keys of a keyboard; `c` calls the floor, whatever the game.
ACTION_KEYS: Final[dict[Action, str]] = {
    Action.STAND: "s",
    Action.HIT: "h",
    Action.DOUBLE: "d",
    Action.SPLIT: "p",
    Action.SURRENDER: "r",
    Action.STAY_LOW: "l",
    Action.STAY_HIGH: "s",
    Action.INSURANCE: "i",
    Action.NO_INSURANCE: "n",
    Action.PASS: "p",
    Action.BET: "b",
    Action.CALL: "a",
    Action.RAISE: "r",
    Action.FOLD: "f",
    Action.CARD: "d",
    Action.NO_CARD: "n",
}


def keys(state: State) -> tuple[Key, ...]:
    """What the dealer may press now."""
    if state.aftermath.kept_cards and (isinstance(state.step, Deal) or state.phase is Phase.BURN):
        burning = state.phase is Phase.BURN
        label = message("key-kept-card-burned") if burning else message("key-kept-card-dealt")
        return (Key(say(label), {"do": "deal_kept"}, "Enter", Button.NEXT.value),)
    if state.phase is Phase.ROUND:
        return _round_keys(state.step)
    if state.ledger.scanning or state.must_close:
        return _closing_keys(state)
    if state.phase is Phase.SHUFFLE:
        loaded = Key(
            say(message("key-pack-loaded")), {"do": "load_pack"}, "Enter", Button.NEXT.value
        )
        through = Key(say(message("key-run-it-through")), {"do": "scan_pack"}, "r")
        return (loaded,) if state.run.blind else (loaded, through)
    if state.phase is Phase.CUT:
        made = Key(say(message("key-cut-made")), {"do": "cut"}, "Enter", Button.NEXT.value)
        elsewhere = Key(say(message("key-cut-elsewhere")), {"do": "cut"}, "n", needs="count")
        return (made,) if state.game.vying else (made, elsewhere)
    if state.phase is Phase.BETTING:
        return _betting_keys(state)
    return ()


def note_keys(state: State) -> tuple[Key, ...]:
    """The key by which the dealer says that the pit's oldest message has been read.

    While the table is held, its keys are those of the hold.
    """
    notes = () if state.holds else state.pit.notes[:1]
    label = say(message("key-message-read"))
    return tuple(Key(label, {"do": "read_note", "note": each.seq}, "m") for each in notes)


def note_text(state: State) -> str:
    """The pit's oldest message that nobody has read; empty where there is none."""
    if not state.pit.notes:
        return ""
    note = state.pit.notes[0]
    if note.amount is not None:
        return say(message("pit-fill-comes", amount=Amount(note.amount)), state.words)
    return say(message("pit-says", text=note.text), state.words)


def call_floor_key() -> Key:
    """Whatever else may be pressed: the dealer can always stop the table."""
    label = say(message("key-call-the-floor"))
    return Key(label, {"do": "call_floor"}, "c", Button.CALL.value)


def happened_keys(state: State) -> tuple[Key, ...]:
    """What people may say that happened now, likeliest first."""
    found = []
    for reason, number in callable_now(state):
        if reason is Reason.EXPOSED and not state.game.hides:
            continue  # nothing is said of hidden cards where none lies face down
        command: dict[str, str | int | bool] = {"do": "happened", "what": reason.value}
        if number:
            command["round"] = number
        found.append(Key(say(state.procedures.rows[reason].title), command))
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
        return (Key(say(message("key-done")), {"do": "settle", **at}, *enter),)
    if isinstance(step, AddWager):
        return (
            Key(say(message("key-bet-placed")), {"do": "confirm_wager", **at}, *enter),
            Key(say(message("key-no-bet")), {"do": "decline_wager", **at}, "n"),
        )
    if isinstance(step, Reveal):
        if step.card.known:
            return (Key(say(message("key-turned")), {"do": "turn", **at}, *enter),)
        return (Key(say(message("key-enter-the-card")), {"do": "turn", **at}, "e", needs="card"),)
    if isinstance(step, Peek):
        return (
            Key(say(message("key-no-blackjack")), {"do": "peek", "natural": False}, "n"),
            Key(say(message("key-blackjack")), {"do": "peek", "natural": True}, "b"),
        )
    return ()


def _closing_keys(state: State) -> tuple[Key, ...]:
    """Adding up a shoe that is over; Next says that it is as the record expects."""
    enter = ("Enter", Button.NEXT.value)
    if state.ledger.scans_pack:
        return (
            Key(say(message("key-all-went-through")), {"do": "load_pack"}, *enter),
            Key(say(message("key-begin-anew")), {"do": "scan_pack"}, "b"),
            Key(say(message("key-counted-instead")), {"do": "load_pack"}, "n", needs="count"),
        )
    if state.ledger.scanning:
        return (
            Key(say(message("key-all-went-through")), {"do": "close_shoe"}, *enter),
            Key(say(message("key-begin-anew")), {"do": "scan_rest"}, "b"),
        )
    scan: dict[str, str | int | bool] = {"do": "scan_rest"}
    if state.setup.reconcile == "scan" and not state.run.blind:
        return (Key(say(message("key-run-the-rest-through")), scan, *enter),)
    through = () if state.run.blind else (Key(say(message("key-run-them-through")), scan, "r"),)
    if state.setup.blind_counts:
        counts = Key(
            say(message("key-cards-counted")), {"do": "close_shoe"}, "Enter", needs="count"
        )  # fmt: skip
        return (counts, *through)
    left = state.shoe.left
    return (
        Key(
            say(message("key-cards-are-left", left=left)),
            {"do": "close_shoe", "left": left},
            *enter,
        ),
        Key(say(message("key-another-number")), {"do": "close_shoe"}, "n", needs="count"),
        *through,
    )


def _action_key(step: Ask | Vie, action: Action) -> Key:
    seat, hand = step.hand.place
    command: dict[str, str | int | bool] = {
        "do": "decide", "seat": seat, "hand": hand, "action": action.value,
    }  # fmt: skip
    label, letter = say_value(action), ACTION_KEYS[action]
    if isinstance(step, Vie) and action in (Action.BET, Action.RAISE):
        return Key(
            label, command, letter, needs="amount", low=step.low, high=step.high, chip=step.chip,
            to_call=step.to_call,
        )  # fmt: skip
    if isinstance(step, Vie) and action is Action.CALL:
        label = say(message("key-call", amount=Amount(step.to_call)))
    offered = action is step.play.offer
    return Key(label, command, letter, _BUTTONS.get(action, ""), offered=offered)


def _betting_keys(state: State) -> tuple[Key, ...]:
    if bets_to_open(state):
        label = say(message("key-open-bets"))
        return (Key(label, {"do": "open_bets"}, "Enter", Button.NEXT.value),)
    found: list[Key] = []
    if state.betting.wagers:
        found.append(
            Key(say(message("key-no-more-bets")), {"do": "close_bets"}, "Enter", Button.NEXT.value)
        )
    if to_repeat(state) and bets_are_open(state):
        found.append(
            Key(say(message("key-repeat-bets")), {"do": "repeat_wagers"}, "r", Button.REPEAT.value)
        )
    return tuple(found)
