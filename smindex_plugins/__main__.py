"""`python -m smindex_plugins` is the command `smindex`."""

import sys

from smindex_plugins.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
