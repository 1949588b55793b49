"""The rig's stimulus program: a second Raspberry Pi as the hands, the shoe and the eyes at a table.

It needs Python 3.11, gpiozero and nothing else of this tree: copy the folder and start it there.
"""
