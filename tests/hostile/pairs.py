"""Two runs at once in one directory: whichever is first, and whichever is killed, no index lists what is not there."""

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack
from tests.hostile.child import fault
from tests.hostile.harmed import Harm, Program, Run, Running, run
from tests.hostile.kills import KILLED
from tests.hostile.roots import Root
from tests.hostile.victim import difference, mended, sites, snapshot, untrue

_FALSE = ("cannot-write", "file-not-ours", "directory-in-use", "unreadable-sitemap")
"""What neither of two runs may say only because of the other one."""


def _builds(number: int, place: Path) -> str:
    random = Random(number)
    site, calm = sites(place, random)
    site.change(random)
    calm.follow(site)
    like = run(calm.build())

    def then() -> Program:
        if not site.is_announced and random.random() < 0.5:  # while the first one reads the pages
            site.change(random)
            calm.follow(site)
            run(calm.build())
        return site.build()

    return _at_once(site.build(), then, like, random) or site.harm() or mended(site, calm)


_VANISHED = "missing-sitemap"
"""What a join reports if a build removes a sitemap between its index and the look at the file."""


def _build_and_join(number: int, place: Path) -> str:
    random = Random(number)
    root = Root.random(place / "root", random)
    run(root.join())
    name = random.choice(sorted(root.builds))
    root.builds[name].change(random)
    calm = root.copy(place / "calm")
    like = run(calm.builds[name].build())
    run(calm.join())
    programs = [root.builds[name].build(), root.join()]
    random.shuffle(programs)
    wrong = _at_once(programs[0], lambda: programs[1], like, random, _VANISHED) or root.builds[name].harm()
    return wrong or _same(root, calm, root.builds[name].build(), root.join())


def _own_build_and_join(number: int, place: Path) -> str:
    random = Random(number)
    root = Root.random(place / "root", random, own=1)
    run(root.join())
    assert root.own
    if not root.own.is_announced:
        root.own.change(random)
    calm = root.copy(place / "calm")
    assert calm.own
    like = run(calm.own.build())
    run(calm.join())
    programs = [root.own.build(), root.join()]
    random.shuffle(programs)
    wrong = _at_once(programs[0], lambda: programs[1], like, random, _VANISHED) or root.own.harm()
    return wrong or _same(root, calm, root.own.build(), root.join())


def _joins(number: int, place: Path) -> str:
    random = Random(number)
    root = Root.random(place / "root", random)
    if random.random() < 0.5:
        run(root.join())
    root.change(random)
    calm = root.copy(place / "calm")
    like = run(calm.join())
    return _at_once(root.join(), root.join, like, random) or _same(root, calm, root.join())


def _at_once(
    first: Program, then: Callable[[], Program], like: Run, random: Random, may_say: str = "nothing else"
) -> str:
    """Start one program and then another one, and perhaps kill one of the two; return what they say wrongly.

    A program that reports the finding ``may_say`` may fail.
    """
    slow = random.choice((0.0, 0.001, 0.003, 0.01))
    harms = [Harm(slow=slow), Harm(slow=slow)]
    killed = random.choice((0, 1, None, None, None))
    if killed is not None:
        harms[killed] = replace(Harm.random(random, like), slow=slow)
    both = [Running(first, harms[0])]
    time.sleep(random.uniform(0, like.ended.seconds + slow * like.calls))
    both.append(Running(then(), harms[1]))
    for at in (1, 0) if killed else (0, 1):  # the one to be killed is waited for first, and killed then
        ended = both[at].wait().ended
        said = [name for name in _FALSE if name in ended.out and at != killed]
        codes = {0, 1} if may_say in ended.out else {0}
        wrong = fault(ended, KILLED if at == killed else codes) or (f"it says {said[0]}" if said else "")
        if wrong:
            return f"one of two runs: {wrong}: {' '.join(ended.out.split())}"
    return ""


def _same(root: Root, calm: Root, *programs: Program) -> str:
    """Return how runs that are left alone differ from what they make where nothing else has run."""
    wrong = [fault(run(program).ended, {0}) for program in programs]
    return (
        next(filter(None, wrong), "")
        or untrue(root.directory)
        or difference(snapshot(root.directory), snapshot(calm.directory))
    )


ATTACKS = (
    Attack("pair-builds", "two builds of a directory at once", _builds, 8, 600),
    Attack("pair-build-join", "a build below a root while that is joined", _build_and_join, 5, 500),
    Attack("pair-own-join", "a build at a root while that is joined", _own_build_and_join, 5, 500),
    Attack("pair-joins", "two joins of a root at once", _joins, 4, 400),
)
