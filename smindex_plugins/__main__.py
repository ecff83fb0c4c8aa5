"""`python -m smindex_plugins` is the command `smindex`."""

import sys

from smindex_plugins.cli import main

if __name__ == "__main__":
    sys.exit(main())
