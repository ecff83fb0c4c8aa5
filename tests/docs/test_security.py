"""The limits in SECURITY.md are those of the package."""

import re
from pathlib import Path

import pytest

from smindex_plugins import limits

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| .+ \| ([\d,]+)[^|]* \| `(\w+)` \|")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = [line for line in SECURITY.splitlines() if line.endswith("` |")]


@pytest.mark.parametrize("row", ROWS)
def test_every_limit_has_the_number_of_the_package(row: str) -> None:
    match = ROW.fullmatch(row)
    assert match is not None
    assert int(match[1].replace(",", "")) == getattr(limits, match[2])


def test_every_limit_of_time_is_in_the_table() -> None:
    listed = {match[2] for match in map(ROW.fullmatch, ROWS) if match}
    limited = {name for name in vars(limits) if name.endswith("_SECONDS")}
    assert limited - listed == {"MAX_VIDEO_SECONDS"}


def test_the_readme_and_the_manual_refer_to_it() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "`SECURITY.md`" in (ROOT / "sample_sites/mkdocs/docs/manual/elsewhere.md").read_text(encoding="utf-8")
