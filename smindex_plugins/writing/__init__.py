"""Writes sitemap files: their names, sections and content, and what robots.txt and a generator's
flat sitemap say.
"""
