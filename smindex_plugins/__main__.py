"""`python -m smindex_plugins` is the command `smindex`."""

import gc
import os
import signal
import sys
from contextlib import suppress

STOPPED = 128
"""Shells report the exit code of a program ended by a signal as this number plus the signal's."""
_NEW_OBJECTS = 50_000
"""How many objects are made between two searches for circles of them. Python's 700 cost a build a
tenth of its time, because pages form no circles."""


def main() -> int:
    """Run the command and return its exit code."""
    gc.set_threshold(_NEW_OBJECTS)
    received = [int(signal.SIGINT)]

    def stop(number: int, _: object) -> None:
        signal.signal(number, signal.SIG_IGN)  # `timeout` sends it twice
        received[0] = number
        raise KeyboardInterrupt

    try:
        if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
            signal.signal(signal.SIGTERM, stop)
        from smindex_plugins.cli.main import main as run  # noqa: PLC0415 - lets an interrupt stop imports too

        return run()
    except KeyboardInterrupt:
        # the reader is gone, or the interrupt came while the encoding was being set
        with suppress(OSError):
            print("smindex: stopped.", file=sys.stderr, flush=True)
            sys.stdout.flush()
        # immediately, although a thread may still be waiting for a server
        os._exit(STOPPED + received[0])
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            # nothing is left to stop, and the exit code is final
            signal.signal(number, signal.SIG_IGN)


if __name__ == "__main__":
    sys.exit(main())
