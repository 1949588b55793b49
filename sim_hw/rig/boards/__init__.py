"""Programs of the boards that listen at a table's buses for a rig: MicroPython on the RP2040.

The folder is copied to a board as it is. What is pure here runs on any Python, and a bench reads
the line by the same file (`packets.py`) that the board writes it by.
"""
