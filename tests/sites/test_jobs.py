"""A large directory is checked by several processes, which say what one says."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.processes import MANY
from tests.support.command import PAGE, findings
from tests.support.planted import write

BASE = "https://e.org/docs/"
NOINDEX = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
ELSEWHERE = PAGE.replace("<title>", f'<link rel="canonical" href="{BASE}part-1/page-1.html"><title>')


@pytest.mark.parametrize("last", [MANY + 50, 300])
def test_any_number_of_jobs_finds_the_same_in_the_same_order(
    last: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files: dict[str, str | bytes] = {f"part-{at % 3}/page-{at}.html": PAGE for at in range(last)}
    write(tmp_path, files)
    assert main(["build", str(tmp_path), "--site-url", BASE, "-q", "--lastmod", "off"]) == 0
    for at in range(0, last, 10):
        name = f"part-{at % 3}/page-{at}.html"
        if at % 30 == 0:
            (tmp_path / name).unlink()
        else:
            write(tmp_path, {name: NOINDEX if at % 20 == 0 else ELSEWHERE, f"{name}.new.html": NOINDEX})
    one, two, five = (findings(capsys, str(tmp_path), "--advice", "--jobs", jobs) for jobs in "125")
    assert one == two == five
    assert len(one) > last // 15
