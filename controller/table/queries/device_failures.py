"""What the dealer reads of a device that does not work: what it is, and what to do with hands.

The technician's words (paths, sections of the configuration, what a driver said) stand on the
status page and in the log, never on the dealer's display.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from controller.devices.inputs import Button
from controller.rules.messages import Message, message
from controller.table.state.state import State


class Failure(NamedTuple):
    """What is wrong with a device, and what the dealer does about it."""

    what: Message
    remedy: Message

    @property
    def sentence(self) -> Message:
        """Both in one line."""
        return message("trouble", what=self.what, remedy=self.remedy)


#: The release that runs, as a device; a checkout has none.
SOFTWARE: Final = "software"

_TELL: Final = message("tell-the-floor")
_PLAY_ON: Final = message("play-goes-on-tell-the-floor")
_CALL: Final = message("call-the-floor-technician")
_LOOK_AT_DISPLAY: Final = message("go-by-this-display")
_CAMERA_CABLE: Final = Failure(
    message("camera-gives-no-picture"), message("check-the-cable", device=message("the-camera"))
)
_LENS: Final = Failure(message("camera-sees-nothing"), message("uncover-the-lens"))
_SHOE_LIGHT: Final = Failure(message("camera-light-is-wrong"), message("look-after-the-shoe-light"))
_CAMERA_MOVED: Final = Failure(message("camera-has-moved"), _TELL)
_COPY: Final = Failure(message("second-copy-is-not-kept"), _PLAY_ON)
_COPY_AHEAD: Final = Failure(
    message("record-lost-a-part"), message("finish-the-round-call-the-floor")
)
_DAY_DAMAGED: Final = Failure(message("earlier-record-is-damaged"), _PLAY_ON)
_ON_TRIAL: Final = Failure(message("software-is-tried"), message("wait-a-moment"))
_USE_KEYS: Final = message("use-the-keys-here")
_NO_RECORD: Final = Failure(message("record-cannot-be-kept"), message("call-the-floor-now"))

#: By what a device said. What is not here goes by the device, or is a technician's.
_BY_CODE: Final[dict[str, Failure]] = {
    "camera-device-absent": _CAMERA_CABLE,
    "camera-absent": _CAMERA_CABLE,
    "camera-does-not-answer": _CAMERA_CABLE,
    "camera-stream-nobody": _CAMERA_CABLE,
    "camera-stream-silent": _CAMERA_CABLE,
    "picamera-none": _CAMERA_CABLE,
    "camera-cannot-open": _CAMERA_CABLE,
    "camera-no-frame": _CAMERA_CABLE,
    "camera-silent": _CAMERA_CABLE,
    "camera-frame-broken": _CAMERA_CABLE,
    "camera-black": _LENS,
    "camera-overexposed": Failure(
        message("camera-is-dazzled"), message("take-the-light-out-of-the-camera")
    ),
    "camera-frozen": Failure(message("camera-picture-stands-still"), message("replug-the-camera")),
    "camera-cards-brighter": _SHOE_LIGHT,
    "camera-cards-darker": _SHOE_LIGHT,
    "camera-shoe-brighter": _SHOE_LIGHT,
    "camera-shoe-darker": _SHOE_LIGHT,
    "camera-cards-less-sharp": Failure(
        message("camera-is-not-sharp"), message("wipe-the-lens")
    ),
    "camera-cards-larger": _CAMERA_MOVED,
    "camera-cards-smaller": _CAMERA_MOVED,
    "camera-shoe-changed": Failure(
        message("something-before-the-camera"), message("take-it-away")
    ),
    "disk-nearly-full": Failure(
        message("record-disk-is-nearly-full"), message("finish-the-round-call-the-floor")
    ),
    "disk-read-only": _NO_RECORD,
    "disk-full": _NO_RECORD,
    "disk-cannot-be-written": _NO_RECORD,
    "software-on-trial": _ON_TRIAL,
    "software-changed": Failure(
        message("software-was-changed"), message("finish-the-round-call-the-floor")
    ),
    "software-not-compared": Failure(
        message("software-is-not-checked"), message("finish-the-round-call-the-floor")
    ),
    "software-went-back": Failure(message("software-is-the-old-one"), _PLAY_ON),
    "pictures-too-many": Failure(message("card-pictures-are-not-kept"), _PLAY_ON),
    "pictures-cannot-be-kept": Failure(message("card-pictures-are-not-kept"), _PLAY_ON),
    "second-copy-behind": _COPY,
    "second-copy-device-absent": _COPY,
    "second-copy-cannot-be-written": _COPY,
    "second-copy-failed": _COPY,
    "second-copy-ahead": _COPY_AHEAD,
    "second-copy-of-another-history": _COPY,
    "second-copy-in-use": _COPY,
    "second-copy-newer": _COPY,
    "second-copy-damaged": _COPY,
    "second-copy-of-damaged-record": _DAY_DAMAGED,
    "closed-day-damaged": _DAY_DAMAGED,
    "closed-day-not-signed": _DAY_DAMAGED,
}  # fmt: skip
_LIGHTS: Final = frozenset({"leds", "strip", "i2c_leds", "sacn", "dmx"})
_BUTTONS: Final = frozenset({"buttons", "i2c_buttons"})
#: What the dealer calls a button, by what it means.
_BUTTON_NAMES: Final = {
    Button.NEXT.value: message("button-next"),
    Button.STAND.value: message("button-stand"),
    Button.HIT.value: message("button-hit"),
    Button.REPEAT.value: message("button-repeat"),
    Button.CALL.value: message("button-call"),
}
#: What is pressed beside the display's own keys, and what shows beside it.
_KEYS: Final = frozenset({"keypad", "pedal", "stream_deck"})
_DISPLAYS: Final = frozenset({"oled", "pole_display"})
#: By the device, whatever is wrong with it.
_OF_THE_TABLE: Final[dict[str, Failure]] = {
    **dict.fromkeys(_LIGHTS, Failure(message("spot-lights-do-not-work"), _LOOK_AT_DISPLAY)),
    **dict.fromkeys(_BUTTONS, Failure(message("buttons-do-not-work"), _USE_KEYS)),
    "buzzer": Failure(message("buzzer-does-not-work"), _LOOK_AT_DISPLAY),
    "bet_spots": Failure(message("bet-spots-do-not-sense"), _PLAY_ON),
}
#: What languages have a name for, by the section.
_NAMED: Final = _LIGHTS | _BUTTONS | _KEYS | _DISPLAYS | {"bet_spots"}
#: Opened again by themselves: there is nothing to do but wait.
_COMES_BACK: Final = frozenset({"device-stopped", "device-failed", "frame-reader-failed"})
_NOT_YET: Final = frozenset({"not-connected-yet", "device-not-connected-yet"})
#: What a hand at the cable mends.
_CABLE: Final = frozenset({
    "port-absent", "port-lost", "port-cannot-open", "device-does-not-answer", "node-absent",
    "node-lost", "scanner-does-not-answer", "driver-does-not-answer",
})  # fmt: skip


def trouble(device: str, why: Message) -> Failure:
    """What the dealer reads of `device`, which is down for the reason `why`."""
    if why.code in _BY_CODE:
        return _BY_CODE[why.code]
    if why.code in ("button-stuck", "button-chatters"):
        button = _BUTTON_NAMES.get(str(why["button"]), why["button"])
        if why.code == "button-stuck":
            return Failure(message("button-stays-pressed", button=button), message("free-it"))
        return Failure(message("button-does-not-work", button=button), _USE_KEYS)
    if device in _OF_THE_TABLE:
        return _OF_THE_TABLE[device]
    if why.code in ("device-babbles", "device-babbled"):
        return Failure(
            message("device-repeats-itself", device=device_name(device)),
            message("replug-the-camera"),
        )
    name = device_name(device)
    if why.code in _NOT_YET:
        return Failure(message("device-has-not-reported", device=name), message("wait-a-moment"))
    if why.code in _COMES_BACK:
        return Failure(message("device-has-stopped", device=name), message("it-starts-again"))
    if device in _KEYS:
        if why.code in _CABLE:
            return Failure(message("device-is-silent", device=name), _USE_KEYS)
        return Failure(message("device-does-not-work", device=name), _USE_KEYS)
    if device in _DISPLAYS:
        return Failure(message("device-does-not-work", device=name), _PLAY_ON)
    if why.code in _CABLE:
        silent = message("device-is-silent", device=name)
        if device == "shoe":
            return Failure(silent, message("check-the-cable-of", device=name))
        return Failure(silent, message("check-the-cable", device=name))
    if why.code == "readings-not-taken":
        return Failure(message("cards-were-missed", device=name), message("compare-the-cards"))
    return Failure(message("device-does-not-work", device=name), _CALL)


def device_name(device: str) -> Message | str:
    """A device as a dealer calls it; one of a driver that is not ours by its own name."""
    if device == "scanner":
        return message("the-scanner")
    if device == "camera":
        return message("the-camera")
    if device == "shoe":
        return message("the-shoe-reader")
    if device == "beam":
        return message("the-exit-beam")
    return plain_name(device)


def plain_name(device: str) -> str:
    """A device that is named by its section; that of a driver of somebody else as words."""
    return device if device in _NAMED else device.replace("_", " ")


def lost_reader(state: State) -> Failure | None:
    """The card source for which the table is blind now, as the dealer reads of it."""
    for name in state.run.card_sources:
        why = state.run.devices.get(name, message("not-connected-yet"))
        if why is not None:
            return trouble(name, why)
    return None


def no_card_can_be_read(state: State) -> Message | None:
    """The refusal of what takes cards while a reader is lost: what the dealer does about it."""
    lost = lost_reader(state)
    return message("no-card-can-be-read", why=lost.sentence) if lost else None


#: What is wrong with the software that lets no further round begin.
_NO_ROUND: Final = frozenset({"software-changed", "software-not-compared"})


def on_trial(state: State) -> Message | None:
    """Why nothing is played: new software is being tried. None where it is not."""
    software = state.run.devices.get(SOFTWARE)
    tried = software is not None and software.code == "software-on-trial"
    return message("no-play-on-trial", why=_ON_TRIAL.sentence) if tried else None


def no_round_by_this_software(state: State) -> Message | None:
    """The refusal of a round while the software is not what was installed."""
    software = state.run.devices.get(SOFTWARE)
    if software is None or software.code not in _NO_ROUND:
        return None
    return message("no-round-by-this-software", why=trouble(SOFTWARE, software).sentence)


def reported(state: State) -> Iterator[tuple[str, Message | None]]:
    """Each device and why it is down, None while it works; one that has not come up yet is down."""
    for name in dict.fromkeys((*state.run.card_sources, *state.run.devices)):
        yield name, state.run.devices.get(name, message("not-connected-yet"))
