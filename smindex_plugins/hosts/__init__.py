"""MkDocs, ProperDocs, Pelican and Sphinx. Each adapter hands over its pages and logs the results."""
