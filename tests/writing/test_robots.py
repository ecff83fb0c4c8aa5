"""What a robots.txt blocks, as RFC 9309 says, and what it agrees to.

Most cases of matching are those of Google's own parser (github.com/google/robotstxt).
"""

import itertools
import re
import time
from pathlib import Path

import pytest

from smindex_plugins.base import urls
from smindex_plugins.base.limits import MAX_ROBOTS
from smindex_plugins.writing import robots
from smindex_plugins.writing.robots import Robots
from tests.support.planted import write


def parsed(text: str) -> Robots:
    return robots.parse(text.encode())


def allowed(rules: str, path: str, agent: str = "*") -> bool:
    return (
        parsed(f"user-agent: {agent}\n{rules}").blocks(urls.normalise("https://e.org" + path))
        is None
    )


@pytest.mark.parametrize(
    ("rules", "path", "is_allowed"),
    [
        ("", "/", True),
        ("Disallow: /", "/a", False),
        ("disallow: /a", "/a/b", False),
        ("disallow: /\nallow: /p", "/page", True),
        ("allow: /folder\ndisallow: /folder", "/folder/page", True),
        ("disallow: /folder\nallow: /folder", "/folder/page", True),
        ("allow: /page\ndisallow: /*.htm", "/page.htm", False),
        ("allow: /$\ndisallow: /", "/", True),
        ("allow: /$\ndisallow: /", "/page.htm", False),
        ("disallow: /*.php$", "/a.php", False),
        ("disallow: /*.php$", "/a.php?b", True),
        ("disallow: /größe", "/gr%C3%B6%C3%9Fe", False),
        ("disallow: /gr%c3%b6%c3%9fe", "/größe", False),
        ("disallow: /%61", "/a", False),
        ("allow: /index.html\ndisallow: /", "/", True),
        ("allow: /a/index.htm\ndisallow: /", "/a/", True),
        ("allow: /a/index.htm\ndisallow: /", "/a/b", False),
        ("disallow: /members\u00a0", "/members", True),
        ("disallow: /a # why", "/a", False),
        ("unknown: x\ndisallow: /a", "/a", False),
        ("Sitemap: https://e.org/s.xml\ndisallow: /a", "/a", False),
    ],
)
def test_the_longest_rule_wins_and_allow_wins_ties(rules: str, path: str, is_allowed: bool) -> None:  # noqa: FBT001
    assert allowed(rules, path) is is_allowed


@pytest.mark.parametrize(
    ("text", "is_allowed"),
    [
        ("user-agent: googlebot\ndisallow: /", False),
        ("user-agent: GoogleBot/2.1\ndisallow: /", False),
        ("user-agent: *\ndisallow: /\nuser-agent: googlebot\nallow: /", True),
        ("user-agent: google\ndisallow: /", True),
        ("user-agent: googlebot-image\ndisallow: /", True),
        ("user-agent: a\nuser-agent: googlebot\ndisallow: /", False),
        (
            (
                "user-agent: googlebot\nallow: /b\nuser-agent: a\ndisallow: /\nuser-agent:"
                " googlebot\ndisallow: /"
            ),
            False,
        ),
        ("disallow: /", True),
        ("\ufeffuser-agent: *\rdisallow: /", False),
        ("user-agent : *\n disallow\t:\t/ ", False),
        ("user-agent: * and more\ndisallow: /", False),
        ("user-agent: *WordPress*\ndisallow: /", True),
        ("User Agent: *\nDissallow: /", False),
        ("user-agent *\ndisallow /", False),
        ("user-agent: *\ndisallow / b", True),
    ],
)
def test_the_group_of_googlebot_counts_or_else_that_of_all(text: str, is_allowed: bool) -> None:  # noqa: FBT001
    assert (parsed(text).blocks("https://e.org/a") is None) is is_allowed


@pytest.mark.parametrize(
    ("text", "delay"),
    [
        ("User-agent: *\nCrawl-delay: 2", 2),
        ("User-agent: *\nDisallow: /a\ncrawl-DELAY : 0.5 # why", 0.5),
        (
            "User-agent: a\nUser-agent: smindex/1.0\nCrawl-delay: 3\nUser-agent: *\nCrawl-delay: 2",
            3,
        ),
        ("User-agent: smindex\nDisallow: /a\n\nUser-agent: *\nCrawl-delay: 2", 0),
        ("User-agent: Bingbot\nCrawl-delay: 2", 0),
        ("Crawl-delay: 2", 0),
        *(
            (f"User-agent: *\nCrawl-delay: {value}", 0)
            for value in ("", "-1", "1e9", "nan", "9" * 5000, "2s")
        ),
    ],
)
def test_a_crawl_delay_is_for_the_crawlers_of_its_group(text: str, delay: float) -> None:
    assert parsed(text).delay == delay


