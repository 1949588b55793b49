"""The notes of `tablectl-update`, as the service reads them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.commands.doctor.installation import software as doctor
from controller.host.installed import installed_release
from controller.record.fact_kinds import KINDS
from controller.record.journal import JournalError
from controller.record.software import COMPARED_WITHIN_S, WENT_BACK_S, Software
from controller.rules.messages import Message
from controller.service.recorder import Recorder, RecordSettings
from controller.table.facts import DeviceUp, Record, Refused
from controller.table.views.english import say
from systemd.releases.update.trial import REASONS

BUILD = "0.2.0+00000002"
BOOT = "3c7b2a4e"


class ReleaseHome:
    """A release in a home, and the time since the machine was started."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.folder = home / "releases" / BUILD
        self.folder.mkdir(parents=True)
        self.boot = home / "boot_id"
        self.boot.write_text(f"{BOOT}\n")
        self.now_s = 1_000.0
        self.compared()

    def write(self, name: str, plain: object) -> None:
        (self.home / f"{name}.json").write_text(json.dumps(plain))

    def compared(
        self, changed: Sequence[str] = (), *, build: str = BUILD, boot: str = BOOT
    ) -> None:
        found = {
            "build": build, "changed": list(changed), "count": len(changed), "boot": boot,
            "boottime_s": int(self.now_s),
        }  # fmt: skip
        self.write("compared", found)

    def software(self) -> Software:
        return Software(self.folder, boottime_s=lambda: self.now_s, boot_id=self.boot)


@pytest.fixture
def bench(tmp_path: Path) -> ReleaseHome:
    return ReleaseHome(tmp_path)


def code(found: Message | None) -> str:
    return found.code if found else ""


def test_a_release_that_was_compared_has_nothing_to_report(bench: ReleaseHome) -> None:
    assert bench.software()() is None


def test_a_changed_file_is_named(bench: ReleaseHome) -> None:
    bench.compared(["env/lib/a.py", "env/lib/b.py"])
    assert "(2; the first is env/lib/a.py)" in say(bench.software()() or Message(""))


@pytest.mark.parametrize("how", ["never", "another build", "before this start", "a day ago"])
def test_what_nobody_compared_is_reported(bench: ReleaseHome, how: str) -> None:
    if how == "never":
        (bench.home / "compared.json").unlink()
    elif how == "another build":
        bench.compared(build="0.1.0+00000001")
    elif how == "before this start":
        bench.compared(boot="other")
    else:
        bench.now_s += COMPARED_WITHIN_S + 1
    assert code(bench.software()()) == "software-not-compared"


@pytest.mark.parametrize("name", ["compared", "update", "went-back"])
@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff", b"[1]", b"5", b'{"changed": ["a.py"], "new": "%s"}' % BUILD.encode()],
)
def test_a_damaged_file_counts_as_not_compared(
    bench: ReleaseHome, name: str, content: bytes
) -> None:
    (bench.home / f"{name}.json").write_bytes(content)
    software = bench.software()
    found = software()
    if name == "update" and BUILD.encode() in content:
        assert code(found) == "software-on-trial"
    else:
        assert code(found) == "software-not-compared"
        assert not software.on_trial
    assert software.reads is None


def test_a_file_that_cannot_be_read_or_has_values_of_other_types_counts_as_not_compared(
    bench: ReleaseHome,
) -> None:
    bench.write("compared", {"build": BUILD, "boot": BOOT, "boottime_s": "soon"})
    assert code(bench.software()()) == "software-not-compared"
    (bench.home / "compared.json").unlink()
    (bench.home / "compared.json").mkdir()
    assert code(bench.software()()) == "software-not-compared"


def test_a_trial_goes_on_while_its_file_is_damaged(bench: ReleaseHome) -> None:
    bench.write("update", {"new": BUILD, "old": "x", "previous": "", "reads": ["DeviceUp/1"]})
    software = bench.software()
    (bench.home / "update.json").write_text("{")
    assert sorted(software.reads or ()) == ["DeviceUp/1"]
    assert code(software()) == "software-not-compared"
    (bench.home / "update.json").unlink()
    assert not software.reads
    assert software() is None


