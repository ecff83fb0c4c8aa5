"""What SECURITY.md says of bounds is what the package has."""

import re
from pathlib import Path

import pytest

from smindex_plugins import limits

ROOT = Path(__file__).parents[2]
ROW = re.compile(r"\| .+ \| ([\d,]+)[^|]* \| `(\w+)` \|")
SECURITY = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
ROWS = [line for line in SECURITY.splitlines() if line.endswith("` |")]


@pytest.mark.parametrize("row", ROWS)
def test_every_bound_has_the_number_of_the_package(row: str) -> None:
    match = ROW.fullmatch(row)
    assert match is not None
    assert int(match[1].replace(",", "")) == getattr(limits, match[2])


def test_the_bounds_of_git_and_of_time_are_all_told() -> None:
    told = {match[2] for match in map(ROW.fullmatch, ROWS) if match}
    bounds = {name for name in vars(limits) if name.endswith("_SECONDS") or name.startswith("GIT_")}
    assert bounds - told == {"MAX_VIDEO_SECONDS"}


def test_the_readme_and_the_manual_name_it() -> None:
    assert "(SECURITY.md)" in (ROOT / "README.md").read_text(encoding="utf-8")
    assert "`SECURITY.md`" in (ROOT / "sample_sites/mkdocs/docs/manual/elsewhere.md").read_text(encoding="utf-8")
