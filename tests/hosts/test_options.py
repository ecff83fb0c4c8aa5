"""Every option once, in real builds by every host: the same site with the same options gives the
same sitemaps.

Whether `pagination` matters is in the hands of who makes lists: `test_pelican_pages.py` and
`test_blog.py` have it.
"""

import shutil
from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from tests.hosts.sites import BASE, FIRST, HOSTS, RULES, SECOND, THIRD, Options, Site
from tests.support.command import findings
from tests.support.listed import sitemaps
from tests.support.planted import write


@pytest.fixture(params=HOSTS)
def site(request: pytest.FixtureRequest, tmp_path: Path) -> Site:
    return Site(HOSTS[request.param], tmp_path)


def test_all_options_at_once_mean_the_same_everywhere(site: Site) -> None:
    options: Options = {
        "index_filename": "maps.xml",
        "section_depth": 2,
        "section_min_pages": 1,
        "sections": [{"name": "special", "urls": ["dated.html"]}],
        "sitemap_placement": "root",
        "exclude": ["drafts/"],
        "include": ["**/*.pdf"],
        "filter": "hooks:keep",
        "lastmod_format": "date",
        "ignore_revs_file": ".revs",
        "ignore_commits": ["^Reformat"],
        "undated": "fail",
        "depends": {"guide/a.html": ["data.yml"]},
        "gzip": True,
        "images": True,
        "robots_txt": "write",
        "max_urls": 6,
    }
    code, log = site.build(options, strict=True)
    assert code == 0, log
    assert site.sitemaps("maps.xml") == {
        "sitemap-root.xml.gz": {"": FIRST},
        "sitemap-special.xml.gz": {"dated.html": "2020-02-02"},
        "sitemap-api.xml.gz": dict.fromkeys([f"api/{name}.html" for name in "stvxz"], FIRST),
        "sitemap-api-1.xml.gz": dict.fromkeys([f"api/{name}.html" for name in "uwy"], FIRST),
        "sitemap-guide.xml.gz": {
            "guide/a.html": THIRD,
            "guide/b.html": SECOND,
            "guide/data.pdf": FIRST,
        },
        "sitemap-guide-deep.xml.gz": {"guide/deep/c.html": FIRST},
    }
    images = {
        page.url: page.images
        for each in sitemaps(site.output, BASE, ["maps.xml"])
        for page in each.pages
    }
    assert images[f"{BASE}guide/deep/c.html"] == ("https://cdn.example/guide/deep/c.png",)
    assert (site.output / "robots.txt").read_text() == f"{RULES}Sitemap: {BASE}maps.xml\n"
    assert (
        site.host.copied == "site docs"
        or (site.repo.path / site.host.copied / "robots.txt").read_text() == RULES
    )
    assert "1 excluded by `drafts/`" in log
    assert "1 excluded by filter" in log
    before = {path: path.read_bytes() for path in site.output.glob("*sitemap-*")}
    code, log = site.build(options, strict=True)
    assert code == 0, log
    assert {path: path.read_bytes() for path in site.output.glob("*sitemap-*")} == before


def test_without_dates_there_are_none_and_what_no_host_made_is_counted(site: Site) -> None:
    write(site.output, {"old/index.html": "<!doctype html><title>A</title><p>Text"})
    code, log = site.build({"lastmod": "off"})
    assert code == 0, log
    found = site.sitemaps()
    assert found.keys() == {"sitemap-root.xml", "api/sitemap.xml", "guide/sitemap.xml"}
    assert {date for dates in found.values() for date in dates.values()} == {None}
    is_listed = "old/" in found["sitemap-root.xml"]
    assert is_listed == (site.host is HOSTS["smindex"])
    assert is_listed or ("1 not produced by any page" in log and log.count("stray-pages]") == 1)


def test_a_cname_file_with_another_host_is_one_warning_with_the_option_to_set(site: Site) -> None:
    write(site.repo.path, {"CNAME": "docs.acme.dev\n"})
    code, log = site.build({}, strict=True)
    assert code == (site.host is not HOSTS["smindex"]), log
    options = (
        "(site_url)",
        "(SITEURL in publishconf.py)",
        "(html_baseurl)",
        "(pyproject.toml: [tool.smindex] site_url)",
    )
    assert log.count(f"names docs.acme.dev, but the site's address is {BASE}. ") == 1
    assert any(
        f"If visitors use https://docs.acme.dev/, set that address {option}." in log
        for option in options
    ), log
    write(site.repo.path, {"CNAME": "example.org\n"})
    assert site.build({}, strict=True)[0] == 0


