"""The exit status of a command about a record, whatever stands in that record."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from controller.commands.status import EXIT_BAD, EXIT_OTHER_BUILD, fail
from controller.record.files.database import JournalError, RecordNewer
from controller.record.reading.replay import UNFIT


def answered(command: Callable[[argparse.Namespace], int], arguments: argparse.Namespace) -> int:
    """The exit status of a command; what a record cannot be asked is said in words."""
    try:
        return command(arguments)
    except RecordNewer as error:
        return fail(str(error), EXIT_OTHER_BUILD)
    except JournalError as error:
        return fail(str(error), EXIT_BAD)
    except UNFIT as error:
        # Values that no table writes, under a chain that was rebuilt over them; or our own defect.
        return fail(
            f"what stands in this record cannot be shown ({error!r}): `tablectl verify` it. Where "
            "that finds nothing wrong, this is a defect of tablectl: report it with this line",
            EXIT_BAD,
        )
