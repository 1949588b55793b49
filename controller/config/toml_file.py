"""Reads a TOML file: its text, for line numbers, and what it holds."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, Final

from controller.config.problems import ConfigError

#: It cannot be seen in an editor.
_BYTE_ORDER_MARK: Final = "\ufeff"


def read_toml(path: Path, missing: str) -> tuple[str, dict[str, Any]]:
    """The file's text and values; `missing` is said where it is not there. Raises `ConfigError`."""
    try:
        if path.exists() and not path.is_file():
            # A pipe would be waited for without an end, and a device be read without one.
            raise ConfigError(f"{path} cannot be read: it is no regular file")
        source = path.read_text(encoding="utf-8")
        if source.startswith(_BYTE_ORDER_MARK):
            raise ConfigError(
                f"{path} is not TOML: it begins with a byte order mark, as some editors write it:"
                f" take it away (sed -i '1s/^\\xEF\\xBB\\xBF//' {path})"
            )
        return source, tomllib.loads(source)
    except FileNotFoundError:
        raise ConfigError(missing.format(path=path)) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
