"""What is sent to whoever helps from afar: findings, settings, units, the newest lines of the log.

Nothing of the record goes with it: no seals, no pictures, no people; tokens are blotted out.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from controller.access.directory import PeopleError
from controller.access.read_directory import read_directory
from controller.access.token import TokenError, read_token
from controller.commands.doctor.finding import CheckFinding
from controller.commands.doctor.header import boot_files
from controller.commands.doctor.machine import GUARD, KIOSK, SERVICE, UNITS, Machine
from controller.config.configuration import Config
from controller.record.build import build

LOG_LINES: Final = 2_000
BLOT: Final = "[removed]"
#: Files of the machine that say how it is set up, and nothing of anybody.
PLAIN: Final = (
    "etc/os-release", "proc/cmdline", "proc/modules", "proc/meminfo", "proc/tty/drivers",
    "etc/udev/rules.d/99-tablectl.rules", "etc/modules-load.d/tablectl.conf",
    "sys/firmware/devicetree/base/model",
)  # fmt: skip
#: A name with a word for a secret in it, of which the value is one, whatever it looks like.
_NAME: Final = (
    r"[\w.-]{0,40}(?:token|secret|passw(?:or)?d|passphrase|pass|pwd|psk|cred(?:ential)?)s?"
    r"(?![a-z])[\w-]*"
)
_VALUE: Final = r"(\"[^\"]*\"|'[^']*'|[^\s&,;]+)"
#: Such a name and its value: a line of a file, which may hold spaces; all between two quotes, as in
#: a unit's environment; and wherever else, JSON and addresses included.
_SECRETS: Final = (
    re.compile(rf"(?im)^([ \t]*({_NAME})[ \t]*[=:][ \t]*)(\S.*)$"),
    re.compile(rf"(?i)((?<=\")({_NAME})=)([^\"\n]*)(?=\")"),
    re.compile(rf"(?i)((?<=')({_NAME})=)([^'\n]*)(?=')"),
    re.compile(rf"(?i)(({_NAME})[\"']?\s*[=:]\s*){_VALUE}"),
)
#: Such a name of which the value says only where a secret lies.
_PLACE: Final = re.compile(r"(?i).*[_-](?:file|path|folder|dir)|(?:Load|Import)Credential\w*")
#: A name that is of a secret, or of a pin of the header and a key of a keypad.
_MAYBE: Final = re.compile(rf"(?i)((?:pin|key)[\"']?\s*[=:]\s*){_VALUE}")
_PIN_DIGITS: Final = 3
#: What follows the name of a way to sign in, as a header of HTTP has it.
_SIGN_IN: Final = re.compile(
    r"(?i)\b(bearer\s+|basic\s+)[A-Za-z0-9._~+/=-]{8,}|\b(digest\s+)\w+=[^\n]*"
)
#: A private key as certificates' tools write it.
_PRIVATE_KEY: Final = re.compile(
    r"(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL
)
#: User and password in front of a host, as cameras of a network have them: up to the last "@".
_IN_URL: Final = re.compile(r"(://)[^\s\"]+@")


@dataclass(frozen=True, slots=True)
class BundleSubject:
    """Whose bundle it is, a table's or a pit's.

    `files` are its own by their names in the bundle, `secrets` what is blotted out wherever it
    stands, `units` those of systemd, `log` the pattern of those whose drop-ins and log are sent.
    """

    files: dict[str, str]
    secrets: Sequence[str]
    units: tuple[str, ...]
    log: str


def of_table(config: Config, path: Path) -> BundleSubject:
    """A table: its configuration in `path`, and certificates. Raises `OSError`."""
    files = {"table.toml": path.read_text(encoding="utf-8")}
    files |= {
        f"certificates/{kind}.json": file.read_text(encoding="utf-8")
        for kind, file in config.certified.items()
        if file.is_file()
    }
    units = (SERVICE, GUARD, KIOSK)
    people = config.people.names_file if config.people else None
    secrets = _read_secrets(config.web.token_file, people)
    return BundleSubject(files, secrets, units, "tablectl*")


def of_unreadable(machine: Machine) -> BundleSubject:
    """A table whose configuration cannot be read: its text may be anything, and stays out."""
    folder = machine.root / "etc/tablectl"
    secrets = _read_secrets(folder / "api-token", folder / "people.toml")
    return BundleSubject({}, secrets, (SERVICE, GUARD, KIOSK), "tablectl*")


def contents(
    subject: BundleSubject, machine: Machine, findings: Sequence[CheckFinding]
) -> dict[str, str]:
    """What a bundle holds: the text of each file by its name."""
    held = {
        # Names as they are spelled, so that they are found and blotted out.
        "findings.json": json.dumps(
            [each.plain() for each in findings], indent=1, ensure_ascii=False
        ),
        "version.txt": build(),
        **subject.files,
    }
    units = [*machine.files(f"{UNITS}/{subject.log}.service.d/*.conf")]
    units += [machine.root / UNITS / each for each in subject.units]
    names = [*PLAIN, *map(str, boot_files())]
    names += [str(each.relative_to(machine.root)) for each in units]
    for name in names:
        if (text := machine.text(name)) is not None:
            held[f"machine/{name}"] = text
    for name, command in {
        "log.txt": ("journalctl", "-u", subject.log, "-n", str(LOG_LINES), "--no-pager"),
        "usb.txt": ("lsusb",),
        "disks.txt": ("df", "-h"),
    }.items():
        if (said := machine.said(*command)) is not None:
            held[name] = said
    # The longest first: a short one may be a part of it.
    secrets = sorted(subject.secrets, key=len, reverse=True)
    return {name: _blotted(text, secrets) for name, text in sorted(held.items())}


def _read_secrets(token: Path, people: Path | None) -> list[str]:
    """The table's token, and the names of its people."""
    found = []
    with suppress(TokenError):  # whoever runs this cannot read it: it is in nothing that was read
        found.append(read_token(token))
    if people is not None:
        with suppress(PeopleError):
            found += read_directory(people).names.values()
    return found


