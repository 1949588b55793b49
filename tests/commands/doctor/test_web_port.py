"""The port of a table's or a pit's pages, as the doctor finds it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from contextlib import closing

import pytest

from controller.commands.doctor import web_server
from controller.commands.doctor.finding import CheckVerdict
from controller.commands.doctor.web_server import web_port

_LISTENS = """
import socket, sys
taken = socket.create_server(("127.0.0.1", 0))
print(taken.getsockname()[1], flush=True)
sys.stdin.read()
"""


def test_whoever_has_the_port_is_named_as_of_a_table_that_was_started_by_hand() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _LISTENS, "--password=secret"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as program:  # fmt: skip
        assert program.stdin is not None
        assert program.stdout is not None
        port = int(program.stdout.readline())
        found = web_port("127.0.0.1", port, running=False)
        # The service itself may have it.
        beside = web_port("127.0.0.1", port, running=True)
        program.stdin.close()
    assert (found.id, found.verdict) == ("web.port", CheckVerdict.BAD)
    assert found.why.startswith(f"Process {program.pid} has it, python")
    assert found.mend.startswith(f"ps -fp {program.pid} says what it is: stop it, or choose")
    assert "secret" not in str(found), "what it was started with goes into no bundle"
    assert beside.verdict is CheckVerdict.NOT_YET
    assert web_port("127.0.0.1", port, running=False).verdict is CheckVerdict.GOOD


def test_a_port_of_somebody_whom_one_may_not_see_is_looked_for_by_a_person(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as taken:
        port = taken.getsockname()[1]
        named = web_port("127.0.0.1", port, running=False)
        assert named.why.startswith(f"Process {os.getpid()} has it, ")
        monkeypatch.setattr(web_server, "_sockets", lambda _: [])
        found = web_port("127.0.0.1", port, running=False)
    assert "stop what has it, or choose another web.port" in found.why
    assert found.mend == "ss -ltnp"
