"""The command line, one file a command; `controller.__main__` lists them and loads the one asked.

A command's module adds its parser with `add_parsers`. It imports what it needs at its top, for it
is loaded only when its command is given.
"""
