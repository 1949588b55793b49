"""English: the health of record, configuration and software: disk, second copy, the release."""

from __future__ import annotations

from typing import Final

from controller.rules.messages import Catalogue

RECORD: Final[Catalogue] = {
    "configuration-refused": "the configuration was not taken over, the one before holds.",
    "configuration-pending": (
        "a new configuration is taken over once no round is in play and no bet lies."
    ),
    "configuration-needs-restart": (
        "the configuration was taken over, but for what takes a restart: {keys}"
    ),
    "service-is-stopping": "the service is stopping: send it again later, with the same key",
    "first-day-needs-a-clock": (
        "the first gaming day would be called {day}, by a clock that follows no reference: set the "
        "clock (timedatectl set-ntp true) and start again, or vouch for it with trust_clock = true "
        "in [record]"
    ),
    "disk-nearly-full": (
        "only {free_mb} MB are free at {folder}: make room before the round after next. When it is "
        "full the table stops"
    ),
    "disk-read-only": "{folder} is read-only: finish nothing, call the technician",
    "disk-full": "{folder} is full: make room now, nothing more can be recorded",
    "disk-cannot-be-written": "{folder} cannot be written ({detail}): call the technician",
    "software-on-trial": (
        "{build} was installed and is tried for a minute: no play is accepted until it is confirmed"
    ),
    "software-changed": (
        "files of the software changed since it was installed ({files}; the first is {file}): no "
        "round is begun. Find out who did that, and install the release again"
    ),
    "software-not-compared": (
        "nobody has compared the software with its manifest today: no round is begun. It is done "
        "after each start and once a day; by hand: sudo tablectl-update --compare"
    ),
    "software-went-back": (
        "the update to {build} went back by itself, since {why}. The release before runs; "
        "`tablectl-update` says more"
    ),
    "update-broken-off": "it was broken off",
    "update-not-ready": "it was not ready in time",
    "update-ended": "its service ended",
    "update-pit-ended": "the pit on this machine did not stay up",
    "update-stopped-table": "its table stopped ({why})",
    "update-lost-device": "it lost {device}, which worked before",
    "update-not-settled": "what its drivers need could not be installed ({why})",
    "update-in-a-round": "a round had begun",
    "pictures-too-many": (
        "the disk is too slow for the cards' pictures: some are not kept. Play goes on; call the "
        "technician"
    ),
    "pictures-cannot-be-kept": (
        "pictures of cards cannot be kept in {folder} ({detail}): play goes on without them; make "
        "room or call the technician"
    ),
    "check-failed": (
        "the check of the {device} failed unexpectedly ({detail}) and is made again: play goes on. "
        "Look at the service's log"
    ),
    "closed-day-damaged": (
        "gaming day {day} is damaged ({path}): play goes on. Verify the record, and put that day "
        "back from a copy when the table is closed"
    ),
    "closed-day-not-signed": (
        "gaming day {day} has no signature ({path}): play goes on. Verify the record and compare "
        "that day with a copy"
    ),
    "players-win-too-much": (
        "the players win more than luck does at wagers and plays like theirs, as of round {round} "
        "of {day}: play goes on. Watch the deal and check the pack; /odds shows days and dealers"
    ),
    "odds-not-held": (
        "rounds are no longer held against their odds, so that no leak would be noticed: look at"
        " the service's log, and start the service again between rounds"
    ),
    "bus-is-away": (
        "the pit does not get what this table records ({why}): play goes on, and it is sent when "
        "the line is back. Look after the network and the pit's broker"
    ),
    "people-refused": (
        "the pit's directory {serial} of people was not taken: {why}. Whoever could "
        "act before may still: play goes on. Look after it at the pit, on the page of people"
    ),
    "people-no-document": "it is none, or was changed on the way",
    "people-of-another-table": "it is another table's",
    "people-not-signed": "no key that [people] names has signed it",
    "people-sealed-to-another-key": "it is sealed to another key than this table has",
    "people-older": "it is older than the one in force",
    "people-of-another-history": (
        "it does not follow from the one in force: the pit was put back to a backup, or there are "
        "two pits"
    ),
    "people-not-good-yet": "by this table's clock it is of later",
    "people-no-longer-good": "by this table's clock its time is over",
    "people-without-the-floor": (
        "nobody in the pit's directory of people is of the floor: nobody can settle what takes the "
        "floor. Name somebody at the pit"
    ),
    "people-without-the-floor-but-own": (
        "nobody in the pit's directory of people is of the floor: the people of the table's own "
        "file may act beside it. Name somebody at the pit"
    ),
    "people-cannot-be-kept": "it cannot be written to this table's disk",
    "people-not-there": (
        "no directory of people has come from the pit yet: nobody can settle what takes the floor. "
        "Look after the line to the pit, or take it in from a file: tablectl person take"
    ),
    "people-not-there-but-own": (
        "no directory of people has come from the pit yet: the people of the table's own file may "
        "act until then. Look after the line to the pit"
    ),
    "people-lost": (
        "the pit's directory of people on this table's disk cannot be used: {why}. Nobody can "
        "settle what takes the floor until it comes again over the bus, or from a file: tablectl "
        "person take"
    ),
    "people-lost-but-own": (
        "the pit's directory of people on this table's disk cannot be used: {why}. The people of "
        "the table's own file may act until it comes again"
    ),
    "people-overdue": (
        "the pit's directory of people was good until {day}, and no newer one has come: whoever "
        "was taken out since may still act here. Play goes on; look after the line to the pit"
    ),
    "people-overdue-but-own": (
        "the pit's directory of people was good until {day}, and no newer one has come: the people "
        "of the table's own file may act, and nobody else. Look after the line to the pit"
    ),
    "odds-without-earlier": (
        "the figures against the odds begin with round {round}: the rounds before could not be "
        "read, and a leak in them would not be noticed. Play goes on; the service's log says why"
    ),
    "house-wins-too-much": (
        "the house wins more than luck does at wagers and plays like these, as of round {round} of "
        "{day}: play goes on. Watch the deal and check the pack; /odds shows days and dealers"
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
    "second-copy-ahead": (
        "{copy} goes further than the record, to record {record} of {day}: the record was put back "
        "or lost a part. Finish the round, stop the service and restore the copy"
    ),
    "second-copy-of-another-history": (
        "{copy} holds another history, to record {record} of {day}: it is left as it is. The table "
        "goes on without a second copy; the technician compares the two"
    ),
    "second-copy-in-use": "{copy} is in use by another program: it is tried again",
    "second-copy-newer": (
        "{copy} was written by a newer tablectl: it is left as it is. The table goes on without a "
        "second copy"
    ),
    "second-copy-damaged": (
        "{path} is damaged and left as it is: put another device in its place. The table goes on "
        "without a second copy"
    ),
    "second-copy-of-damaged-record": (
        "{path} is damaged and is not copied: call the technician before the next shift. The "
        "second copy {copy} is whole as far as it goes"
    ),
    "second-copy-failed": (
        "{copy} cannot be kept ({detail}). The table goes on without a second copy; it is tried "
        "again"
    ),
    # What `tablectl verify` says of a record that does not follow from those before it.
    "verify-round-begins-otherwise": "a round begins with other wagers or options than there are",
    "verify-rules-say-otherwise": "{kind}: the rules come to something else",
    "verify-round-not-over": "the round is not over",
    "verify-another-net": "round {round} came to another net",
    "verify-voided-otherwise": "round {round} was voided otherwise than the rules say",
    "verify-no-such-round": "there is no round {round} to be corrected",
    "verify-not-correctable": "round {round} cannot be corrected so: {why}",
    "verify-corrected-otherwise": "round {round} was corrected otherwise than the rules say",
    "verify-pack-not-read": "this pack did not go through the reader",
    "verify-another-shoe": "shoe {shoe} is another than the game's",
    "verify-no-pack-due": "no pack is to be loaded",
    "verify-shoe-not-over": "shoe {shoe} is not over, or was added up",
    "verify-another-rest": "another number of cards was left in shoe {shoe}",
    "verify-window-of-another-length": "the setup gives another time",
    "verify-slip-not-signed": "slip {slip} is not signed by two people, one of them of the floor",
    "verify-opener-differs": "slip {slip} differs from the closer otherwise than it says",
    "verify-burns-due": "when dealers change, {cards:card is|cards are} burned",
}
