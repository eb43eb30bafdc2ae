"""Pages to read, made of plain data by pure functions; `Page` shows them."""
