"""The sample blog: it builds with its own settings, and its sitemaps are the golden files, byte for
byte.
"""

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.hosts.pelican_blog import PLUGIN, Blog, Output
from tests.support.listed import files_in

COMMITS = {
    "content/sitemaps": "2024-01-10T09:00:00Z",
    "content/crawling": "2024-02-10T09:00:00Z",
    ".": "2024-03-10T09:00:00Z",
}
SAMPLE = Path(__file__).parents[2] / "sample_sites/pelican"
LEFT_OUT = {
    "drafts/what-comes-next.html",
    "thanks/index.html",
    "news/index2.html",
    "news/index3.html",
}


def test_the_sample_lists_every_page_but_drafts_hidden_and_later_ones_as_the_golden_files_do(
    tmp_path: Path, assert_golden: Callable[[str, dict[str, bytes]], None]
) -> None:
    blog = Blog(tmp_path)
    shutil.copytree(SAMPLE, blog.root, dirs_exist_ok=True, ignore=shutil.ignore_patterns("output"))
    blog.git("init", "-q")
    for path, date in COMMITS.items():
        blog.git("add", path)
        blog.git("commit", "-q", "-m", "add", date=date)
    with (blog.root / "content/sitemaps/escaping.md").open("a") as article:
        article.write("\nIt happens.\n")
    blog.git("mv", "content/crawling/hreflang.md", "content/crawling/languages.md")
    blog.git("rm", "-q", "content/dates/git-knows.md")
    blog.commit("2024-04-10T09:00:00Z")
    # The short name is that of an installed wheel; this test runs without one as well.
    blog.command("-e", f'PLUGINS=["{PLUGIN}"]')
    output = Output(blog.root / "output")
    listed = {
        path + "index.html" if path.endswith("/") or not path else path for path in output.pages
    }
    assert listed == output.html - LEFT_OUT
    written = files_in(output.directory)
    assert_golden(
        "pelican", {path: content for path, content in written.items() if path.endswith(".xml")}
    )
