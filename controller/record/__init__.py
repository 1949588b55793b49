"""The record and everything about it: chain, openings, anchor, replica, backup, audit, images."""
