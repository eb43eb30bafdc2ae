"""Textual widgets: they show plain data and send messages; they know no store and no model."""
