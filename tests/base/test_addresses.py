"""The address of a site: one normal form, what is wrong with it, and who can reach it."""

import traceback

import pytest

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.cname import Cname
from smindex_plugins.pages.host import doubts

EXAMPLE = "https://example.org/docs/"
NO_SCHEME = "doesn't start with https:// or http://"
NO_HOST = "has an invalid host or port"
NO_URL = "contains a space or another character that is not allowed in URLs, perhaps from a placeholder"
QUERY = "contains a query or a fragment"
NETWORK = "this machine or its network"
FILE = "ends with a file name"


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("https://e.org", "https://e.org/"),
        (" HTTPS://E.org:443/docs// ", "https://e.org/docs/"),
        ("https://bücher.example/größe", "https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe/"),
        ("https://e.org/v1.2", "https://e.org/v1.2/"),
        ("https://user.github.io/parser.php/", "https://user.github.io/parser.php/"),
        ("https://user.github.io/user.github.io", "https://user.github.io/user.github.io/"),
        ("https://medium.com/@user/a@b", "https://medium.com/@user/a@b/"),
        ("http://[::1]:8000/~me", "http://[::1]:8000/~me/"),
        ("http://intranet/a%20b", "http://intranet/a%20b/"),
        ("https://a_b.e.org./", "https://a_b.e.org./"),
    ],
)
def test_an_address_has_one_form(address: str, normal: str) -> None:
    assert addresses.read(address, "site_url") == addresses.read(normal, "site_url") == (normal, "")


@pytest.mark.parametrize(
    ("address", "problem", "suggestion"),
    [
        ("", "is empty", EXAMPLE),
        (None, "is not a string", EXAMPLE),
        (["https://me:secret@e.org/"], "is not a string", EXAMPLE),
        pytest.param(10**5000, "<int> is not a string", EXAMPLE, id="long number"),
        ("https://e.org/@a/b,c;d=e:f!$&'()*+~%20?a", QUERY, "https://e.org/@a/b,c;d=e:f!$&'()*+~%20/"),
        ("https://e.org/#", QUERY, "https://e.org/"),
        ("www.e.org/docs", NO_SCHEME, "https://www.e.org/docs/"),
        ("//e.org/docs", NO_SCHEME, "https://e.org/docs/"),
        ("htps://e.org/", NO_SCHEME, "https://e.org/"),
        ("http:///e.org/", NO_SCHEME, "http://e.org/"),
        *((path, NO_SCHEME, EXAMPLE) for path in ("$SITE_URL", "localhost:8000", "file:///me", "C:\\site", "/docs/")),
        ("https://https://e.org/", "contains // in its path", "https://e.org/"),
        *((f"https://{host}", NO_HOST, EXAMPLE) for host in ("", ":80/", "e.org:99999/", "[::1/", "e,org/", "$HOST/")),
        ("https://e.org/my docs/", NO_URL, "https://e.org/my%20docs/"),
        *((f"https://{host}/", NO_URL, EXAMPLE) for host in ("e.org\\docs", "<user>.github.io", "e.org/{repo}")),
        ("https://e.org/docs/index.html/", FILE, "https://e.org/docs/"),
        ("https://e.org/sitemap.xml", FILE, "https://e.org/"),
    ],
)
def test_a_wrong_address_is_refused_with_the_one_to_write(address: object, problem: str, suggestion: str) -> None:
    normal, message = addresses.read(address, "site_url")
    assert normal == ""
    assert message.startswith("site_url ")
    assert message.endswith(f"{problem}; use the URL of a directory, such as {suggestion}.")
    assert "secret" not in message


@pytest.mark.parametrize(
    "address",
    [
        *("https://me:secret@e.org/", "https://secret@e.org/?q", "https://me:a/secret@e.org/", "ftp://me:secret@e.org"),
        *("https://me:a#secret@e.org/", "https://me:a@secret@e.org/", "https://me:sec ret secret@e.org/"),
        *("//me:secret@e.org/", "me:secret@e.org/docs?a", "me:a@secret@e.org/"),
    ],
)
def test_a_password_is_never_shown(address: object) -> None:
    with pytest.raises(ValueError, match=r"\*\*\*@.* contains a user name or password") as error:
        addresses.site_url(address)
    message = "".join(traceback.format_exception(error.value)[-1:]) + str(error.value.__cause__)
    assert "secret" not in message


def test_a_token_in_a_query_is_never_shown() -> None:
    with pytest.raises(ValueError, match=r"'https://e\.org/\?a=1&api_token=\*\*\*' contains a query or a fragment;"):
        addresses.site_url("https://e.org/?a=1&api_token=secret")


