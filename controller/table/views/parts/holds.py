"""An open hold as a display shows it: what happened, what to do, and the lawful resolutions."""

from __future__ import annotations

from typing import Final

from controller.devices.displays import (
    HoldView,
    Key,
)
from controller.table.irregularities.holds import (
    RESOLUTION_LABELS,
    Hold,
    Resolution,
    resolution_text,
)
from controller.table.queries.available import open_resolutions
from controller.table.queries.counts import count_needs
from controller.table.queries.hold_prompts import advice
from controller.table.roles import Needs
from controller.table.state.state import State
from controller.table.views.english import say


def hold_view(state: State, hold: Hold) -> HoldView:
    """An open hold with its resolutions as keys."""
    kind = state.procedures.rows[hold.reason]
    resolutions = tuple(
        Key(
            label=say(resolution_text(hold.reason, resolution)),
            key=RESOLUTION_LABELS[resolution].key,
            command=_resolution_command(state, hold, resolution),
            needs=_resolution_needs(state, resolution),
            who=_who(state, hold, resolution),
        )
        for resolution in open_resolutions(state, hold)
    )  # fmt: skip
    words, title = state.words, say(kind.title)
    found = advice(state, hold)
    what_to_do = found if isinstance(found, str) else say(found, words)
    # What the title says already is not said again.
    known = say(hold.message, words)
    ended = known if known.endswith((".", "?", "!")) else f"{known}."
    text = what_to_do if known.rstrip(".") == title else f"{ended} {what_to_do}"
    return HoldView(
        hold.number, title, text, hold.since_ms, resolutions, hold.reason.value, hold.picture
    )


#: What has to be asked before a resolution is sent.
_RESOLUTION_NEEDS: Final = {
    Resolution.ENTER_CARD: "card",
    Resolution.DEAD_HAND: "seat",
    Resolution.CORRECT: "correction",
}


def _resolution_needs(state: State, resolution: Resolution) -> str:
    if resolution is Resolution.COUNT:
        return count_needs(state)
    return _RESOLUTION_NEEDS.get(resolution, "")


def _resolution_command(
    state: State, hold: Hold, resolution: Resolution
) -> dict[str, str | int | bool]:
    if resolution is Resolution.CORRECT:
        number = hold.round or (state.in_play.number if state.in_play else 0)
        return {"do": "correct", "round": number}
    return {"do": "resolve", "hold": hold.number, "resolution": resolution.value}


def _who(state: State, hold: Hold, resolution: Resolution) -> str:
    """Who has to stand for a resolution, at a table with roles."""
    wanted = state.procedures.needs(hold.reason, resolution)
    return wanted.value if state.setup.roles and wanted is not Needs.DEALER else ""
