"""Directories of people for tables: who may act where, made and sent by the pit on duty."""
