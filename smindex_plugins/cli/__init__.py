"""The command `smindex`."""
