"""The desk as a program on a terminal: the app around the screens, themes, signals, and how it ends."""
