"""Hard conditions, and the decision they add up to."""
