"""The configuration: one TOML file, typed, in which anything unknown is an error.

Everything that is wrong with a file is named at once: where it stands, by line and key, and what
is allowed there.
"""
