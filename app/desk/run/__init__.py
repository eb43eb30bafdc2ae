"""Runs at the desk, without Textual: the worker, how far it is, what failed and what to do about it."""
