"""Every template stands in one room of the pit, and in a room whose pages are read."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import controller.pit
from controller.pit.sign_in.pages import TEMPLATES


def test_a_template_stands_in_one_room_alone_and_is_read() -> None:
    pit = Path(next(iter(controller.pit.__path__)))
    stand = sorted(pit.glob("**/templates/*.html"))
    assert stand, "no template at all"
    assert sorted(path for room in TEMPLATES for path in room.iterdir()) == stand
    assert [name for name, n in Counter(path.name for path in stand).items() if n > 1] == []
