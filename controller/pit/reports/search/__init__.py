"""The search of archived rounds, and a round step by step out of its records."""
