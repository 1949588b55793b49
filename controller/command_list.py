"""The list of commands: what the command line loads, and what the manual names."""

from __future__ import annotations

from typing import Final

#: Each command: its module in `controller.commands`, and its line in the list of commands.
COMMANDS: Final = {
    "run": ("run", "run a table from its configuration"),
    "init": ("init.command", "write a configuration: asks, or takes options"),
    "demo": ("demo.command", "run a table on simulated devices"),
    "deal": ("deal", "play rounds from a file through the engine"),
    "rules": ("rules", "print the rules of a game as they are enforced"),
    "procedures": ("procedures", "print what is done when something goes wrong"),
    "read": ("read", "read cards from pictures"),
    "doctor": ("doctor.command", "check an installation and say what to change"),
    "drivers": ("drivers.command", "list the drivers, and what they need of the units"),
    "calibrate": ("calibrate.command", "measure a device and configure it accordingly"),
    "token": ("token", "write a new API token"),
    "person": ("person", "add, list, remove or erase the people of a table"),
    "day": ("day", "show or close the gaming day of a running table"),
    "verify": ("verify", "check a record: pages, chain, signatures, rules"),
    "head": ("verify", "print where a record ends, for the sheet of a shift"),
    "replay": ("record", "list the rounds of a record, or show one step by step"),
    "rounds": ("logbook", "list the rounds of a record, with what each is to be noticed for"),
    "logbook": ("logbook", "say what every record says: when, who, why"),
    "export": ("record", "print every record"),
    "backup": ("record", "write a backup of a record, also while its service runs"),
    "restore": ("record", "put the best of backups and second copies in a record's place"),
    "completion": ("completion", "print what completes commands in a shell"),
}
