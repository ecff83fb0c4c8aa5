"""The gate of `smindex diff`: how many lost pages a script accepts."""

import subprocess
import sys
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, refused
from tests.support.planted import urlset, write


@pytest.fixture
def sites(tmp_path: Path) -> list[str]:
    """Write a site of four pages, and a new version that lost two of them."""
    pages = [SITE, SITE + "a", SITE + "b", SITE + "c"]
    write(tmp_path, {"old/sitemap.xml": urlset(*pages), "new/sitemap.xml": urlset(*pages[:2])})
    write(tmp_path / "new", {"index.html": PAGE, "a.html": PAGE})
    return [f"{tmp_path}/old", f"{tmp_path}/new", "--site-url", SITE, "-q"]


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["--fail-on", "lost"], 1),
        (["--max-lost", "1"], 1),
        (["--max-lost", "2"], 0),
        (["--max-lost", "49.9%"], 1),
        (["--max-lost", "50%"], 0),
        (["--fail-on", "lost", "--max-lost", "2"], 0),
        (["--max-lost", "2", "--exit-code"], 1),
        ([], 0),
    ],
)
def test_so_many_lost_pages_are_accepted(sites: list[str], given: list[str], code: int) -> None:
    assert main(["diff", *sites, *given]) == code


def test_the_lost_pages_are_listed_where_the_command_fails(
    sites: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["diff", *sites, "--max-lost", "10%"]) == 1
    assert capsys.readouterr().err.splitlines() == [
        (
            "smindex: 2 URLs break: their pages are lost. Redirect or restore each of them."
            " --max-lost accepts only 10%."
        ),
        f"smindex: lost: {SITE}b (there is no such page)",
        f"smindex: lost: {SITE}c (there is no such page)",
    ]


def test_a_script_stops_and_prints_the_lost_pages_before_their_number(sites: list[str]) -> None:
    script = '"$0" -m smindex_plugins diff "$@" --fail-on lost; echo deployed'
    command = ["sh", "-e", "-c", script, sys.executable, *sites[:-1]]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    lines = done.stdout.splitlines()
    assert (done.returncode, lines[0], lines[-1]) == (
        1,
        "lost (2)",
        "smindex: 2 URLs break: their pages are lost. Redirect or restore each of them.",
    )


def test_other_shares_are_refused(sites: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "neither a number of pages" in refused(capsys, "diff", *sites, "--max-lost", "half")[0]
