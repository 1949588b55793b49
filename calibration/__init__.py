"""Makes real devices trustworthy: measures them, with units and limits, and says what is wrong."""
