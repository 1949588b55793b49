"""`tablectl-update`: the program beside the releases that installs, changes and brings them back.

It is made of Python's standard library alone and imports nothing of a release, so that it works
whatever becomes of one.
"""
