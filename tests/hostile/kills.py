"""Runs that are killed: whatever the moment, every index lists what is there, and the next run mends the rest."""

import signal
import subprocess
import sys
import time
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack
from tests.hostile.child import Ended, fault
from tests.hostile.harmed import Harm, run
from tests.hostile.roots import Root
from tests.hostile.victim import difference, mended, neither, settled, sites

KILLED = {0, 1, -signal.SIGKILL, -signal.SIGXFSZ}
_INTERRUPTED = 130
_STOPPED = "smindex: stopped.\n"
_CODES = {
    signal.SIGINT: {0, 1, _INTERRUPTED},
    signal.SIGTERM: {0, 1, -signal.SIGTERM},
    signal.SIGKILL: {0, 1, -signal.SIGKILL},
}
_SCRIPT = """
import sys
from smindex_plugins.__main__ import main
print("begun", flush=True)
sys.exit(main())
"""
"""What an installer makes of the entry point. Before the word, Python itself answers signals."""


def _build(number: int, place: Path) -> str:
    random = Random(number)
    site, calm = sites(place, random)
    for _ in range(1 if site.is_announced else random.randint(1, 3)):
        site.change(random)
        calm.follow(site)
        before = settled(site.directory)
        undisturbed = run(calm.build())
        killed = run(site.build(), Harm.random(random, undisturbed))
        wrong = fault(undisturbed.ended, {0, 1}) or fault(killed.ended, KILLED) or site.harm()
        if wrong := wrong or neither(settled(site.directory), before, settled(calm.directory)):
            return wrong
    return mended(site, calm)


def _join(number: int, place: Path) -> str:
    random = Random(number)
    root = Root.random(place / "root", random)
    if random.random() < 0.8:
        run(root.join())
    calm = root.copy(place / "calm")
    for _ in range(random.randint(1, 2)):
        root.change(random)
        calm.follow(root)
        before = settled(root.directory)
        undisturbed = run(calm.join())
        killed = run(root.join(), Harm.random(random, undisturbed))
        if wrong := fault(undisturbed.ended, {0, 1}) or fault(killed.ended, KILLED):
            return wrong
        if wrong := neither(settled(root.directory), before, settled(calm.directory)):
            return wrong
    return fault(run(root.join()).ended, {0, 1}) or difference(settled(root.directory), settled(calm.directory))


def _signals(number: int, place: Path) -> str:
    random = Random(number)
    site, calm = sites(place, random)
    site.change(random)
    calm.follow(site)
    undisturbed = run(calm.build())
    kind = random.choice((signal.SIGINT, signal.SIGINT, signal.SIGTERM))
    harm = Harm(after=random.uniform(0.0001, undisturbed.seconds), signal=kind)
    stopped = run(site.build(), harm).ended
    return _answered(stopped, kind) or site.harm() or mended(site, calm)


def _command(number: int, place: Path) -> str:
    """Send a signal to the command as users start it, also while it imports what it needs."""
    random = Random(number)
    site, calm = sites(place, random)
    site.change(random)
    calm.follow(site)
    run(calm.build())
    kind, after = random.choice(list(_CODES)), random.uniform(0, 0.6)
    stopped = _stopped([sys.executable, "-c", _SCRIPT, *site.arguments()], after, kind)
    return _answered(stopped, kind) or site.harm() or mended(site, calm)


def _stopped(command: list[str], after: float, kind: signal.Signals) -> Ended:
    started = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(after)
        process.send_signal(kind)
        out, err = process.communicate()
    return Ended(process.returncode, out, err, time.monotonic() - started, 0)


def _answered(stopped: Ended, kind: signal.Signals) -> str:
    said = stopped.err if stopped.code != 0 else ""
    return fault(stopped, _CODES[kind]) or (f"it says {said}" if said not in {"", _STOPPED} else "")


ATTACKS = (
    Attack("kill-build", "`smindex build` is killed, and built again", _build, 40, 2_000),
    Attack("kill-join", "`smindex join` is killed, and joined again", _join, 12, 600),
    Attack("signals", "`smindex build` is interrupted or asked to end", _signals, 15, 1_000),
    Attack("signals-command", "so is the command while it imports what it needs", _command, 4, 200),
)
