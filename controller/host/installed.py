"""Which release is installed here, told by the inventory that lies beside its environment."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

#: What lies beside the environment of an installed release, and of nothing else.
INSTALLED: Final = "installed.json"


def installed_release(prefix: Path | None = None) -> Path | None:
    """The folder of the release that runs; None where a checkout does.

    `prefix` is the environment, that of this program where none is named.
    """
    folder = (prefix or Path(sys.prefix)).resolve().parent
    return folder if (folder / INSTALLED).is_file() else None
