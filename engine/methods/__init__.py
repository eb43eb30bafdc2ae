"""Methods: which passes a row needs, and what they add up to."""
