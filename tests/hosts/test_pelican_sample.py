"""The sample blog: it builds with its own settings, and its sitemaps are the golden files, byte for byte.

`UPDATE_GOLDEN=1 python -m pytest tests/hosts/test_pelican_sample.py` writes the golden files anew.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.blog import PLUGIN, Blog, Output

_ROOT = Path(__file__).parent.parent.parent
_GOLDEN = _ROOT / "tests/golden/pelican"
_COMMITS = {
    "content/sitemaps": "2024-01-10T09:00:00Z",
    "content/crawling": "2024-02-10T09:00:00Z",
    ".": "2024-03-10T09:00:00Z",
}


@pytest.fixture(scope="module")
def output(tmp_path_factory: pytest.TempPathFactory) -> Output:
    blog = Blog(tmp_path_factory.mktemp("sample"))
    shutil.copytree(_ROOT / "sample_sites/pelican", blog.root, dirs_exist_ok=True)
    shutil.rmtree(blog.root / "output", ignore_errors=True)
    blog.git("init", "-q")
    for path, date in _COMMITS.items():
        blog.git("add", path)
        blog.git("commit", "-q", "-m", "add", date=date)
    with (blog.root / "content/sitemaps/escaping.md").open("a") as article:
        article.write("\nIt happens.\n")
    blog.git("mv", "content/crawling/hreflang.md", "content/crawling/languages.md")
    blog.git("rm", "-q", "content/dates/git-knows.md")
    blog.commit("2024-04-10T09:00:00Z")
    # The short name is that of an installed wheel; these tests run without one as well.
    blog.command("-e", f'PLUGINS=["{PLUGIN}"]')
    return Output(blog.root / "output")


def test_the_sitemaps_of_the_sample_are_the_golden_files(output: Output) -> None:
    written = dict(_sitemap_files(output.directory))
    if os.environ.get("UPDATE_GOLDEN"):
        shutil.rmtree(_GOLDEN, ignore_errors=True)
        for name, content in written.items():
            (_GOLDEN / name).parent.mkdir(parents=True, exist_ok=True)
            (_GOLDEN / name).write_bytes(content)
    assert written == dict(_sitemap_files(_GOLDEN))


def test_the_sample_lists_every_page_but_drafts_hidden_and_later_ones(output: Output) -> None:
    left_out = {"drafts/what-comes-next.html", "thanks/index.html", "news/index2.html", "news/index3.html"}
    listed = {path + "index.html" if path.endswith("/") or not path else path for path in output.pages}
    assert listed == output.html - left_out


def _sitemap_files(directory: Path) -> Iterator[tuple[str, bytes]]:
    for path in directory.rglob("*.xml"):
        yield path.relative_to(directory).as_posix(), path.read_bytes()
