"""Puts the parts together: the command line, the Textual app and its screens."""
