"""`tablectl doctor`: checks an installation and says what to change."""

from __future__ import annotations

import argparse
from pathlib import Path

from calibration.devices import lights_guard as guard
from calibration.doctor import free_space, pins, serial_port, sync_time
from calibration.measure import Measurement
from controller.assembly.assemble import ON_PINS
from controller.assembly.card_reader import camera_libraries_missing
from controller.assembly.wiring import load
from controller.commands.parsers import Subcommands, add_command
from controller.commands.status import EXIT_BAD, EXIT_CONFIG, fail
from controller.config.problems import ConfigError


def add_parsers(commands: Subcommands) -> None:
    """Add `doctor`."""
    parser = add_command(
        commands,
        "doctor",
        "Check what a configuration needs of this machine (disk, serial port, pins,"
        " guard of the lights) and say what to change.",
        "tablectl doctor /etc/tablectl/table.toml",
    )
    parser.add_argument("config", type=Path, help="table.toml")
    parser.add_argument("--allow-simulated", action="store_true", help="as for run")
    parser.set_defaults(command=run)


def run(arguments: argparse.Namespace) -> int:
    """Print a line for each check; 1 when one of them is bad."""
    try:
        config = load(arguments.config)
    except ConfigError as error:
        return fail(str(error), EXIT_CONFIG)
    folder = config.record.folder.parent
    print(f"{config.game.title}: {config.game.edge_text}")
    findings = [free_space(folder), sync_time(folder)]
    if scanner := config.devices.scanner:
        findings.append(serial_port(config.base / scanner.port))
    if config.devices.camera:
        missing = camera_libraries_missing()
        findings.append(
            Measurement("camera, libraries", 0 if missing else 1, at_least=1, remedy=missing)
        )
    configured = config.devices.configured
    if not configured.isdisjoint(ON_PINS):
        findings.append(pins(arguments.allow_simulated))
    if not configured.isdisjoint({"leds", "buzzer"}):
        findings += [each for each in (guard.unit(), guard.answer(guard.guard_socket())) if each]
    for finding in findings:
        print(finding)
    return 0 if all(finding.good for finding in findings) else EXIT_BAD
