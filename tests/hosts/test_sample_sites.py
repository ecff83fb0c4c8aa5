"""The sample sites, built for real from a repository with known dates, give the golden files."""

import os

import pytest

from tests.support.project import ROOT, Project, copy_sample

GOLDEN = ROOT / "tests" / "golden"
UPDATE = bool(os.environ.get("UPDATE_GOLDEN"))
"""Set UPDATE_GOLDEN=1 to write the golden files anew, then read the difference."""


@pytest.mark.parametrize("host", ["mkdocs", "properdocs"])
def test_the_mkdocs_sample_gives_the_golden_files(project: Project, host: str) -> None:
    copy_sample("garden", project)
    built = project.build("--strict", host=host)
    assert built.code == 0, built.log
    assert "9 pages in 4 sections, 4 sitemaps" in built.log
    golden = GOLDEN / "garden"
    if UPDATE:
        for path, content in built.ours.items():
            (golden / path).parent.mkdir(parents=True, exist_ok=True)
            (golden / path).write_bytes(content)
    expected = {str(path.relative_to(golden)): path.read_bytes() for path in golden.rglob("*.xml")}
    assert built.ours == expected
