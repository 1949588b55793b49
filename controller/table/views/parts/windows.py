"""What displays show of players at a distance: who sits where, and how long they have."""

from __future__ import annotations

from controller.devices.felt_view import PlayerView, WindowView
from controller.table.state.state import State


def window_view(state: State) -> WindowView | None:
    """The window that is open; None where there is none."""
    window = state.window
    if window is None:
        return None
    return WindowView(
        window.kind.value, window.seat, window.hand, window.length_ms, window.closes_at_ms,
        window.left_ms, window.last_called, window.expired,
    )  # fmt: skip


def player_views(state: State) -> tuple[PlayerView, ...]:
    """Who plays where for a game server."""
    return tuple(
        PlayerView(seat, each.name, each.away, each.leaves) for seat, each in state.players.items()
    )
