"""Cases: the inputs of an experiment."""
