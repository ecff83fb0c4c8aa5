"""Where the command prints: the one door to the terminal, which takes every character and lets no text command it."""

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

from smindex_plugins.limits import MAX_LINE
from smindex_plugins.text import did_you_mean, printable

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer


class _Pipe(io.FileIO):
    """Standard output, which a reader such as `head` may close before all is said."""

    def write(self, data: "ReadableBuffer", /) -> int:
        """Write, and from the moment on that nobody reads write nowhere, so that the run still ends as it would."""
        try:
            return super().write(data)
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.fileno())
            return super().write(data)


def prepare() -> None:
    """Let everything be printed: what an encoding lacks by its number, and nowhere what nobody takes."""
    if sys.stdout is None or sys.stderr is None:
        nowhere = _nowhere()
        sys.stdout, sys.stderr = sys.stdout or nowhere, sys.stderr or nowhere
    is_own = sys.stdout is sys.__stdout__  # and not something that a program which calls this has put there
    if is_own and not sys.stdout.isatty():
        sys.stdout = _patient(sys.stdout)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # it stays open as long as the run lasts


def _patient(out: TextIO) -> TextIO:
    """Return an output in place of another, with its encoding and its way of buffering."""
    out.flush()
    pipe = _Pipe(out.fileno(), "w", closefd=False)
    is_unbuffered = isinstance(out, io.TextIOWrapper) and out.write_through
    binary = pipe if is_unbuffered else io.BufferedWriter(pipe)
    return io.TextIOWrapper(binary, out.encoding, write_through=is_unbuffered)


def use_utf8() -> None:
    """Print in UTF-8 from now on, which programs read, whatever a console of Windows has."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")


def say(text: str) -> None:
    """Print a line on standard output."""
    print(printable(text, MAX_LINE))


def hand_over(script: str) -> None:
    """Print a text of the command's own that another program reads, as it is."""
    print(script)


def complain(text: str) -> None:
    """Print a line of the command's own on standard error; where that takes none, the exit code alone tells."""
    try:
        print(printable(f"smindex: {text}", MAX_LINE), file=sys.stderr)
    except OSError:
        sys.stderr = _nowhere()  # which Python writes to at its end


class Parser(argparse.ArgumentParser):
    """A parser whose errors, which repeat what is given, leave by the same door."""

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> tuple[Any, list[str]]:  # noqa: ANN401 - as the method that it replaces, which has several forms
        """Refuse what is not known at once: each command says which of its own options may be meant."""
        given, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(self._unknown(unknown))
        return given, unknown

    def _unknown(self, arguments: Sequence[str]) -> str:
        flag = next((each.partition("=")[0] for each in arguments if each.startswith("-")), "")
        if not flag:
            return f"one argument too many: {arguments[0]}"
        flags = [name for name in self._option_string_actions if name.startswith("--")]
        begun = [name for name in flags if flag.startswith("--") and name.startswith(flag)]
        near = begun or [*filter(None, [did_you_mean(flag, flags)])]
        fix = f"did you mean {' or '.join(near)}?" if near else f"`{self.prog} --help` lists those that there are"
        return f"there is no option {flag}; {fix}"

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        super().error(printable(message))
