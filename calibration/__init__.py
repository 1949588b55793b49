"""Makes real devices trustworthy: measures them and writes the certificate that the table needs."""
