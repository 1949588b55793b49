"""A calibration stops table and guard, and starts them again, whatever comes between."""

from __future__ import annotations

import http.server
import io
import json
import os
import signal
import socket
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from controller.__main__ import main
from controller.assembly.wiring import load
from controller.commands.calibrate import command
from controller.commands.calibrate.service_away import NotStopped, service_away
from controller.commands.doctor.machine import Machine
from controller.config.configuration import Config

STOP = "stop tablectl.service tablectl-guard.service"
#: systemd counts starts; what it counted is forgotten before each.
STARTED = [f"{verb} tablectl-guard.service tablectl.service" for verb in ("reset-failed", "start")]
SIGNALS = (signal.SIGHUP, signal.SIGTERM, signal.SIGQUIT)


class SystemctlBench:
    """A machine whose systemctl writes down what it is asked, and a configuration."""

    def __init__(self, folder: Path, port: int) -> None:
        self.asked = folder / "asked"
        self.asked.touch()
        self.state = folder / "state"
        self.state.write_text("active\n")
        program = folder / "bin/systemctl"
        program.parent.mkdir()
        program.write_text(
            f'#!/bin/sh\n[ "$1" = show ] && cat {self.state} || echo "$@" >> {self.asked}\n'
        )
        program.chmod(0o755)
        self.path = folder / "table.toml"
        self.path.write_text(
            '[table]\nname = "T1"\ngame = "21-24-27"\nseats = 1\n[record]\nfolder = "record"\n'
            f'[web]\ntoken_file = "token"\nport = {port}\n[scanner]\nport = "tty"\n'
        )
        unit = folder / "etc/systemd/system/tablectl.service"
        unit.parent.mkdir(parents=True)
        unit.write_text(f"[Service]\nExecStart=/opt/tablectl run {self.path}\n")
        self.machine = Machine(folder)

    @property
    def config(self) -> Config:
        return load(self.path)

    @property
    def lines(self) -> list[str]:
        return self.asked.read_text().splitlines()


@contextmanager
def table_that_shows(phase: object, status: int = 200) -> Iterator[int]:
    """A table's status at a port of its own."""

    class StatusHandler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.end_headers()
            self.wfile.write(json.dumps({"phase": phase}).encode())

        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), StatusHandler) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
            thread.join()


@pytest.fixture
def port() -> Iterator[int]:
    with table_that_shows("betting") as found:
        yield found


@pytest.fixture
def bench(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> SystemctlBench:
    found = SystemctlBench(tmp_path, port)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:/usr/bin:/bin")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    return found


def test_table_and_guard_are_stopped_and_started_again(bench: SystemctlBench) -> None:
    with service_away(bench.path, bench.config, bench.machine) as stopped:
        assert stopped
        assert bench.lines == [STOP]
    assert bench.lines == [STOP, *STARTED]


def test_they_start_again_also_where_it_was_broken_off(bench: SystemctlBench) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        service_away(bench.path, bench.config, bench.machine),
    ):
        raise KeyboardInterrupt
    assert bench.lines == [STOP, *STARTED]


