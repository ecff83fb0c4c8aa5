"""Which environments the tests are run in. `python -m tests.matrix` makes every one of them and runs its tests.

`python -m tests.matrix NAME...` runs some, `--ci` those that continuous integration has the time for, `--list` none. It
needs nothing but Python, and uses uv instead of venv and pip where that is installed. The environments are made anew,
below `.venv-matrix/`.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACE = ROOT / ".venv-matrix"
_MAKE_THEIR_OWN = ("tests/docs/test_package.py", "tests/docs/test_readme.py")
"""Tests that make environments themselves, which are the same wherever they are run from."""
_VERSIONS = """\
from importlib.metadata import distributions
shown = {"mkdocs", "properdocs", "pelican", "sphinx", "Sphinx", "lxml", "idna"}
print(*sorted(f"{found.name} {found.version}" for found in distributions() if found.name in shown), sep=", ")
"""
_TOOLS = ("hypothesis", "pytest")
_LOWER_BOUND = re.compile(r"([\w.-]+(?:\[[\w,]+\])?)>=([\w.]+)(?:,.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """A Python with packages, and the tests that prove something there which they prove nowhere else."""

    name: str
    why: str
    python: str = ""
    """Its version; without one, that of the Python which runs this."""
    packages: tuple[str, ...]
    """What pip is told to install, the newest versions where nothing else is said."""
    tests: str = "tests/**/test_*.py"
    """A pattern of files, relative to the root of the repository."""
    apart: bool = False
    """Whether the tests are those that are marked as impossible in the environment of the README."""
    in_ci: bool = True


def lower_bounds() -> tuple[str, ...]:
    """Pin every package that pyproject.toml names to the lowest version that it accepts."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    pins = dict[str, None]()
    for requirement in (
        *project["dependencies"],
        *extras["mkdocs"],
        *extras["pelican"],
        *extras["sphinx"],
        *extras["test"],
    ):
        bounded = _LOWER_BOUND.fullmatch(requirement)
        if bounded is None:
            message = f"pyproject.toml: {requirement!r} has no lower bound. Write the lowest version that works."
            raise ValueError(message)
        pins[f"{bounded[1]}=={bounded[2]}"] = None
    return tuple(pins)


PELICAN_PLUGINS = (
    "pelican-alias",
    "pelican-i18n-subsites",
    "pelican-image-process",
    "pelican-jinja2content",
    "pelican-redirect",
    "pelican-search",
    "pelican-seo",
    "pelican-sitemap",
)

SPHINX_EXTENSIONS = ("myst-parser", "sphinx-last-updated-by-git", "sphinx-sitemap")

ENVIRONMENTS = (
    Environment(
        name="3.11",
        why="the newest versions that can be installed together, as the README's test command has them",
        python="3.11",
        packages=(".[test]",),
        in_ci=False,
    ),
    Environment(name="3.12", why="the same under Python 3.12", python="3.12", packages=(".[test]",), in_ci=False),
    Environment(name="3.13", why="the same under Python 3.13", python="3.13", packages=(".[test]",), in_ci=False),
    Environment(
        name="lowest",
        why="the lowest versions that pyproject.toml accepts, of everything it names, Python included",
        python="3.11",
        packages=(".[test]", *lower_bounds()),
    ),
    Environment(
        name="pelican",
        why="the newest Pelican, without MkDocs, whose themes want a newer Pygments than it does",
        packages=(".[pelican]", "pelican>=4.12", *PELICAN_PLUGINS, "hatchling", *_TOOLS),
        tests="tests/hosts/test_pelican*.py",
    ),
    Environment(
        name="sphinx",
        why="the newest Sphinx, beside extensions that its users have, and without any other host",
        packages=(".[sphinx]", *SPHINX_EXTENSIONS, *_TOOLS),
        tests="tests/hosts/test_sphinx.py",
        apart=True,
    ),
    Environment(
        name="sphinx8",
        why="the oldest Sphinx that the extra accepts, beside the same extensions",
        packages=(".[sphinx]", "sphinx==8.1", *SPHINX_EXTENSIONS, *_TOOLS),
        tests="tests/hosts/test_sphinx.py",
        apart=True,
    ),
    Environment(
        name="properdocs",
        why="ProperDocs where MkDocs is not installed",
        packages=(".", "properdocs", "properdocs-theme-mkdocs", *_TOOLS),
        tests="tests/hosts/test_properdocs_alone.py",
        apart=True,
    ),
    Environment(
        name="materialx",
        why="MaterialX, which takes the place of Material",
        packages=(".[mkdocs]", "mkdocs-materialx", *_TOOLS),
        tests="tests/hosts/test_materialx.py",
        apart=True,
    ),
    Environment(
        name="techdocs",
        why="techdocs-core, which pins the versions of much else",
        packages=(".[mkdocs]", "mkdocs-techdocs-core", *_TOOLS),
        tests="tests/hosts/test_techdocs.py",
        apart=True,
    ),
    Environment(
        name="readers",
        why="three readers of sitemaps, which bring too much for the environments above",
        packages=(".[readers]",),
        tests="tests/hosts/test_readers.py",
        apart=True,
    ),
    Environment(
        name="storage",
        why="moto, a server of object storage, which brings more than anything that it tests",
        packages=(".", "moto[s3]", "flask", "flask-cors", "s3fs", *_TOOLS),
        tests="tests/tables/test_object_storage.py",
        apart=True,
    ),
    Environment(
        name="spark",
        why="Spark, which brings 500 MB and needs Java",
        packages=(".[spark,tables]", *_TOOLS),
        tests="tests/tables/test_spark.py",
        apart=True,
    ),
)


