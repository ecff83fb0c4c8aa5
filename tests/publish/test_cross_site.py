"""What belongs to another site is listed where that site's robots.txt agrees, and nowhere else."""

from pathlib import Path

import pytest

from smindex_plugins.cli.main import main
from smindex_plugins.model import Page
from smindex_plugins.report import Report
from smindex_plugins.settings import Settings, SettingsError, Site
from tests.support.builds import BASE, INDEX, every, join, make
from tests.support.dated import publish_as_given
from tests.support.planted import index, urlset, write
from tests.support.server import Server, server

__all__ = ["server"]

OTHER = "https://f.org"
AGREES = f"User-agent: *\nAllow: /\n\nSitemap: {OTHER}/sitemap.xml\nSitemap: {BASE}{INDEX}\n"
LINE = f"Add this line to {OTHER}/robots.txt: `Sitemap: {BASE}{INDEX}`"
PAGES = (f"{BASE}", f"{BASE}guide/a", f"{BASE}guide/b", f"{OTHER}/", f"{OTHER}/de/a", "https://www.f.org:8443/x")


def publish(
    directory: Path, *, beside: Path | None = None, pages: tuple[str, ...] = PAGES, **settings: object
) -> Report:
    target = Site(
        url=BASE,
        directory=str(directory),
        settings=Settings.load(settings),
        beside=str(beside or directory.parent),
    )
    listed = [Page(url=url) for url in pages]
    return publish_as_given(listed, target)


def proof(root: Path, name: str = "f", content: str = AGREES) -> None:
    write(root, {f"{name}/robots.txt": content})


