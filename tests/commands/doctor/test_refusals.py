"""Whatever `tablectl run` refuses, `tablectl doctor` finds: the table of both, read from the code.

A new refusal without a finding here fails: the refusals are those that the program itself names.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest

from controller.__main__ import main
from controller.assembly import assemble, web
from controller.commands import run
from controller.record.files.folder_lock import lock
from drivers.builtin import needs
from tests.commands.doctor.test_doctor import _certify, found
from tests.drivers.outside import ScannerLine
from tests.service.test_loop import deal_to_the_first_choice, running

#: A line to the pit whose password nobody has written down.
_BUS: Final = """
[bus]
servers = ["nats://127.0.0.1:4222"]
user = "T1"
password_file = "no-such-file"
"""
Spoil = Callable[[Path, ExitStack, pytest.MonkeyPatch], None]

#: What `run` refuses, by what it raises, with the id of the doctor's finding.
FINDS: Final = {
    "BusRefused": "bus",
    "CertificateRefused": "certificate.codes",
    "CodeBookError": "reader",
    "ConfigError": "config",
    "DeviceRefused": "stream_deck.driver",
    "JournalBusy": "record.lock",
    "PeopleError": "people",
    "PinFactoryError": "pins",
    "SetupRefused": "record.setup",
    "TokenError": "token",
    "TooFewDescriptors": "descriptors",
    "readers.ReaderRefused": "camera.libraries",
    "CannotStart in _run": "simulated",
    "CannotStart in bind": "web.port",
    "CannotStart in overlay_style": "web.overlay",
}

#: Two that have started at once: which of them listens first only their start says.
AT_THE_SAME_MOMENT: Final = {"CannotStart in listen"}
#: Refused by the configuration already, before what raises them is reached.
BY_THE_CONFIGURATION: Final = {"CalendarError", "CannotStart in web_settings"}
#: It carries the others.
WRAPPED: Final = {"CannotStart", "CannotStart in run_table"}


def named() -> set[str]:
    """What `run` turns into a refusal: by its `except`s, and where it raises one itself."""
    refusals: set[str] = set()
    for module in (run, assemble, web):
        tree = ast.parse(inspect.getsource(module))
        for each in ast.walk(tree):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                if each.name in ("run", "run_table"):
                    refusals |= set(_caught(each))
                refusals |= {f"CannotStart in {each.name}" for _ in _raised(each)}
    return refusals


def _caught(function: ast.AST) -> Iterator[str]:
    for each in ast.walk(function):
        if isinstance(each, ast.ExceptHandler) and isinstance(each.type, ast.Tuple):
            yield from (ast.unparse(name) for name in each.type.elts)


def _raised(function: ast.AST) -> Iterator[ast.Raise]:
    for each in ast.walk(function):
        if isinstance(each, ast.Raise) and ast.unparse(each).startswith("raise CannotStart"):
            yield each


def test_every_refusal_has_its_finding() -> None:
    known = FINDS.keys() | BY_THE_CONFIGURATION | AT_THE_SAME_MOMENT | WRAPPED
    assert named() == known
    assert FINDS.keys() == SPOILS.keys()


def _add(table: Path, text: str) -> None:
    table.write_text(table.read_text() + text)


def _certificate(table: Path, _: ExitStack, __: pytest.MonkeyPatch) -> None:
    _add(table, '[certificates]\ncodes = "certificates/codes.json"\n')
    _certify(table, 400)


def _people(table: Path, _: ExitStack, __: pytest.MonkeyPatch) -> None:
    _add(table, '[people]\nfile = "people.toml"\n')
    (table.parent / "people.toml").write_text("no people")


def _library(table: Path, _: ExitStack, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(needs, "find_spec", lambda _: None)
    _add(table, '[stream_deck]\ndevice = "/dev/null"\nnext = 1\n')


def _locked(table: Path, stack: ExitStack, _: pytest.MonkeyPatch) -> None:
    stack.callback(lock(table.parent / "record").close)


def _no_factory(table: Path, _: ExitStack, patch: pytest.MonkeyPatch) -> None:
    patch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    _add(table, "[buzzer]\npin = 26\n")


def _in_mid_round(table: Path, _: ExitStack, __: pytest.MonkeyPatch) -> None:
    async def deal() -> None:
        async with running(table.parent / "record") as (service, _):
            await deal_to_the_first_choice(service)

    asyncio.run(deal())


def _few_descriptors(table: Path, stack: ExitStack, patch: pytest.MonkeyPatch) -> None:
    patch.setattr(resource, "getrlimit", lambda _: (64, 64))

    def refuse(*_: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    patch.setattr(resource, "setrlimit", refuse)


def _no_camera_libraries(table: Path, _: ExitStack, patch: pytest.MonkeyPatch) -> None:
    patch.setattr("controller.assembly.card_reader.find_spec", lambda _: None)
    _add(table, '[camera]\nsource = "/dev/null"\n[beam]\npin = 5\n')
    patch.setenv("GPIOZERO_PIN_FACTORY", "mock")


def _simulated(table: Path, _: ExitStack, __: pytest.MonkeyPatch) -> None:
    _add(table, "[simulated]\npace = 2.0\n")


def _port_taken(table: Path, stack: ExitStack, _: pytest.MonkeyPatch) -> None:
    other = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
    text = table.read_text().replace("port = 0", f"port = {other.getsockname()[1]}")
    table.write_text(text)


def _no_style(table: Path, _: ExitStack, __: pytest.MonkeyPatch) -> None:
    table.write_text(table.read_text().replace("port = 0", 'port = 0\noverlay_css = "none.css"'))


SPOILS: Final[dict[str, Spoil]] = {
    "CertificateRefused": _certificate,
    "CodeBookError": lambda table, _, __: _add(table, 'codes = "none.toml"\n'),
    "BusRefused": lambda table, _, __: _add(table, _BUS),
    "ConfigError": lambda table, _, __: _add(table, "nonsense = 1\n"),
    "DeviceRefused": _library,
    "JournalBusy": _locked,
    "PeopleError": _people,
    "PinFactoryError": _no_factory,
    "SetupRefused": _in_mid_round,
    "TokenError": lambda table, _, __: (table.parent / "token").unlink(),
    "TooFewDescriptors": _few_descriptors,
    "readers.ReaderRefused": _no_camera_libraries,
    "CannotStart in _run": _simulated,
    "CannotStart in bind": _port_taken,
    "CannotStart in overlay_style": _no_style,
}


@pytest.mark.parametrize("refusal", sorted(FINDS))
def test_what_run_refuses_the_doctor_finds(
    refusal: str, table: Path, root: Path, line: ScannerLine, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    line.plug()
    with ExitStack() as stack:
        stack.callback(line.unplug)
        status, before = found(capsys, "--root", root, table)
        assert status == 0, before
        SPOILS[refusal](table, stack, monkeypatch)
        allowed = ["--allow-simulated"] if refusal == "readers.ReaderRefused" else []
        assert main(["run", *allowed, str(table)]) == 78
        said = capsys.readouterr().err
        status, findings = found(capsys, "--root", root, *allowed, table)
    finding = findings[FINDS[refusal]]
    assert status in (1, 78)
    assert finding["verdict"] in ("bad", "not checked")
    assert finding["mend"]
    assert "tablectl: " in said
