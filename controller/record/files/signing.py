"""The table's own key, and its signatures under closed days (Ed25519, RFC 8032).

A hash chain without a key can be rebuilt by whoever owns the disk; a signature over a closed day's
head cannot. The private key is made when a record begins, lies outside of the record's folder and
never leaves the table; `key.pub` is for auditors, who are given it once and keep it where the
table's disk is not. The library is loaded here and only when a day is signed or a signature is
checked.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from controller.record.files.chain_store import Beginning
from controller.record.files.database import JournalDamaged, JournalError, read_small
from controller.record.files.day_files import signature_path
from controller.record.files.head_anchor import Position
from controller.record.files.whole_file import write_whole

log = logging.getLogger(__name__)

_SIGNED: Final = b"tablectl gaming day 1\0"
_KEY_BYTES: Final = 32
_CHECK_DIGITS: Final = 16


class Signature(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The signature under a closed day: of table `identity`, over its last record.

    Bytes are hexadecimal; `key` is the public key.
    """

    day: str
    identity: str
    seq: int
    hash: str
    key: str
    signature: str


def default_key_path(folder: Path) -> Path:
    """Where the private key lies if nobody says where: beside the folder of the record.

    Never in it: what the key signs would lie together with the key, in every copy of the folder.
    Where the folder is a symbolic link, beside the link: a link that is led elsewhere, or to a disk
    that is not mounted, finds the key and no record. A key beside what the link leads to is used
    where an older build made it.
    """
    real = Path(os.path.realpath(folder))
    beside, older = folder.with_name(f"{folder.name}.key"), real.with_name(f"{real.name}.key")
    return older if older.exists() and not beside.exists() else beside


def public_key_path(folder: Path) -> Path:
    """The public key in the folder of a record."""
    return folder / "key.pub"


def check_no_key(folder: Path, key: Path) -> None:
    """A key is made after the first day's files: without these the record is gone.

    Raises `JournalError` where the key of a record that is not there lies at `key`.
    """
    if key.exists():
        raise JournalError(
            f"the table's key {key} is there, and no record is in {folder}: it was deleted or moved"
            " away. Put it back, or a backup of it with `tablectl restore`. For a new record move"
            " the key away, too: it gets one of its own"
        )


def ensure_key(folder: Path, key: Path) -> None:
    """Make the table's key at `key` where there is none. Raises `JournalError`, `OSError`.

    Raises also where one of the halves was changed: no day could be signed, or auditors would be
    given another key.
    """
    if key.exists() and public_key_path(folder).exists():
        if read_public_key(public_key_path(folder)) != _read_key(key)[1]:
            raise JournalError(_apart(folder, key))
        return
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    if not key.exists():
        if public_key_path(folder).exists():
            log.warning(
                "the table's key %s is gone, a new one is made: give the auditors the new %s",
                key, public_key_path(folder),
            )  # fmt: skip
        raw = Ed25519PrivateKey.generate().private_bytes_raw()
        key.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        pair = f"{raw.hex()} {_public(raw)}"
        write_whole(key, f"{pair} {_check(pair)}\n", 0o600)
    _, public = _read_key(key)
    write_whole(public_key_path(folder), f"{public} {_check(public)}\n", 0o644)


def _read_key(key: Path) -> tuple[bytes, str]:
    """The private key, and its public half in hexadecimal. Raises `JournalError`."""
    try:
        pair, _, check = read_small(key).decode("ascii").strip().rpartition(" ")
        private, _, public = pair.partition(" ")
        if check != _check(pair):
            raise ValueError("it is not as it was written")
        raw = bytes.fromhex(private)
    except (OSError, ValueError) as error:
        raise JournalError(
            f"the table's key {key} cannot be read ({error}): put it back from where "
            "it is kept, or remove it and give the auditors the new public key"
        ) from error
    return raw, public


