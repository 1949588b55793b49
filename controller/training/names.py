"""What kinds of mistakes, verdicts and amounts of trouble are called; codes name them in data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from controller.rules.messages import Message, message
from controller.table.views.english import show

_MISTAKES: Final = {
    "early card": message("mistake-early-card"),
    "bets closed early": message("mistake-bets-closed-early"),
    "refused press": message("mistake-refused-press"),
    "wrong card": message("mistake-wrong-card"),
    "wrong decision": message("mistake-wrong-decision"),
    "wrong procedure": message("mistake-wrong-procedure"),
    "voided": message("mistake-voided"),
    "touched by mistake": message("mistake-touched"),
}
#: What counts as each kind of mistake.
MEANINGS: Final = {
    "early card": message("means-early-card"),
    "bets closed early": message("means-bets-closed-early"),
    "refused press": message("means-refused-press"),
    "wrong card": message("means-wrong-card"),
    "wrong decision": message("means-wrong-decision"),
    "wrong procedure": message("means-wrong-procedure"),
    "voided": message("means-voided"),
    "touched by mistake": message("means-touched"),
}
_VERDICTS: Final = {
    "right": message("verdict-right"),
    "wrong": message("verdict-wrong"),
    "open": message("verdict-open"),
}
_TROUBLE: Final = {
    "none": message("trouble-none"),
    "few": message("trouble-few"),
    "some": message("trouble-some"),
    "many": message("trouble-many"),
}


def mistake_name(kind: str) -> str:
    """A kind of mistake as people call it."""
    return _name(_MISTAKES, kind)


def verdict_name(verdict: str) -> str:
    """Right, wrong, or not over."""
    return _name(_VERDICTS, verdict)


def trouble_name(trouble: str) -> str:
    """How much trouble the world makes."""
    return _name(_TROUBLE, trouble)


def _name(names: Mapping[str, Message], code: str) -> str:
    """Its name; the code itself where a newer world has another one."""
    return show(names[code]) if code in names else code
