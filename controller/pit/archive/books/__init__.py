"""What is kept of archived records for reports: chips, hourly figures, an index of rounds."""
