"""The address of a site: one reading of it, and one judgement of who can reach it."""

import traceback

import pytest

from smindex_plugins import addresses, urls


@pytest.mark.parametrize(
    ("address", "normal"),
    [
        ("https://e.org/docs", "https://e.org/docs/"),
        ("https://e.org/docs/", "https://e.org/docs/"),
        (" HTTPS://E.org:443/docs// ", "https://e.org/docs/"),
        ("https://e.org", "https://e.org/"),
        ("https://bücher.example/größe", "https://xn--bcher-kva.example/gr%C3%B6%C3%9Fe/"),
        ("https://e.org/v1.2", "https://e.org/v1.2/"),
        ("https://e.org/X", "https://e.org/X/"),
        ("https://user.github.io/user.github.io", "https://user.github.io/user.github.io/"),
        ("https://user.github.io/parser.php/", "https://user.github.io/parser.php/"),
        ("https://medium.com/@user/a@b", "https://medium.com/@user/a@b/"),
        ("https://e.org:8443/~me", "https://e.org:8443/~me/"),
        ("http://localhost:8000", "http://localhost:8000/"),
        ("http://[::1]:8000/", "http://[::1]:8000/"),
        ("http://intranet/docs", "http://intranet/docs/"),
        ("https://a_b.e.org./", "https://a_b.e.org./"),
        ("https://e.org/a%20b", "https://e.org/a%20b/"),
    ],
)
def test_the_address_of_a_site_has_one_form(address: str, normal: str) -> None:
    assert addresses.site_url(address) == normal
    assert addresses.site_url(normal) == normal
    assert addresses.read(address, "site_url") == (normal, "")


EXAMPLE = "https://example.org/docs/"


@pytest.mark.parametrize(
    ("address", "problem", "mended"),
    [
        ("", "is empty", EXAMPLE),
        (None, "is not a text", EXAMPLE),
        (["https://e.org/"], "is not a text", EXAMPLE),
        ("https://e.org/docs/?a=b", "has a query or a fragment", "https://e.org/docs/"),
        ("https://e.org?", "has a query or a fragment", "https://e.org/"),
        ("https://e.org/docsX?a", "has a query or a fragment", "https://e.org/docsX/"),
        (
            "https://e.org/@a/b,c;d=e:f!$&'()*+~%20?a",
            "has a query or a fragment",
            "https://e.org/@a/b,c;d=e:f!$&'()*+~%20/",
        ),
        ("https://e.org/docs#top", "has a query or a fragment", "https://e.org/docs/"),
        ("https://e.org/#", "has a query or a fragment", "https://e.org/"),
        ("https://user@e.org/", "has a user name or a password", "https://e.org/"),
        ("e.org", "does not begin with https:// or http://", "https://e.org/"),
        ("www.e.org/docs", "does not begin with https:// or http://", "https://www.e.org/docs/"),
        ("e.org:8000/docs", "does not begin with https:// or http://", "https://e.org:8000/docs/"),
        ("//e.org/docs", "does not begin with https:// or http://", "https://e.org/docs/"),
        ("localhost:8000", "does not begin with https:// or http://", EXAMPLE),
        ("https//e.org/", "does not begin with https:// or http://", "https://e.org/"),
        ("$SITE_URL", "does not begin with https:// or http://", EXAMPLE),
        ("ftp://e.org/", "does not begin with https:// or http://", "https://e.org/"),
        ("htps://e.org/", "does not begin with https:// or http://", "https://e.org/"),
        ("file:///home/me/site", "does not begin with https:// or http://", EXAMPLE),
        ("https:/e.org/a", "does not begin with https:// or http://", "https://e.org/a/"),
        ("https:e.org", "does not begin with https:// or http://", "https://e.org/"),
        ("http:///e.org/", "does not begin with https:// or http://", "http://e.org/"),
        ("https://https://e.org/", "has // in its path", "https://e.org/"),
        ("https://", "has no valid host and port", EXAMPLE),
        ("https://:80/", "has no valid host and port", EXAMPLE),
        ("https://e.org:port/", "has no valid host and port", EXAMPLE),
        ("https://e.org:99999/", "has no valid host and port", EXAMPLE),
        ("https://[::1/", "has no valid host", EXAMPLE),
        ("https://e,org/", "has no valid host", EXAMPLE),
        ("https://$HOST/", "has no valid host", EXAMPLE),
        ("https://e.org/my docs/", "has a space or another character that no URL may have", "https://e.org/my%20docs/"),
        ("https://e.org\\docs", "has a space or another character that no URL may have", EXAMPLE),
        ("https://<user>.github.io/", "has a space or another character that no URL may have", EXAMPLE),
        ("https://e.org/{repo}/", "has a space or another character that no URL may have", EXAMPLE),
        ("C:\\site", "does not begin with https:// or http://", EXAMPLE),
        ("c:/site", "does not begin with https:// or http://", EXAMPLE),
        ("/docs/", "does not begin with https:// or http://", EXAMPLE),
        ("./site", "does not begin with https:// or http://", EXAMPLE),
        ("https://e.org/index.html", "ends with the name of a file", "https://e.org/"),
        ("https://e.org/docs/index.html/", "ends with the name of a file", "https://e.org/docs/"),
        ("https://e.org/docs/start.HTM", "ends with the name of a file", "https://e.org/docs/"),
        ("https://e.org/index.php", "ends with the name of a file", "https://e.org/"),
        ("https://e.org/sitemap.xml", "ends with the name of a file", "https://e.org/"),
        ("https://e.org//docs/", "has // in its path", "https://e.org/docs/"),
    ],
)
def test_a_wrong_address_is_refused_with_what_is_wrong_and_what_to_write(
    address: object, problem: str, mended: str
) -> None:
    with pytest.raises(ValueError, match=r".+") as error:
        addresses.site_url(address)
    message = str(error.value)
    assert problem in message
    assert message.endswith(f"; write the address of a directory, such as {mended}")
    assert addresses.read(address, "site_url") == ("", f"site_url {message}.")


