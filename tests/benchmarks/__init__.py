"""Benchmarks: ratios measured in one run against a peer or a limit. None of them is a test."""
