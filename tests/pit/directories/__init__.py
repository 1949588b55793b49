"""Directories of people, made and sent by a pit."""