def _apart(folder: Path, key: Path) -> str:
    return (
        f"the table's key {key} and {public_key_path(folder)} do not belong "
        "together, one was changed: put back the one that was, or remove both, start again and "
        "give the auditors the new public key"
    )


def _public(private: bytes) -> str:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(private)
    return key.public_key().public_bytes_raw().hex()


def sign(folder: Path, key: Path, day: Path, beginning: Beginning, head: Position) -> None:
    """Sign a closed day; the signature stands beside it. Raises `JournalError`, `OSError`."""
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    private, _ = _read_key(key)
    if read_public_key(public_key_path(folder)) != _public(private):
        raise JournalError(_apart(folder, key))
    signed = Ed25519PrivateKey.from_private_bytes(private).sign(_content(beginning, head))
    signature = Signature(
        beginning.label, beginning.identity.hex(), head.seq, head.hash.hex(), _public(private),
        signed.hex(),
    )  # fmt: skip
    write_whole(signature_path(day), msgspec.json.encode(signature).decode(), 0o600)


def signer(folder: Path, key: Path) -> Callable[[bytes], bytes]:
    """What signs with the table's key; what it signs says itself for what.

    The key is read once, when something is to be signed for the first time: before its record
    begins a table has none. Signing raises `JournalError` where it cannot be read.
    """

    @cache
    def own() -> Callable[[bytes], bytes]:
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

        private, public = _read_key(key)
        if read_public_key(public_key_path(folder)) != public:
            raise JournalError(_apart(folder, key))
        return Ed25519PrivateKey.from_private_bytes(private).sign

    def sign_it(what: bytes) -> bytes:
        return own()(what)

    return sign_it


def check_signature(day: Path, beginning: Beginning, head: Position, public_key: str = "") -> None:
    """Check the signature beside a closed day; against `public_key` where one is given.

    Raises `JournalDamaged`.
    """
    from cryptography.exceptions import InvalidSignature
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    try:
        found = msgspec.json.decode(read_small(signature_path(day)), type=Signature)
    except PermissionError as error:
        raise JournalError(
            f"the signature of {day} cannot be read ({error}): run this as the user of the service"
        ) from error
    except (OSError, ValueError) as error:  # msgspec's errors are of that kind, too
        raise JournalDamaged(day, f"its signature cannot be read ({error})", head.seq) from error
    if public_key and found.key != public_key:
        raise JournalDamaged(day, "it is signed with another key than the table's", head.seq)
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(found.key))
        key.verify(bytes.fromhex(found.signature), _content(beginning, head))
    except (InvalidSignature, ValueError) as error:
        raise JournalDamaged(day, "its signature does not hold", head.seq) from error


def is_signed(day: Path, beginning: Beginning, head: Position) -> bool:
    """Whether a signature beside a day holds for all of it up to `head`."""
    try:
        check_signature(day, beginning, head)
    except JournalError:
        return False
    return True


def read_public_key(path: Path) -> str:
    """The public key in a file, hexadecimal. Raises `JournalError`."""
    try:
        public, _, check = read_small(path).decode("ascii").strip().partition(" ")
        if len(bytes.fromhex(public)) != _KEY_BYTES or check != _check(public):
            raise ValueError("it is not as it was written")
    except (OSError, ValueError) as error:
        raise JournalError(
            f"{path} is no public key of a table ({error}): put back the one that the auditors "
            "have, or remove it, and the next start makes it again of the table's key"
        ) from error
    return public


def _check(text: str) -> str:
    """What stands beside a key: one that was changed is noticed before it is used."""
    return sha256(text.encode("ascii")).hexdigest()[:_CHECK_DIGITS]


def _content(beginning: Beginning, head: Position) -> bytes:
    """What is signed: the table, the day, and where it ends."""
    return b"".join(
        (_SIGNED, beginning.identity, beginning.label.encode("ascii"), head.seq.to_bytes(8, "big"),
         head.hash)
    )  # fmt: skip
