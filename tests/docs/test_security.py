"""The limits in SECURITY.md are those of the package."""

import re
from pathlib import Path

from smindex_plugins.base import limits

SECURITY = (Path(__file__).parents[2] / "SECURITY.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| .+ \| ([\d,]+)[^|]* \| `(\w+)` \|$", SECURITY, re.MULTILINE)


def test_every_limit_has_the_number_of_the_package() -> None:
    assert len(ROWS) == len([line for line in SECURITY.splitlines() if line.endswith("` |")])
    assert [(int(number.replace(",", "")), name) for number, name in ROWS] == [
        (getattr(limits, name), name) for _, name in ROWS
    ]


def test_every_limit_of_time_is_in_the_table() -> None:
    limited = {name for name in vars(limits) if name.endswith("_SECONDS")}
    assert limited - {name for _, name in ROWS} == {"MAX_VIDEO_SECONDS"}
