"""The dates of a site are compared with the history of its sources."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins.checks.sources import Sources
from smindex_plugins.cli.main import main
from tests.support.command import PAGE, SITE, findings
from tests.support.history import Repo
from tests.support.planted import urlset, write

Summary = Callable[..., str]


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
    assert Sources(directory=str(tmp_path)).of(page) == [str(tmp_path / source)]
    assert Sources(directory=str(tmp_path)).of("other/" + page) == []


def site(repo: Repo, **dates: str) -> tuple[str, ...]:
    """Write a site beside a repository, and give what compares their dates."""
    entries = (f"<loc>{SITE}{name}/</loc><lastmod>{date}</lastmod>" for name, date in dates.items())
    files = {"sitemap.xml": urlset(*entries), **{f"{name}/index.html": PAGE for name in dates}}
    return (str(write(repo.path.parent / "site", files)), "--site-url", SITE, "--sources", str(repo.path))


@pytest.fixture
def summary(capsys: pytest.CaptureFixture[str]) -> Summary:
    """Check a site, and give the last line."""

    def checked(*arguments: str) -> str:
        main(["check", *arguments])
        return capsys.readouterr().out.splitlines()[-1]

    return checked


def test_a_date_that_history_contradicts_is_false_and_those_that_were_compared_are_counted(
    repo: Repo, summary: Summary, capsys: pytest.CaptureFixture[str]
) -> None:
    """The pages changed on day 3, 2020-09-16; but what history does not prove is not judged."""
    for name in "abcd":
        repo.put(f"docs/{name}.md", name)
    repo.commit(3, {"docs/e.md": "---\ndate: 2020-01-01\n---\n", "docs/g.md": "", "docs/g/README.md": ""})
    repo.put("docs/new.md", "not committed")
    true = {"a": "2020-09-16T12:26:40Z", "c": "2020-09-17"}
    unknown = dict.fromkeys(("e", "f", "g", "new"), "2020-01-01")
    compared = site(repo, **true, b="2020-09-16T13:00:00Z", d="2020-09-20", **unknown)
    found = findings(capsys, *compared, code=0)
    assert {finding["check"] for finding in found} == {"false-date"}
    assert [finding["problem"] for finding in found] == [
        f"lists {SITE}b/ with the date 2020-09-16T13:00:00Z, but the date in git is 2020-09-16T12:26:40Z.",
        f"lists {SITE}d/ with the date 2020-09-20, but the date in git is 2020-09-16T12:26:40Z.",
    ]
    assert summary(*compared).endswith(
        "dates of 4 of 8 pages compared (1 dated by the author, 1 not committed to git, "
        "1 with several files that may be the source, 1 without a source there)"
    )
    assert "compared" not in summary(*compared[:-2])
    main(["check", *compared, "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["dates_compared"] == 4


def test_sources_without_a_history_are_refused(tmp_path: Path, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    compared = site(repo, a="2020-09-16")
    write(tmp_path / "plain", {"docs/a.md": "a"})
    for name, words in (
        ("nope", "there is no such directory"),
        ("plain", "it is not in a git w"),
        ("plain/docs/a.md", "it is not a directory"),
    ):
        assert main(["check", *compared[:-1], f"{tmp_path}/{name}"]) == 2
        printed = capsys.readouterr()
        assert (printed.out, printed.err.partition(f"{name}: ")[2][: len(words)]) == ("", words)


def test_the_configuration_says_where_sources_are(repo: Repo, summary: Summary) -> None:
    """And no file of another directory is taken for one."""
    configuration = f"site_url: {SITE}\ndocs_dir: text\nsite_dir: ../site\n"
    repo.commit(3, {"mkdocs.yml": configuration, "text/a.md": "a", "docs/b.md": "b"})
    site(repo, a="2020-09-16", b="2024-01-01")
    told = "dates of 1 of 2 pages compared (1 without a source there)"
    assert summary(str(repo.path), "--sources", str(repo.path)).endswith(told)
    assert summary(str(repo.path), "--sources", str(repo / "t*/{path}.md")).endswith(told)


def test_the_texts_of_pelican_may_be_in_a_directory_that_its_pages_are_not_in(repo: Repo, summary: Summary) -> None:
    configuration = f"SITEURL = '{SITE}'\nPATH = 'content'\nOUTPUT_PATH = '../site'\n"
    texts = {"content/pages/a.md": "Title: A\n\na", "content/b.md": "Title: B\n\nb"}
    repo.commit(3, {"pelicanconf.py": configuration, **texts})
    site(repo, a="2020-09-16", b="2020-09-16", c="2020-09-16")
    told = "dates of 2 of 3 pages compared (1 without a source there)"
    assert summary(str(repo.path), "--sources", str(repo.path)).endswith(told)
