"""Faults of the file system: a run that cannot write leaves every file as it was, or names those that it could not."""

import ctypes
import errno
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack, NotRunError
from tests.hostile.child import fault
from tests.hostile.harmed import Harm, Program, Run, run
from tests.hostile.victim import Victim, difference, mended, neither, settled, sites, snapshot

_NOBODY = 65_534
_NEW_NAMESPACE, _PRIVATE = 0x20000, 0x4000 | 0x40000
"""CLONE_NEWNS, and MS_REC with MS_PRIVATE, of Linux: what is mounted from here on is gone with the process."""
_CAPABILITIES = 0x20080522
"""The version of the form in which Linux takes them."""
_STUCK = "an earlier run left it, and it cannot be removed: "
_NAMED = re.compile(r"\S+: (.*cannot|.*denied|.*is unchanged)")
_ERRORS = (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EPERM, errno.EROFS, errno.EDQUOT, errno.ESTALE)


def _too_large(number: int, place: Path) -> str:
    """Let files grow to a size and no further."""
    random = Random(number)
    site, calm, undisturbed = _changed(place, random)
    largest = max(len(content) for content in snapshot(calm.directory).values())
    size = random.choice((random.randint(1, largest), largest - 1, largest, largest + 1, random.randint(1, 300)))
    before = settled(site.directory)
    tried = run(site.build(), Harm(size=size, is_told=True))
    return _all_or_nothing(site, calm, before, tried, undisturbed, is_full=True)


def _full(number: int, place: Path) -> str:
    """Build on a file system that something else has filled but for a few kilobytes, or a few files."""
    random = Random(number)
    (place / "site").mkdir()
    _mount_small(place / "site")
    site, calm, undisturbed = _changed(place, random)
    before = settled(site.directory)
    filler = place / "site" / "filler"
    filler.mkdir()
    if random.random() < 0.7:
        _fill(filler / "large", random.choice((0, 0, 4, 8, 12, 16, 24, 40)))
    else:
        _crowd(filler, random.randint(0, 12))
    tried = run(site.build())
    shutil.rmtree(filler)
    return _all_or_nothing(site, calm, before, tried, undisturbed, is_full=True)


def _fill(file: Path, left: int) -> None:
    """Fill a file system but for a number of kilobytes."""
    with suppress(OSError), file.open("wb", buffering=0) as opened:
        while opened.write(bytes(4096)) == 4096:
            pass
    os.truncate(file, max(file.stat().st_size - 1024 * left, 0))


def _crowd(directory: Path, left: int) -> None:
    """Make as many files as a file system can hold but for a number of them."""
    made = list[Path]()
    with suppress(OSError):
        while True:
            made.append(directory / str(len(made)))
            made[-1].touch()
    for path in made[-left - 1 :]:
        path.unlink(missing_ok=True)


def _failing_calls(number: int, place: Path) -> str:
    """Let one call that changes the disk fail, or that and all later ones."""
    random = Random(number)
    site, calm, undisturbed = _changed(place, random)
    before = settled(site.directory)
    call, error = random.randint(1, max(undisturbed.calls, 1)), random.choice(_ERRORS)
    harm = Harm(call=call, error=error, is_lasting=random.random() < 0.4)
    tried = run(site.build(), harm)
    return _all_or_nothing(site, calm, before, tried, undisturbed)


def _permissions(number: int, place: Path) -> str:
    """Build as somebody who may not enter, read or write a few directories and files."""
    random = Random(number)
    site, calm, undisturbed = _changed(place, random)
    before = settled(site.directory)
    barred = random.sample(_directories(site), random.randint(1, 2))
    if random.random() < 0.3:
        files = [path for path in site.directory.rglob("*") if path.is_file() and "sitemap" not in path.name]
        barred = random.sample(files, 2)  # what nobody can read is not known as ours
    modes = {path: path.stat().st_mode for path in barred}
    for path in barred:
        path.chmod(random.choice((0o555, 0o555, 0o500, 0o600, 0o000, 0o300)))
    tried = run(_unprivileged(site.build()))
    for path, mode in modes.items():
        if path.exists():
            path.chmod(mode)
    return _all_or_nothing(site, calm, before, tried, undisturbed)


def _sticky(number: int, place: Path) -> str:
    """Build in directories where files of others cannot be replaced, so that moving the files fails on the way."""
    if os.geteuid():
        message = "platform: only root can make files of somebody else"
        raise NotRunError(message)
    random = Random(number)
    site, calm, undisturbed = _changed(place, random)
    before = settled(site.directory)
    files = [path for path in site.directory.rglob("*sitemap*") if path.is_file()]
    theirs = random.sample(files, min(random.randint(1, 2), len(files)))
    for path in theirs:
        path.parent.chmod(0o1777)
        os.chown(path.parent, _NOBODY, _NOBODY)
        os.chown(path, _NOBODY, _NOBODY)
    tried = run(_unprivileged(site.build()))
    for path in theirs:
        os.chown(path.parent, 0, 0)
    return _all_or_nothing(site, calm, before, tried, undisturbed)


