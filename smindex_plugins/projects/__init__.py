"""A directory that any generator built, as pages: where it is, who says so, and what its files were made from."""
