"""A finding says for machines what it is about, whichever way it was told."""

from smindex_plugins import urls
from smindex_plugins.catalogue import SHARED_URL
from smindex_plugins.model import Page, Spot
from smindex_plugins.sitemaps import Document, Entry

URL = "https://e.org/a/"


def test_what_is_in_words_is_about_no_file_and_no_url() -> None:
    finding = SHARED_URL.at("3 of 10 pages", "It is.")
    assert (finding.where, finding.file, finding.url, finding.source) == ("3 of 10 pages", "", "", "")


def test_an_address_is_what_it_says() -> None:
    assert SHARED_URL.at(URL, "It is.").url == URL


def test_a_page_is_known_by_its_source_its_file_and_its_url() -> None:
    page = Page(url=URL, file="/s/a/index.html", sources=("/d/a.md", "/b"), source_name="a.md")
    finding = SHARED_URL.at(page.spot, "It is.")
    assert (finding.where, finding.file, finding.url, finding.source) == ("a.md", "/s/a/index.html", URL, "/d/a.md")


def test_an_entry_is_known_by_what_it_lists_and_by_its_line() -> None:
    lists = Document(url="https://e.org/s.xml", where="s.xml", file="site/s.xml")
    finding = SHARED_URL.at(lists.spot(Entry(URL, URL, line=3)), "It is.")
    assert (finding.where, finding.file, finding.url, finding.line) == ("s.xml", "site/s.xml", URL, 3)
    assert not SHARED_URL.at(lists.spot(Entry("a", "")), "It is.").url, "what is no URL is none"
    assert SHARED_URL.at(lists.spot(), "It is.", line=1).url == "https://e.org/s.xml"


def test_an_address_that_nobody_knows_is_none() -> None:
    assert not SHARED_URL.at(Spot("s.xml", url=urls.NO_ADDRESS + "s.xml"), "It is.").url


def test_what_machines_get_for_a_url_is_one_in_normal_form() -> None:
    odd = ("/a", "ftp://e.org/", "https://user:secret@e.org/", "HTTPS://E.ORG:443/ü")
    assert [SHARED_URL.at(Spot("s.xml", url=url), "It is.").url for url in odd] == ["", "", "", "https://e.org/%C3%BC"]


def test_the_address_of_a_kinds_fix_ends_with_its_name() -> None:
    assert SHARED_URL.fix_url.startswith("https://")
    assert SHARED_URL.fix_url.endswith("/checks/shared-url/")
