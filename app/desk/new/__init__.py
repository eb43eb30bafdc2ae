"""A new experiment at the desk, without Textual: a draft, what is around, and the check of it."""
