"""The manual of a table: for its dealers, its floor and its engineers, made for the table at hand.

What the table enforces is taken from what enforces it: procedures, lights, keys, alarms, sections
of the configuration, commands. Only what no table holds is written here, in `english`.
"""
