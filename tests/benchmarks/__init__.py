"""Benchmarks: `python -m tests.benchmarks history|build|tables` prints ratios that are measured
within one run.
"""
