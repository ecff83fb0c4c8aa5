"""Finds a built site of any generator, its options and the sources of its pages."""
