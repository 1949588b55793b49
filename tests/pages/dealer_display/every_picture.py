"""Every picture that the dealer display may show: holds by keys, alarms, troubles and games.

States are the real table's. What is added to them, a hold, an alarm, a device that fails, is added
as the record would: by facts that evolve the state.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache
from itertools import islice
from typing import Final, NamedTuple

from controller.rules.actions import Place
from controller.rules.cards import card
from controller.rules.games.registry import GAMES
from controller.rules.messages import Amount, Language, Message, Seat, message
from controller.rules.sealed import Sealed
from controller.table import facts as f
from controller.table.alarms import Level
from controller.table.decide.play import held as is_held
from controller.table.evolve.evolve import evolve
from controller.table.growing import changed
from controller.table.inputs import CutShoe, LoadPack
from controller.table.irregularities.holds import Reason, Resolution
from controller.table.queries.available import shown_by_seat
from controller.table.queries.prompts import waits
from controller.table.shoe.recount import SeatCount
from controller.table.state.state import State
from controller.table.views.english import ENGLISH
from controller.table.views.scene import scene
from tests.pages.pictures.moments import FLOOR, MOMENTS, NAMES, moment, started
from tests.pages.pictures.pit import Picture, as_json, safe_view
from tests.support.pit import Pit, opened, setup

CARD: Final = Sealed(card("Kh"), "000001")
_PAYMENTS: Final = tuple(
    message("pay" if seat % 2 else "collect", who=Seat(seat), amount=Amount(1_000_000 * seat))
    for seat in range(1, 8)
)
#: What the table may say at each hold: its longest words.
SAID: Final[dict[Reason, Message]] = {
    Reason.UNREADABLE: message(
        "card-read-differently",
        doubt=message("reading-readers-differ"),
        readers=(
            message("reader-saw", reader="scanner", card=card("Kd")),
            message("reader-could-not-tell", reader="camera"),
        ),
    ),
    Reason.BURN_UNREAD: message("card-not-read", doubt=message("reading-cards-too-close")),
    Reason.HIDDEN_UNREAD: message("hidden-card-not-certain"),
    Reason.IMPOSSIBLE: message("kind-is-gone", card=card("Qd"), count=24),
    Reason.FOREIGN: message("card-is-not-of-this-pack"),
    Reason.EARLY: message("card-left-too-soon", next=message("seat-chooses-first", who=Seat(7))),
    Reason.DRAWN: message("kept-card-goes-first"),
    Reason.OVERDRAWN: message("card-left-too-soon", next=message("round-is-over")),
    Reason.UNEXPECTED: message("card-left-while-held"),
    Reason.TWIN: message("one-or-two-beside-hidden-card"),
    Reason.RECOUNT: message(
        "recount-of-rest", why=message("reader-was-lost", device="scanner"), cards=309
    ),
    Reason.OUT_OF_CARDS: message("all-cards-are-gone"),
    Reason.FLOOR: message("dealer-called-the-floor"),
    Reason.DIFFERENCE: message("round-corrected", round=1204, payments=_PAYMENTS),
    Reason.SHOE_OFF: message(
        "shoe-does-not-add-up",
        shoe=12,
        finding=(
            message("cards-missing", cards=3),
            message("kind-missing", card=card("Qd"), count=2),
            message("cards-never-read-may-be-missing", cards=14),
        ),
    ),
    Reason.PACK_SIZE: message("pack-counted-over", counted=314, size=312, surplus=2),
    Reason.BETS_DIFFER: message(
        "bets-differ-more",
        first=message(
            "bet-of-another-amount", who=Seat(7), chips=Amount(100_000), bet=Amount(98_750)
        ),
        more=6,
    ),
    Reason.LATE_BET: message("late-bet-changed", who=Seat(7)),
    Reason.TAKEN_BACK: message(
        "called-about-decision", hand=Place(7, 1), move=message("insurance")
    ),
    Reason.MISREAD: message("called-about-round", round=1204),
    Reason.NOT_ASKED: message("called-about-last-card", card=card("Td"), hand=Place(7, 2)),
    Reason.FACE_UP: message("called-about-last-card", card=card("Td"), hand=Place(7, 2)),
    Reason.KEPT_REFUSED: message("called-about-kept-card"),
    Reason.WRONG_SPOT: message("called-about-round", round=1204),
    Reason.SKIPPED: message("called-about-round", round=1204),
    Reason.EXPOSED: message("called-about-round", round=1204),
    Reason.PAYOUT: message("called-about-round", round=1204),
    Reason.PAST_POSTING: message("called-about-round", round=1204),
    Reason.PLAYER_LEFT: message("called-about-round", round=1204),
    Reason.DEVICE: message("called-at-the-table"),
    Reason.DAMAGED: message("called-at-the-table"),
    Reason.MISDEAL: message("called-about-round", round=1204),
    Reason.REVISION: message(
        "round-of-another-build", round=1204, rules="seven-twenty-seven/12", build="0.3.1+4f2c"
    ),
}
#: What devices say, one for each sentence that the dealer may read of one.
TROUBLES: Final[dict[str, tuple[str, Message]]] = {
    "scanner unplugged": (
        "scanner", message("port-absent", port="/dev/serial/by-id/usb-Honeywell-if00")
    ),
    "scanner in use": ("scanner", message("port-in-use", port="/dev/ttyACM0")),
    "scanner stopped": ("scanner", message("device-stopped", device="scanner")),
    "scanner babbles": ("scanner", message("readings-not-taken", device="scanner")),
    "not there yet": ("shoe", message("not-connected-yet")),
    "camera unplugged": ("camera", message("camera-silent", silent_ms=1500)),
    "camera covered": ("camera", message("camera-black")),
    "camera dazzled": ("camera", message("camera-overexposed")),
    "camera frozen": ("camera", message("camera-frozen")),
    "camera moved": ("camera", message("camera-cards-larger")),
    "shoe dark": ("camera", message("camera-cards-darker")),
    "lens dirty": ("camera", message("camera-cards-less-sharp")),
    "something there": ("camera", message("camera-shoe-changed")),
    "lights": ("leds", message("guard-absent", device="leds", path="/run/guard", detail="no")),
    "buttons": ("buttons", message("pins-in-use", device="buttons", detail="GPIO17")),
    "button stuck": ("buttons", message("button-stuck", button="repeat")),
    "button chatters": ("buttons", message("button-chatters", button="repeat")),
    "buzzer": ("buzzer", message("pins-failed", device="buzzer", detail="GPIO17")),
    "disk nearly full": (
        "disk", message("disk-nearly-full", folder="/var/lib/tablectl", free_mb=12)
    ),
    "disk full": ("disk", message("disk-full", folder="/var/lib/tablectl")),
    "second copy": (
        "second copy", message("second-copy-device-absent", folder="/media/usb/tablectl")
    ),
    "pictures": ("pictures", message("pictures-cannot-be-kept", folder="/var", detail="ENOSPC")),
}  # fmt: skip
#: The longest, and two at once.
WORST: Final = (("second copy",), ("scanner unplugged", "disk nearly full"))
REFUSALS: Final = (
    message("no-more-bets"),
    message("kind-is-gone", card=card("Qd"), count=24),
    message("round-of-another-setup", round=1204, game="seven-twenty-seven"),
)


class ShownPicture(NamedTuple):
    """A picture, and what it is made of."""

    name: str
    view: Picture


def grown(state: State, *facts: f.Fact) -> State:
    """The state after further facts."""
    for fact in facts:
        record = f.Record(
            state.seq + 1, state.clock.at_ms + 1, state.clock.mono_ns + 1, "test", fact
        )
        state = evolve(state, record, state.rounds.script)
    return state


def held(state: State, reason: Reason) -> State:
    """The table held for that reason."""
    about = (
        state.in_play.number
        if state.in_play
        else state.rounds.latest.number
        if (state.rounds.latest)
        else 0
    )
    called = state.procedures.rows[reason].called
    fact = f.HoldRaised(
        state.counts.holds + 1, reason, SAID[reason], CARD, "scanner", about if called else 0
    )
    return grown(state, fact)


def failing(state: State, *names: str) -> State:
    """Devices are down."""
    return grown(state, *(f.DeviceDown(*TROUBLES[each]) for each in names))


def alarmed(state: State, level: Level, *, acknowledged: bool = False) -> State:
    """Every alarm there is has gone so far; `seen`: the floor knows of it."""
    for each in state.alarms:
        for step in range(each.level + 1, level + 1):
            state = grown(state, f.AlarmEscalated(each.number, Level(step)))
    numbers = tuple(each.number for each in state.alarms)
    return grown(state, f.AlarmAcknowledged(numbers, True, (FLOOR,))) if acknowledged else state


def at_table_with_people(state: State) -> State:
    """The same at a table that knows its people: keys say whom they need."""
    terms = changed(state.terms, {"setup": replace(state.setup, roles=True)})
    return changed(state, {"terms": terms})


# -- where tables stand --


def fresh(name: str) -> Pit:
    return Pit(setup(7, name))


def to_be_cut(name: str) -> Pit:
    pit = fresh(name)
    pit.give(LoadPack())
    return pit


def to_be_burned(name: str) -> Pit:
    pit = to_be_cut(name)
    pit.give(CutShoe())
    return pit


def placed(name: str) -> Pit:
    pit = opened(7, name)
    for seat in range(1, 8):
        pit.bet(seat, 1_000 if pit.state.game.vying else 10_000)
    return pit


def card_ready(name: str) -> Pit:
    """A card that was drawn too early lies ready."""
    pit = placed(name)
    pit.deal("Kh")
    pit.resolve(Resolution.KEEP)
    pit.no_more_bets()
    return pit


def dealing(name: str) -> Pit:
    """The first cards are dealt."""
    return started(name, 7, dict.fromkeys(range(1, 8), 1_000))


BETWEEN: Final = (fresh, to_be_cut, to_be_burned, opened_bets := lambda name: opened(7, name),
                  placed, card_ready, dealing)  # fmt: skip


@cache
def standing() -> dict[str, State]:
    """Where a table of each game may stand, by name."""
    found: dict[str, State] = {}
    for name in GAMES:
        for stands in BETWEEN:
            found[f"{name}, {getattr(stands, '__name__', 'bets')}"] = stands(name).state
    for name in MOMENTS:
        found[name] = moment(name).state
    return found


#: The fullest felt of each game, and a table between rounds: what holds are laid over.
FULLEST: Final = {
    "21-24-27": "21-24-27, dealing",
    "finnish-27": "fourteen_hands",
    "casino-7-27": "low_cards_raised",
    "blackjack": "fourteen_insured",
    "seven-twenty-seven": "ten_show",
}
LEVELS: Final = (
    (Level.RAISED, False), (Level.DEALER, False), (Level.FLOOR, False), (Level.PIT, False),
    (Level.FLOOR, True),
)  # fmt: skip


def pictures(
    *, full: bool, language: Language = ENGLISH, first: int = 0, every: int = 1
) -> Iterator[ShownPicture]:
    """A covering sample, or the full product of holds, keys, alarms, troubles and games.

    Of these each `every`-th from `first` on: what is not looked at is not drawn.
    """
    texts: set[str] = set()
    for name, state in islice(_states(full=full), first, None, every):
        for note, more in _marks(full):
            view = as_json(scene(state, NAMES).drawn_in(language)[0]) | more
            text = json.dumps(view | {"seq": 0}, sort_keys=True)
            if text not in texts:
                texts.add(text)
                yield ShownPicture(f"{name}{note}", view)
    yield ShownPicture("safe", safe_view())


def fullest() -> tuple[ShownPicture, ...]:
    """Those with most to say: recounts that differ at every seat, called about and refused."""
    found = []
    for name, moment_name in FULLEST.items():
        for title, state in _counts(name, standing()[moment_name]):
            if state.setup.roles and "refused" in title:
                found.append(ShownPicture(title, as_json(scene(state, NAMES).dealer)))
    down = pressed_in_vain(alarmed(failing(moment("lights_down").state, *WORST[1]), Level.FLOOR))
    others = {
        "lights_down": moment("lights_down").state,
        "from_the_pot": moment("from_the_pot").state,
        "three devices down, refused": down,
    }
    return (
        *found,
        *(
            ShownPicture(title, as_json(scene(each, NAMES).dealer))
            for title, each in others.items()
        ),
    )


def _marks(full: bool) -> Iterable[tuple[str, Picture]]:
    return (("", {"simulated": True}),)


def _states(*, full: bool) -> Iterator[tuple[str, State]]:
    yield from standing().items()
    for name, state in standing().items():
        if full or name in FULLEST.values():
            for refused in REFUSALS:
                yield f"{name}, refused", grown(state, f.Refused("press", refused))
    for game_at, name in enumerate(FULLEST):
        state = standing()[FULLEST[name]]
        between = standing()[f"{name}, placed"]
        for number, trouble in enumerate(TROUBLES):
            if full or number % len(FULLEST) == game_at:
                down = failing(state, trouble)
                yield f"{name}, {trouble}", down
                yield f"{name}, {trouble}, called", alarmed(down, Level.FLOOR)
        yield from _counts(name, state)
        for at, reason in enumerate(Reason):
            for where, people in ((state, False), (state, True), (between, True)):
                base = held(at_table_with_people(where) if people else where, reason)
                title = f"{name}, {reason.value}, {'people' if people else 'alone'}"
                yield title, base
                yield from _under(title, base, at + game_at, full)


def _under(title: str, base: State, at: int, full: bool) -> Iterator[tuple[str, State]]:
    """A hold under every alarm, trouble and refused press; in the sample, one of each in turn."""
    combined = [
        (level, acknowledged, troubles, refused)
        for refused, levels in ((False, LEVELS), (True, (LEVELS[0], LEVELS[2])))
        for level, acknowledged in levels
        for troubles in ((), *WORST)
    ]
    for number, (level, acknowledged, troubles, refused) in enumerate(combined):
        if full or number % 7 == at % 7:
            state = alarmed(failing(base, *troubles), level, acknowledged=acknowledged)
            said = f"{title}, {level.name}{' seen' if acknowledged else ''}, {', '.join(troubles)}"
            if refused:
                yield f"{said}, refused", pressed_in_vain(state)
            else:
                yield said, state


def pressed_in_vain(state: State) -> State:
    """A button was pressed while the table waits for something else, and was refused."""
    return grown(state, f.Refused("press", is_held(state) if state.holds else waits(state)))


def _counts(name: str, state: State) -> Iterator[tuple[str, State]]:
    """A recount as it goes on: cards left unseen, a count that differs, then one at every seat."""
    unseen = grown(held(state, Reason.RECOUNT), *[f.CardLeftUnread("scanner")] * 12)
    hold = unseen.holds[0].number
    counted = f.ResolutionChosen(hold, Resolution.COUNT)
    differs = grown(unseen, counted, f.FeltCounted(hold, 12, state.cards_shown))
    seats = tuple(
        SeatCount(seat, cards + 1, cards) for seat, cards in sorted(shown_by_seat(state).items())
    )
    total = sum(each.cards for each in seats)
    apart = grown(unseen, counted, f.FeltCounted(hold, total, state.cards_shown, seats))
    for title, base in (("unseen", unseen), ("differs", differs), ("apart", apart)):
        for people in (base, at_table_with_people(base)):
            called = alarmed(people, Level.FLOOR)
            yield f"{name}, {title}, {'people' if people is not base else 'alone'}", people
            yield f"{name}, {title}, called, {people.setup.roles}", called
            yield f"{name}, {title}, called, refused, {people.setup.roles}", pressed_in_vain(called)
