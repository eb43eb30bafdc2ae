"""One model of a report, and a renderer for each format."""
