"""The API of one table under `/api/v1`: documents, commands, the record, the log."""
