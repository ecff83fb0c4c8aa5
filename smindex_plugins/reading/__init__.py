"""Reads the sitemaps and whole sites of any tool, from a directory or over HTTP.

It judges nothing.
"""
