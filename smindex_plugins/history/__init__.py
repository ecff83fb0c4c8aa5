"""When the content of a file last changed according to git, or why that is unknown."""
