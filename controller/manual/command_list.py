"""The list of commands: what the command line loads, and what the manual names."""

from __future__ import annotations

from typing import Final

#: Each command: its module in `controller.commands`, and its line in the list of commands.
COMMANDS: Final = {
    "run": ("run", "run a table from its configuration"),
    "init": ("init.command", "write a configuration: asks, or takes options"),
    "demo": ("demo.command", "run a table on simulated devices"),
    "training": ("training", "say how a dealer's training went"),
    "pit": ("pit.command", "show many tables and archive their records"),
    "broker": ("pit.broker", "write the configuration of a pit's message broker"),
    "asyncapi": ("pit.asyncapi", "print what goes over a pit's bus, for other programs"),
    "deal": ("deal", "play rounds from a file through the engine"),
    "rules": ("printed.rules", "print the rules of a game as they are enforced"),
    "odds": ("printed.odds", "compute the house's edge of a game with its options"),
    "procedures": ("printed.procedures", "print what is done when something goes wrong"),
    "read": ("read.command", "read cards from pictures"),
    "doctor": ("doctor.command", "check an installation and say what to change"),
    "drivers": ("drivers.command", "list the drivers, and what they need of the units"),
    "calibrate": ("calibrate.command", "measure a device and configure it accordingly"),
    "tag": ("tag", "read the RFID tag on a bet spot, or write its amount"),
    "token": ("access.token", "write a new API token"),
    "person": ("access.person", "add, list, remove or erase the people of a table"),
    "day": ("day.command", "show or close the gaming day of a running table"),
    "verify": ("record.verify", "check a record: pages, chain, signatures, rules"),
    "head": ("record.verify", "print where a record ends, for the sheet of a shift"),
    "replay": ("record.command", "list the rounds of a record, or show one step by step"),
    "rounds": (
        "record.logbook",
        "list the rounds of a record, and what to notice in each",
    ),
    "logbook": ("record.logbook", "say what every record says: when, who, why"),
    "export": ("record.command", "print every record"),
    "backup": ("record.command", "write a backup of a record, also while its service runs"),
    "restore": ("record.command", "put the best of backups and second copies in a record's place"),
    "completion": ("terminal.completion", "print what completes commands in a shell"),
}
