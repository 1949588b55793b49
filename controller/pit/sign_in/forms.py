"""What a form of the pit's pages sends (`application/x-www-form-urlencoded`)."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request

from controller.web.problems import RequestRejected

_KIND: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 20


class Form:
    """The fields of a form."""

    def __init__(self, fields: dict[str, list[str]]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        """A field, empty where it is missing. Raises `RequestRejected` for one that came twice."""
        found = self._fields.get(name, [""])
        if len(found) > 1:
            raise RequestRejected(400, f"{name} came twice")
        return found[0]

    def all(self, name: str) -> list[str]:
        """Every value of a field."""
        return self._fields.get(name, [])

    def number(self, name: str) -> int:
        """A number of ours. Raises `RequestRejected` for what is none."""
        text = self.text(name)
        if not (text.isascii() and text.isdecimal() and len(text) < 10):
            raise RequestRejected(400, f"{name} is no number of a form of ours")
        return int(text)


async def read_form(request: Request) -> Form:
    """The form that was sent. Raises `RequestRejected`."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != _KIND:
        raise RequestRejected(415, f"Send a form: {_KIND}")
    body = await request.body()
    try:
        fields = parse_qs(
            body.decode("ascii"), keep_blank_values=True, max_num_fields=_MOST_FIELDS,
            errors="strict",
        )  # fmt: skip
    except ValueError as error:
        raise RequestRejected(400, "The form cannot be read") from error
    if any("\0" in value for each in fields.values() for value in each):
        # No keyboard types it, and PostgreSQL has it in no text.
        raise RequestRejected(400, "A field of the form has a NUL")
    return Form(fields)
