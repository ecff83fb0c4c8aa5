"""What tests of several modules share: the schemas, and git repositories with nothing of the user's
in them.
"""

import io
import os
import sysconfig
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import pytest
from hypothesis import settings
from lxml import etree

from tests.support.history import ISOLATED, Repo

if TYPE_CHECKING:
    from tests.support.servers import Server

PLATFORM = "platform: "
"""How the reason of a skip begins that is none of an omission: the machine can do no better."""
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)
SCHEMAS = os.path.join(os.path.dirname(__file__), "schemas")

# Laws are tried on few cases, the same in every run: a slow machine must not fail a test, nor a
# lucky one pass it.
settings.register_profile("few", max_examples=50, deadline=None, derandomize=True)
settings.load_profile("few")

# Commands that tests run find the programs of this environment first, activated or not.
os.environ["PATH"] = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Run one worker more than there are cores: a third of the time, tests wait for servers,
    browsers and timeouts.
    """
    return (os.cpu_count() or 1) + 1


def pytest_sessionstart(session: pytest.Session) -> None:
    """Say how long a run of all tests takes."""
    terminal = session.config.pluginmanager.get_plugin("terminalreporter")
    if terminal and session.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
        terminal.write_line("All tests take 4 to 8 minutes on 2 cores.")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Give packed bytes, which hold the time, an id that is the same in every process of
    pytest-xdist.
    """
    return "gzip" if isinstance(val, bytes) and val.startswith(b"\x1f\x8b") else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Let a test that is skipped for want of anything but another platform fail."""
    return _explained((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Let a module that skips itself for such a reason fail too."""
    return _explained((yield))


def _explained(report: Report) -> Report:
    if (
        report.outcome == "skipped"
        and not hasattr(report, "wasxfail")
        and PLATFORM not in report.longreprtext
    ):
        report.outcome = "failed"
        report.longrepr = (
            f"{report.longreprtext}\nA skip needs a reason that begins with {PLATFORM!r}."
        )
    return report


@pytest.fixture(scope="session")
def validate() -> Callable[[bytes], None]:
    """Fail where a sitemap, with its extensions, or an index is not valid under the schema of its
    root element.
    """
    schemas = {
        "urlset": etree.XMLSchema(etree.parse(os.path.join(SCHEMAS, "sitemap_with_links.xsd"))),
        "sitemapindex": etree.XMLSchema(etree.parse(os.path.join(SCHEMAS, "siteindex.xsd"))),
    }

    def judge(content: bytes) -> None:
        document = etree.parse(io.BytesIO(content))
        schemas[etree.QName(document.getroot()).localname].assertValid(document)

    return judge


@pytest.fixture(autouse=True)
def _isolated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the user's settings and the machine's services out of every test."""
    for name, value in ISOLATED.items():
        monkeypatch.setenv(name, value)
    for name in ("CI", "GITHUB_ACTIONS", "GITLAB_CI", "READTHEDOCS", "XDG_CONFIG_HOME", "GIT_DIR"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    """Give an empty repository."""
    return Repo.create(tmp_path / "repo")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator["Server"]:
    """Serve a site that the test fills."""
    from tests.support.servers import serving  # noqa: PLC0415 - what it needs is not in every session

    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serving() as site:
        yield site
