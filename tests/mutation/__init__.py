"""Mutation testing: what is changed in the rules or the table must fail a test."""
