"""Reads what a page declares in its rendered HTML and in its source."""
