"""The files: rendered, divided, put on disk and read again, with the robots.txt beside them."""
