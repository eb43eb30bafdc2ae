"""Everything bothways decides, usable without a terminal and without a database."""
