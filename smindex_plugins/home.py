"""Where the project is on the web. The address is filled in under `[project.urls]` in pyproject.toml.

`UPDATE_ADDRESS=1 python -m pytest tests/docs/test_address.py -k every_place` writes it wherever it stands.
"""

SOURCE = "https://example.org/smindex-plugins"
"""The repository."""

MANUAL = "https://example.org/sitemaps/"
"""The address of the manual, which is built from `sample_sites/mkdocs`."""
