"""When git says that a file got its present content, or why nobody knows."""
