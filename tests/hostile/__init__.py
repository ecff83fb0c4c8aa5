"""Attacks on the package, with counts: kills, faults of the file system, hostile content; `python -m tests.hostile`."""
