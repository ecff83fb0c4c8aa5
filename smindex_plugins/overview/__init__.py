"""Shows what the sitemaps of a site contain: its sections, dates, sizes and omitted pages, also as
charts.
"""
