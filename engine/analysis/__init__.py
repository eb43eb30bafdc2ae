"""What the facts add up to: outcomes, tallies, tests, agreement. Pure functions, stored nowhere."""
