"""Connections to the web of one table: the server, how many, and the descriptors they may take."""
