"""From the text of a code to a card: code books, and the printed code "tablectl-1".

A code's text names a card that may have to stay hidden: it is in no log, no error and no repr.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Protocol

from controller.devices.inputs import Doubt
from controller.rules.cards import Card, CardError, Pack, card

PRINTED_CODE: Final = "tablectl-1"
SERIAL_DIGITS_MAX: Final = 32
BOOK_BYTES_MAX: Final = 1_000_000
#: What a code book calls the cut card.
CUT_CARD: Final = "cut"

_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_VALUES: Final = {letter: value for value, letter in enumerate(_ALPHABET)}


class CodeBookError(ValueError):
    """A code book cannot be used; the text says what to change in it."""


@dataclass(frozen=True, slots=True, repr=False)
class Code:
    """One code as it was read. Equal texts are equal codes; `kind` is None for an unknown one.

    `serial` is the physical card's serial number, empty where the deck has none. `cut`: it is the
    cut card's.
    """

    text: str
    kind: Card | None = field(compare=False)
    serial: str = field(default="", compare=False)
    cut: bool = field(default=False, compare=False)

    def __repr__(self) -> str:
        return "<code>"


class CodeBook(Protocol):
    """Knows which card a text stands for."""

    def look_up(self, text: str) -> Code | Doubt:
        """The code that `text` is, or why it is none."""
        ...


def check_character(text: str) -> str:
    """The check character of `text` by ISO/IEC 7064 MOD 37,36 (hybrid system, alphabet 0-9A-Z).

    Raises `KeyError` for a character outside the alphabet.
    """
    product = 36
    for letter in text:
        product = ((product + _VALUES[letter]) % 36 or 36) * 2 % 37
    return _ALPHABET[(37 - product) % 36]


class PrintedCode:
    """The book of the printed code "tablectl-1"; its grammar is in drivers/shoe/README.md."""

    def look_up(self, text: str) -> Code | Doubt:
        """The code that `text` is; GARBLED unless its check character is right."""
        body, check = text[:-1], text[-1:]
        if not (body and _VALUES.keys() >= set(text) and check_character(body) == check):
            return Doubt.GARBLED
        serial = body[2:]
        if serial and not (len(serial) == 6 and serial.isdigit()):
            return Code(text, None)
        return Code(text, _PRINTED.get(body[:2]), serial)


_PRINTED: Final = {kind.code.upper(): kind for kind in Pack(1, 1).kinds()}


class TomlBook:
    """A code book from a file: `[codes] "0412" = "Th"`, and `serial_digits` if cards have them.

    `cut` are the codes of cut cards, whole.
    """

    def __init__(
        self, kinds: dict[str, Card], serial_digits: int = 0, cut: frozenset[str] = frozenset()
    ) -> None:
        self._kinds = kinds
        self._digits = serial_digits
        self._cut = cut

    def look_up(self, text: str) -> Code | Doubt:
        """The code that `text` is; its last `serial_digits` characters are the serial number."""
        if text in self._cut:
            return Code(text, None, cut=True)
        if len(text) <= self._digits:
            return Doubt.GARBLED
        at = len(text) - self._digits
        return Code(text, self._kinds.get(text[:at]), text[at:])


def code_book(name: str | Path, pack: Pack) -> CodeBook:
    """The printed code, or the code book in the file `name`, which must tell every card of `pack`.

    Raises `CodeBookError`.
    """
    if name == PRINTED_CODE:
        return PrintedCode()
    path = Path(name)
    if path.exists() and not path.is_file():  # a pipe would be waited for without an end
        raise CodeBookError(f"{path} is no regular file: give a code book")
    try:
        with path.open("rb") as file:
            raw = file.read(BOOK_BYTES_MAX + 1)
    except OSError as error:
        raise CodeBookError(
            f"the code book {path} cannot be read ({error.strerror}): give the path of a code book"
            f' or "{PRINTED_CODE}"'
        ) from error
    if len(raw) > BOOK_BYTES_MAX:
        raise CodeBookError(f"{path} is larger than {BOOK_BYTES_MAX} bytes: give a code book")
    try:
        return _book(tomllib.loads(raw.decode()), pack)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        hint = 'every code stands once, in quotes, as in "0412" = "Th"'
        raise CodeBookError(f"{path} is not TOML: {error}; {hint}") from error
    except CodeBookError as error:
        raise CodeBookError(f"{path}: {error}") from None


def _book(raw: dict[str, object], pack: Pack) -> TomlBook:
    if unknown := raw.keys() - {"codes", "serial_digits"}:
        raise CodeBookError(
            f"unknown key {min(unknown)!r}: a code book has [codes] and serial_digits"
        )
    digits, codes = raw.get("serial_digits", 0), raw.get("codes")
    if type(digits) is not int or not 0 <= digits <= SERIAL_DIGITS_MAX:
        raise CodeBookError(f"serial_digits: choose 0 to {SERIAL_DIGITS_MAX}")
    if not isinstance(codes, dict) or not codes:
        raise CodeBookError('there is no [codes] table: write one, with lines as "0412" = "Th"')
    for text in codes:
        if not (text.isascii() and text.isprintable() and text):
            raise CodeBookError(
                f"the code {text!r} is not printable ASCII: write what scanners send"
            )
    cut = frozenset(text for text, name in codes.items() if name == CUT_CARD)
    kinds = {text: _kind(text, name) for text, name in codes.items() if text not in cut}
    if hidden := [
        text for text in cut if len(text) > digits and text[: len(text) - digits] in kinds
    ]:
        raise CodeBookError(f"the cut card's code {hidden[0]!r} is a card's too: give it another")
    torn = torn_into_another({**kinds, **dict.fromkeys(cut)})
    if torn is not None:
        raise CodeBookError(
            f"the code {torn[0]!r} is the beginning or the end of {torn[1]!r}, which is another"
            " card: a scan that loses a character could be that one. Give all codes one length"
        )
    held = set(kinds.values())
    if missing := [kind.name for kind in pack.kinds() if kind not in held]:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise CodeBookError(f"no code for {missing[0]}{more}: add one for every card of the pack")
    return TomlBook(kinds, digits, cut)


def torn_into_another(kinds: Mapping[str, Card | None]) -> tuple[str, str] | None:
    """A code that is left of another card's when that loses its beginning or its end, and that one.

    A scanner that is opened in the middle of a code, a line that drops a byte, a symbol that is
    read in part (as of Interleaved 2 of 5) do that; None where no code can become another so.
    """
    lengths = sorted({len(text) for text in kinds})
    for whole, kind in kinds.items():
        for length in lengths[: lengths.index(len(whole))]:
            for part in (whole[:length], whole[-length:]):
                if part in kinds and kinds[part] != kind:
                    return part, whole
    return None


def _kind(text: str, name: object) -> Card:
    if not isinstance(name, str):
        raise CodeBookError(f'the code {text!r} names no card: write it as in "{text}" = "Th"')
    try:
        return card(name)
    except CardError as error:
        raise CodeBookError(f"the code {text!r}: {error}") from None
