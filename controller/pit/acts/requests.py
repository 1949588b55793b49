"""What a form of a table's page asks for, as an act. Pure."""

from __future__ import annotations

import re
from typing import Final, Protocol

from controller.rules.games.registry import GAMES
from controller.rules.money import amount_of, amount_text
from controller.rules.options import about
from controller.table.inputs import (
    AskFill,
    ChangeDealer,
    CloseTable,
    OpenTable,
    PitAct,
    SendNote,
    SetOptions,
    SilenceAlarms,
)

_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_PERSON: Final = re.compile(r"[0-9a-f]{8}")
_NOTE_CHARS: Final = 200
_OPTION_CHARS: Final = 60
_LIMITS: Final = ("min_bet", "max_bet")
#: House options that are amounts, of any game.
MONEY: Final = frozenset(
    name for each in GAMES.values() for name, of in about(each.options).items() if of.money
)
_DONE: Final = {
    "close_table": "is closed: a round in play is played to its end",
    "open_table": "is open",
    "change_dealer": "has the dealer by that name now",
    "send_note": "shows the message to its dealer",
    "silence_alarms": "has silenced its alarms",
}


class NoAct(ValueError):
    """A form from which no act can be made; the text is for whoever sent it."""


class Fields(Protocol):
    """What a form sent."""

    def text(self, name: str) -> str:
        """A field, empty where it is missing."""
        ...


def act_of(form: Fields) -> PitAct:
    """The act that a form asks for. Raises `NoAct`."""
    do = form.text("do")
    if do == "close_table":
        return CloseTable()
    if do == "open_table":
        return OpenTable()
    if do == "set_limits":
        least, most = form.text("least"), form.text("most")
        amounts = zip(_LIMITS, (least, most), strict=True)
        return SetOptions(tuple((name, str(_money(text))) for name, text in amounts))
    if do == "set_option":
        name, value = form.text("option").strip(), form.text("value").strip()
        if not 1 <= len(name) <= _OPTION_CHARS or not 1 <= len(value) <= _OPTION_CHARS:
            raise NoAct("Say which option, and its value")
        return SetOptions(((name, str(_amount(value)) if name in MONEY else value),))
    if do == "change_dealer":
        person = form.text("person").strip().lower()
        if person and not _PERSON.fullmatch(person):
            raise NoAct("A person is eight digits of the table's directory, or left out")
        return ChangeDealer(person)
    if do == "send_note":
        text = form.text("text").strip()
        if not 1 <= len(text) <= _NOTE_CHARS or not text.isprintable():
            raise NoAct(f"A message is one line of 1 to {_NOTE_CHARS} characters")
        return SendNote(text)
    if do == "ask_fill":
        return AskFill(_money(form.text("amount")))
    if do == "silence_alarms":
        if not _NUMBER.fullmatch(form.text("upto")):
            raise NoAct("There is no alarm to be silenced")
        return SilenceAlarms(int(form.text("upto")))
    raise NoAct("This page sends no such act")


def words_of(act: PitAct) -> str:
    """An act as the audit names it."""
    said = act.do.replace("_", " ")
    if isinstance(act, SetOptions):
        return f"{said}: " + ", ".join(
            f"{name} = {typed_option(name, value)}" for name, value in act.options
        )
    if isinstance(act, ChangeDealer):
        return f"{said}: {act.person or 'unknown'}"
    if isinstance(act, SendNote):
        return f"{said}: {act.text}"
    if isinstance(act, AskFill):
        return f"{said}: {amount_text(act.amount)}"
    if isinstance(act, SilenceAlarms):
        return f"{said} up to {act.upto}"
    return said


def done_words(act: PitAct) -> str:
    """What a table has done that was asked for it, behind its name."""
    if isinstance(act, SetOptions):
        amounts = {name: text for name, text in act.options if name in _LIMITS}
        if amounts.keys() == set(_LIMITS):
            least, most = (amount_text(int(amounts[name])) for name in _LIMITS)
            return f"takes bets from {least} to {most} now"
        chosen = (f"{name} = {typed_option(name, value)}" for name, value in act.options)
        return f"plays with {', '.join(chosen)}"
    if isinstance(act, AskFill):
        return f"expects a fill of {amount_text(act.amount)}"
    return _DONE[act.do]


def typed_option(name: str, value: str) -> str:
    """What a house option is, as people write it: an amount as an amount."""
    is_amount = name in MONEY and value.isascii() and value.isdecimal() and len(value) < 16
    return amount_text(int(value)).replace(",", "") if is_amount else value


def _amount(text: str) -> int:
    """An amount as people write it, in minor units. Raises `NoAct`."""
    try:
        return amount_of(text)
    except ValueError as error:
        raise NoAct(str(error)) from error


def _money(text: str) -> int:
    """The same, above 0. Raises `NoAct`."""
    if not (amount := _amount(text)):
        raise NoAct("An amount is above 0")
    return amount