class TestBuild:
    """Pages of other sites, each in a sitemap with those of its own."""

    def test_pages_of_a_site_that_agrees_have_a_sitemap_of_their_own(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        proof(tmp_path)
        proof(tmp_path, "www")
        site = tmp_path / "site"
        report = publish(site, cross_site={OTHER: "f/robots.txt", "https://www.f.org:8443/": "www"})
        assert not report.findings
        assert (report.pages, report.sections, report.sitemaps) == (6, 4, 4)
        assert f"<loc>{OTHER}/de/a</loc>" in (site / "sitemap-f.org.xml").read_text()
        assert (site / "sitemap-www.f.org-8443.xml").read_text().count("<loc>") == 1
        proofs = [
            f"--cross-site={OTHER}={tmp_path}/f",
            f"--cross-site=https://www.f.org:8443={tmp_path}/www/robots.txt",
        ]
        assert main(["check", str(site), "--site-url", BASE, "--fail-on", "notice", *proofs]) == 0
        capsys.readouterr()
        assert main(["check", str(site), "--site-url", BASE]) == 1
        assert f"lists {OTHER}/, which is outside {BASE}" in capsys.readouterr().out

    def test_the_same_host_with_www_is_another_site(self, tmp_path: Path) -> None:
        proof(tmp_path)
        report = publish(tmp_path / "site", pages=(BASE, "https://www.e.org/a"), cross_site={"https://www.e.org": "f"})
        assert not report.findings
        arguments = ["check", str(tmp_path / "site"), "--site-url", BASE]
        assert main([*arguments, f"--cross-site=https://www.e.org={tmp_path}/f"]) == 0
        assert main(arguments) == 1

    def test_a_line_that_names_the_sitemap_is_as_good(self, tmp_path: Path) -> None:
        proof(tmp_path, content=f"Sitemap: {BASE}sitemap-f.org.xml.gz\n")
        pages = PAGES[:-1]
        assert not publish(tmp_path / "site", pages=pages, gzip=True, cross_site={OTHER: "f"}).findings
        arguments = ["--site-url", BASE, f"--cross-site={OTHER}={tmp_path}/f"]
        assert main(["check", str(tmp_path / "site"), *arguments]) == 0

    @pytest.mark.parametrize(
        "content",
        [
            "",
            f"Sitemap: {OTHER}/sitemap.xml\n",
            f"# Sitemap: {BASE}{INDEX}\n",
            "Sitemap: /docs/sitemap_index.xml\n",
            f"Sitemap: http://e.org/docs/{INDEX}\n",
            f"Sitemap: https://e.org/{INDEX}\n",
            f"Sitemap: {BASE}{INDEX}.gz\n",
        ],
    )
    def test_without_the_line_nothing_of_it_is_listed_and_the_line_is_said(self, tmp_path: Path, content: str) -> None:
        proof(tmp_path, content=content)
        report = publish(tmp_path / "site", cross_site={OTHER: "f"})
        unproven = [finding for finding in report.findings if finding.check == "unproven-cross-site"]
        assert [finding.fix for finding in unproven] == [LINE]
        assert unproven[0].level == "error"
        assert report.pages == 3
        assert not list((tmp_path / "site").glob("*f.org*"))

    def test_without_the_setting_it_is_a_scope_finding(self, tmp_path: Path) -> None:
        report = publish(tmp_path / "site")
        assert [finding.check for finding in report.findings] == ["canonical-outside"] * 3

    def test_a_proof_that_is_not_there_is_a_finding(self, tmp_path: Path) -> None:
        report = publish(tmp_path / "site", cross_site={OTHER: "nowhere"})
        assert report.findings[0].problem.endswith(f"that {OTHER} agrees to be listed: No such file or directory.")

    def test_the_sites_own_origin_does_not_lift_its_scope(self, tmp_path: Path) -> None:
        proof(tmp_path, "e")
        report = publish(tmp_path / "site", pages=(BASE, "https://e.org/blog/"), cross_site={"https://e.org": "e"})
        assert report.pages == 1
        assert {finding.check for finding in report.findings} == {"unproven-cross-site", "canonical-outside"}

    def test_a_page_that_names_the_other_site_as_its_own_is_listed_there(self, tmp_path: Path) -> None:
        """As where each language has a host, and one build makes them all."""
        proof(tmp_path)
        html = f'<!doctype html><link rel="canonical" href="{OTHER}/de/a/"><body>A'
        write(tmp_path / "site", {"de/a/index.html": html, "index.html": "<!doctype html><body>A"})
        files = {"": "index.html", "de/a/": "de/a/index.html"}
        pages = [Page(url=BASE + path, file=str(tmp_path / "site" / name)) for path, name in files.items()]
        for exclude, listed in (([], 2), (["de/"], 1)):
            settings = Settings.load({"cross_site": {OTHER: "f"}, "exclude": exclude})
            target = Site(url=BASE, directory=str(tmp_path / "site"), settings=settings, beside=str(tmp_path))
            report = publish_as_given(pages, target)
            assert not report.findings
            assert report.pages == listed
            assert (tmp_path / "site" / "sitemap-f.org.xml").exists() == (listed == 2)

    def test_one_more_page_of_a_large_one_changes_two_sitemaps_at_most(self, tmp_path: Path) -> None:
        """Also where the other site's URLs are shorter than the address of this one."""
        proof(tmp_path)
        site_url = f"{BASE}{'long/' * 9}"
        write(tmp_path, {"f/robots.txt": f"Sitemap: {site_url}{INDEX}\n"})
        settings = Settings.load({"cross_site": {OTHER: "f"}, "max_urls": 10})
        target = Site(url=site_url, directory=str(tmp_path / "site"), settings=settings, beside=str(tmp_path))
        urls = [site_url, *(f"{OTHER}/{number}" for number in range(1, 40))]
        for more in ([], [f"{OTHER}/0"]):
            report = publish_as_given([Page(url=url) for url in (*urls, *more)], target)
            assert not report.findings
        assert len(report.changes.written) <= 3
        assert len(report.changes.unchanged) > 2

    def test_a_large_one_is_divided_in_scope(self, tmp_path: Path) -> None:
        proof(tmp_path)
        pages = (BASE, *(f"{OTHER}/{number}" for number in range(30)))
        report = publish(tmp_path / "site", pages=pages, max_urls=10, cross_site={OTHER: "f"})
        assert not report.findings
        assert report.sitemaps > 3
        arguments = ["--site-url", BASE, f"--cross-site={OTHER}={tmp_path}/f"]
        assert main(["check", str(tmp_path / "site"), *arguments]) == 0


@pytest.mark.parametrize(
    ("given", "key"),
    [
        ({OTHER: "https://f.org/robots.txt"}, f"cross_site['{OTHER}']"),
        ({OTHER: "s3://bucket/robots.txt"}, f"cross_site['{OTHER}']"),
        ({OTHER: ""}, f"cross_site['{OTHER}']"),
        ({OTHER: True}, f"cross_site['{OTHER}']"),
        ({"f.org": "f"}, "cross_site['f.org']"),
        ({f"{OTHER}/docs/": "f"}, f"cross_site['{OTHER}/docs/']"),
        ({1: "f"}, "cross_site[1]"),
        ([OTHER], "cross_site"),
        (OTHER, "cross_site"),
    ],
)
def test_a_setting_that_is_none_is_told_of_and_a_build_takes_no_url(given: object, key: str) -> None:
    with pytest.raises(SettingsError) as error:
        Settings.load({"cross_site": given})
    assert [name for name, _ in error.value.errors] == [key]
    if given == {OTHER: "https://f.org/robots.txt"}:
        assert "not its URL, because a build makes no requests" in str(error.value)


def test_a_file_here_is_not_taken_for_one_that_is_elsewhere(tmp_path: Path) -> None:
    """Of the same path, and an index."""
    proof(tmp_path)
    site = tmp_path / "site"
    make(site, "a")
    write(site, {"b/sitemap.xml": index(f"{BASE}b/0.xml"), "b/0.xml": urlset(f"{BASE}b/")})
    entries = [f"{BASE}a/sitemap-root.xml", f"{BASE}a/guide/sitemap.xml", f"{BASE}b/0.xml", f"{OTHER}/b/sitemap.xml"]
    write(site, {INDEX: index(*entries)})
    arguments = ["--site-url", BASE, f"--cross-site={OTHER}={tmp_path}/f", "--fail-on", "notice"]
    assert main(["check", str(site), *arguments]) == 0


def test_origins_are_brought_to_one_form() -> None:
    settings = Settings.load({"cross_site": {"HTTPS://F.org:443/": "../f", "http://bücher.example": "b"}})
    assert dict(settings.cross_site) == {OTHER: "../f", "http://xn--bcher-kva.example": "b"}


class TestJoin:
    """Sitemaps of other sites in the root index."""

    @pytest.fixture
    def other(self, server: Server) -> Server:
        """Serve a site with an index of two sitemaps."""
        server.serve("/sitemap_index.xml", index(f"{server.base}a.xml", f"{server.base}b.xml"))
        server.serve("/a.xml", urlset(f"{server.base}a"))
        server.serve("/b.xml", urlset(f"{server.base}b"))
        return server

    def test_a_part_elsewhere_on_the_same_origin_is_added(
        self, tmp_path: Path, other: Server, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make(tmp_path, "a", at=f"{other.base}a/")
        assert main(["join", str(tmp_path), "--site-url", other.base, "--add", other.base]) == 0
        content = (tmp_path / INDEX).read_text()
        assert content.count("<loc>") == 4
        assert f"<loc>{other.base}b.xml</loc>" in content
        assert [path for _, path, _ in other.requests] == ["/sitemap_index.xml"]
        assert "4 sitemaps of 2 builds" in capsys.readouterr().out

    def test_one_of_another_site_is_out_of_scope(
        self, tmp_path: Path, other: Server, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make(tmp_path, "a")
        assert list(join(tmp_path, "--add", other.base, code=1)) == every("a/")
        assert f"lists {other.base}a.xml, which is outside {BASE}" in capsys.readouterr().out

    def test_one_that_agrees_is_listed_and_clean(self, tmp_path: Path, other: Server) -> None:
        make(tmp_path / "root", "a")
        origin = other.base.rstrip("/")
        proof(tmp_path, content=AGREES)
        other.serve("/robots.txt", AGREES)
        for place in ("", f"={tmp_path}/f", f"={tmp_path}/f/robots.txt", f"={other.base}", f"={other.base}robots.txt"):
            cross = f"--cross-site={origin}{place}"
            found = join(tmp_path / "root", "--add", other.base, cross)
            assert list(found) == [f"{other.base}a.xml", f"{other.base}b.xml", *every("a/")]
            assert (
                main(["check", str(tmp_path / "root"), "--fail-on", "notice", "--ignore", "private-host", cross]) == 0
            )
        assert main(["check", str(tmp_path / "root")]) == 1

    def test_one_that_does_not_agree_is_told_the_line(
        self, tmp_path: Path, other: Server, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make(tmp_path, "a")
        origin = other.base.rstrip("/")
        for arguments in ([], ["--add", other.base]):
            other.serve("/robots.txt", f"Sitemap: {other.base}sitemap_index.xml\n")
            assert list(join(tmp_path, *arguments, f"--cross-site={origin}", code=1)) == every("a/")
            assert f"Add this line to {origin}/robots.txt: `Sitemap: {BASE}{INDEX}`" in capsys.readouterr().out
        del other.routes["/robots.txt"]
        join(tmp_path, f"--cross-site={origin}", code=1)
        assert "the server answers with 404" in capsys.readouterr().out

    def test_an_entry_of_a_build_may_be_of_a_site_that_agrees(self, tmp_path: Path) -> None:
        proof(tmp_path)
        root = tmp_path / "root"
        make(root, "a")
        write(root, {"b/sitemap_index.xml": index(f"{OTHER}/x.xml")})
        join(root, "--site-url", BASE, code=1)
        assert list(join(root, "--site-url", BASE, f"--cross-site={OTHER}={tmp_path}/f")) == [
            *every("a/"),
            f"{OTHER}/x.xml",
        ]

    def test_the_origin_of_the_root_lifts_no_scope(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        proof(tmp_path, content=f"Sitemap: {BASE}{INDEX}\n")
        root = tmp_path / "root"
        make(root, "a")
        write(root, {"b/sitemap_index.xml": index("https://e.org/blog/x.xml")})
        assert list(join(root, f"--cross-site=https://e.org={tmp_path}/f", code=1)) == every("a/")
        assert "https://e.org: it is the site's own origin" in capsys.readouterr().out

    def test_what_cannot_be_fetched_is_a_finding(
        self, tmp_path: Path, server: Server, capsys: pytest.CaptureFixture[str]
    ) -> None:
        make(tmp_path, "a")
        assert list(join(tmp_path, "--add", f"{server.base}nothing.xml", code=1)) == every("a/")
        assert "nothing.xml: it cannot be fetched: the server answers with 404." in capsys.readouterr().out
        server.serve("/page.xml", "<!doctype html><title>Hello</title>")
        join(tmp_path, "--add", f"{server.base}page.xml", code=1)
        assert "[unsupported-format]" in capsys.readouterr().out

    @pytest.mark.parametrize("given", ["f.org", "https://f.org/docs/", "https://f.org/docs/=x", "="])
    def test_an_origin_that_is_none_is_exit_code_2(self, tmp_path: Path, given: str) -> None:
        assert main(["join", str(tmp_path), "--cross-site", given]) == 2


def test_a_live_index_may_list_what_another_site_lets_it(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    """The other site's robots.txt names the index and not each sitemap."""
    other = server.base.replace("127.0.0.1", "localhost")
    server.serve("/robots.txt", f"Sitemap: {server.base}sitemap_index.xml\n")
    server.serve("/sitemap_index.xml", index(f"{server.base}own.xml", f"{server.base}other.xml", f"{other}hosted.xml"))
    server.serve("/own.xml", urlset(f"{server.base}a"))
    server.serve("/other.xml", urlset(f"{other}b"))
    server.serve("/hosted.xml", urlset(f"{other}c"))
    assert main(["check", server.base]) == 0, capsys.readouterr().out
    server.serve("/robots.txt", f"Sitemap: {server.base}own.xml\n")
    assert main(["check", f"{server.base}sitemap_index.xml"]) == 1
    assert "outside-scope (1 finding" in capsys.readouterr().out
