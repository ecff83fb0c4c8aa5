"""A large directory is checked by several processes, which say what one says."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.processes import MANY, Processes
from tests.support.command import PAGE, findings
from tests.support.planted import write

BASE = "https://e.org/docs/"
NOINDEX = PAGE.replace("<title>", '<meta name="robots" content="noindex"><title>')
ELSEWHERE = PAGE.replace("<title>", f'<link rel="canonical" href="{BASE}part-1/page-1.html"><title>')


@pytest.mark.parametrize(("last", "sections"), [(MANY + 50, 3), (MANY + 50, 200), (300, 3)])
def test_any_number_of_jobs_finds_the_same_in_the_same_order(
    last: int, sections: int, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[int] = []
    begin = Processes._begin

    def noted(team: Processes, work: Callable[..., Any], part: Sequence[Any]) -> Future[Any] | None:
        begun.append(len(part))
        return begin(team, work, part)

    monkeypatch.setattr(Processes, "_begin", noted)
    files: dict[str, str | bytes] = {f"part-{at % sections}/page-{at}.html": PAGE for at in range(last)}
    write(tmp_path, files)
    assert main(["build", str(tmp_path), "--site-url", BASE, "-q", "--lastmod", "off"]) == 0
    for at in range(0, last, 10):
        name = f"part-{at % sections}/page-{at}.html"
        if at % 30 == 0:
            (tmp_path / name).unlink()
        else:
            write(tmp_path, {name: NOINDEX if at % 20 == 0 else ELSEWHERE, f"{name}.new.html": NOINDEX})
    one, two, five = (findings(capsys, str(tmp_path), "--advice", "--jobs", jobs) for jobs in "125")
    assert one == two == five
    assert len(one) > last // 15
    assert (sum(begun) > 4 * last // 5) == (last > MANY)
