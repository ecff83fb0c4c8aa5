"""What the sitemap of a generator says about the address of a site, and about its URLs."""

from collections import Counter
from pathlib import Path

import pytest

from smindex_plugins.base import urls
from smindex_plugins.base.text import WrongOptionsError
from smindex_plugins.cli.main import main
from smindex_plugins.projects.find import find_project
from smindex_plugins.writing.names import MARK
from tests.support.command import PAGE, findings
from tests.support.listed import listed
from tests.support.planted import index, urlset, write

SITE = "https://e.org/docs/"
PAGES = (
    "index.html",
    "about.html",
    "guide/a.html",
    "guide/index.html",
    "new.html",
    "de/index.html",
    "fr/index.html",
)
CLEAN = {"", "about", "guide/a", "guide", "de", "new"}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write pages without canonical URLs, and give their directory."""
    monkeypatch.chdir(tmp_path)
    return write(tmp_path / "out", dict.fromkeys(PAGES, PAGE))


def own(*paths: str) -> str:
    return urlset(*(SITE + path for path in paths))


def found(site: Path, **flags: object) -> tuple[str, dict[str, str]]:
    project = find_project(str(site), **flags)
    pages = {file.path: project.site.page(file).url for file in project.site.files()}
    return project.notes["site"], {file: url.removeprefix(SITE) for file, url in pages.items()}


@pytest.mark.parametrize(
    "files",
    [
        {"sitemap.xml": own(*CLEAN - {"new"})},
        {
            "sitemap-index.xml": index(SITE + "sitemap-0.xml"),
            "sitemap-0.xml": own(*CLEAN - {"new"}),
        },
        {"robots.txt": f"Sitemap: {SITE}map.xml", "map.xml": own(*CLEAN - {"new"})},
    ],
)
def test_a_listed_page_has_the_listed_url_and_others_have_the_same_style(
    site: Path, files: dict[str, str | bytes]
) -> None:
    write(site, files)
    address, urls = found(site)
    assert address == f"{SITE} ({next(iter(files)) if 'map.xml' not in files else 'map.xml'})"
    assert urls == dict(
        zip(PAGES, ("", "about", "guide/a", "guide", "new", "de", "fr"), strict=True)
    )


def test_the_style_of_listed_urls_is_found_once_and_not_for_each_page_that_is_not_listed(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(site, {f"{number}.html": PAGE for number in range(100)})
    write(site, {"sitemap.xml": own(*map(str, range(50)))})
    looked_at: Counter[str] = Counter()
    page_path = urls.page_path

    def counted(file: str) -> str:
        looked_at[file] += 1
        return page_path(file)

    monkeypatch.setattr(urls, "page_path", counted)
    pages = found(site)[1]
    assert (pages["1.html"], pages["99.html"]) == ("1", "99")
    assert max(looked_at.values()) <= 5


def test_the_summary_says_which_file_decides_and_an_option_can_decide_instead(site: Path) -> None:
    write(site, {"sitemap.xml": own("", "about", "guide/a")})
    note = f"as in sitemap.xml, such as {SITE}about (`clean_urls` can decide instead)"
    assert find_project(str(site)).notes["URLs"] == note
    assert found(site, clean_urls=False)[1]["about.html"] == "about.html"
    write(site, {"sitemap.xml": own("", "about.html", "guide/", "about.html")})
    assert "URLs" not in find_project(str(site)).notes
    assert found(site)[1]["guide/a.html"] == "guide/a.html"


def test_a_canonical_url_and_two_urls_of_a_page_count_before_it(site: Path) -> None:
    page = PAGE.replace("<title>", f'<link rel="canonical" href="{SITE}about.html"><title>')
    write(
        site, {"sitemap.xml": own("", "about", "guide/", "guide", "de/", "fr/"), "about.html": page}
    )
    urls = found(site)[1]
    assert (urls["about.html"], urls["guide/index.html"]) == ("about.html", "guide/")


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"sitemap.xml": urlset("https://e.org/docs/nowhere", "https://e.org/docs/nothing")},
        {"sitemap.xml": MARK.decode() + own("", "about")},
        {"robots.txt": f"Sitemap: {SITE}sitemap.xml"},
    ],
)
def test_what_proves_no_address_gives_none(site: Path, files: dict[str, str | bytes]) -> None:
    write(site, files)
    with pytest.raises(WrongOptionsError, match="can't determine the site's URL"):
        find_project(str(site))


@pytest.mark.parametrize(
    ("listed", "hosts"),
    [
        ([SITE, "https://www.e.org/docs/about"], "https://e.org and https://www.e.org"),
        (["http://localhost:3000/about"], "http://localhost:3000"),
    ],
)
def test_a_message_has_the_hosts_that_do_not_give_the_address(
    site: Path, listed: list[str], hosts: str
) -> None:
    write(site, {"sitemap.xml": urlset(*listed)})
    with pytest.raises(
        WrongOptionsError,
        match=f"which sitemaps require. sitemap.xml lists URLs of {hosts}. Add site_url",
    ):
        find_project(str(site))


def test_robots_txt_gives_the_address_of_a_whole_host(site: Path) -> None:
    write(site, {"robots.txt": "Sitemap: https://e.org/sitemap.xml"})
    assert found(site)[0] == "https://e.org/ (robots.txt)"


def test_a_build_and_a_check_agree(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"sitemap.xml": own("", "about", "guide/a"), "404.html": PAGE})
    assert main(["build", "out"]) == 0
    assert listed(site, SITE).keys() == {"", "about", "guide/a", "guide/", "new", "de/", "fr/"}
    assert main(["build", "out"]) == 0
    assert "about" in listed(site, SITE)
    assert findings(capsys, "out", code=0) == []
