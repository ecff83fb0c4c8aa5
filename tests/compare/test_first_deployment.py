"""A live site without a sitemap is a first deployment, which passes the gate and says so. A site
that doesn't show that it has none doesn't pass.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from smindex_plugins import diff
from smindex_plugins.cli.main import main
from smindex_plugins.reading.entry_points import USUAL_PATHS
from tests.support.command import PAGE
from tests.support.planted import index, urlset, write
from tests.support.servers import Server

PLACES = ["/robots.txt", *(f"/{name}" for name in USUAL_PATHS)]
LOGIN = '<form><input name="u"><input class="a" type="password"></form></body>'
Live = Callable[[Server], object]
Gate = Callable[..., int]


@pytest.fixture
def gate(server: Server, tmp_path: Path) -> Gate:
    """Build a site of two pages, compare the live site with it, and return the exit code."""

    def compared(*options: str, at: str = "", path: str = "") -> int:
        base = server.base + at
        site = write(
            tmp_path / "site",
            {
                "sitemap_index.xml": index(f"{base}s.xml"),
                "s.xml": urlset(base, f"{base}a/"),
                "index.html": PAGE,
                "a/index.html": PAGE,
            },
        )
        live = base + path
        return main(["diff", live, str(site), "--fail-on", "lost", *options])

    return compared


def everywhere(answer: Callable[[Server, str], object]) -> Live:
    def serve(server: Server) -> None:
        for place in ["/", *PLACES]:
            answer(server, place)

    return serve


def status(code: int, *places: str) -> Live:
    """Answer with a status at some places, or at all."""

    def serve(server: Server) -> None:
        for place in places or ["/", *PLACES]:
            server.serve(place, b"", code, Retry_After="9999")

    return serve


def redirect(*places: str, to: str = "/login") -> Live:
    def serve(server: Server) -> None:
        server.page(to)
        for place in places or ["/", *PLACES]:
            server.serve(place, b"", 302, Location=to)

    return serve


def robots(*lines: str) -> Live:
    return lambda server: server.serve(
        "/robots.txt",
        "\n".join(["User-agent: *", "Disallow:", *lines]).replace("BASE/", server.base),
    )


@pytest.mark.parametrize(
    "live",
    [
        lambda server: server.routes.clear(),
        lambda server: server.page("/"),
        status(410),
        everywhere(lambda server, place: server.page(place)),
        everywhere(lambda server, place: server.serve(place, f"<!-- a -->\n<!--b-->{PAGE}")),
        everywhere(lambda server, place: server.page(place, "<h1>Not found</h1>")),
        robots(),
        robots("Sitemap: BASE/sitemap_index.xml"),
        robots("Sitemap: BASE/sitemap_index.xml", "Sitemap: BASE/other.xml"),
    ],
    ids=[
        "nothing at all",
        "a page",
        "410",
        "soft 404",
        "soft 404 with comments",
        "soft 404 without a head",
        "robots.txt without a line",
        "robots.txt with a line for what will be deployed",
        "robots.txt with two such lines",
    ],
)
def test_a_site_without_a_sitemap_passes_and_the_output_says_so(
    live: Live, server: Server, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    live(server)
    assert gate() == 0
    printed = capsys.readouterr()
    assert "first deployment: there is nothing to compare with; 2 pages in all\n" in printed.out
    assert f"\n{server.base} has no sitemap: " in printed.out
    assert not printed.err
    assert gate("--require-old") == 2
    assert "--require-old is set, but the site has no sitemap" in capsys.readouterr().err


@pytest.mark.parametrize(
    "live",
    [
        *(status(code) for code in (400, 401, 403, 429, 500, 503)),
        *(status(403, place) for place in ("/", "/robots.txt", "/sitemap.xml")),
        status(500, "/"),
        redirect(),
        redirect("/"),
        redirect("/sitemap.xml", "/robots.txt"),
        everywhere(lambda server, place: server.page(place, f"<title>A</title><body>{LOGIN}")),
        everywhere(lambda server, place: server.page(place, "")),
        everywhere(lambda server, place: server.page(place, "<br><b>Fatal error</b>")),
        lambda server: server.serve("/sitemap.xml", urlset(server.base).encode()[:-30]),
        robots("Sitemap: BASE/feed.xml"),
    ],
)
def test_a_site_that_may_have_a_sitemap_does_not_pass(
    live: Live, server: Server, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/feed.xml", "<rss><channel/></rss>")
    live(server)
    assert gate() == 2
    assert "first deployment" not in capsys.readouterr().out


def hang_up(_: str) -> None:
    raise ConnectionError


def test_a_site_that_does_not_answer_does_not_pass(server: Server, gate: Gate) -> None:
    assert gate("--deadline", "0.001") == 2
    server.before = hang_up
    assert gate() == 2


def test_a_sitemap_that_the_user_names_must_be_there(
    gate: Gate, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong name is not a first deployment."""
    assert gate(path="sitemap_index.xml") == 2
    advice = f"If the site has no sitemap yet, pass the URL of the site, {server.base}.\n"
    assert capsys.readouterr().err.endswith(f"sitemap_index.xml: there is no such file. {advice}")
    assert gate(path="docs") == 2
    assert capsys.readouterr().err.endswith(f"pass the URL of the site, {server.base}docs/.\n")


