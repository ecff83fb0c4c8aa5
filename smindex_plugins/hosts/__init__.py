"""MkDocs, ProperDocs and Pelican. Each adapter hands over its pages and logs the results."""
