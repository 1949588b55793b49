"""Reads a TOML file: its text, for line numbers, and what it holds."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from controller.access.private_file import read_private
from controller.config.problems import ConfigError


def read_toml(path: Path, missing: str) -> tuple[str, dict[str, Any]]:
    """The file's text and values; `missing` is said where it is not there. Raises `ConfigError`."""
    try:
        # A pipe in its place would be waited for without an end, and without a word.
        source = read_private(path)[0].decode("utf-8")
        return source, tomllib.loads(source)
    except FileNotFoundError:
        raise ConfigError(missing.format(path=path)) from None
    except OSError as error:
        raise ConfigError(f"{path} cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} is not TOML: {error}") from error
