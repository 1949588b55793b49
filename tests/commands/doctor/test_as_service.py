"""The part of the doctor that is run as the service: in its sandbox, as its user, or not at all."""

from __future__ import annotations

import os
import pwd
from pathlib import Path

import pytest

from controller.commands.doctor import as_service, installation
from tests.commands.doctor.conftest import put
from tests.commands.doctor.test_doctor import ROOT, found
from tests.drivers.outside import ScannerLine

#: It notes what it is asked for, and runs the program without a sandbox.
SYSTEMD_RUN = """#!/bin/sh
echo "$@" >> {asked}
while [ "${{1#--}}" != "$1" ]; do shift; done
exec "$@"
"""


@pytest.fixture
def installed(root: Path, line: ScannerLine, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with the service, whose user is who runs these tests."""
    user = pwd.getpwuid(os.geteuid()).pw_name
    for module in (installation, as_service):
        monkeypatch.setattr(module, "USER", user)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    for each in ("tablectl.service", "tablectl-guard.service"):
        put(root, f"etc/systemd/system/{each}", (ROOT / "systemd/units" / each).read_text())
    monkeypatch.syspath_prepend(ROOT)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return root


def test_under_systemd_it_looks_in_the_service_s_sandbox(
    installed: Path, table: Path, tmp_path: Path, line: ScannerLine,
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (installed / "run/systemd/system").mkdir(parents=True)
    asked = tmp_path / "asked"
    put(tmp_path, "bin/systemd-run", SYSTEMD_RUN.format(asked=asked)).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    _, findings = found(capsys, "--root", installed, table)
    assert findings["service.part"]["verdict"] == "good"
    assert findings["service.part"]["what"].endswith("in its sandbox")
    assert findings["scanner.port"]["verdict"] == "bad", "its part came back"
    line_ = asked.read_text()
    assert "--property=ProtectSystem=strict" in line_
    assert "--property=User=tablectl" in line_
    assert "doctor --service-part" in line_


def test_a_sandbox_that_does_not_start_is_never_good(
    installed: Path, table: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    (installed / "run/systemd/system").mkdir(parents=True)
    put(
        tmp_path, "bin/systemd-run",
        "#!/bin/sh\necho 'Unknown assignment: ProtectFoo' >&2\nexit 1\n",
    ).chmod(0o755)  # fmt: skip
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    status, findings = found(capsys, "--root", installed, table)
    part = findings["service.part"]
    assert (status, part["verdict"]) == (1, "not checked")
    assert part["why"] == "Unknown assignment: ProtectFoo"
    assert part["mend"].startswith("sudo -u ")
    assert "doctor --service-part" in part["mend"]


@pytest.mark.long  # a process of a second; what it does else, the one in the sandbox shows
@pytest.mark.skipif(os.geteuid() != 0, reason="only root may become the service's user")
def test_without_systemd_it_looks_as_its_user_and_says_so(
    installed: Path, table: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, findings = found(capsys, "--root", installed, table)
    assert findings["service.part"]["verdict"] == "note"
    assert "systemd does not run here" in findings["service.part"]["why"]
    assert "scanner.port" in findings


def test_who_is_not_root_hears_that_the_service_was_not_asked(
    installed: Path, table: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(as_service, "USER", "nobody-of-that-name")
    _, findings = found(capsys, "--root", installed, table)
    part = findings["service.part"]
    assert (part["verdict"], part["mend"]) == ("note", "sudo tablectl doctor, with the same words")
