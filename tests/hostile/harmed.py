"""A run in a forked process, which saves its imports, and what is done to it at a moment of our choice."""

import builtins
import fcntl
import mmap
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeAlias

import smindex_plugins.cli.main  # noqa: F401 - what every run needs is imported once
from smindex_plugins import __main__ as command
from tests.hostile.child import SECONDS, Ended, wait_for

Program: TypeAlias = Callable[[Callable[[], None]], int]
"""What is run, and returns its exit code. It calls what it is given where that begins to which harm is done."""

_CALLS = ("replace", "rename", "link", "remove", "unlink", "mkdir", "rmdir", "chmod", "chown", "fsync")
_CRASHED = 70
_ROOM = 1 << 20


@dataclass(frozen=True, slots=True)
class Harm:
    """What happens to a run: nothing, or one of these."""

    call: int = 0
    """It is killed at this call that changes the disk."""
    is_after: bool = False
    """It is killed after that call, in place of before it."""
    error: int = 0
    """That call fails with this number, and nothing is killed."""
    is_lasting: bool = False
    """So do all calls after it."""
    after: float = 0.0
    """It gets a signal after these seconds."""
    signal: int = signal.SIGKILL
    size: int = 0
    """The system kills it in the midst of writing a file, as soon as that has so many bytes."""
    is_told: bool = False
    """To write more than that is an error, and nothing is killed."""
    slow: float = 0.0
    """It waits so many seconds before each call that changes the disk, as on a busy machine."""

    @classmethod
    def random(cls, random: Random, like: "Run") -> "Harm":
        """Return a way to kill a run that is like one that was undisturbed."""
        what = random.randrange(8)
        if what < 5:
            return cls(call=random.randint(1, max(like.calls, 1)), is_after=random.random() < 0.5)
        return cls(after=random.uniform(0.0001, like.seconds)) if what < 7 else cls(size=random.randint(1, 600))


@dataclass(frozen=True, slots=True)
class Run:
    """What a run did."""

    ended: Ended
    calls: int
    """How often it changed the disk."""
    seconds: float
    """How long the part took to which harm is done."""


def smindex(*arguments: str) -> Program:
    """Return the command with arguments."""

    def program(begin: Callable[[], None]) -> int:
        getsignal = signal.getsignal

        def begun(number: int) -> Any:  # noqa: ANN401 - as the function that it stands for
            signal.getsignal = getsignal
            begin()
            return getsignal(number)

        signal.getsignal = begun  # type: ignore[assignment] # of the number alone; the first that the command does where it answers signals
        sys.argv = ["smindex", *arguments]
        return command.main()

    return program


def run(program: Program, harm: Harm = Harm()) -> Run:
    """Run a program in a process of its own, do harm to it, and wait for its end."""
    return Running(program, harm).wait()


@dataclass
class Running:
    """A program that was started."""

    program: Program
    harm: Harm = Harm()
    pid: int = field(init=False)

    def __post_init__(self) -> None:
        self._shared = mmap.mmap(-1, 16)
        """The number of calls, and whether that to which harm is done has begun."""
        self._started = self._begun = time.monotonic()
        self._out, self._err = os.pipe(), os.pipe()
        for _, end in (self._out, self._err):
            with suppress(AttributeError, OSError):  # Linux alone can do so
                fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, _ROOM)
        self.pid = os.fork()
        if self.pid == 0:
            self._become()
        for _, end in (self._out, self._err):
            os.close(end)

    def wait(self) -> Run:
        """Do what harm is to be done from outside, and wait for the end."""
        if self.harm.after:
            while not self._shared[8] and os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
                time.sleep(0.0002)
            self._begun = time.monotonic()
            time.sleep(self.harm.after)
            os.kill(self.pid, self.harm.signal)
        code, memory, is_hung = wait_for(self.pid, self._started + SECONDS)
        now = time.monotonic()
        ended = Ended(code, _said(self._out[0]), _said(self._err[0]), now - self._started, memory, is_hung)
        return Run(ended, self._calls(), now - self._begun)

    def _calls(self) -> int:
        return int.from_bytes(self._shared[:8], "little")

    def _become(self) -> None:
        """Be the program, in the new process, and never return."""
        code = _CRASHED
        try:
            os.setpgrp()
            os.dup2(self._out[1], 1)
            os.dup2(self._err[1], 2)
            for name, descriptor in (("stdout", 1), ("stderr", 2)):
                new = open(descriptor, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - it lasts as long as this
                setattr(sys, name, new)
                setattr(sys, f"__{name}__", new)
            code = self.program(self._begin)
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else _CRASHED
        except BaseException:  # noqa: BLE001 - as the interpreter would
            traceback.print_exc()
        finally:
            with suppress(BaseException):
                sys.stdout.flush()
                sys.stderr.flush()
            os._exit(code)

    def _begin(self) -> None:
        """Let harm be done from here on."""
        if self.harm.size:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN if self.harm.is_told else signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.harm.size, self.harm.size))
        for name in _CALLS:
            setattr(os, name, self._counting(getattr(os, name)))
        really, counting = builtins.open, self._counting(builtins.open)

        def opened(file: Any, mode: str = "r", *arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - as `open`
            return (really if mode in {"r", "rb"} else counting)(file, mode, *arguments, **options)

        builtins.open = opened
        self._shared[8] = 1

    def _counting(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def count(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever the function takes
            calls, harm = self._calls() + 1, self.harm
            self._shared[:8] = calls.to_bytes(8, "little")
            time.sleep(harm.slow)
            is_it = calls == harm.call or (harm.is_lasting and calls > harm.call)
            if is_it and harm.error:
                raise OSError(harm.error, os.strerror(harm.error), *arguments[:1])
            if is_it and not harm.is_after:
                os.kill(os.getpid(), signal.SIGKILL)
            done = function(*arguments, **options)
            if is_it:
                os.kill(os.getpid(), signal.SIGKILL)
            return done

        return count


def _said(pipe: int) -> str:
    os.set_blocking(pipe, False)
    said = b""
    with suppress(BlockingIOError):  # what the program started holds it open
        while block := os.read(pipe, _ROOM):
            said += block
    os.close(pipe)
    return said.decode(errors="replace")
