"""A world without hardware: what the drivers of a real table see when there is no table.

A seeded physical shoe, a scanner on a real pty, pins over a unix socket, and the people. It sits
below the drivers and speaks to the service only as hardware and people do.
"""
