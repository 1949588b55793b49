"""The contract suites with a person in the loop: here the person is a script at a real terminal."""

import os
import re
import select
import subprocess
import sys
from itertools import cycle
from pathlib import Path

import pytest

from tests.contracts.simulated_hands import PRINTED
from tests.contracts.simulated_table import SCANNER, TABLE
from tests.drivers.outside import ScannerLine
from tests.support.patience import PATIENCE_S

CHECKOUT = Path(__file__).resolve().parents[2]
SILENCE_S = 2 * PATIENCE_S
PROMPT = re.compile(r">> ([^>]*?)(\[y/n\] |out of the shoe\. )$", re.DOTALL)


class Script:
    """Does what the terminal says."""

    def __init__(self, line: ScannerLine) -> None:
        self._line = line
        self._cards = cycle(PRINTED)

    def follow(self, prompt: str) -> bytes:
        """Do it; what is typed."""
        if "Pull ONE card" in prompt:
            self._line.say(next(self._cards)[1] + b"\r")
        elif "Pull the scanner's plug" in prompt:
            self._line.unplug()
        elif "plug back" in prompt:
            self._line.plug()
        return b"y\n" if prompt.endswith("[y/n] ") else b""


def said(terminal: int) -> str:
    """What the suites print next; nothing at the end, or after too long a silence."""
    if not select.select([terminal], [], [], SILENCE_S)[0]:
        return ""
    try:
        return os.read(terminal, 10_000).decode(errors="replace")
    except OSError:
        return ""  # the terminal was closed with the suites


@pytest.mark.long
def test_with_a_real_table_the_suites_ask_a_person(tmp_path: Path) -> None:
    line = ScannerLine(tmp_path / "scanner")
    line.plug()
    config = tmp_path / "table.toml"
    config.write_text(TABLE + SCANNER.format(speaks='protocol = "plain"'))
    script, shown, asked = Script(line), "", 0
    ours, theirs = os.openpty()
    command = [sys.executable, "-m", "pytest", "-q", "--color=no", "-p", "no:cacheprovider"]
    command += [f"--hil={config}", str(Path(__file__).parent)]
    with subprocess.Popen(
        ["setsid", "--ctty", *command], cwd=CHECKOUT, stdin=theirs, stdout=theirs, stderr=theirs
    ) as suites:
        os.close(theirs)
        try:
            while data := said(ours):
                shown += data
                if prompt := PROMPT.search(shown[asked:]):
                    asked = len(shown)
                    os.write(ours, script.follow(prompt.group(0)))
            status = suites.wait(SILENCE_S)
        finally:
            suites.kill()
            os.close(ours)
            line.unplug()
    assert status == 0, shown
    assert "Pull ONE card out of the shoe." in shown
    assert re.search(r"7 passed, \d+ skipped, \d+ deselected", shown), shown
