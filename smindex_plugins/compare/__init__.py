"""Compares two versions of a site by their sitemaps, and finds out what happened to removed
pages.
"""