@pytest.mark.parametrize(
    "address",
    [
        "https://me:secret@e.org/",
        "https://secret@e.org/?q",
        "https://me:a/secret@e.org/",
        "https://me:a#secret@e.org/",
        "https://me:a?secret@e.org/",
        "https://me:1secret@e.org:port/",
        "https://me:a@secret@e.org/",
        "https://me:secret@[e.org/",
        "https://me:secret@e\u2100.org/",
        "https://me:sec ret secret@e.org/",
        "ftp://me:secret@e.org/",
        "//me:secret@e.org/",
        "me:secret@e.org",
        "me:secret@e.org/docs?a",
        "me:a@secret@e.org/",
    ],
)
def test_a_password_is_shown_nowhere(address: object) -> None:
    with pytest.raises(ValueError, match=r"\*\*\*@") as error:
        addresses.site_url(address)
    told = (
        "".join(traceback.format_exception(error.value)[-1:])
        + str(error.value.__cause__)
        + addresses.read(address, "a")[1]
    )
    assert "secret" not in told


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("ftp://e.org/a", "'ftp://e.org/a'"),
        ("ftp://e.org/@a", "'ftp://e.org/@a'"),
        ("e.org", "'e.org'"),
        ("me:secret@e.org/a", "'***@e.org/a'"),
        ("//me:secret@e.org/a", "'//***@e.org/a'"),
        (None, "None"),
    ],
)
def test_what_was_written_is_shown_and_nothing_else_masked(address: object, shown: str) -> None:
    assert addresses.read(address, "site_url")[1].startswith(f"site_url {shown} ")


@pytest.mark.parametrize("origin", ["e.org", "https://u:secret@e.org", "https://e.org/?secret", "https://e.org/a"])
def test_an_origin_is_read_as_an_address_is(origin: str) -> None:
    assert addresses.read_origin("https://E.org/") == "https://e.org"
    with pytest.raises(ValueError, match=r"has a|does not begin"):
        addresses.read_origin(origin)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8000",
        "docs.localhost",
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "2130706433",
        "0x7f.1",
        "0.0.0.0:8000",
        "[::1]:8000",
        "[::]",
        "[::ffff:127.0.0.1]",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.1",
        "192.168.0.10:8080",
        "169.254.1.1",
        "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]",
        "nas.local",
        "wiki.corp",
        "docs.internal",
        "host.docker.internal",
        "router.lan",
        "pi.home.arpa",
        "site.test",
        "a.invalid",
    ],
)
def test_a_private_host_is_known_as_one(host: str) -> None:
    address = urls.normalise(f"http://{host}/")
    assert addresses.who_reaches(address)
    assert [finding.check for finding in addresses.doubts(address, "i.xml")] == ["private-address"]


@pytest.mark.parametrize(
    ("host", "who"),
    [
        ("localhost:8000", "this machine"),
        ("127.1", "this machine"),
        ("[::]", "this machine"),
        ("10.1.2.3", "this machine or its own network"),
        ("[fd00::1]", "this machine or its own network"),
        ("nas.local", "this machine or its own network"),
        ("8.8.8.8", ""),
        ("e.org", ""),
    ],
)
def test_who_reaches_a_private_host_is_said(host: str, who: str) -> None:
    address = urls.normalise(f"http://{host}/")
    assert addresses.who_reaches(address) == who
    found = [f"its URLs begin with {address}, which only {who} can reach."] if who else []
    assert [finding.problem for finding in addresses.doubts(address, "i.xml")] == found


@pytest.mark.parametrize(
    "host",
    [
        "e.org",
        "8.8.8.8",
        "172.32.0.1",
        "11.0.0.1",
        "[2606:4700::1111]",
        "localhost.org",
        "local.org",
        "mylocal",
        "10.e.org",
        "internal.e.org",
        "test.org",
    ],
)
def test_a_public_host_is_no_private_one(host: str) -> None:
    assert not addresses.who_reaches(urls.normalise(f"http://{host}/"))


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("https://example.com/", "a name for examples"),
        ("https://docs.example.org/a/", "a name for examples"),
        ("https://my.example/", "a name for examples"),
        ("https://intranet/docs/", "a name that only a local network knows"),
        ("https://intranet./docs/", "a name that only a local network knows"),
    ],
)
def test_an_address_that_may_be_right_is_worth_a_notice(address: str, why: str) -> None:
    (finding,) = addresses.doubts(address, "i.xml")
    assert (finding.check, finding.level) == ("doubtful-address", "notice")
    host = address.split("/")[2]
    assert finding.problem == f"its URLs begin with {address}, and {host} is {why}."


@pytest.mark.parametrize(
    "address", ["https://e.org/", "http://e.org/", "https://user.github.io/x/", "https://8.8.8.8/"]
)
def test_an_ordinary_address_leaves_no_doubts(address: str) -> None:
    assert list(addresses.doubts(address, "i.xml")) == []


def test_an_address_that_is_no_text_is_never_written_out() -> None:
    bomb: list[object] = []
    for _ in range(40):
        bomb = [bomb, bomb]
    assert addresses.read(bomb, "site_url")[1].startswith("site_url [[[…], […]], [[…], […]]] is not a text;")
    assert "secret" not in addresses.read(["https://me:secret@e.org/"], "site_url")[1]
    assert addresses.read(10**5000, "site_url")[1].startswith("site_url <int> is not a text;")