def test_a_first_deployment_is_that_of_the_address_of_the_build(
    gate: Gate, capsys: pytest.CaptureFixture[str], tmp_path: Path, server: Server
) -> None:
    """At another address, such as a misspelled one, an earlier version would never be found."""
    assert gate(at="docs/", path="../docs/") == 0
    for wrong in ("../dosc/", "../", "en/"):
        capsys.readouterr()
        assert gate(at="docs/", path=wrong) == 2
        site = f"the address of {tmp_path}/site is another one, {server.base}docs/"
        assert f"it has no sitemap, and {site}. Pass that address." in capsys.readouterr().err


def test_an_older_sitemap_counts_also_if_robots_txt_already_lists_the_new_one(
    server: Server, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    server.serve("/sitemap.xml", urlset(server.base, f"{server.base}old/"))
    for lines in ([], [f"Sitemap: {server.base}sitemap_index.xml"]):
        robots(*lines)(server)
        assert gate() == 1
        assert f"lost (1)\n  - {server.base}old/ (" in capsys.readouterr().out


def test_pages_outside_a_site_below_its_host_are_not_lost(
    server: Server, gate: Gate, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sitemap of the host lists them, and perhaps pages of the site."""
    robots("Sitemap: BASE/sitemap.xml")(server)
    others = [server.base, f"{server.base}pricing"]
    server.serve("/sitemap.xml", urlset(*others))
    assert gate(at="docs/") == 0
    assert "first deployment" in capsys.readouterr().out
    server.serve("/sitemap.xml", urlset(*others, f"{server.base}docs/", f"{server.base}docs/old/"))
    assert gate(at="docs/") == 1
    said = capsys.readouterr().out
    assert f"lost (1)\n  - {server.base}docs/old/ (there is no such page)\n" in said
    assert f"not compared: 2 pages outside {server.base}docs/" in said


def test_every_form_shows_the_first_deployment(
    server: Server, gate: Gate, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changes, comment = tmp_path / "changes.json", tmp_path / "changes.md"
    assert gate("-o", str(changes), "-o", str(comment)) == 0
    summary = "first deployment: there is nothing to compare with; 2 pages in all"
    why = "there is no robots.txt, and no sitemap has one of the usual names, "
    said = capsys.readouterr().out.splitlines()
    assert said[0] == summary
    assert said[1].startswith(f"{server.base} has no sitemap: {why}")
    written = json.loads(changes.read_text("utf-8"))
    assert written["first_deployment"].startswith(why)
    assert len(written["added"]) == 2
    text = comment.read_text("utf-8")
    assert text.startswith(f"<!-- smindex diff -->\n**Sitemaps:** {summary}\n")
    assert f"{server.base} has no sitemap: {why}" in text
    assert main(["announce", str(changes)]) == 0
    assert capsys.readouterr().out.startswith("first deployment: nothing is announced")
    assert main(["announce", str(changes), "--all"]) == 2  # there is no key
    site = str(tmp_path / "site")
    assert main(["report", site, "--since", server.base, "-o", str(tmp_path / "r.md")]) == 0
    assert f"{server.base} has no sitemap: {why}" in (tmp_path / "r.md").read_text("utf-8")


def test_two_versions_that_were_compared_are_not_a_first_deployment(
    server: Server, gate: Gate, tmp_path: Path
) -> None:
    server.serve("/sitemap.xml", urlset())
    assert gate("--require-old", "-o", str(tmp_path / "changes.json")) == 0
    assert json.loads((tmp_path / "changes.json").read_text("utf-8"))["first_deployment"] is None
    assert not diff(server.base, str(tmp_path / "site")).first_deployment
