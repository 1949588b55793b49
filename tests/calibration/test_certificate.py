"""A certificate outlives the build that wrote it: what fits, and what does not, a newer one."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from calibration.certificate import (
    Certificate,
    CertificateRefused,
    check,
    digest,
    plain_settings,
    read,
    write,
)
from calibration.measure import Measurement

MADE_MS = 1_700_000_000_000


@dataclass(frozen=True)
class MeasuredSettings:
    """A section of the configuration, as it was when it was measured."""

    spots: tuple[tuple[int, int], ...]
    file: Path = Path("lamps")


@dataclass(frozen=True)
class NewerSettings(MeasuredSettings):
    """The same of a newer build."""

    flash_ms: int = 5


@dataclass(frozen=True)
class NewDefault(MeasuredSettings):
    """Of one whose default is another: left out of the configuration it is not as it was."""

    file: Path = Path("others")


@dataclass(frozen=True)
class NotThere:
    """Of one that cannot be set so any longer."""

    spots: tuple[tuple[int, int], ...]


SPOTS = ((1, 2), (3, 4))


def certificate(settings: MeasuredSettings, *, kept: bool = True) -> Certificate:
    return Certificate(
        "leds", digest(settings), MADE_MS, "here", (Measurement("lit", 1.0, at_least=1.0),),
        settings=plain_settings(settings) if kept else None,
    )  # fmt: skip


def look(path: Path, settings: object) -> None:
    check(path, "leds", settings, now_ms=MADE_MS, max_age_days=1, synchronised=lambda: True)


def test_what_a_newer_build_can_set_as_well_leaves_the_certificates_from_before(
    tmp_path: Path,
) -> None:
    path = tmp_path / "leds.json"
    write(certificate(MeasuredSettings(SPOTS)), path)
    look(path, MeasuredSettings(SPOTS))
    look(path, NewerSettings(SPOTS))
    look(path, NewDefault(SPOTS, Path("lamps")))
    for otherwise in (
        NewerSettings(SPOTS, flash_ms=6), NewerSettings(SPOTS[::-1]), NewDefault(SPOTS),
        NotThere(SPOTS),
    ):  # fmt: skip
        with pytest.raises(CertificateRefused, match=r"does not fit \[leds\]"):
            look(path, otherwise)


def test_a_certificate_from_before_settings_were_kept_holds(tmp_path: Path) -> None:
    path = tmp_path / "leds.json"
    plain = asdict(certificate(MeasuredSettings(SPOTS), kept=False))
    del plain["settings"]
    path.write_text(json.dumps({**plain, "seal": digest({**plain, "seal": ""})}))
    look(path, MeasuredSettings(SPOTS))
    with pytest.raises(CertificateRefused, match="does not fit"):
        look(path, MeasuredSettings(SPOTS[::-1]))


def test_its_settings_are_under_the_seal(tmp_path: Path) -> None:
    path = tmp_path / "leds.json"
    write(certificate(MeasuredSettings(SPOTS)), path)
    assert read(path).whole
    path.write_text(path.read_text().replace('"lamps"', '"others"'))
    with pytest.raises(CertificateRefused, match="was changed"):
        look(path, MeasuredSettings(SPOTS))
