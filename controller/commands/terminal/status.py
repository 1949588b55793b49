"""What every command shares: exit statuses, and how it fails."""

from __future__ import annotations

import sys
from typing import Final

#: The command did its work, and what it found is not good.
EXIT_BAD: Final = 1
#: The command line is at fault, as argparse has it.
EXIT_USAGE: Final = 2
#: A record holds by its chain, and takes another build: one that carries the rules by which some
#: of it was played, or a newer one that knows what stands in it.
EXIT_OTHER_BUILD: Final = 3
#: sysexits.h EX_CONFIG: the configuration is at fault; systemd does not start us again.
EXIT_CONFIG: Final = 78


def fail(text: str, status: int) -> int:
    """Print to standard error what is wrong, and what to do; the status, to be returned."""
    print(f"tablectl: {text}", file=sys.stderr)
    return status
