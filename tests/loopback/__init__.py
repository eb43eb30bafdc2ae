"""A real provider and a real agent on the loopback address, for tests and for the bench."""
