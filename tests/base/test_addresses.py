"""The address of a site: one normal form, what is wrong with it, and who can reach it."""

import ipaddress
import traceback

import pytest

from smindex_plugins.base import addresses, urls
from smindex_plugins.base.cname import Cname
from smindex_plugins.pages.host import doubts

EXAMPLE = "https://example.org/docs/"
NO_SCHEME = "doesn't start with https:// or http://"
NO_HOST = "has an invalid host or port"
NO_URL = (
    "contains a space or another character that is not allowed in URLs, perhaps from a placeholder"
)
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
        (
            "https://e.org/@a/b,c;d=e:f!$&'()*+~%20?a",
            QUERY,
            "https://e.org/@a/b,c;d=e:f!$&'()*+~%20/",
        ),
        ("https://e.org/#", QUERY, "https://e.org/"),
        ("www.e.org/docs", NO_SCHEME, "https://www.e.org/docs/"),
        ("//e.org/docs", NO_SCHEME, "https://e.org/docs/"),
        ("htps://e.org/", NO_SCHEME, "https://e.org/"),
        ("http:///e.org/", NO_SCHEME, "http://e.org/"),
        *(
            (path, NO_SCHEME, EXAMPLE)
            for path in ("$SITE_URL", "localhost:8000", "file:///me", "C:\\site", "/docs/")
        ),
        ("https://https://e.org/", "contains // in its path", "https://e.org/"),
        *(
            (f"https://{host}", NO_HOST, EXAMPLE)
            for host in ("", ":80/", "e.org:99999/", "[::1/", "e,org/", "$HOST/")
        ),
        ("https://e.org/my docs/", NO_URL, "https://e.org/my%20docs/"),
        *(
            (f"https://{host}/", NO_URL, EXAMPLE)
            for host in ("e.org\\docs", "<user>.github.io", "e.org/{repo}")
        ),
        ("https://e.org/docs/index.html/", FILE, "https://e.org/docs/"),
        ("https://e.org/sitemap.xml", FILE, "https://e.org/"),
    ],
)
def test_a_wrong_address_is_refused_with_the_one_to_write(
    address: object, problem: str, suggestion: str
) -> None:
    normal, message = addresses.read(address, "site_url")
    assert normal == ""
    assert message.startswith("site_url ")
    assert message.endswith(f"{problem}; use the URL of a directory, such as {suggestion}.")
    assert "secret" not in message


@pytest.mark.parametrize(
    "address",
    [
        *(
            "https://me:secret@e.org/",
            "https://secret@e.org/?q",
            "https://me:a/secret@e.org/",
            "ftp://me:secret@e.org",
        ),
        *(
            "https://me:a#secret@e.org/",
            "https://me:a@secret@e.org/",
            "https://me:sec ret secret@e.org/",
        ),
        *("//me:secret@e.org/", "me:secret@e.org/docs?a", "me:a@secret@e.org/"),
    ],
)
def test_a_password_is_never_shown(address: object) -> None:
    with pytest.raises(ValueError, match=r"\*\*\*@.* contains a user name or password") as error:
        addresses.site_url(address)
    message = "".join(traceback.format_exception(error.value)[-1:]) + str(error.value.__cause__)
    assert "secret" not in message


def test_a_token_in_a_query_is_never_shown() -> None:
    with pytest.raises(
        ValueError, match=r"'https://e\.org/\?a=1&api_token=\*\*\*' contains a query or a fragment;"
    ):
        addresses.site_url("https://e.org/?a=1&api_token=secret")


@pytest.mark.parametrize(
    "origin", ["e.org", "https://u:secret@e.org", "https://e.org/?secret", "https://e.org/a"]
)
def test_an_origin_is_an_address_without_a_path(origin: str) -> None:
    assert addresses.read_origin("https://E.org/") == "https://e.org"
    with pytest.raises(ValueError, match=r"contains a|has a|doesn't start"):
        addresses.read_origin(origin)


@pytest.mark.parametrize(
    ("reachable_from", "hosts"),
    [
        (
            "this machine",
            "localhost localhost:8000 docs.localhost 127.0.0.1 127.0.0.1. 127.1 2130706433 0x7f.1",
        ),
        (
            "this machine",
            "0.0.0.0:8000 [::1]:8000 [::] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]",
        ),
        (
            NETWORK,
            (
                "10.1.2.3 172.16.0.1 172.31.255.1 192.168.0.10:8080 169.254.1.1 100.64.0.1"
                " [fd00::1] [fe80::1]"
            ),
        ),
        (
            NETWORK,
            (
                "[64:ff9b::10.1.2.3] [2002:a00:1::] [fec0::1] [fe80::1%25a] 224.0.0.1 192.0.0.8"
                " 0x0a.1 167772161"
            ),
        ),
        (
            NETWORK,
            (
                "nas.local wiki.corp docs.internal host.docker.internal router.lan pi.home.arpa"
                " site.test a.invalid"
            ),
        ),
        (
            "",
            (
                "e.org 8.8.8.8 172.32.0.1 11.0.0.1 [2606:4700::1111] localhost.org local.org"
                " 10.e.org internal.e.org"
            ),
        ),
        ("", "[64:ff9b::8.8.8.8] [2002:808:808::] [::ffff:8.8.8.8]"),
    ],
)
def test_an_address_that_only_some_can_reach_is_a_warning(reachable_from: str, hosts: str) -> None:
    for host in hosts.split():
        address = urls.normalise(f"http://{host}/")
        assert addresses.who_reaches(address) == reachable_from
        problem = f"its URLs start with {address}, which only {reachable_from} can reach."
        found = [(finding.check, finding.problem) for finding in doubts(address, "i.xml")]
        assert found == ([("private-address", problem)] if reachable_from else [])


