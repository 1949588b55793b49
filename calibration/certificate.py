"""Certificates: what was measured of a device, when, by which software, and for which device.

A certificate is a JSON file. Its seal, a digest of all the rest, tells that it was changed by
hand; it proves nothing to somebody who wants to forge one.
"""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields, is_dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from calibration.durable import write_durable
from calibration.measure import Measurement

log = logging.getLogger(__name__)

FORMAT: Final = 1
_DAY_MS: Final = 86_400_000
#: A clock that is behind by less than this made no certificate of the future.
_SKEW_MS: Final = 60_000


class CertificateRefused(Exception):
    """A certificate cannot be relied on; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """What `tablectl calibrate` found out about one device.

    `device` is the digest of the settings that were measured, `files` those of what belongs to it
    (a code book, captured cards, a model), by name. `made_ms` is wall time since the epoch.
    `settings` are those settings themselves, None in a certificate from before they were kept: of
    one that a newer build has as well it can be told so whether it was there.
    """

    kind: str
    device: str
    made_ms: int
    software: str
    measurements: tuple[Measurement, ...]
    files: tuple[tuple[str, str], ...] = ()
    format: int = FORMAT
    seal: str = ""
    settings: dict[str, Any] | None = None

    @property
    def good(self) -> bool:
        """Whether something was measured, and all of it was good."""
        return bool(self.measurements) and all(each.good for each in self.measurements)

    def sealed(self) -> Certificate:
        """This certificate with its seal."""
        return replace(self, seal=self._digest())

    @property
    def whole(self) -> bool:
        """Whether it is as it was written."""
        return self.seal == self._digest()

    def _digest(self) -> str:
        plain = {**asdict(self), "seal": ""}
        if self.settings is None:
            del plain["settings"]  # the seals from before hold: so must whatever is added later
        return digest(plain)


_ADAPTER: Final = TypeAdapter(Certificate)


def digest(value: Any) -> str:
    """The SHA-256 of a value's canonical JSON; dataclasses by their fields, paths as text."""
    plain = asdict(value) if is_dataclass(value) and not isinstance(value, type) else value
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def plain_settings(settings: Any) -> dict[str, Any]:
    """The settings of a section, a dataclass, as a certificate keeps them."""
    found: dict[str, Any] = json.loads(json.dumps(asdict(settings), default=str))
    return found


def file_digest(path: Path) -> str:
    """The SHA-256 of a file, or of a folder's files with their names. Raises `OSError`."""
    if path.is_dir():
        return digest({each.name: file_digest(each) for each in sorted(path.iterdir())})
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write(certificate: Certificate, path: Path) -> None:
    """Write a certificate for its owner alone, whole or not at all. Raises `OSError`."""
    # As it will be read: a whole number in a float's place would seal otherwise.
    sealed = _ADAPTER.validate_python(asdict(certificate)).sealed()
    write_durable(path, f"{json.dumps(asdict(sealed), indent=1)}\n".encode())


def read(path: Path) -> Certificate:
    """The certificate at `path`. Raises `CertificateRefused`."""
    again = "run `tablectl calibrate` again"
    try:
        found = _ADAPTER.validate_json(path.read_bytes())
    except OSError as error:
        raise CertificateRefused(f"{path} cannot be read ({error.strerror}): {again}") from error
    except ValidationError as error:
        raise CertificateRefused(f"{path} is no certificate: {again}") from error
    if found.format != FORMAT:
        raise CertificateRefused(f"{path} is of format {found.format}, not {FORMAT}: {again}")
    if not found.whole:
        raise CertificateRefused(f"{path} was changed after it was written: {again}")
    return found


def check(
    path: Path, kind: str, settings: Any, *, now_ms: int, max_age_days: int,
    synchronised: Callable[[], bool], files: Mapping[str, Path] | None = None,
) -> Certificate:  # fmt: skip
    """The certificate at `path`, which must fit the device as it is configured now.

    `files` are those that must be as they were measured. `synchronised` is asked only of a clock
    that is behind the certificate. Raises `CertificateRefused`.
    """
    found = read(path)
    again = f"run `tablectl calibrate {kind}` again"
    if found.kind != kind:
        raise CertificateRefused(f"{path} is of {found.kind}, not of {kind}: name the right one")
    if not found.good:
        raise CertificateRefused(f"{path} holds measurements that are not good: {again}")
    if not _fits(found, settings):
        raise CertificateRefused(
            f"{path} does not fit [{kind}] as it is configured now: put the settings back, or "
            f"{again}"
        )
    made = datetime.fromtimestamp(found.made_ms / 1000, UTC).date()
    if is_yet_to_come(found, now_ms):
        if synchronised():
            raise CertificateRefused(f"{path} is of {made}, which is yet to come: set the clock")
        # A machine without a clock of its own starts with the time at which it was last seen to
        # run, or years before; a table that refused to start then would not try again.
        log.warning("%s is of %s, and the clock is behind that: nothing keeps it yet", path, made)
    if now_ms > found.made_ms + max_age_days * _DAY_MS:
        raise CertificateRefused(
            f"{path} is of {made}, which is more than {max_age_days} days ago: {again}"
        )
    for name, was in found.files:
        _check_file(path, name, was, (files or {}).get(name), again)
    return found


def _fits(certificate: Certificate, settings: Any) -> bool:
    """Whether the device is configured as it was measured.

    What a newer build can set as well was not there: it has to say its default, which leaves the
    device as it was.
    """
    was, now = certificate.settings, plain_settings(settings)
    if was is None:
        return certificate.device == digest(settings)
    usual = {each.name: each.default for each in fields(settings)}
    return was.keys() <= now.keys() and all(
        was[name] == value if name in was else getattr(settings, name) == usual[name]
        for name, value in now.items()
    )


def is_yet_to_come(certificate: Certificate, now_ms: int) -> bool:
    """Whether a certificate was made after `now_ms`, by which the clock is behind."""
    return now_ms < certificate.made_ms - _SKEW_MS


def _check_file(path: Path, name: str, was: str, now: Path | None, again: str) -> None:
    try:
        same = now is not None and file_digest(now) == was
    except OSError as error:
        raise CertificateRefused(f"{now} cannot be read ({error.strerror}): {again}") from error
    if not same:
        raise CertificateRefused(
            f"{name} is not what {path} was measured with: put it back, or {again}"
        )