def test_they_start_again_also_where_the_calibration_itself_is_at_fault(
    bench: SystemctlBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A defect of ours, in the command as it is given."""
    stopped: list[str] = []

    async def measure(*_: object) -> None:
        stopped.extend(bench.lines)
        raise ZeroDivisionError

    monkeypatch.setattr("sys.stdin", io.StringIO())
    monkeypatch.setattr(command, "measure", measure)
    monkeypatch.setattr(command, "Machine", lambda: bench.machine)
    with pytest.raises(ZeroDivisionError):
        main(["calibrate", "leds", str(bench.path)])
    assert stopped == [STOP]
    assert bench.lines == [STOP, *STARTED]


@pytest.fixture
def endings() -> Iterator[None]:
    """The signals that end a process are errors outside of a calibration."""

    def end(number: int, _: object) -> None:
        raise AssertionError(f"{signal.Signals(number).name} would have ended the process")

    before = {each: signal.signal(each, end) for each in SIGNALS}
    yield
    assert all(signal.getsignal(each) is end for each in before)
    for each, handler in before.items():
        signal.signal(each, handler)


@pytest.mark.parametrize("number", SIGNALS)
@pytest.mark.usefixtures("endings")
def test_they_start_again_also_after_a_signal(
    bench: SystemctlBench, number: signal.Signals
) -> None:
    with (
        pytest.raises(KeyboardInterrupt),
        service_away(bench.path, bench.config, bench.machine),
    ):
        os.kill(os.getpid(), number)
    assert bench.lines == [STOP, *STARTED]


def test_a_table_that_does_not_start_again_is_said(
    bench: SystemctlBench, capsys: pytest.CaptureFixture[str]
) -> None:
    with service_away(bench.path, bench.config, bench.machine):
        bench.state.write_text("failed\n")
    assert "The table did not start again: journalctl" in capsys.readouterr().err
    bench.state.write_text("active\n")
    with service_away(bench.path, bench.config, bench.machine):
        pass
    assert capsys.readouterr().err == ""


@pytest.mark.usefixtures("endings")
def test_a_second_signal_does_not_keep_them_from_starting(bench: SystemctlBench) -> None:
    program = bench.asked.with_name("bin") / "systemctl"
    kill = '[ "$1" = start ] && kill -HUP $PPID && kill -TERM $PPID && kill -INT $PPID\n'
    program.write_text(program.read_text().replace("\n", f"\n{kill}", 1))
    with (
        pytest.raises(KeyboardInterrupt),
        service_away(bench.path, bench.config, bench.machine),
    ):
        os.kill(os.getpid(), signal.SIGTERM)
    assert bench.lines == [STOP, *STARTED]


@pytest.mark.parametrize("why", ["stopped", "another configuration", "nobody's rights"])
def test_what_does_not_run_or_is_not_ours_stays_as_it_is(
    bench: SystemctlBench, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = bench.path
    if why == "stopped":
        bench.state.write_text("inactive\n")
    elif why == "another configuration":
        path = replace_name(path)
    else:
        monkeypatch.setattr("os.geteuid", lambda: 1_000)
    with service_away(path, bench.config, bench.machine) as stopped:
        assert not stopped
    assert bench.lines == []


def replace_name(path: Path) -> Path:
    other = path.with_name("other.toml")
    other.write_text(path.read_text())
    return other


def test_a_round_in_play_is_not_stopped(bench: SystemctlBench) -> None:
    with table_that_shows("round") as port:
        config = replace_port(bench.config, port)
        with (
            pytest.raises(NotStopped, match="when it has ended"),
            service_away(bench.path, config, bench.machine),
        ):
            raise AssertionError("it was stopped")
    assert bench.lines == []


@pytest.mark.parametrize("why", ["too late", "an error", "hangs up", "no phase", "other words"])
def test_a_table_that_does_not_say_whether_it_plays_is_not_stopped(
    bench: SystemctlBench, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as stack:
        if why == "too late":
            monkeypatch.setattr("controller.commands.calibrate.service_away._ANSWER_S", 0.1)
            silent = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = silent.getsockname()[1]
        elif why == "hangs up":
            port = stack.enter_context(table_that_hangs_up())
        else:
            phase = {"no phase": None, "other words": "a round"}.get(why, "betting")
            status = 503 if why == "an error" else 200
            port = stack.enter_context(table_that_shows(phase, status))
        with (
            pytest.raises(NotStopped, match="does not say whether a round is in play"),
            service_away(bench.path, replace_port(bench.config, port), bench.machine),
        ):
            raise AssertionError("it was stopped")
    assert bench.lines == []


@contextmanager
def table_that_hangs_up() -> Iterator[int]:
    """A table that answers with half a line."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            line, _ = server.accept()
            with line:
                line.recv(4_096)
                line.sendall(b"ok")

        thread = threading.Thread(target=answer, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        thread.join()


def test_a_table_that_serves_nothing_plays_nothing(bench: SystemctlBench) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    with service_away(bench.path, replace_port(bench.config, port), bench.machine) as stopped:
        assert stopped
    assert bench.lines == [STOP, *STARTED]


def test_no_proxy_is_asked_whether_a_round_is_in_play(
    bench: SystemctlBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    urllib.request.install_opener(None)  # it reads the environment once
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{closed.getsockname()[1]}")
    with table_that_shows("round") as port:
        config = replace_port(bench.config, port)
        with (
            pytest.raises(NotStopped, match="when it has ended"),
            service_away(bench.path, config, bench.machine),
        ):
            raise AssertionError("it was stopped")


def replace_port(config: Config, port: int) -> Config:
    return replace(config, web=config.web.model_copy(update={"port": port}))