def _immutable(number: int, place: Path) -> str:
    """Build where files or directories may not be changed by anybody."""
    random = Random(number)
    site, calm, undisturbed = _changed(place, random)
    before = settled(site.directory)
    files = [path for path in site.directory.rglob("*sitemap*") if path.is_file()]
    fixed = random.choice(files if files and random.random() < 0.7 else _directories(site))
    flag = random.choice("ia") if fixed.is_dir() else "i"
    _change_flag(f"+{flag}", fixed)
    try:
        tried = run(site.build())
    finally:
        _change_flag(f"-{flag}", fixed)
    return _all_or_nothing(site, calm, before, tried, undisturbed)


def _changed(place: Path, random: Random) -> tuple[Victim, Victim, Run]:
    """Return a site that is to be built again, and its like, which was."""
    site, calm = sites(place, random)
    site.change(random)
    calm.follow(site)
    return site, calm, run(calm.build())


def _directories(site: Victim) -> list[Path]:
    return [site.directory, *(path for path in sorted(site.directory.rglob("*")) if path.is_dir())]


def _all_or_nothing(
    site: Victim, calm: Victim, before: dict[str, bytes], tried: Run, undisturbed: Run, *, is_full: bool = False
) -> str:
    """Return what is wrong after a run that met a fault: it did all, or says which file it was.

    Then each file is as before or as after all of it. Where there is no room, all are as before.
    """
    found, after, said = settled(site.directory), settled(calm.directory), tried.ended.out
    stuck = _STUCK in said
    wrong = fault(undisturbed.ended, {0, 1}) or fault(tried.ended) or site.harm()
    if wrong or "without a readable file" in said:  # pages that are left out, and counted as such
        pass
    elif stuck or tried.ended.code == 0:
        left = {name: before[name] for name in before.keys() & found.keys() - after.keys() if stuck}
        wrong = difference(found, after | left)
        wrong = wrong and f"it writes an index, and {wrong}"
    else:
        printed = f"{said}\n{tried.ended.err}"
        unnamed = "" if _NAMED.search(printed) else f"it fails, and names no file: {_shortly(printed)}"
        wrong = (difference(found, before) if is_full else neither(found, before, after)) or unnamed
    return wrong or mended(site, calm)


def _shortly(said: str) -> str:
    return " ".join(said.split())[:600]


def _unprivileged(program: Program) -> Program:
    """Return a program that only has the rights of a file's owner, also where root runs it."""

    def run_it(begin: Callable[[], None]) -> int:
        if os.geteuid() == 0:
            header, none = (ctypes.c_uint32 * 2)(_CAPABILITIES, 0), (ctypes.c_uint32 * 6)()
            if _c("capset", header, none):
                raise OSError(ctypes.get_errno(), "capset")
        return program(begin)

    return run_it


def _mount_small(directory: Path) -> None:
    """Mount a small file system, for this process and those that it starts alone."""
    if _c("unshare", _NEW_NAMESPACE) or _c("mount", b"none", b"/", None, _PRIVATE, None):
        message = "platform: only root can mount, and not in every container"
        raise NotRunError(message)
    if _c("mount", b"tmpfs", os.fsencode(directory), b"tmpfs", 0, b"size=2m,nr_inodes=800"):
        message = f"platform: no tmpfs can be mounted: {os.strerror(ctypes.get_errno())}"
        raise NotRunError(message)


def _c(name: str, *arguments: object) -> int:
    """Call a function of the C library of Linux."""
    function = getattr(ctypes.CDLL(None, use_errno=True), name, None)
    if function is None:
        message = f"platform: this system has no {name}"
        raise NotRunError(message)
    return int(function(*arguments))


def _change_flag(change: str, path: Path) -> None:
    try:
        done = subprocess.run(["chattr", change, str(path)], capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        message = "platform: there is no chattr"
        raise NotRunError(message) from error
    if done.returncode and change.startswith("+"):
        message = f"platform: no file can be made immutable here: {done.stderr.strip()}"
        raise NotRunError(message)


ATTACKS = (
    Attack("disk-too-large", "no file may be larger than a size", _too_large, 8, 500),
    Attack("disk-full", "a file system has no room left, or none for files", _full, 6, 300),
    Attack("disk-errors", "one call that changes the disk fails, or all from one on", _failing_calls, 15, 1_500),
    Attack("disk-permissions", "directories or files may not be entered, read or written", _permissions, 8, 500),
    Attack("disk-sticky", "files of somebody else may not be replaced", _sticky, 6, 300),
    Attack("disk-immutable", "files or directories may not be changed by anybody", _immutable, 6, 300),
)
