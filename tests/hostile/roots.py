"""A directory with several builds, and perhaps one of its own, that is joined again and again while it is attacked."""

import shutil
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from urllib.parse import quote

from tests.hostile.harmed import Program, run, smindex
from tests.hostile.victim import BASE, Victim

_NAMES = ("de", "v1", "v 2", "für", "team/log", "team/book")


@dataclass
class Root:
    """Builds below one directory, which are as they were built last."""

    directory: Path
    own: Victim | None = None
    builds: dict[str, Victim] = field(default_factory=dict)

    @classmethod
    def random(cls, directory: Path, random: Random, own: float = 0.5) -> "Root":
        """Make a few builds, and perhaps one at the root itself."""
        root = cls(directory)
        directory.mkdir()
        if random.random() < own:
            root.own = replace(Victim.random(directory, random), others=_NAMES)
            run(root.own.build())
        for name in random.sample(_NAMES, random.randint(2, 3)):
            root.add(name, random)
        return root

    def join(self) -> Program:
        """Return the command that joins the builds."""
        return smindex("join", str(self.directory), "--site-url", BASE)

    def add(self, name: str, random: Random) -> None:
        """Make a build."""
        self.builds[name] = Victim.random(self.directory / name, random, f"{BASE}{quote(name)}/")
        run(self.builds[name].build())

    def change(self, random: Random) -> None:
        """Add a build, remove one, or build one again with other pages."""
        what, name = random.randrange(3), random.choice(sorted(self.builds))
        missing = sorted(set(_NAMES) - set(self.builds))
        if what == 0 and missing:
            self.add(random.choice(missing), random)
        elif what == 1 and len(self.builds) > 1:
            shutil.rmtree(self.builds.pop(name).directory)
        else:
            self.builds[name].change(random)
            run(self.builds[name].build())

    def copy(self, directory: Path) -> "Root":
        """Return the same root in another directory, as it is."""
        shutil.copytree(self.directory, directory)
        builds = {name: replace(build, directory=directory / name) for name, build in self.builds.items()}
        return Root(directory, self.own and replace(self.own, directory=directory), builds)

    def follow(self, other: "Root") -> None:
        """Take on the builds of the same root elsewhere."""
        for name in _NAMES:
            shutil.rmtree(self.directory / name, ignore_errors=True)
        for name in other.builds:
            shutil.copytree(other.directory / name, self.directory / name)
