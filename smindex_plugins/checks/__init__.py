"""Finds problems in what was read: one function for each rule, and one table of them in `table`."""
