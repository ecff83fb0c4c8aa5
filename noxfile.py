"""Test sessions, each in its own environment. `nox --list` lists them, `nox -s NAME` runs one.

GitHub runs every session as a separate job. `.ci/run` runs `lowest` and the sessions with the tag
`ci`.
"""

from pathlib import Path

import nox
from packaging.requirements import Requirement

PYPROJECT = nox.project.load_toml("pyproject.toml")
EXTRAS: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
TOOLS = ("hypothesis", "pytest", "pytest-xdist")
SPHINX_EXTENSIONS = ("furo", "myst-parser", "sphinx-last-updated-by-git", "sphinx-sitemap")

nox.options.default_venv_backend = "uv|virtualenv"
# with pyenv: `PYENV_VERSION=3.11:3.12:3.13 nox -s NAME`
nox.options.error_on_missing_interpreters = True


def pytest(session: nox.Session, *arguments: str) -> None:
    """Run tests with the arguments after `--` on nox's command line."""
    session.run(
        "python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments, *session.posargs
    )


def lowest_versions() -> list[str]:
    """Pin every dependency in pyproject.toml to the lowest version that it accepts."""
    named = [*PYPROJECT["project"]["dependencies"]]
    for extra in ("mkdocs", "pelican", "sphinx", "test"):
        named += EXTRAS[extra]
    pins = set()
    for requirement in map(Requirement, named):
        extras = f"[{','.join(requirement.extras)}]" if requirement.extras else ""
        (lowest,) = (bound.version for bound in requirement.specifier if bound.operator == ">=")
        pins.add(f"{requirement.name}{extras}=={lowest}")
    return sorted(pins)


@nox.session(python=nox.project.python_versions(PYPROJECT))
def tests(session: nox.Session) -> None:
    """Run all tests with the newest compatible versions, like the test command in the README."""
    session.install("-e", ".[test]")
    pytest(session, "-n", "auto")


@nox.session(python="3.11")
def lowest(session: nox.Session) -> None:
    """Run the tests that depend on versions with the lowest that pyproject.toml accepts, including
    Python.
    """
    session.install("-e", ".[test]", *lowest_versions())
    omitted = (
        # They create environments with the newest versions, or show commands and pages again, which
        # other tests run with these versions.
        "tests/docs/test_manual_commands.py",
        "tests/docs/test_package.py",
        "tests/docs/test_readme.py",
        "tests/hosts/test_manual_pages.py",
        # They test our dealings with git and the operating system, and use no dependency in a way
        # of their own.
        "tests/cli/test_interrupt.py",
        "tests/history",
        "tests/laws/test_5_atomic.py",
    )
    pytest(session, "-n", "auto", *(f"--ignore={path}" for path in omitted))


@nox.session(tags=["ci"])
def pelican(session: nox.Session) -> None:
    """Test the newest Pelican without MkDocs, whose themes require a newer Pygments."""
    plugins = [name for name in EXTRAS["test"] if name.startswith("pelican-")]
    session.install("-e", ".[pelican]", "pelican>=4.12", *plugins, "hatchling", *TOOLS)
    pytest(session, "-n", "auto", *map(str, sorted(Path("tests/hosts").glob("test_pelican*.py"))))


@nox.session(tags=["ci"])
@nox.parametrize(
    "version", [nox.param("sphinx==8.1", id="oldest"), nox.param("sphinx>=9", id="newest")]
)
def sphinx(session: nox.Session, version: str) -> None:
    """Test the oldest and newest Sphinx with common extensions and a theme, without other hosts."""
    session.install("-e", ".[sphinx]", version, *SPHINX_EXTENSIONS, *TOOLS)
    pytest(session, "-m", "apart", "tests/hosts/test_sphinx_plugin.py")


@nox.session(tags=["ci"])
def properdocs(session: nox.Session) -> None:
    """Test ProperDocs without MkDocs."""
    session.install("-e", ".", "properdocs", "properdocs-theme-mkdocs", *TOOLS)
    pytest(session, "-m", "apart", "tests/hosts/test_properdocs_alone.py")


@nox.session
def npm(session: nox.Session) -> None:
    """Generators from npm, which need Node.js 20 or newer and bring 500 MB."""
    session.install("-e", ".", *TOOLS)
    pytest(session, "-m", "apart", "tests/hosts/test_other_generators.py")


@nox.session
def materialx(session: nox.Session) -> None:
    """Test MaterialX, which replaces Material."""
    session.install("-e", ".[mkdocs]", "mkdocs-materialx", *TOOLS)
    pytest(session, "-m", "apart", "tests/hosts/test_materialx.py")


@nox.session
def techdocs(session: nox.Session) -> None:
    """Test Backstage's techdocs-core, which pins many packages."""
    session.install("-e", ".[mkdocs]", "mkdocs-techdocs-core", *TOOLS)
    pytest(session, "-m", "apart", "tests/hosts/test_techdocs.py")


@nox.session(tags=["ci"])
def readers(session: nox.Session) -> None:
    """Test three sitemap readers, which install too many packages for the other sessions."""
    session.install("-e", ".[readers]")
    pytest(session, "-m", "apart", "tests/hosts/test_readers.py")


@nox.session(tags=["ci"])
def storage(session: nox.Session) -> None:
    """Test object storage, simulated by moto's server."""
    session.install("-e", ".", "moto[s3]", "flask", "flask-cors", "s3fs", *TOOLS)
    pytest(session, "-m", "apart", "tests/tables/test_object_storage.py")


@nox.session(tags=["ci"])
def spark(session: nox.Session) -> None:
    """Test Spark, which installs 500 MB and requires Java."""
    session.install("-e", ".[spark,tables]", *TOOLS)
    pytest(session, "-m", "apart", "tests/tables/test_spark.py")


@nox.session
def lint(session: nox.Session) -> None:
    """Check lint rules, formatting, types, and imports between packages."""
    session.install("-e", ".[test,lint]")
    for command in ("ruff check .", "ruff format --check .", "mypy", "lint-imports"):
        session.run(*command.split())


@nox.session(tags=["ci"])
def wheel(session: nox.Session) -> None:
    """Build the wheel and the sdist like a release does, and run the installed wheel."""
    session.install("build", "twine")
    dist = session.create_tmp()
    session.run("python", "-m", "build", "--outdir", dist)
    built = sorted(map(str, Path(dist).iterdir()))
    session.run("twine", "check", "--strict", *built)
    session.install(next(path for path in built if path.endswith(".whl")))
    session.run("smindex", "--version")
