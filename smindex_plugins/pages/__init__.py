"""Whether a page is listed, since when, and with what."""
