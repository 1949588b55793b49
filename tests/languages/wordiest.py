"""The language that needs most room: what it fits into, the others are likely to."""

from __future__ import annotations

from typing import Final

from controller.languages.languages import Code

#: The quick form measures pages in this language alone, the long form in each.
WORDIEST: Final[Code] = "de"