class FailedError(Exception):
    """A command has failed; the message is what it printed."""


def main(arguments: list[str] | None = None) -> int:
    """Make the environments that are asked for, run their tests, and print what came of each."""
    given = _read(arguments)
    if given.list:
        for environment in ENVIRONMENTS:
            print(f"{environment.name:10} {environment.why}")
        return 0
    chosen = [it for it in ENVIRONMENTS if it.name in given.names or not (given.names or (given.ci and not it.in_ci))]
    with ThreadPoolExecutor(given.jobs) as pool:
        outcomes = pool.map(partial(_outcome, given), chosen)
        return 1 if sum([_report(*done) for done in zip(chosen, outcomes, strict=True)]) else 0


def _read(arguments: list[str] | None) -> argparse.Namespace:
    known = [environment.name for environment in ENVIRONMENTS]
    parser = argparse.ArgumentParser(prog="python -m tests.matrix", description="Run the tests in many environments.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(known)} (default: all)")
    parser.add_argument("--ci", action="store_true", help="those that continuous integration has the time for")
    parser.add_argument("--list", action="store_true", help="say what each environment is for, and run none")
    parser.add_argument("--jobs", type=int, default=1, help="how many to run at once (default: 1)")
    given = parser.parse_args(arguments)
    if unknown := [name for name in given.names if name not in known]:
        parser.error(f"no environment is called {', '.join(unknown)}; there are {', '.join(known)}")
    return given


def _outcome(given: argparse.Namespace, environment: Environment) -> tuple[bool, str]:
    started = time.monotonic()
    python = find_python(environment.python)
    if python is None:
        return not given.names, f"not run, for there is no Python {environment.python} on this machine"
    try:
        inside = make(environment, python)
        said = _pytest(environment, inside)
        return True, f"{said} in {time.monotonic() - started:.0f} s with {_versions(inside)}"
    except FailedError as error:
        return False, f"FAILED\n{error}"


def _report(environment: Environment, outcome: tuple[bool, str]) -> bool:
    """Print what came of an environment, and tell whether it failed."""
    passed, said = outcome
    print(f"{environment.name}: {said}", flush=True)
    return not passed


def find_python(version: str) -> str | None:
    """Find an interpreter of a version such as 3.12: the one that runs this, one on PATH, or one that uv knows."""
    if version in {"", "{}.{}".format(*sys.version_info)}:
        return sys.executable
    candidates = [f"python{version}"]
    if uv := shutil.which("uv"):
        candidates.append(_quietly([uv, "python", "find", "--no-python-downloads", version]))
    ask = "import sys; print('{}.{}'.format(*sys.version_info), sys.executable)"
    for candidate in filter(None, candidates):
        # Pyenv puts something of this name on PATH for every version that it has, which runs only the one it is told.
        answer = _quietly([candidate, "-c", ask], PYENV_VERSION=version)
        if answer.startswith(f"{version} "):
            return answer.partition(" ")[2]
    return None


def make(environment: Environment, python: str) -> str:
    """Make an environment anew, with this repository as an editable install, and give its interpreter."""
    directory = PLACE / environment.name
    inside = str(directory / ("Scripts" if os.name == "nt" else "bin") / "python")
    shutil.rmtree(directory, ignore_errors=True)
    own, *others = environment.packages
    if uv := shutil.which("uv"):
        _do([uv, "venv", "--quiet", "--python", python, str(directory)])
        _do([uv, "pip", "install", "--quiet", "--python", inside, "--editable", own, *others])
    else:
        _do([python, "-m", "venv", str(directory)])
        _do([inside, "-m", "pip", "install", "--quiet", "--editable", own, *others])
    return inside


def _pytest(environment: Environment, python: str) -> str:
    """Run the tests, and give the line that sums them up."""
    files = sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob(environment.tests))
    marked = "apart" if environment.apart else "not apart"
    said = _do(
        [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", marked]
        + [file for file in files if file not in _MAKE_THEIR_OWN]
    )
    return said.splitlines()[-1].partition(" in ")[0]


def _versions(python: str) -> str:
    return f"{_do([python, '--version']).strip()}, {_do([python, '-c', _VERSIONS]).strip()}"


def _do(command: list[str]) -> str:
    """Run a command at the root of the repository, and give what it prints."""
    done = subprocess.run(
        command, cwd=ROOT, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    )
    if done.returncode:
        message = f"$ {' '.join(command)}\n{done.stdout}"
        raise FailedError(message)
    return done.stdout


def _quietly(command: list[str], **environment: str) -> str:
    """Give what a command prints, or nothing where it cannot be run or fails."""
    try:
        done = subprocess.run(
            command, env=os.environ | environment, check=False, capture_output=True, text=True, errors="replace"
        )
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


if __name__ == "__main__":
    sys.exit(main())
