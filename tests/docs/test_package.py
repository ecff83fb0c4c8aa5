"""The wheel and the sdist hold what they should, and nothing else."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = {path.relative_to(ROOT).as_posix() for path in (ROOT / "smindex_plugins").rglob("*.py")} | {
    "smindex_plugins/py.typed"
}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build both from a clean copy of what git tracks."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    (source / "sample_sites/mkdocs/site").mkdir()
    (source / "sample_sites/mkdocs/site/index.html").write_text("built", encoding="utf-8")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(source)]
    subprocess.run(command, check=True, capture_output=True)
    return out


def test_the_wheel_holds_the_package_and_its_metadata(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        entry_points = archive.read(next(name for name in names if name.endswith("entry_points.txt"))).decode()
    metadata = {name for name in names if ".dist-info/" in name}
    # One module is shipped under the name by which Pelican finds the plugin.
    shipped = MODULES - {"smindex_plugins/hosts/pelican_namespace.py"} | {"pelican/plugins/sitemap_index/__init__.py"}
    assert names - metadata == shipped
    assert "smindex_plugins/py.typed" in names
    assert {name.rpartition("/")[2] for name in metadata} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "LICENSE",
        "entry_points.txt",
    }
    assert "sitemap-index = smindex_plugins.hosts.mkdocs_plugin:SitemapIndexPlugin" in entry_points
    assert "smindex = smindex_plugins.cli.main:main" in entry_points


def test_the_sdist_holds_what_is_needed_to_test_it_and_no_built_site(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tops = {name.partition("/")[0] for name in names}
    assert tops == {
        *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml", ".gitignore"),
        *("sample_sites", "smindex_plugins", "tests"),
    }
    assert {name for name in names if name.startswith("smindex_plugins/")} == MODULES
    assert not [name for name in names if "/site/" in name or "__pycache__" in name]