def test_on_trial_comes_first_and_ends_with_its_word(bench: ReleaseHome) -> None:
    bench.compared(["a.py"])
    bench.write("update", {"new": BUILD, "old": "x", "previous": "", "reads": ["DeviceUp/1"]})
    software = bench.software()
    assert code(software()) == "software-on-trial"
    assert sorted(software.reads or ()) == ["DeviceUp/1"]
    (bench.home / "update.json").unlink()
    assert not software.reads
    assert code(software()) == "software-changed"


def test_the_release_before_is_not_on_trial(bench: ReleaseHome) -> None:
    bench.write("update", {"new": "0.3.0+3", "old": BUILD, "previous": "", "reads": []})
    assert bench.software()() is None
    assert bench.software().reads is None


@pytest.mark.parametrize("why", REASONS)
def test_an_update_that_went_back_is_reported_for_a_minute(bench: ReleaseHome, why: str) -> None:
    bench.write("went-back", {"new": "0.3.0+00000003", "why": why, "what": "scanner"})
    software = bench.software()
    found = software()
    assert found is not None
    reason = found["why"]
    assert isinstance(reason, Message)
    assert (found.code, reason.code) == ("software-went-back", why)
    assert say(found).startswith("The update to 0.3.0+00000003 went back by itself, since ")
    bench.now_s += WENT_BACK_S + 1
    assert software() is None


@pytest.mark.parametrize(
    ("how", "id_", "verdict", "mend"),
    [
        ("fine", "software.files", "good", ""),
        ("changed", "software.files", "bad", "tablectl-update FILE"),
        ("driver", "software.files", "bad", "tablectl-update --add-driver WHEEL"),
        ("key", "software.files", "bad", "that a key in /opt/tablectl/release-keys has signed"),
        ("never", "software.compared", "bad", "--compare"),
        ("went back", "software.update", "note", "--seen"),
        ("trial", "software.trial", "note", "wait"),
    ],
)
def test_the_doctor_says_how_the_software_is(
    bench: ReleaseHome, how: str, id_: str, verdict: str, mend: str
) -> None:
    if how == "changed":
        bench.compared(["a.py"])
    elif how == "driver":
        bench.compared(["drivers/packages/tower_light/__init__.py", "a.py"])
    elif how == "key":
        bench.compared(["manifest.json.minisig"])
    elif how == "never":
        (bench.home / "compared.json").unlink()
    elif how == "went back":
        bench.write("went-back", {"new": "0.3.0+00000003", "why": "update-ended", "what": ""})
    elif how == "trial":
        bench.write("update", {"new": BUILD, "old": "x", "previous": "", "reads": []})
    found = doctor(bench.software())
    assert (found.id, found.verdict.value) == (id_, verdict)
    assert mend in found.mend


def test_on_trial_nothing_is_written_that_the_release_before_does_not_read(tmp_path: Path) -> None:
    known = frozenset(KINDS.names.values()) - {KINDS.names[Refused]}
    recorder = Recorder(RecordSettings(tmp_path / "record", only=lambda: known))
    recorder.recover(lambda why: None)
    with pytest.raises(JournalError, match="Refused/1 cannot be read by the release before"):
        recorder.begin([Record(1, 0, 0, "x", Refused("next", Message("no-more-bets")))])
    assert recorder.records == 0
    assert KINDS.names[DeviceUp] in known
    recorder.close()


def test_a_checkout_is_no_release(tmp_path: Path, bench: ReleaseHome) -> None:
    assert installed_release(tmp_path / "venv") is None
    (bench.folder / "env").mkdir()
    (bench.folder / "installed.json").write_text("{}")
    current = tmp_path / "current"
    current.symlink_to(f"releases/{BUILD}")
    assert installed_release(current / "env") == bench.folder
