"""A new table that is started before its machine knows the time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from controller.access.token import write_token
from tests.support.patience import PATIENCE_S

#: A service whose clock is believed at the third look.
BELIEVED_LATER = """
import sys
from controller.__main__ import main
from controller.assembly import assemble
from controller.service.timekeeping import wakeup
not_yet = [False, False]
assemble.clock_synchronised = lambda: not not_yet or not_yet.pop()
wakeup.FIRST_CLOCK_S = 0.01
sys.exit(main(["run", sys.argv[1]]))
"""


def test_a_new_table_whose_clock_is_believed_later_ends_so_that_it_is_started_again(
    tmp_path: Path,
) -> None:
    """systemd does so after any other status than 0 and 78; it showed a stopped table for good."""
    path = tmp_path / "table.toml"
    path.write_text(
        '[table]\nname = "T1"\ngame = "21-24-27"\nseats = 1\n[record]\nfolder = "record"\n'
        '[web]\nport = 0\ntoken_file = "token"\n[scanner]\nport = "scanner"\n'
    )
    write_token(tmp_path / "token")
    command = [sys.executable, "-c", BELIEVED_LATER, str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )  # fmt: skip
    assert done.returncode == 1, done.stderr
    assert done.stdout.startswith("ready ")
    assert "first gaming day would be called" in done.stderr
    assert "the next start opens the first gaming day" in done.stderr