def test_wrong_options_stop_a_build_before_anything_is_written_and_are_all_named(
    site: Site,
) -> None:
    shutil.rmtree(site.output / "guide", ignore_errors=True)
    code, log = site.build(
        {"sektion_depth": 2, "max_urls": 50_001, "gzip": 1, "exclude": [3], "undated": "never"}
    )
    assert code == site.host.wrong, log
    for message in (
        "no such option; did you mean 'section_depth'?",
        "got 50001; accepted: a whole number from 1 to 50,000",
        "got 1; accepted: true or false",
        "got 3; accepted: a URL pattern",
        "got 'never'; accepted: 'warn' or 'ignore' or 'fail'",
    ):
        assert log.count(message) == 1, log
    code, log = site.build({"filter": "hooks:kep"})
    assert code == site.host.wrong, log
    assert "has no function 'kep'; did you mean 'keep'?" in log
    assert not list(site.output.rglob("guide/a.html"))
    assert not list(site.output.rglob("*.xml"))


def test_what_goes_wrong_is_said_once_with_what_to_do_and_every_page_is_listed(site: Site) -> None:
    site.write("guide/a", lastmod="9999-99-99")
    site.repo.commit(4)
    options: Options = {
        "exclude": ["drafts/", "^api/.*$"],
        "include": ["guides/"],
        "sections": [{"name": "guides", "urls": ["guide"]}],
        "depends": {"docs/guide/": ["data.yml"]},
        "cross_site": {"https://f.org": "theirs/"},
        "ignore_revs_file": ".rev",
        "ignore_commits": ["^refmt"],
        "filter": "hooks:fail",
    }
    code, log = site.build(options)
    assert code == (site.host is HOSTS["smindex"]), log
    for message in (
        "exclude[1]: `^api/.*$` matches no page. Did you mean `api/`?",
        "include: `guides/` matches no file of the output other than pages. Did you mean `guide/`?",
        "sections[0].urls[0]: `guide` matches no page. Did you mean `guide/`?",
        "depends['docs/guide/']: `docs/guide/` matches no page. Did you mean `guide/`?",
        "theirs/: it can't be read, so nothing shows that https://f.org agrees to be listed",
        "ignore_revs_file: `.rev` can't be read.",
        "ignore_commits: `^refmt` matches no commit subject.",
        "`hooks:fail` raised ",
        "'9999-99-99', which is not a date",
    ):
        # the command prints one fix for several problems
        problem, _, fix = message.partition(" Did you mean ")
        assert log.count(problem) == 1, (problem, log)
        assert fix in log
    assert sum(map(len, site.sitemaps().values())) == 14
    assert site.build(options, strict=True)[0] == 1


def test_a_shallow_clone_without_dates_fails_a_build_only_where_the_user_insists(
    site: Site,
) -> None:
    write(site.repo.path, {".git/shallow": site.repo.git("rev-parse", "HEAD") + "\n"})
    code, log = site.build({"undated": "fail"})
    assert code == 1, log
    assert {date for dates in site.sitemaps().values() for date in dates.values()} == {None}
    assert "git fetch --unshallow" in log
    assert "no reliable date was found, so <lastmod> is omitted: " in log
    code, log = site.build({"undated": "ignore"}, strict=True)
    assert code == 0, log


def test_a_check_and_an_explanation_call_no_function_and_say_what_it_decided(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    site = Site(HOSTS["smindex"], tmp_path)
    code, log = site.build({"filter": "hooks:keep"})
    assert code == 0, log
    write(site.repo.path, {"hooks.py": "raise SystemExit\n"})
    monkeypatch.chdir(site.repo.path)
    assert "unlisted-page" not in {each["check"] for each in findings(capsys)}
    assert main(["explain", f"{BASE}private.html"]) == 0
    assert "not listed  excluded by filter (`hooks:keep`)" in capsys.readouterr().out
