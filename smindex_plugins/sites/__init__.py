"""A whole site as it is found, on disk or on the web, handed to the checks."""
