"""What is said of people whom a pit sends: why a directory is not taken, what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.people.document import PeopleRefused, WhyRefused
from controller.rules.messages import Message, message

#: Why a directory is not taken.
WHY: Final[Mapping[WhyRefused, Message]] = {
    WhyRefused.NO_DOCUMENT: message("people-no-document"),
    WhyRefused.OTHER_TABLE: message("people-of-another-table"),
    WhyRefused.NOT_SIGNED: message("people-not-signed"),
    WhyRefused.OTHER_KEY: message("people-sealed-to-another-key"),
    WhyRefused.OLDER: message("people-older"),
    WhyRefused.OTHER_HISTORY: message("people-of-another-history"),
    WhyRefused.NOT_YET: message("people-not-good-yet"),
    WhyRefused.NO_LONGER: message("people-no-longer-good"),
    WhyRefused.NOT_KEPT: message("people-cannot-be-kept"),
}


def refused_said(refused: PeopleRefused) -> Message:
    """A directory was not taken, and which."""
    return message("people-refused", serial=refused.serial, why=WHY[refused.why])


def not_there_said(*, own: bool) -> Message:
    """None has come yet; `own`: the table has people of its own."""
    return message("people-not-there-but-own") if own else message("people-not-there")


def lost_said(why: WhyRefused, *, own: bool) -> Message:
    """The one on the disk cannot be used."""
    if own:
        return message("people-lost-but-own", why=WHY[why])
    return message("people-lost", why=WHY[why])


def overdue_said(day: str, *, own_alone: bool) -> Message:
    """The newest one is too old; `own_alone`: nobody in it may act any more."""
    if own_alone:
        return message("people-overdue-but-own", day=day)
    return message("people-overdue", day=day)


def no_floor_said(*, own: bool) -> Message:
    """Nobody in it is of the floor."""
    if own:
        return message("people-without-the-floor-but-own")
    return message("people-without-the-floor")