@pytest.mark.parametrize("origin", ["e.org", "https://u:secret@e.org", "https://e.org/?secret", "https://e.org/a"])
def test_an_origin_is_an_address_without_a_path(origin: str) -> None:
    assert addresses.read_origin("https://E.org/") == "https://e.org"
    with pytest.raises(ValueError, match=r"contains a|has a|doesn't start"):
        addresses.read_origin(origin)


@pytest.mark.parametrize(
    ("reachable_from", "hosts"),
    [
        ("this machine", "localhost localhost:8000 docs.localhost 127.0.0.1 127.0.0.1. 127.1 2130706433 0x7f.1"),
        ("this machine", "0.0.0.0:8000 [::1]:8000 [::] [::ffff:127.0.0.1]"),
        (NETWORK, "10.1.2.3 172.16.0.1 172.31.255.1 192.168.0.10:8080 169.254.1.1 100.64.0.1 [fd00::1] [fe80::1]"),
        (NETWORK, "nas.local wiki.corp docs.internal host.docker.internal router.lan pi.home.arpa site.test a.invalid"),
        ("", "e.org 8.8.8.8 172.32.0.1 11.0.0.1 [2606:4700::1111] localhost.org local.org 10.e.org internal.e.org"),
    ],
)
def test_an_address_that_only_some_can_reach_is_a_warning(reachable_from: str, hosts: str) -> None:
    for host in hosts.split():
        address = urls.normalise(f"http://{host}/")
        assert addresses.who_reaches(address) == reachable_from
        problem = f"its URLs start with {address}, which only {reachable_from} can reach."
        found = [(finding.check, finding.problem) for finding in doubts(address, "i.xml")]
        assert found == ([("private-address", problem)] if reachable_from else [])


@pytest.mark.parametrize(
    ("host", "why"),
    [
        ("example.com", "a placeholder domain"),
        ("my.example", "a placeholder domain"),
        ("intranet.", "known only on a local network"),
    ],
)
def test_an_address_that_is_probably_wrong_is_a_notice(host: str, why: str) -> None:
    (finding,) = doubts(f"https://{host}/docs/", "i.xml", "hugo.toml: baseURL")
    assert (finding.check, finding.level) == ("doubtful-address", "notice")
    assert finding.problem == f"its URLs start with https://{host}/docs/, and {host} is {why}."
    assert finding.fix == "If visitors use another address, set that address (hugo.toml: baseURL)."


@pytest.mark.parametrize(
    "host",
    [
        *("your-docusaurus-test-site.com", "your-docusaurus-site.example.com", "replace-this-with-your-hugo-site.com"),
        *("yourdomain.com", "www.yourdomain.com", "docs.yourdomain.com.", "www.yourdomain.tld", "www.yoursite.com"),
        *("your-domain.com", "your-site.com", "yourwebsite.com", "mydomain.org", "your-site.netlify.app"),
        *("username.github.io", "your-username.github.io", "yourusername.github.io", "your_username.github.io"),
        *("your-org.github.io", "username.gitlab.io"),
        *("gatsbystarterblogsource.gatsbyjs.io", "tailwind-nextjs-starter-blog.vercel.app", "astro-paper.pages.dev"),
    ],
)
def test_an_address_from_a_template_is_a_warning(host: str) -> None:
    (finding,) = doubts(f"https://{host}/docs/", "i.xml", "hugo.toml: baseURL")
    assert (finding.check, finding.level) == ("template-address", "warning")
    assert f"https://{host}/docs/, and {host} is " in finding.problem
    assert finding.fix == "Set the address that visitors use (hugo.toml: baseURL)."


@pytest.mark.parametrize(
    "host",
    [
        *(
            "mysite.com",
            "mydomain.com",
            "domain.com",
            "notyourdomain.com",
            "yourdomain.com.acme.dev",
            "yoursite.community",
        ),
        *(
            "user.github.io",
            "octocat.github.io",
            "username.acme.dev",
            "myusername.netlify.app",
            "username.github.io.acme.dev",
        ),
        *("acme.vercel.app", "astro-paper.com", "github.io"),
    ],
)
def test_an_address_that_somebody_can_have_is_not_doubted(host: str) -> None:
    assert list(doubts(f"https://{host}/", "i.xml")) == []


def test_the_domain_in_cname_is_the_address_to_set_unless_it_is_a_placeholder_too() -> None:
    template = "https://username.github.io/project/"
    (finding,) = doubts(template, "i.xml", "site_url", Cname("docs.acme.dev", "CNAME"))
    assert finding.fix == (
        "Set the address that visitors use, which is https://docs.acme.dev/ according to CNAME (site_url)."
    )
    (finding,) = doubts(template, "i.xml", "site_url", Cname("yourdomain.com", "CNAME"))
    assert finding.fix == "Set the address that visitors use (site_url)."
