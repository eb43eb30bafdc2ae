"""A run: what the spec asks less what is there, under one supervisor."""
