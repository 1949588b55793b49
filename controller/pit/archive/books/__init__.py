"""What is kept of archived records for reports: chips, figures by time, an index of rounds."""
