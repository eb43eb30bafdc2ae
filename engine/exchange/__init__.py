"""Files that go in and out: pairs, CSV, and what other tools write."""
