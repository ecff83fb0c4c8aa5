"""The file CNAME: the domain in it, where it is found, and what it means for an address."""

from pathlib import Path

import pytest

from smindex_plugins.base.cname import Cname, find_cname, read_cname
from tests.support.planted import write


@pytest.mark.parametrize(
    ("content", "domain"),
    [
        ("docs.acme.dev", "docs.acme.dev"),
        ("\ufeffDocs.ACME.dev.\r\n\r\n", "docs.acme.dev"),
        ("# the domain\n\n  docs.acme.dev  # of the manual\n", "docs.acme.dev"),
        ("https://docs.acme.dev/guide/\n", "docs.acme.dev"),
        ("//docs.acme.dev:443/?a#b\n", "docs.acme.dev"),
        ("bücher.acme.dev\n", "xn--bcher-kva.acme.dev"),
        ("xn--bcher-kva.acme.dev", "xn--bcher-kva.acme.dev"),
        ("docs.acme.dev\nDOCS.acme.dev\n", "docs.acme.dev"),
        ("docs.acme.dev\nwww.acme.dev\n", None),
        ("docs.acme.dev www.acme.dev\n", None),
        ("", None),
        ("# docs.acme.dev\n", None),
        ("localhost", None),
        ("192.168.0.1", None),
        ("*.acme.dev", None),
        ("<your domain>", None),
        ("acme.dev\n" * 10_000, None),
        (b"\xff\xfea\0", None),
    ],
)
def test_a_file_names_one_domain_or_none(
    tmp_path: Path, content: str | bytes, domain: str | None
) -> None:
    write(tmp_path, {"CNAME": content})
    assert read_cname(str(tmp_path / "CNAME")) == domain


def test_what_is_not_a_file_names_none(tmp_path: Path) -> None:
    assert read_cname(str(tmp_path / "CNAME")) is None
    (tmp_path / "CNAME").mkdir()
    assert read_cname(str(tmp_path / "CNAME")) is None


def test_the_file_of_the_output_counts_before_that_of_the_repository_directly_above(
    tmp_path: Path,
) -> None:
    """A repository can contain several sites, of which another one has the domain at its root."""
    write(tmp_path, {"CNAME": "outside.dev", "project/.git/a": "", "project/site/index.html": ""})
    site = tmp_path / "project/site"
    assert find_cname(str(site)) is None
    write(
        tmp_path / "project",
        {"docs/CNAME": "source.dev", "CNAME": "root.dev", "docs/site/index.html": ""},
    )
    assert find_cname(str(site)) == Cname("root.dev", str(tmp_path / "project/CNAME"))
    assert find_cname(str(tmp_path / "project/docs/site")) is None
    write(site, {"CNAME": "output.dev"})
    assert find_cname(str(site)) == Cname("output.dev", str(site / "CNAME"))
    write(site, {"CNAME": "two.dev\ndomains.dev"})
    assert find_cname(str(site)) is None


@pytest.mark.parametrize(
    ("site_url", "address", "effect"),
    [
        (
            "https://user.github.io/project/",
            "https://www.acme.dev/",
            "visitors of user.github.io are redirected to",
        ),
        (
            "https://user.github.io/project/v1/",
            "https://www.acme.dev/v1/",
            "visitors of user.github.io are redirected",
        ),
        (
            "https://acme.dev/docs/",
            "https://www.acme.dev/docs/",
            "visitors of acme.dev are redirected to www.acme.dev",
        ),
        ("https://acme.org/", "https://www.acme.dev/", "visitors get the site at www.acme.dev"),
    ],
)
def test_another_host_gives_the_address_to_set_and_what_visitors_get(
    site_url: str, address: str, effect: str
) -> None:
    cname = Cname("www.acme.dev", "CNAME")
    assert cname.contradicts(site_url)
    assert cname.address(site_url) == address
    assert effect in cname.effect(site_url)


@pytest.mark.parametrize(
    "site_url",
    [
        "https://www.acme.dev/docs/",
        "http://www.acme.dev/",
        "https://www.acme.dev:8443/",
    ],
)
def test_the_same_host_is_no_contradiction(site_url: str) -> None:
    assert not Cname("www.acme.dev", "CNAME").contradicts(site_url)
