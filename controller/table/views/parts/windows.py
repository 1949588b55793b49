"""What displays show of players at a distance: who sits where, and how long they have."""

from __future__ import annotations

from collections.abc import Mapping

from controller.devices.felt_view import PlayerView, WindowView
from controller.rules.messages import message
from controller.table.roles import NOBODY_NAMED, PersonId, player_person
from controller.table.state.remote_players import SeatedPlayer
from controller.table.state.state import State
from controller.table.views.english import say


def window_view(state: State) -> WindowView | None:
    """The window that is open; None where there is none."""
    window = state.remote.window
    if window is None:
        return None
    return WindowView(
        window.kind.value, window.seat, window.hand, window.length_ms, window.closes_at_ms,
        window.left_ms, window.last_called, window.expired,
    )  # fmt: skip


def player_views(
    state: State, names: Mapping[PersonId, str] = NOBODY_NAMED
) -> tuple[PlayerView, ...]:
    """Who plays where for a game server; by `names`, which are on no record."""
    return tuple(
        PlayerView(seat, _name(each, names), each.away, each.leaves)
        for seat, each in state.remote.players.items()
    )


def _name(seated: SeatedPlayer, names: Mapping[PersonId, str]) -> str:
    """A player's name for screens; an older record has it in itself."""
    return names.get(player_person(seated.player)) or seated.name or say(message("player-unnamed"))
