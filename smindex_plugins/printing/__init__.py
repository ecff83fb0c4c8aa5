"""How results look: lines and tables on a terminal, JSON objects, and templates of pages.

Builds print nothing.
"""
