"""The contracts between the table and its devices, pure: what crosses them and who keeps to them.

Inputs say what they saw (`Reading`, `Press`) or how a device is (`Health`); outputs take one whole
`Scene`. Drivers know this package and the cards, and nothing else of the table.
"""