CONTAINING = {
    "IPv4": "{dotted}",
    "IPv4-mapped": "::ffff:{dotted}",
    "IPv4-mapped in an earlier form": "::{dotted}",
    "IPv4-translated": "::ffff:0:{dotted}",
    "NAT64": "64:ff9b::{dotted}",
    "local NAT64": "64:ff9b:1::{dotted}",
    "local NAT64 with a number": "64:ff9b:1:808::{dotted}",
    "local NAT64 after 48 bits": "64:ff9b:1:{a:02x}{b:02x}:00{c:02x}:{d:02x}00::",
    "local NAT64 after 56 bits": "64:ff9b:1:8{a:02x}:00{b:02x}:{c:02x}{d:02x}::",
    "local NAT64 after 64 bits": "64:ff9b:1:808:00{a:02x}:{b:02x}{c:02x}:{d:02x}00:0",
    "6to4": "2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1",
    "server of Teredo": "2001:0:{dotted_hex}:8000:63bf:f7f7:f7f7",
    "client of Teredo": "2001:0:808:808:8000:63bf:{inverted_hex}",
    "ISATAP": "2606:4700::5efe:{dotted}",
    "ISATAP with a public number": "2606:4700::200:5efe:{dotted}",
}
"""IPv6 addresses that contain an IPv4 address."""


def containing(form: str, dotted: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    """Return the address that contains an IPv4 address in a form."""
    a, b, c, d = map(int, dotted.split("."))
    forms = {
        "dotted": dotted,
        "dotted_hex": f"{a:02x}{b:02x}:{c:02x}{d:02x}",
        "inverted_hex": f"{a ^ 255:02x}{b ^ 255:02x}:{c ^ 255:02x}{d ^ 255:02x}",
    }
    return ipaddress.ip_address(CONTAINING[form].format(a=a, b=b, c=c, d=d, **forms))


@pytest.mark.parametrize("form", CONTAINING)
def test_an_address_that_contains_an_ipv4_address_is_as_public_as_that(form: str) -> None:
    for dotted in ("8.8.8.8", "93.184.215.14", "172.32.0.1", "101.64.0.1", "192.1.0.1"):
        assert addresses.is_public(containing(form, dotted)), dotted
    for private in (
        *("127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1"),
        *("192.0.0.8", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255"),
    ):
        assert not addresses.is_public(containing(form, private)), private


@pytest.mark.parametrize(
    "address",
    [
        *(
            "::",
            "::1",
            "fe80::1",
            "fe80::1%eth0",
            "fec0::1",
            "fc00::1",
            "fd12:3456::1",
            "ff02::1",
            "ff0e::1",
        ),
        *(
            "2001:db8::1",
            "3fff::1",
            "100::1",
            "5f00::1",
            "64:ff9b:1::",
            "64:ff9b:2::808:808",
            "fe80::5efe:8.8.8.8",
        ),
        *(
            "::ffff:0.0.0.0",
            "64:ff9b::0.0.0.0",
            "64:ff9b:1::0.0.0.0",
            "2002::",
            "fd00::5efe:8.8.8.8",
        ),
        *("2001:0:a00:1::f7f7:f7f7", "64:ff9b:1:a00:0:100:808:808"),
    ],
)
def test_an_address_that_is_not_on_the_internet_is_not_public(address: str) -> None:
    assert not addresses.is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address", ["2606:4700::1111", "2a00:1450:4001:80b::200e", "2001:4860:4860::8888", "8.8.8.8"]
)
def test_an_address_on_the_internet_is_public(address: str) -> None:
    assert addresses.is_public(ipaddress.ip_address(address))


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
        *(
            "your-docusaurus-test-site.com",
            "your-docusaurus-site.example.com",
            "replace-this-with-your-hugo-site.com",
        ),
        *(
            "yourdomain.com",
            "www.yourdomain.com",
            "docs.yourdomain.com.",
            "www.yourdomain.tld",
            "www.yoursite.com",
        ),
        *(
            "your-domain.com",
            "your-site.com",
            "yourwebsite.com",
            "mydomain.org",
            "your-site.netlify.app",
        ),
        *(
            "username.github.io",
            "your-username.github.io",
            "yourusername.github.io",
            "your_username.github.io",
        ),
        *("your-org.github.io", "username.gitlab.io"),
        *(
            "gatsbystarterblogsource.gatsbyjs.io",
            "tailwind-nextjs-starter-blog.vercel.app",
            "astro-paper.pages.dev",
        ),
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
    assert (
        finding.fix
        == "Set the address that visitors use, which is https://docs.acme.dev/ according to CNAME"
        " (site_url)."
    )
    (finding,) = doubts(template, "i.xml", "site_url", Cname("yourdomain.com", "CNAME"))
    assert finding.fix == "Set the address that visitors use (site_url)."
