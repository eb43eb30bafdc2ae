"""The judge: what it is shown, how it is asked, and how its reply is read."""
