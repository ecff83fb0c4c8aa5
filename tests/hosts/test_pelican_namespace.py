"""How Pelican finds the plugin, by the wheel that users install, in an environment of its own."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

from tests.hosts.pelican_blog import ENVIRONMENT, Blog

_ROOT = Path(__file__).parent.parent.parent
_WITHOUT_MKDOCS = "import sys; sys.modules['mkdocs'] = None; "
# Pelican imports all the plugins that are installed: what else is here may not work without
# settings, or imports lxml.
_ONLY_OURS = (
    "import pelican.plugins._utils as u; every = u.iter_namespace; u.iter_namespace = lambda *a:"
    " (it for it in every(*a) if it.name.endswith(('sitemap_index', 'sitemap-index'))); "
)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the interpreter of a fresh environment that has the wheel, and all else from where the
    tests run.
    """
    directory = tmp_path_factory.mktemp("fresh")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(directory)]
    subprocess.run(build, cwd=_ROOT, check=True, capture_output=True)
    (wheel,) = directory.glob("*.whl")
    venv.create(directory / "venv", symlinks=True)
    packages = Path(sysconfig.get_path("purelib", "venv", {"base": str(directory / "venv")}))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(packages)
    # Such a path is searched last, and the .pth files in it, such as that of a development install,
    # are not read.
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib"))
    return Path(sysconfig.get_path("scripts", "venv", {"base": str(directory / "venv")})) / "python"


@pytest.fixture
def blog(tmp_path: Path) -> Blog:
    blog = Blog(tmp_path)
    blog.article("a.md")
    return blog


def _pelican(python: Path, blog: Blog, code: str = "") -> str:
    run = f"{code}from pelican import main; main(['-v'])"
    done = subprocess.run(
        [python, "-c", run],
        cwd=blog.root,
        env=ENVIRONMENT,
        check=False,
        capture_output=True,
        text=True,
    )
    return done.stdout + done.stderr


@pytest.mark.parametrize(
    "names",
    [
        ["sitemap-index"],
        ["sitemap-index", "sitemap_index"],
        ["pelican.plugins.sitemap_index", "smindex_plugins.hosts.pelican_plugin"],
    ],
)
def test_every_name_loads_the_plugin_once(python: Path, blog: Blog, names: list[str]) -> None:
    blog.configure(PLUGINS=names)
    log = _pelican(python, blog, _WITHOUT_MKDOCS)
    assert log.count("listed in https://example.org/blog/sitemap_index.xml") == 1


def test_it_is_found_when_no_plugins_are_named(python: Path, blog: Blog) -> None:
    blog.configure(PLUGINS=None)
    assert _pelican(python, blog, _ONLY_OURS).count("listed in") == 1


def test_the_name_of_the_package_is_no_plugin_and_the_log_says_which_name_is(
    python: Path, blog: Blog
) -> None:
    blog.configure(PLUGINS=["smindex_plugins"])
    assert "PLUGINS = ['sitemap_index']" in _pelican(python, blog)


def test_it_is_not_loaded_when_it_is_not_named(python: Path, blog: Blog) -> None:
    blog.configure(PLUGINS=[])
    last = (
        "import atexit, sys; atexit.register(lambda: print('loaded', 'smindex_plugins' in"
        " sys.modules)); "
    )
    assert "loaded False" in _pelican(python, blog, last)
    assert not (blog.root / "output/sitemap_index.xml").exists()
