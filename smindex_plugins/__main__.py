"""`python -m smindex_plugins` is the command `smindex`, which can be interrupted at any moment without a traceback.

What the command needs is imported in `main`, and not here, so that an interrupt while that goes on is answered too.
"""

import gc
import os
import signal
import sys

TYPE_CHECKING = False  # as type checkers take it; to import `typing` takes longer than all else before `main`
if TYPE_CHECKING:
    from types import FrameType

INTERRUPTED = 130
"""The exit code that shells give a program which was interrupted: 128 and the number of the signal."""
_OBJECTS = 100_000
"""How many more objects there may be before Python looks for circles of dead ones. A page makes ten, and no circle."""


def main() -> int:
    """Run the command and return its exit code."""
    try:
        return _run()
    except KeyboardInterrupt:
        print("smindex: stopped.", file=sys.stderr)
        return INTERRUPTED
    finally:
        if signal.getsignal(signal.SIGINT) is _stop:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # all is done, and the exit code is that of what was done


def _run() -> int:
    # `nohup`, and the `&` of a script, start programs that ignore interrupts; this one then goes on doing so.
    interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interrupts:
        signal.signal(signal.SIGINT, _leave)
    gc.set_threshold(_OBJECTS)
    from smindex_plugins.cli import main as run  # noqa: PLC0415 - see above

    if interrupts:
        signal.signal(signal.SIGINT, _stop)
    return run()


def _stop(number: int, _frame: "FrameType | None") -> None:
    """Stop the command, which first removes its temporary files. A second interrupt stops it at once."""
    signal.signal(number, _leave)
    raise KeyboardInterrupt


def _leave(_number: int, _frame: "FrameType | None") -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    sys.exit(main())
