"""What the screens show, without Textual: sitting, keys, settings, copies, and a package for each screen."""
