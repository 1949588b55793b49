"""tablectl: the controller of a physical casino table.

An input is decided, the decision is written down, and only what is written down changes the
table; what the table shows is a picture of that state.
"""

__version__ = "0.1.0"
