from pathlib import Path

import pytest

from smindex_plugins.sites.sources import Sources
from tests.support.command import PAGE, SITE, findings
from tests.support.gitrepo import Repo
from tests.support.planted import urlset, write


@pytest.mark.parametrize(
    ("page", "source"),
    [
        ("index.html", "docs/index.md"),
        ("index.html", "README.md"),
        ("guide/index.html", "docs/guide.md"),
        ("guide/index.html", "docs/guide/README.md"),
        ("guide/a.html", "docs/guide/a.md"),
        ("posts/a/index.html", "content/posts/a/index.md"),
        ("posts/index.html", "content/posts/_index.md"),
        ("about/index.html", "src/pages/about.mdx"),
        ("a.html", "a.rst"),
        ("de/index.html", "docs/index.de.md"),
        ("pt-br/about/index.html", "content/about.pt-br.md"),
        ("de/posts/index.html", "content/posts/_index.de.md"),
        ("de/guide/index.html", "docs/de/guide.md"),
    ],
)
def test_the_source_of_a_page_is_found_where_its_host_keeps_it(tmp_path: Path, page: str, source: str) -> None:
    write(tmp_path, {source: "Text"})
    assert Sources(directory=str(tmp_path)).of(page) == str(tmp_path / source)
    assert Sources(directory=str(tmp_path)).of("other/" + page) is None


def site(repo: Repo, **dates: str) -> Path:
    entries = (f"<loc>{SITE}{name}/</loc><lastmod>{date}</lastmod>" for name, date in dates.items())
    pages = {f"{name}/index.html": PAGE for name in dates}
    return write(repo.path.parent / "site", {"sitemap.xml": urlset(*entries), **pages})


def test_a_date_that_history_contradicts_is_false(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    """The page changed on day 3, 2020-09-16; `e` is dated by its author, and `f` has no source."""
    for name in "abcd":
        repo.put(f"docs/{name}.md", name)
    repo.commit(3, {"docs/e.md": "---\ndate: 2020-01-01\n---\n"})
    built = site(
        repo,
        a="2020-09-16T12:26:40Z",
        b="2020-09-16T13:00:00Z",
        c="2020-09-17",
        d="2020-09-20",
        e="2020-01-01",
        f="2020-01-01",
    )
    found = findings(capsys, str(built), "--site-url", SITE, "--sources", str(repo.path), code=0)
    assert {finding["check"] for finding in found} == {"false-date"}
    assert [finding["problem"] for finding in found] == [
        f"dates {SITE}b/ 2020-09-16T13:00:00Z, and git 2020-09-16T12:26:40Z.",
        f"dates {SITE}d/ 2020-09-20, and git 2020-09-16T12:26:40Z.",
    ]


def test_what_history_does_not_prove_is_not_judged(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit(0, {"docs/a.md": "a"})
    repo.put("docs/b.md", "not committed")
    built = site(repo, a="2020-09-13", b="2024-01-01")
    assert findings(capsys, str(built), "--site-url", SITE, "--sources", str(repo.path), code=0) == []