def _blotted(text: str, secrets: Sequence[str]) -> str:
    for secret in secrets:
        text = re.sub(rf"(?i)(?<!\w){re.escape(secret)}(?!\w)", BLOT, text)
    text = _PRIVATE_KEY.sub(rf"\1\n{BLOT}\n\2", text)
    text = _IN_URL.sub(rf"\1{BLOT}@", text)
    text = _SIGN_IN.sub(lambda found: f"{found[1] or found[2]}{BLOT}", text)
    for pattern in _SECRETS:
        text = pattern.sub(lambda found: found[1] + _secret(found[2], found[3]), text)
    return _MAYBE.sub(lambda found: found[1] + _maybe(found[2]), text)


def _secret(name: str, value: str) -> str:
    """What is left of the value: a switch, or the place of a secret. Numbers and paths are none."""
    plain = value.strip("\"',; ")
    return value if plain in ("", "true", "false", BLOT) or _PLACE.fullmatch(name) else BLOT


def _maybe(value: str) -> str:
    """What is left of the value: a path, the number of a pin or key, or a switch."""
    plain = value.strip("\"',;")
    if plain.startswith(("/", "./", "../")) or (plain.isdigit() and len(plain) <= _PIN_DIGITS):
        return value
    return value if plain in ("", "true", "false", "token", "certificate", BLOT) else BLOT


def write(path: Path, held: dict[str, str]) -> None:
    """Write the bundle to a new file that only its owner reads. Raises `OSError`."""
    with path.open("xb") as file:
        path.chmod(0o600)
        try:
            _pack(file, path.name.partition(".")[0], held)
        except OSError:
            path.unlink()  # a part of one would only be in the way of the next
            raise


def _pack(file: BinaryIO, folder: str, held: dict[str, str]) -> None:
    made = int(time.time())
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, text in held.items():
            data = text.encode(errors="replace")
            entry = tarfile.TarInfo(f"{folder}/{name}")
            entry.size, entry.mtime, entry.mode = len(data), made, 0o600
            archive.addfile(entry, io.BytesIO(data))
