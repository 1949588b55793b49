"""Headers whose pins the table's gpiozero has: simulated over a socket, or a chip of the kernel's.

The two pin factories stand beside this folder, in `devices/`: gpiozero loads them by entry point.
"""
