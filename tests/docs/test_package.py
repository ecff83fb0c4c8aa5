"""The wheel and the sdist hold what they should, and nothing else."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from hatch_build import absolute

ROOT = Path(__file__).parents[2]
TRACKED = {
    name
    for name in subprocess.run(
        ["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.split()
    if (ROOT / name).is_file()
}
PACKAGE = {name for name in TRACKED if name.startswith("smindex_plugins/")}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both from a clean copy of what git tracks, with a built site in it."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for name in TRACKED:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    (source / "sample_sites/mkdocs/site").mkdir()
    (source / "sample_sites/mkdocs/site/index.html").write_text("built", encoding="utf-8")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> dict[str, str]:
    """Return the text of each file of the wheel."""
    with zipfile.ZipFile(next(built.glob("*.whl"))) as archive:
        return {
            re.sub(r"^.+\.dist-info/", "", name): archive.read(name).decode()
            for name in archive.namelist()
        }


def test_the_wheel_holds_the_package_and_its_metadata(wheel: dict[str, str]) -> None:
    # Two modules are shipped under the names by which Pelican finds the plugin.
    renamed = {
        f"smindex_plugins/hosts/{name}.py" for name in ("pelican_namespace", "pelican_hyphen")
    }
    found = {f"pelican/plugins/{name}/__init__.py" for name in ("sitemap_index", "sitemap-index")}
    metadata = {"METADATA", "RECORD", "WHEEL", "licenses/LICENSE", "entry_points.txt"}
    assert wheel.keys() == PACKAGE - renamed | found | metadata
    assert "smindex_plugins/py.typed" in wheel
    assert (
        "sitemap-index = smindex_plugins.hosts.mkdocs_plugin:SitemapIndexPlugin"
        in wheel["entry_points.txt"]
    )
    assert "smindex = smindex_plugins.__main__:main" in wheel["entry_points.txt"]


def test_the_sdist_holds_what_is_needed_to_test_it_and_no_built_site(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {
            member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()
        }
    unneeded = (".ci/", ".github/", ".pre-commit-hooks.yaml", "action.yml")
    assert names == {name for name in TRACKED if not name.startswith(unneeded)} | {"PKG-INFO"}


def test_a_picture_is_loaded_and_a_link_is_opened() -> None:
    given = (
        '![A](a.svg) [![B](b.svg)](c.md) [D](https://d.example) [E](#e) <img src="f.png">'
        " [G](g.md#h)"
    )
    raw, blob = "https://code.example/p/raw/main", "https://code.example/p/blob/main"
    assert absolute(given, "https://code.example/p") == (
        f"![A]({raw}/a.svg) [![B]({raw}/b.svg)]({blob}/c.md) [D](https://d.example) [E](#e) "
        f'<img src="{raw}/f.png"> [G]({blob}/g.md#h)'
    )
