"""`python -m smindex_plugins` is the command `smindex`."""

import os
import signal
import sys
from contextlib import suppress

INTERRUPTED = 130
"""The exit code that shells give a program which was interrupted: 128 and the number of the signal."""


def main() -> int:
    """Run the command and return its exit code."""
    try:
        from smindex_plugins.cli import main as run  # noqa: PLC0415 - so that an interrupt can stop imports too

        return run()
    except KeyboardInterrupt:
        with suppress(OSError):  # whoever read it has gone, or the interrupt came while its encoding was set
            print("smindex: stopped.", file=sys.stderr, flush=True)
            sys.stdout.flush()
        os._exit(INTERRUPTED)  # at once, though a thread may still wait for a server
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left to stop, and the exit code is known


if __name__ == "__main__":
    sys.exit(main())
