"""English: the words of what devices say, for displays, the command line and logs."""

from __future__ import annotations

from typing import Final

from controller.rules.english import write
from controller.rules.messages import Catalogue, Language

READINGS: Final[Catalogue] = {
    "reading-reader-away": "a card left the shoe while its reader was away",
    "reading-no-code": "a card left the shoe but no code was read",
    "reading-code-garbled": "the code was garbled",
    "reading-code-unknown": "the code is not in the code book",
    "reading-code-wrong-symbology": "the code is of a kind that this deck does not use",
    "reading-code-too-long": "the scanner sent more than a code can hold",
    "reading-codes-conflict": "two different codes were read while one card passed",
    "reading-cards-too-close": "two cards left too close together to tell which code is whose",
    "reading-beam-stuck": "the exit of the shoe stayed covered too long",
    "reading-cut-card": "it is the cut card, which is no card of the pack",
    "reading-one-reader-only": "only one of scanner and camera could tell the card",
    "reading-readers-differ": "scanner and camera read different cards",
    "reading-card-hardly-seen": "the camera saw too little of the card",
    "reading-card-not-recognised": "the camera could not tell the card",
    "reading-image-poor": "the picture of the card was too dark, too bright or blurred",
    "reading-several-cards": "the camera saw more than one card at a time, or fingers over it",
    "reading-no-index": "the camera saw a back, or a card without an index that it knows",
    "reading-index-foreign": "the index is none of this deck's",
    "reading-light-not-of-cards": (
        "what lay there is not lit as the cards of this shoe are: a screen, perhaps, or a lamp on"
        " it alone; if real cards are refused so, calibrate the camera again"
    ),
    "reading-frames-differ": "the camera read two different cards while one passed",
    "reading-view-blocked": "something stayed in the camera's picture too long",
    "frame-no-image": "the picture is no 8-bit picture of 64 to 4096 pixels a side",
    "frame-no-card": "no card in the picture",
    "frame-card-cut-off": "the card is not wholly in the picture",
    "frame-edge-covered": "an edge of the card is covered or not straight",
    "frame-not-of-card-size": "what lies there is not of a card's size where the cards lie",
    "frame-not-paper": "what lies there is no white card",
    "frame-blurred": "the picture is not sharp enough",
    "frame-other-index-style": "the index is of the style that this table does not use",
    "frame-other-deck": "the card is not of the calibrated deck",
    "frame-index-unsure": "the index cannot be read with certainty",
    "frame-corners-differ": "the two corners do not agree",
    "frame-votes-differ": "index, face and deck do not agree on one card",
    "frame-ink-colour": "the colour of the ink does not fit the suit",
    "frame-code-differs": "the printed code and the index do not agree",
}

CAMERA: Final[Catalogue] = {
    "camera-cards-brighter": "the cards are brighter than at calibration: look after the shoe's"
    " light; then calibrate the camera again if this goes on",
    "camera-cards-darker": "the cards are darker than at calibration: look after the shoe's light;"
    " then calibrate the camera again if this goes on",
    "camera-cards-less-sharp": "the cards are less sharp than at calibration: clean the lens; then"
    " calibrate the camera again if this goes on",
    "camera-cards-larger": "the cards are larger than at calibration: the camera has moved; then"
    " calibrate the camera again if this goes on",
    "camera-cards-smaller": "the cards are smaller than at calibration: the camera has moved; then"
    " calibrate the camera again if this goes on",
    "camera-shoe-brighter": "the shoe is brighter than at calibration: look after its light",
    "camera-shoe-darker": "the shoe is darker than at calibration: look after its light",
    "camera-shoe-changed": "the shoe does not look as at calibration: take away what lies before"
    " the camera, clean the lens, put the camera back; then calibrate the camera again if this"
    " goes on",
}

_CAMERA_CHECK: Final = "check its cable and [camera] source, and that no other program has it"

