"""The gate at the desk, without Textual: read at one moment, in words, and as pages."""
