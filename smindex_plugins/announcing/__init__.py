"""Notifies search engines: IndexNow, and Google Search Console."""
