"""`tablectl` that takes a scanner's code a second after its card, and contacts that bounce as long:
a busy machine hears and sees them late.

python -m tests.calibration.patient calibrate beam table.toml
"""

from __future__ import annotations

import sys

from calibration.devices import beam, buttons
from controller.__main__ import main

if __name__ == "__main__":
    beam.LATE_AT_MOST_MS = 1_300.0  # type: ignore[misc]
    buttons.BOUNCE_AT_MOST_MS = 1_000.0  # type: ignore[misc]
    sys.exit(main())
