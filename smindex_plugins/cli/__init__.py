"""The command `smindex`: arguments in, text and exit codes out."""
