"""Users from the command line: what the database does not take is said in words."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text

from controller.commands.pit.user_links import add_user, link_of
from controller.pit.archive.storage.database import open_database
from controller.pit.server.settings import PitRefused, load_pit

_BUS = '[bus]\nservers = ["nats://127.0.0.1:4222"]\n'
_NO_ROOM = (
    "CREATE TRIGGER no_room BEFORE INSERT ON users"
    " BEGIN SELECT RAISE(FAIL, 'database or disk is full'); END"
)


def test_a_full_disk_is_said_and_nothing_is_changed(tmp_path: Path) -> None:
    path = tmp_path / "pit.toml"
    path.write_text(_BUS)
    config = load_pit(path)
    engine = open_database(config.archive.url(config.base))
    with engine.begin() as connection:
        connection.execute(text(_NO_ROOM))
    with pytest.raises(PitRefused, match=r"does not take it \(database or disk is full\): nothing"):
        add_user(path, "Aino", "engineer")
    with engine.begin() as connection:
        connection.execute(text("DROP TRIGGER no_room"))
    engine.dispose()
    with pytest.raises(PitRefused, match="there is no user Aino"):
        link_of(path, "Aino", enters=True)
    assert "/set-up/" in add_user(path, "Aino", "engineer")