def test_this_tool_fetches_nothing_that_is_forbidden_to_it_or_to_google() -> None:
    robots = parsed("User-agent: *\nDisallow: /a\n\nUser-agent: googlebot\nDisallow: /b")
    assert [robots.keeps_out(f"https://e.org/{path}") for path in "abc"] == [True, True, False]
    assert Robots(failure="it can't be fetched").keeps_out("https://e.org/c"), (
        "RFC 9309, section 2.3.1.4"
    )


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        (
            (
                "User-agent: *\nDisallow: /a\nSitemap: https://e.org/s.xml\nCrawl-delay: 1\nHost:"
                " e.org"
            ),
            {},
        ),
        ("useragent: *", {1: "only Google reads 'useragent' as `User-agent`"}),
        ("User-agent: *\nDisalow: /", {2: "only Google reads 'Disalow' as `Disallow`"}),
        (
            "Site-map: /s.xml\nNoindex: /a",
            {1: "only Google reads 'Site-map'", 2: "no search engine supports"},
        ),
        (
            "Allow: /a\n# a\nUser-agent: *\nDisallow: /",
            {1: "it is before the first `User-agent` line"},
        ),
    ],
)
def test_a_line_that_not_every_crawler_reads_is_named(text: str, unread: dict[int, str]) -> None:
    found = parsed(text).unread
    assert found.keys() == unread.keys()
    assert all(found[line].startswith(why) for line, why in unread.items())


def test_sitemap_lines_belong_to_no_group() -> None:
    found = parsed(
        "SITEMAP: https://e.org/a.xml\nuser-agent: x\nsitemap:/b.xml # b\nUser-agent:"
        " *\ndisallow: /"
    )
    assert [(line.line, line.url) for line in found.sitemaps] == [
        (1, "https://e.org/a.xml"),
        (3, "/b.xml"),
    ]


def test_what_crawlers_do_not_read_does_not_count() -> None:
    text = "user-agent: *\n" + "#" * MAX_ROBOTS + "\ndisallow: /"
    assert parsed(text).blocks("https://e.org/a") is None


def test_a_rule_of_many_wildcards_is_compared_without_backtracking() -> None:
    found = parsed("user-agent: *\ndisallow: /" + "*a" * 2_000 + "b\n")
    started = time.process_time()
    for number in range(50):
        assert found.blocks("https://e.org/" + "a" * 2_000 + str(number)) is None
    assert time.process_time() - started < 5


def test_any_pattern_means_what_it_means_as_a_regular_expression() -> None:
    paths = [
        "/" + "".join(letters)
        for size in range(4)
        for letters in itertools.product("ab", repeat=size)
    ]
    for letters in itertools.chain.from_iterable(
        itertools.product("ab*", repeat=size) for size in range(1, 5)
    ):
        for pattern in ("/" + "".join(letters) + "$", "".join(letters)):
            meant = re.compile(
                pattern.removesuffix("$").replace("*", ".*")
                + ("$" if pattern.endswith("$") else "")
            )
            found = parsed(f"user-agent: *\ndisallow: {pattern}").rules
            for path in paths:
                assert (found.blocking(path) is not None) is (meant.match(path) is not None), (
                    pattern,
                    path,
                )


ORIGIN, INDEX = "https://f.org", "https://e.org/docs/sitemap_index.xml"


@pytest.mark.parametrize(
    "place", ["f/robots.txt", "f", "https://f.org/", "https://F.org/robots.txt"]
)
def test_the_robots_txt_of_another_site_is_read_from_a_file_a_directory_or_a_url(
    tmp_path: Path, place: str
) -> None:
    write(tmp_path, {"f/robots.txt": f"Sitemap: {INDEX}\n"})
    asked: list[str] = []

    def fetch(url: str) -> bytes:
        asked.append(url)
        return f"Sitemap: {INDEX}\n".encode()

    consents = robots.read_consents([(ORIGIN, place)], str(tmp_path), fetch)
    assert consents.proven(INDEX) == {ORIGIN}
    assert consents.proven("https://e.org/other.xml") == frozenset()
    assert asked == (["https://f.org/robots.txt"] if place.startswith("https") else [])


@pytest.mark.parametrize(
    ("origin", "place", "problem"),
    [
        (ORIGIN, "nowhere", f"that {ORIGIN} agrees to be listed: No such file or directory."),
        (
            ORIGIN,
            "https://f.org/robots.txt",
            f"that {ORIGIN} agrees to be listed: a build sends no requests.",
        ),
        (
            ORIGIN,
            "f",
            f"it has no Sitemap line for {INDEX}, so {ORIGIN} does not agree to be listed there.",
        ),
        ("https://e.org", "e", "the site's own robots.txt doesn't extend a directory's scope."),
    ],
)
def test_a_site_that_does_not_agree_is_a_finding_with_the_reason(
    tmp_path: Path, origin: str, place: str, problem: str
) -> None:
    write(tmp_path, {"f/robots.txt": "User-agent: *\n", "e/robots.txt": f"Sitemap: {INDEX}\n"})
    consents = robots.read_consents([(origin, place)], str(tmp_path))
    (finding,) = consents.unproven(INDEX, consents.proven(INDEX))
    assert finding.problem.endswith(problem)
