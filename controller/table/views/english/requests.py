"""English: why a person's request is not answered as asked: names and PINs, what is not there."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

REQUESTS: Final[Catalogue] = {
    # names and PINs
    "pin-wait-seconds": "too many wrong PINs: wait {seconds} s, then try again",
    "pin-wait-minutes": "too many wrong PINs: wait {minutes:minute|minutes}, then try again",
    "pins-too-many-at-once": "too many PINs are tried at once: try again",
    "pin-does-not-fit": "name and PIN do not fit: try again",
    "pins-cannot-be-counted": (
        "nobody can be known at the moment, PINs cannot be counted: {error}. Check the disk"
    ),
    "people-cannot-be-read": "nobody can be known at the moment: {error}",
    "table-knows-no-people": "this table knows no people: leave them out",
    "send-the-token": "send the table's token: {header}",
    "log-is-for-the-floor": "the log is for the floor: name and PIN of the floor",
    # what is not there
    "record-not-available": (
        "the record is not available: call the floor, and look at the service's log"
    ),
    "round-cannot-be-recalled": (
        "round {number} cannot be recalled: {address} lists those that can"
    ),
    "no-such-picture": "there is no such picture that may be shown",
    "sheet-could-not-be-made": "the sheet could not be made: ask again",
    "that-takes-too-long": "that takes too long: ask for fewer days",
    "no-answer-yet": "no answer yet: look at the display, then send it again with the same key",
    # the house's edge
    "house-edge-is-computed": "the house edge by these options is being computed.",
    "house-edge-is-not-computed": "the house edge by these options is not computed.",
    "house-edge-is-not-computed-why": "the house edge by these options is not computed. {why}",
}
