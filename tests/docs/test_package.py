"""The wheel and the sdist hold what they should, and nothing else."""

import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from hatch_build import absolute
from smindex_plugins import home

ROOT = Path(__file__).parents[2]
MODULES = {path.relative_to(ROOT).as_posix() for path in (ROOT / "smindex_plugins").rglob("*.py")} | {
    "smindex_plugins/py.typed",
    *(
        f"smindex_plugins/reports/templates/{name}"
        for name in ("diff.md.j2", "report.css", "report.html.j2", "report.md.j2")
    ),
    *(
        f"smindex_plugins/schemas/{name}.json"
        for name in ("console", "diff", "explanation", "findings", "mkdocs", "overview", "pages", "pyproject")
    ),
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
    # Two modules are shipped under the names by which Pelican finds the plugin.
    renamed = {f"smindex_plugins/hosts/{name}.py" for name in ("pelican_namespace", "pelican_hyphen")}
    found = {f"pelican/plugins/{name}/__init__.py" for name in ("sitemap_index", "sitemap-index")}
    assert names - metadata == MODULES - renamed | found
    assert "smindex_plugins/py.typed" in names
    assert {name.rpartition("/")[2] for name in metadata} == {
        "METADATA",
        "RECORD",
        "WHEEL",
        "LICENSE",
        "entry_points.txt",
    }
    assert "sitemap-index = smindex_plugins.hosts.mkdocs_plugin:SitemapIndexPlugin" in entry_points
    assert "smindex = smindex_plugins.__main__:main" in entry_points


def test_the_sdist_holds_what_is_needed_to_test_it_and_no_built_site(built: Path) -> None:
    (sdist,) = built.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    tops = {name.partition("/")[0] for name in names}
    assert tops == {
        *("CHANGELOG.md", "CODE_OF_CONDUCT.md", "CONTRIBUTING.md", "LICENSE", "PKG-INFO", "README.md", "SECURITY.md"),
        *(".gitignore", "hatch_build.py", "pyproject.toml", "sample_sites", "smindex_plugins", "tests"),
    }
    assert {name for name in names if name.startswith("smindex_plugins/")} == MODULES
    assert not [name for name in names if "/site/" in name or "__pycache__" in name]


def test_the_description_leads_into_the_repository_wherever_the_readme_does(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("METADATA"))
        described = archive.read(name).decode()
    assert "Description-Content-Type: text/markdown" in described
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.findall(r"\]\((?!https?:|#)([^)#]+)", readme)
    assert "CONTRIBUTING.md" in named
    assert all((ROOT / path).exists() for path in named)
    begin = re.escape(home.SOURCE)
    assert all(re.search(rf"\]\({begin}/(?:blob|raw)/main/{re.escape(path)}", described) for path in named)
    assert not re.search(r"\]\((?!https?:|#)|src(?:set)?=\"(?!https?:)", described)


def test_a_picture_is_loaded_and_a_link_is_opened() -> None:
    given = '![A](a.svg) [![B](b.svg)](c.md) [D](https://d.example) [E](#e) <img src="f.png"> [G](g.md#h)'
    raw, blob = "https://code.example/p/raw/main", "https://code.example/p/blob/main"
    assert absolute(given, "https://code.example/p") == (
        f"![A]({raw}/a.svg) [![B]({raw}/b.svg)]({blob}/c.md) [D](https://d.example) [E](#e) "
        f'<img src="{raw}/f.png"> [G]({blob}/g.md#h)'
    )
