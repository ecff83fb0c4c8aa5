import json
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.sites import Sources
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
    assert Sources(directory=str(tmp_path)).of(page) == [str(tmp_path / source)]
    assert Sources(directory=str(tmp_path)).of("other/" + page) == []


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
        f"gives {SITE}b/ the date 2020-09-16T13:00:00Z, but git says 2020-09-16T12:26:40Z.",
        f"gives {SITE}d/ the date 2020-09-20, but git says 2020-09-16T12:26:40Z.",
    ]


def test_what_history_does_not_prove_is_not_judged(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit(0, {"docs/a.md": "a"})
    repo.put("docs/b.md", "not committed")
    built = site(repo, a="2020-09-13", b="2024-01-01")
    assert findings(capsys, str(built), "--site-url", SITE, "--sources", str(repo.path), code=0) == []


def summary(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    main(["check", *arguments])
    return capsys.readouterr().out.splitlines()[-1]


def test_the_dates_that_were_compared_are_counted(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit(
        3, {"docs/a.md": "a", "docs/e.md": "---\ndate: 2020-01-01\n---\n", "docs/c.md": "", "docs/c/README.md": ""}
    )
    repo.put("docs/b.md", "not committed")
    built = site(repo, a="2020-09-16", b="2020-01-01", c="2020-09-16", e="2020-01-01", f="2020-01-01")
    told = (
        "dates of 1 of 5 pages compared (1 dated by the author, 1 not committed to git, "
        "1 with several files that may be the source, 1 without a source there)"
    )
    assert summary(capsys, str(built), "--site-url", SITE, "--sources", str(repo.path)).endswith(told)
    assert "compared" not in summary(capsys, str(built), "--site-url", SITE)
    main(["check", str(built), "--site-url", SITE, "--sources", str(repo.path), "--format", "json"])
    assert json.loads(capsys.readouterr().out)["summary"]["dates_compared"] == 1


def test_sources_without_a_history_are_refused(tmp_path: Path, repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    built = site(repo, a="2020-09-16")
    write(tmp_path / "plain", {"docs/a.md": "a"})
    wrong = {"nope": "there is no such directory", "plain": "in no git work", "plain/docs/a.md": "it is no directory"}
    for directory, words in ((tmp_path / name, words) for name, words in wrong.items()):
        assert main(["check", str(built), "--site-url", SITE, "--sources", str(directory)]) == 2
        printed = capsys.readouterr()
        assert not printed.out
        assert f"--sources {directory}: " in printed.err
        assert words in printed.err


def test_sources_that_tell_of_no_page_are_a_warning(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    repo.commit(3, {"elsewhere/a.md": "a"})
    built = site(repo, a="2020-09-16", b="2020-09-16")
    (finding,) = findings(capsys, str(built), "--site-url", SITE, "--sources", str(repo.path), code=0)
    assert (finding["check"], finding["level"]) == ("uncompared-dates", "warning")
    assert finding["problem"] == "no page's date could be compared with git: 2 without a source there."


def test_the_configuration_says_where_sources_are(repo: Repo, capsys: pytest.CaptureFixture[str]) -> None:
    """And no file of another directory is taken for one."""
    configuration = f"site_url: {SITE}\ndocs_dir: text\nsite_dir: ../site\n"
    repo.commit(3, {"mkdocs.yml": configuration, "text/a.md": "a", "docs/b.md": "b"})
    site(repo, a="2020-09-16", b="2024-01-01")
    told = "dates of 1 of 2 pages compared (1 without a source there)"
    assert summary(capsys, str(repo.path), "--sources", str(repo.path)).endswith(told)


def test_the_texts_of_pelican_may_be_in_a_directory_that_its_pages_are_not_in(
    repo: Repo, capsys: pytest.CaptureFixture[str]
) -> None:
    configuration = f"SITEURL = '{SITE}'\nPATH = 'content'\nOUTPUT_PATH = '../site'\n"
    texts = {"content/pages/a.md": "Title: A\n\na", "content/b.md": "Title: B\n\nb"}
    repo.commit(3, {"pelicanconf.py": configuration, **texts})
    site(repo, a="2020-09-16", b="2020-09-16", c="2020-09-16")
    told = "dates of 2 of 3 pages compared (1 without a source there)"
    assert summary(capsys, str(repo.path), "--sources", str(repo.path)).endswith(told)
