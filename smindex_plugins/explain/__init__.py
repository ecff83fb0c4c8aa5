"""Explains checks, and why a page is listed or omitted and where its date comes from."""
