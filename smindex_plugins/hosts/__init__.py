"""Adapters for MkDocs, ProperDocs, Pelican and Sphinx.

Each passes its pages to the core and logs the results.
"""
