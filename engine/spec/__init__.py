"""The spec of an experiment: from the YAML that people write to what a run works from."""
