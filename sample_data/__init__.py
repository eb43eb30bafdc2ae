"""The sample project: an online shop, one frozen baseline and four candidates."""
