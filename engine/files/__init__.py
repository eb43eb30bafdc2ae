"""Files that people write, read so that every complaint can name the line."""