FAILURES: Final[Catalogue] = {
    "device-stopped": "the {device} stopped by itself: it is opened again",
    "device-failed": "the {device} failed unexpectedly ({detail}): it is opened again by itself; if"
    " this goes on, unplug it, plug it in again and call the technician",
    "driver-does-not-answer": "the {device} does not answer: its driver is still at it. Unplug the"
    " device and plug it in again; call the technician if this goes on",
    "readings-not-taken": "the table did not take what the {device} saw for too long: compare the"
    " cards on the felt with the display",
    "pins-in-use": "the pins of the {device}: {detail}. Give every device its own pins",
    "pins-failed": "the pins of the {device} failed: {detail}. Check the wiring and the pins in"
    " [{device}], and that no other program uses them",
    "device-babbles": "more comes from the {device} than people can do, or the same again and"
    " again: unplug it and plug it in again; call the technician if this goes on",
    "device-babbled": "{count:input|inputs} from the {device} cannot have been cards or presses"
    " and were left out: compare the cards on the felt with the display",
    "button-chatters": "the {button} button chatters: check its contact and wiring",
    "button-stuck": "the {button} button stays pressed: free it; until then use the display's keys",
    "lights-not-for-all-seats": "there are {lights} lights for {seats} seats: give [leds] one [red,"
    " green, blue] for each seat",
    "guard-absent": "the guard that has the pins of the {device} is not at {path} ({detail}): start"
    " it (systemctl start tablectl-guard)",
    "guard-gone": "the guard that has the pins of the {device} is gone: it is started again by"
    " itself; if not, call the technician (systemctl restart tablectl-guard)",
    "guard-silent": "the guard that has the pins of the {device} does not answer: call the"
    " technician (systemctl restart tablectl-guard)",
    "guard-refused": "the guard of the lights refused this: {detail}",
    "port-absent": "{port} is not there: plug the scanner in, or correct `port` in [scanner]",
    "port-in-use": "{port} is in use by another program: stop that program",
    "port-denied": "{port} may not be opened: add the service's user to the group dialout",
    "port-not-serial": "{port} is not a serial port: correct `port` in [scanner]",
    "port-cannot-open": "{port} cannot be opened ({detail}): plug the scanner out and in again",
    "port-refuses-settings": "{port} does not take {baud} baud, {bytesize} data bits, parity"
    " {parity}, {stopbits} stop bits: set [scanner] as in the scanner's manual",
    "port-lost": "{port} went away while in use: check the scanner's plug and cable; it is opened"
    " again by itself",
    "scanner-does-not-answer": "the scanner at {port} does not answer as one of protocol"
    " {protocol}: scan its manual's set-up codes for that (of SSI: with packeted decode data), or"
    " write what it speaks as `protocol` in [scanner]",
    "scanner-refuses": "the scanner at {port} does not take {setting}: write what its manual has,"
    " or another `protocol`, in [scanner]",
    "beam-sees-no-card": "codes of several cards were read and none came into the beam of {device}:"
    " clean the beam, look at its wire, and compare the cards on the felt with the display",
    "scanner-keys-lost": "keys that the scanner at {path} typed were lost in this machine: compare"
    " the cards on the felt with the display",
    "keys-lost": "keys of {path} were lost in this machine: press them again",
    "node-absent": "{path} is not there: plug it in, or correct its path in [{section}]",
    "node-denied": "{path} may not be opened: give it to a group of the service's user by a udev"
    " rule (systemd/udev/99-tablectl.rules)",
    "node-in-use": "{path} is in use by another program: stop that program",
    "node-of-another-kind": "{path} is another kind of device: correct its path in [{section}]",
    "node-cannot-open": "{path} cannot be opened ({detail}): plug it out and in again",
    "node-lost": "{path} went away while in use ({detail}): check its plug, its cable and"
    " [{section}]; it is opened again by itself",
    "spot-reader-silent": "the reader at {port} does not answer: check its cable, its supply, its"
    " switches, and `interface` and `ports` in [bet_spots]",
    "spot-reader-other-chip": "what answers at {port} is another chip: correct `ports` in"
    " [bet_spots]",
    "spot-reader-confused": "the reader at {port} gave an answer that cannot be ({detail}): check"
    " its cable; it is opened again by itself",
    "spi-node-absent": "{path} is not there: switch SPI on (raspi-config, Interface Options), give"
    " the bus as many selects (dtoverlay), or correct the path in [{section}]",
    "spi-absent": "{path} is not there: switch SPI on (raspi-config, Interface Options), or correct"
    " `device` in [strip]",
    "spi-denied": "{path} may not be opened: add the service's user to the group spi",
    "spi-in-use": "{path} is in use by another program: stop that program",
    "spi-failed": "the lights on {path} failed ({detail}): check `device` in [strip] and the bus",
    "i2c-absent": "{path} is not there: switch I2C on (raspi-config, Interface Options), or correct"
    " `bus` in [{section}]",
    "i2c-denied": "{path} may not be opened: add the service's user to the group i2c",
    "i2c-in-use": "a chip of [{section}] on {path} is in use by another program, or stands in two"
    " sections: stop that program, or correct the address",
    "i2c-no-bus": "{path} is no I2C bus: correct `bus` in [{section}]",
    "i2c-other-chip": "a chip of [{section}] on {path} is not as it was set up: it lost its power,"
    " or is another kind of chip. Check its supply and its address; it is opened again by itself",
    "i2c-no-answer": "a chip of [{section}] on {path} does not answer ({detail}): check its"
    " address, its wires and its supply (i2cdetect -y 1)",
    "sacn-in-use": "another program of this machine lights universe {universe}: stop it, or correct"
    " [sacn]",
    "sacn-failed": "the lights at {address} cannot be sent to ({detail}): check the network, and"
    " `host` and `via` in [sacn]",
    "dmx-not-a-pro": "what is at {port} does not answer as a DMX USB Pro does: correct `port` in"
    " [dmx], or take an interface that sends by itself (no Open DMX)",
    "dmx-silent": "the DMX interface at {port} answers no more: check its plug, its cable and its"
    " supply; it is opened again by itself",
    "port-is-keyboard": '{port} types like a keyboard: write protocol = "keyboard" in [scanner],'
    " or scan the manual's set-up code for USB serial (COM port, CDC) and give its serial port",
    "camera-in-use": "the camera is in use by another program of this table: stop the service"
    " before calibrating, or the calibration before dealing",
    "camera-file-absent": "there is no file {file}: change [camera] source",
    "camera-device-absent": "there is no camera at {path}: plug it in, or change [camera] source",
    "camera-device-denied": "the service may not open {path}: add its user to the group video and"
    " start it again",
    "camera-device-in-use": "another program has {path} open: end it (`fuser {path}` names it)",
    "camera-no-video-device": "{path} is no camera: choose one of `v4l2-ctl --list-devices` as"
    " [camera] source",
    "camera-no-pictures": "{path} gives no pictures: a camera has several devices, and this one is"
    " for something else; choose the one whose name ends in -index0",
    "camera-stream-refused": "the camera's address answers with status {status}: check the path in"
    " [camera] source, and whether it asks for a password",
    "camera-stream-kind": "the camera's address answers with {kind}, which is no MJPEG stream"
    " (multipart/x-mixed-replace): put the stream's own address into [camera] source",
    "camera-stream-nobody": "nothing listens at the camera's address: switch the camera on, and"
    " check the port in [camera] source",
    "camera-stream-no-host": "the camera's host name is unknown: check [camera] source, or write"
    " its IP address",
    "camera-stream-silent": "the camera's address does not answer in time: check its network cable"
    " and its address in [camera] source; on a table that runs as a service also IPAddressAllow",
    "camera-absent": f"the camera is not there, or gives no picture: {_CAMERA_CHECK}",
    "camera-does-not-answer": f"the camera does not answer: {_CAMERA_CHECK}",
    "camera-cannot-open": f"the camera cannot be opened ({{code}}): {_CAMERA_CHECK}",
    "camera-no-frame": f"the camera was lost: no frame came; {_CAMERA_CHECK}",
    "camera-silent": f"the camera was lost: no frame came for {{silent_ms}} ms; {_CAMERA_CHECK}",
    "camera-frame-broken": f"the camera was lost: a frame could not be decoded; {_CAMERA_CHECK}",
    "camera-frames-late": "the camera's frames come late: fewer than the {fps} a second of [camera]"
    " fps. Write how many it gives, or give the machine less to do",
    "camera-frame-size": "the camera gives {width}x{height}, not {wanted_width}x{wanted_height}:"
    " choose a size that it has as width and height of [camera], and calibrate it again",
    "camera-setting-not-kept": "the camera does not keep its {setting}: {wanted} was set, {got} is"
    " read back. Calibrate the camera again, or leave {setting} out of [camera] where it has none",
    "camera-stays-automatic": "the camera keeps its automatic {setting}: this camera cannot be"
    " locked. Use another one: cards would be read in changing light",
    "camera-black": "the camera sees nothing: its picture is black: uncover the lens and switch the"
    " light of the shoe on",
    "camera-overexposed": "the camera sees nothing: its picture is white: something shines into it,"
    " or its exposure is not locked",
    "camera-frozen": "the camera sees nothing: its picture stands still: unplug the camera and plug"
    " it in again",
    "frame-reader-failed": "the reader of the {device} failed ({detail}): it is opened again by"
    " itself; if this goes on, call the technician",
    "picamera-missing": 'source is "csi", but picamera2 is not installed: run `apt install'
    " python3-picamera2`, and make the environment with system site packages",
    "picamera-incomplete": 'source is "csi", but picamera2 lacks {module}: run `apt install'
    " python3-picamera2` again, and make the environment with system site packages",
    "picamera-for-numpy-1": "picamera2 of this system (Debian 12) was built for numpy 1: install"
    " that in the service's environment (`pip install 'numpy<2'`)",
    "picamera-for-numpy-2": "picamera2 of this system was built for numpy 2: install that in the"
    " service's environment (`pip install 'numpy>=2'`)",
    "picamera-none": "no camera is found on the ribbon: switch the power off, seat the ribbon anew"
    " at both ends, and look whether `rpicam-hello --list-cameras` finds it",
    "picamera-denied": "the service may not open {path}, which a camera on the ribbon needs: add"
    " its user to the group video; under the unit the device must be allowed",
    "picamera-no-control": "the camera on the ribbon has no {setting}: leave it out of [camera]",
    "picamera-cannot-open": "the camera on the ribbon cannot be opened ({detail}): check the"
    " ribbon, and `rpicam-hello --list-cameras`",
}

#: The picture of a table whose record is not available (`controller.devices.safe`).
SAFE: Final[Catalogue] = {
    "safe-headline": "table stopped: record not available",
    "safe-lead": "table stopped",
    "safe-detail": "record not available",
    "safe-why": "stop play. Leave cards and chips where they lie. Call the floor.",
    "safe-players": "the table is stopped.",
    "safe-unhealthy": "table stopped: record not available: look at the service's log",
}

#: The light language (`controller.devices.lights`): what each state of a bet spot means.
LIGHTS: Final[Catalogue] = {
    "light-empty": "no bet",
    "light-bet": "bet placed",
    "light-card": "next card here",
    "light-choose": "ask this player",
    "light-forced": "card here, do not ask",
    "light-standing": "hand stands",
    "light-lost": "lost: take the bet",
    "light-won": "won: pay",
    "light-push": "push: the bet stays",
    "light-held": "table held: read the display",
    "light-calling": "table held: nobody has come",
    "light-shuffle": "shuffle due",
    "light-clap": "clapper: measures the video's delay",
}

ENGLISH: Final = Language(write, READINGS, CAMERA, FAILURES, SAFE, LIGHTS)
