"""How many small changes to the modules that carry the laws the tests notice, and why they may miss the others."""
