"""The desk: the app, its keys and themes, and the sessions that its screens show."""
