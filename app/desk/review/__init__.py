"""The review at the desk, without Textual: the queue, its reader, their way through it and what they say."""
