"""English: what the dealer reads of a device that does not work, and does about it with hands."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

DEVICE_FAILURES: Final[Catalogue] = {
    # devices
    "the-scanner": "the scanner",
    "the-camera": "the camera",
    "the-shoe-reader": "the reader of the shoe",
    "the-exit-beam": "the exit beam",
    "trouble": "{what:sentence} {remedy:sentence}",
    # what is wrong
    "bet-spots-do-not-sense": "the sensors of the bet spots do not work",
    "device-is-silent": "{device:capital} does not answer",
    "device-has-not-reported": "{device:capital} has not reported yet",
    "device-has-stopped": "{device:capital} has stopped",
    "device-does-not-work": "{device:capital} does not work",
    "cards-were-missed": "the table missed cards of {device}",
    "camera-gives-no-picture": "the camera gives no picture",
    "camera-sees-nothing": "the camera sees nothing",
    "camera-is-dazzled": "the camera is dazzled",
    "camera-picture-stands-still": "the camera's picture stands still",
    "camera-light-is-wrong": "the light in the shoe has changed",
    "camera-is-not-sharp": "the camera does not see sharply",
    "camera-has-moved": "the camera has moved",
    "something-before-the-camera": "something lies before the camera",
    "spot-lights-do-not-work": "the lights do not work",
    "buttons-do-not-work": "the buttons do not work",
    "button-does-not-work": "the {button} button does not work",
    "button-stays-pressed": "the {button} button stays pressed",
    "buzzer-does-not-work": "the buzzer is silent",
    "record-disk-is-nearly-full": "the disk of the record is nearly full",
    "record-cannot-be-kept": "the record cannot be kept",
    "card-pictures-are-not-kept": "pictures of cards are not kept",
    "software-is-tried": "new software is being tried",
    "software-was-changed": "the software of this table was changed",
    "software-is-not-checked": "the software of this table is not checked yet",
    "software-is-the-old-one": "new software did not do: the table runs as before",
    "record-lost-a-part": "a part of the record is lost",
    "earlier-record-is-damaged": "an earlier day's record is damaged",
    "second-copy-is-not-kept": "the second copy of the record is not kept",
    # what hands do
    "check-the-cable": "check {device}'s cable",
    "check-the-cable-of": "check the cable of {device}",
    "device-repeats-itself": "{device} repeats itself",
    "wait-a-moment": "wait a moment",
    "it-starts-again": "wait: it starts again by itself",
    "compare-the-cards": "compare cards and display",
    "uncover-the-lens": "uncover its lens",
    "take-the-light-out-of-the-camera": "keep light out of its lens",
    "replug-the-camera": "unplug it, plug it in again",
    "look-after-the-shoe-light": "look after the shoe's light",
    "wipe-the-lens": "wipe its lens",
    "take-it-away": "take it away",
    "free-it": "free it",
    "use-the-keys-here": "use the keys on this display",
    "go-by-this-display": "go by this display",
    "tell-the-floor": "tell the floor",
    "play-goes-on-tell-the-floor": "play goes on. Tell the floor",
    "call-the-floor-now": "call the floor now",
    "call-the-floor-technician": "call the floor: it needs a technician",
    "finish-the-round-call-the-floor": "finish the round, then call the floor",
}
