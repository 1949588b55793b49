"""English: the health of what keeps the record: its disk, the second copy, the cards' pictures."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

RECORD: Final[Catalogue] = {
    "disk-nearly-full": (
        "only {free_mb} MB are free at {folder}: make room before the round after next. When it is "
        "full the table stops"
    ),
    "disk-read-only": "{folder} is read-only: finish nothing, call the technician",
    "disk-full": "{folder} is full: make room now, nothing more can be recorded",
    "disk-cannot-be-written": "{folder} cannot be written ({detail}): call the technician",
    "pictures-too-many": (
        "the disk is too slow for the cards' pictures: some are not kept. Play goes on; call the "
        "technician"
    ),
    "pictures-cannot-be-kept": (
        "pictures of cards cannot be kept in {folder} ({detail}): play goes on without them; make "
        "room or call the technician"
    ),
    "second-copy-behind": "{copy} is {records} records behind: its device is too slow",
    "second-copy-device-absent": (
        "{folder} is not there: plug its device in. The table goes on without a second copy; it is "
        "tried again"
    ),
    "second-copy-cannot-be-written": (
        "{copy} cannot be written ({detail}). The table goes on without a second copy; it is tried "
        "again"
    ),
    "second-copy-failed": (
        "{copy} cannot be kept: look at the service's log. The table goes on without a second copy;"
        " it is tried again"
    ),
}
