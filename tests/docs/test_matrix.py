"""The environments that the tests are run in leave out no test, no version and no package."""

import itertools
import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.matrix import ENVIRONMENTS, ROOT, find_python, lower_bounds, main

RUNNING = f"{sys.version_info.major}.{sys.version_info.minor}"


def test_every_test_that_needs_an_environment_of_its_own_has_one() -> None:
    marked = {
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if re.search(r"^pytestmark = \[?\s*pytest\.mark\.apart", path.read_text("utf-8"), re.MULTILINE)
    }
    assert marked == {ROOT / environment.tests for environment in ENVIRONMENTS if environment.apart}


def test_every_pattern_of_tests_names_files() -> None:
    assert [environment.name for environment in ENVIRONMENTS if not list(ROOT.glob(environment.tests))] == []


def test_the_lowest_version_of_every_package_is_pinned() -> None:
    pins = lower_bounds()
    assert {"idna==3.7", "lxml==6.0", "mkdocs==1.6", "pelican[markdown]==4.9", "properdocs==1.6.5"} <= set(pins)
    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = [project["optional-dependencies"][extra] for extra in ("mkdocs", "pelican", "sphinx", "test")]
    assert len(pins) == len({*project["dependencies"], *itertools.chain(*extras)})


def test_every_python_that_is_supported_has_an_environment() -> None:
    project = tomllib.loads(Path(ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    supported = {line.rpartition(" ")[2] for line in project["classifiers"] if ":: Python :: 3." in line}
    assert supported == {environment.python for environment in ENVIRONMENTS} - {""}


def test_the_python_that_runs_is_found_and_one_that_nobody_has_is_not() -> None:
    assert find_python("") == find_python(RUNNING) is not None
    assert find_python("3.99") is None


def test_an_environment_that_is_not_there_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["3.99"])
    assert "no environment is called 3.99; there are 3.11, " in capsys.readouterr().err
