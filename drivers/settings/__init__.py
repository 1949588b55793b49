"""The devices' settings: one frozen, checked value for each section of the configuration.

The names are those of the configuration file; wrong values raise `SettingsError`, all at once, each
with the remedy.
Pins are GPIO numbers (not positions on the header), durations carry their unit in the name.
"""
