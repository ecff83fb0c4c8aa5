"""The rules of static hosts: which URLs they redirect, remove and hide, and which rules nobody can
read.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.base import urls
from smindex_plugins.base.hosting import read_serving
from smindex_plugins.pages.host import unread_rules
from tests.support.planted import write

SITE = "https://e.org"


def answer(root: Path, path: str, *, has_file: bool = False) -> str:
    """Return the status and the target for a path or a URL, or nothing if no rule answers."""
    found = read_serving(str(root)).redirect(urls.normal(path, SITE), has_file=has_file)
    return f"{found.status} {found.to.removeprefix(SITE)}".strip() if found else ""


def problems(root: Path) -> list[str]:
    return [
        f"{finding.place}: {finding.problem}" for finding in unread_rules(read_serving(str(root)))
    ]


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        (
            "/old /new",
            {"/old": "301 /new", "/old/": "301 /new", "/old/index.html": "301 /new", "/older": ""},
        ),
        (
            "/old /new",
            {"/old?a=1": "301 /new", "/old/a": "", "/Old": "", "/docs/old": "", "/findex.html": ""},
        ),
        ("/old/index.html /new/ 308", {"/old": "308 /new/", "/old.html": ""}),
        ("/ /en/ 302", {"/": "302 /en/", "/index.html": "302 /en/", "/a": ""}),
        (
            "/stra%c3%9fe /new\n/größe /%6eew",
            {"/straße": "301 /new", "/gr%C3%B6%C3%9Fe/": "301 /new"},
        ),
        ("/a /b?c=d#e 307", {"/a": "307 /b?c=d"}),
        ("/a https://F.org/b 301", {"/a": "301 https://f.org/b"}),
        ("# /a /b\n\n/a /c 301 # and not /b\n  /d\t/e", {"/a": "301 /c", "/d": "301 /e"}),
        ("/a /first\n/a /second\n/* /third/:splat 302", {"/a": "301 /first", "/b": "302 /third/b"}),
        ("/* /first/:splat 302\n/a /second", {"/a": "302 /first/a"}),
    ],
)
def test_a_rule_for_one_path(tmp_path: Path, rules: str, answers: dict[str, str]) -> None:
    write(tmp_path, {"_redirects": rules})
    assert {path: answer(tmp_path, path) for path in answers} == answers


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        (
            "/old/* /b/:splat",
            {"/old/a": "301 /b/a", "/old/a/b/": "301 /b/a/b/", "/old": "301 /b/", "/older": ""},
        ),
        ("/*.html /:splat", {"/a/b.html": "301 /a/b", "/a/b": ""}),
        (
            "/news/:y/:slug /:y-:slug.html 302",
            {"/news/26/a/": "302 /26-a.html", "/news/26": "", "/news/2/a/b": ""},
        ),
        ("/a-:b/c /:b", {"/a-x/c": "301 /x", "/a-x/d": ""}),
        ("/größe/* /:splat", {"/gr%C3%B6%C3%9Fe/ä": "301 /%C3%A4"}),
        ("/a/* https://f.org:8080/:splat", {"/a/b": "301 https://f.org:8080/b"}),
        ("/a/* /:nothing", {"/a/b": "301 /:nothing"}),
    ],
)
def test_a_rule_with_a_pattern(tmp_path: Path, rules: str, answers: dict[str, str]) -> None:
    write(tmp_path, {"_redirects": rules})
    assert {path: answer(tmp_path, path) for path in answers} == answers


@pytest.mark.parametrize(
    ("rule", "by_rule", "by_file"),
    [
        ("/a /b", "301 /b", "301 /b"),
        ("/a /b 200", "200 /b", "200 /b"),
        ("/a /gone 410", "410 /gone", "410 /gone"),
        ("/a /b 404", "404 /b", "404 /b"),
        ("/a 410", "410", "410"),
        ("/* /new/:splat", "301 /new/a", ""),
        ("/:page /new/:page", "301 /new/a", ""),
        ("/* /new/:splat 302!", "302 /new/a", "302 /new/a"),
    ],
)
def test_a_file_wins_over_a_pattern_without_an_exclamation_mark(
    tmp_path: Path, rule: str, by_rule: str, by_file: str
) -> None:
    write(tmp_path, {"_redirects": rule})
    assert [answer(tmp_path, "/a"), answer(tmp_path, "/a", has_file=True)] == [by_rule, by_file]


@pytest.mark.parametrize(
    "rule",
    [
        "/a/ /a/index.html 200!",
        "/a /a/ 301",
        "/a/index.html /a",
        "/a https://e.org/a/#top",
        "/* /:splat 200\n/a /b",
        "/* /index.html 200",
        "/* /404.html 404!",
        "/a/* /a/404.html 404",
        "/* 200",
        "/a/* 200\n/a /b",
        "/a /b 302 Country=de,at",
        "/a /b Language=de",
        "/a id=:id /b/:id 301",
        "/a?id=1 /b",
        "https://f.org/a /b",
        "http://e.org/* https://e.org/:splat 301!",
        "https://www.e.org/* https://e.org/:splat 301!",
    ],
)
def test_a_rule_that_leads_nowhere_else_or_is_for_others_says_nothing(
    tmp_path: Path, rule: str
) -> None:
    write(tmp_path, {"_redirects": rule})
    assert (answer(tmp_path, "/a"), problems(tmp_path)) == ("", [])


def test_a_self_redirect_leaves_the_url_to_the_next_rule(tmp_path: Path) -> None:
    write(tmp_path, {"_redirects": "/a /a/\n/a /b"})
    assert answer(tmp_path, "/a") == "301 /b"


@pytest.mark.parametrize(
    ("rules", "answers"),
    [
        (
            "http://old.e.org/* https://e.org/:splat",
            {"http://old.e.org/a/": "301 /a/", "https://old.e.org/a/": ""},
        ),
        ("https://old.e.org/a https://e.org/b", {"https://old.e.org/a/": "301 /b", "/a": ""}),
        (
            "https://:p.pages.dev/* https://e.org/:splat 301!",
            {"https://p.pages.dev/a": "301 /a", "/a": ""},
        ),
    ],
)
def test_a_rule_for_a_domain(tmp_path: Path, rules: str, answers: dict[str, str]) -> None:
    write(tmp_path, {"_redirects": rules})
    assert {url: answer(tmp_path, url) for url in answers} == answers


@pytest.mark.parametrize(
    ("headers", "tags"),
    [
        (
            "/a\n  X-Robots-Tag: noindex",
            {"/a/": ["noindex"], "/a/index.html": ["noindex"], "/a/b": []},
        ),
        (
            "/a/*\n  x-robots-tag: noindex, nofollow\n  Cache-Control: no-store",
            {"/a/b": ["noindex, nofollow"]},
        ),
        (
            "/*.pdf\n  X-Robots-Tag: googlebot: noindex",
            {"/a/b.pdf": ["googlebot: noindex"], "/a": []},
        ),
        ("/:a/b\nX-Robots-Tag: none", {"/x/b": ["none"], "/b": []}),
        (
            "/*\n  X-Robots-Tag: noai\n/a\n  X-Robots-Tag: noindex",
            {"/a": ["noai", "noindex"], "/b": ["noai"]},
        ),
        (
            "/a\n  # not yet\n\n  X-Robots-Tag: noindex\n  X-Robots-Tag: noai",
            {"/a": ["noindex", "noai"]},
        ),
        ("/*\n  X-Robots-Tag: noindex\n/a\n  ! X-Robots-Tag", {"/a": [], "/b": ["noindex"]}),
        (
            "https://:p.pages.dev/*\n  X-Robots-Tag: noindex",
            {"/a": [], "https://p.pages.dev/a": ["noindex"]},
        ),
        ("/a\n  Link: <https://f.org/>; rel=canonical", {"/a": []}),
    ],
)
def test_the_headers_of_a_url(tmp_path: Path, headers: str, tags: dict[str, list[str]]) -> None:
    write(tmp_path, {"_headers": headers})
    serving = read_serving(str(tmp_path))
    assert (
        {path: [*serving.robots(urls.normal(path, SITE))] for path in tags},
        serving.unread,
    ) == (tags, [])


@pytest.mark.parametrize(
    ("redirect", "answers"),
    [
        ('"source": "/a", "destination": "/b"', {"/a": "308 /b", "/a/": "308 /b"}),
        ('"source": "/a", "destination": "/b", "permanent": false', {"/a": "307 /b"}),
        ('"source": "/a", "destination": "/b", "statusCode": 301', {"/a": "301 /b"}),
        (
            '"source": "/a/:path*", "destination": "/b/:path*"',
            {"/a": "308 /b/", "/a/x/y": "308 /b/x/y"},
        ),
        ('"source": "/a/:path+", "destination": "/b/:path+"', {"/a": "", "/a/x/y": "308 /b/x/y"}),
        (
            '"source": "/:lang?/a", "destination": "/b/:lang"',
            {"/a": "308 /b/", "/de/a": "308 /b/de", "/d/e/a": ""},
        ),
        (r'"source": "/p/:id(\\d+)", "destination": "/q/:id"', {"/p/12": "308 /q/12", "/p/x": ""}),
        ('"source": "/a/(.*)", "destination": "/b/$1"', {"/a/x/y": "308 /b/x/y", "/a": "308 /b/"}),
        ('"source": "/a(/|)", "destination": "/b"', {"/a": "308 /b", "/ab": ""}),
        (
            '"source": "/m/:p((?!_x).*)", "destination": "/m/_x:p"',
            {"/m/a": "308 /m/_xa", "/m/_xa": ""},
        ),
        (
            '"source": "/a", "destination": "/b", "has": [{"type": "host", "value": "f.org"}]',
            {"/a": ""},
        ),
        (
            '"source": "/a", "destination": "/b", "missing": [{"type": "cookie", "key": "k"}]',
            {"/a": ""},
        ),
    ],
)
def test_the_redirects_of_vercel_come_before_all_files(
    tmp_path: Path, redirect: str, answers: dict[str, str]
) -> None:
    write(tmp_path, {"vercel.json": f'{{"redirects": [{{{redirect}}}]}}'})
    assert {path: answer(tmp_path, path, has_file=True) for path in answers} == answers


@pytest.mark.parametrize(
    ("redirect", "by_rule", "by_file"),
    [
        ('from = "/*"\nto = "/new/:splat"', "301 /new/a", ""),
        ('from = "/*"\nto = "/new/:splat"\nstatus = 302\nforce = true', "302 /new/a", "302 /new/a"),
        ('from = "/a"\nto = "/b"\nconditions = {Country = ["de"]}', "", ""),
        ('from = "/a"\nto = "/b"\nquery = {id = ":id"}', "", ""),
        ('from = "/a"\nto = "/b"\nstatus = 410', "410 /b", "410 /b"),
    ],
)
def test_the_redirects_of_a_netlify_toml(
    tmp_path: Path, redirect: str, by_rule: str, by_file: str
) -> None:
    write(tmp_path, {"netlify.toml": f'[build]\npublish = "."\n[[redirects]]\n{redirect}\n'})
    assert [answer(tmp_path, "/a"), answer(tmp_path, "/a", has_file=True)] == [by_rule, by_file]


def test_the_rules_in_the_output_come_first_and_each_names_its_place(tmp_path: Path) -> None:
    toml = '[[redirects]]\nfrom = "/*"\nto = "/c/:splat"\n'
    write(tmp_path, {"_redirects": "# moved\n/a /b\n", "netlify.toml": toml})
    serving = read_serving(str(tmp_path))
    found = [serving.redirect(f"{SITE}/{path}", has_file=False) for path in "ax"]
    assert [each and each.where for each in found] == ["_redirects, line 2", "netlify.toml"]


STATUSES = "accepted: 200, 301, 302, 303, 307, 308, 404, 410"
ANOTHER = "has a missing value, or one of another type."


def vercel(source: str, destination: str = "/b", **others: object) -> str:
    """Return a vercel.json with one redirect."""
    return json.dumps({"redirects": [{"source": source, "destination": destination, **others}]})


@pytest.mark.parametrize(
    ("file", "text", "problem"),
    [
        (
            "_redirects",
            "/a /b\n/a",
            "_redirects, line 2: its target is ''; accepted: a path or a URL.",
        ),
        (
            "_redirects",
            "old /new",
            "_redirects, line 1: its source is 'old'; accepted: a path or a URL.",
        ),
        (
            "_redirects",
            "/old new 301",
            "_redirects, line 1: its target is 'new'; accepted: a path or a URL.",
        ),
        (
            "_redirects",
            "/old https://[",
            "_redirects, line 1: its target is 'https://['; accepted: a path or a URL.",
        ),
        ("_redirects", "/old /new 333", f"_redirects, line 1: its status is '333'; {STATUSES}."),
        (
            "_redirects",
            "/old 301",
            "_redirects, line 1: its target is ''; accepted: a path or a URL.",
        ),
        (
            "_headers",
            "/a\n  X-Robots-Tag",
            "_headers, line 2: a header requires a path above it, a name, a colon and",
        ),
        (
            "_headers",
            "X-Robots-Tag: noindex\n/a",
            "_headers, line 1: a header requires a path above it, a name, a co",
        ),
        (
            "_headers",
            "/a\n  X-Robots-Tag:\n",
            "_headers, line 2: a header requires a path above it, a name, a colon",
        ),
        (
            "netlify.toml",
            "a = 1\n[[redirects]\n",
            "netlify.toml, line 2: it is not valid TOML at column 12: expect",
        ),
        (
            "netlify.toml",
            "a = 1\n# \xe9".encode("latin-1"),
            "netlify.toml, line 2: it is not UTF-8.",
        ),
        (
            "netlify.toml",
            f"a = {'9' * 5_000}",
            "netlify.toml: it contains a number with thousands of digits.",
        ),
        (
            "netlify.toml",
            "[[redirects]]\nto = '/a'\n",
            "netlify.toml: its source is ''; accepted: a path or a URL.",
        ),
        ("netlify.toml", "redirects = ['/a']\n", f"netlify.toml: entry 1 of `redirects` {ANOTHER}"),
        (
            "netlify.toml",
            "[[redirects]]\nfrom = '/a'\nstatus = true",
            f"netlify.toml: entry 1 of `redirects` {ANOTHER}",
        ),
        (
            "netlify.toml",
            "[[headers]]\nfor = '/a'\nvalues = ['a']",
            f"netlify.toml: entry 1 of `headers` {ANOTHER}",
        ),
        (
            "vercel.json",
            "{",
            "vercel.json, line 1: it is not valid JSON at column 2: a name in double",
        ),
        ("vercel.json", '{"a": "\xe9"}'.encode("latin-1"), "vercel.json, line 1: it is not UTF-8."),
        ("vercel.json", '{"redirects": null}', "vercel.json: `redirects` is not a list."),
        ("vercel.json", "[" * 100_000, "vercel.json: it is nested too deeply."),
        (
            "vercel.json",
            '{"headers": [{"headers": [{}]}]}',
            f"vercel.json: entry 1 of `headers` {ANOTHER}",
        ),
        (
            "vercel.json",
            vercel("/\ud800"),
            r"vercel.json: its source is '/\ud800'; accepted: a path or a URL.",
        ),
        (
            "vercel.json",
            vercel("/a", "/\ud800"),
            r"vercel.json: its target is '/\ud800'; accepted: a path or a URL.",
        ),
        (
            "vercel.json",
            vercel("/a", statusCode=10**400),
            "vercel.json: its status is 'a very large number!'; accepted",
        ),
        *(
            (
                "vercel.json",
                vercel(source),
                f"vercel.json: {source!r} is not a valid pattern: its parentheses are ",
            )
            for source in ("/(a", "/([)", "/()")
        ),
        (
            "vercel.json",
            vercel("/:a([b-a])"),
            "vercel.json: '/:a([b-a])' is not a valid pattern: bad character",
        ),
        (
            "vercel.json",
            vercel("/:a(x{9999999999})"),
            "vercel.json: '/:a(x{9999999999})' is not a valid pattern: a",
        ),
        ("_redirects", "/:a/:a /b", "_redirects, line 1: '/:a/:a' has the placeholder :a twice."),
        ("_redirects", "/*/a/* /b", "_redirects, line 1: '/*/a/*' has the placeholder * twice."),
        (
            "_redirects",
            f"/{'a' * 9_999} /b",
            "_redirects, line 1: its source has 10,000 characters; at most 4,096 are",
        ),
        (
            "_redirects",
            f"/* {'/:splat' * 20_000}",
            "_redirects, line 1: its target has 140,000 characters; a URL has",
        ),
        ("_redirects", f"/a /b {'9' * 5_000}", "_redirects, line 1: its status is '99"),
        ("_redirects", "/a /b !", f"_redirects, line 1: its status is '!'; {STATUSES}."),
        ("_redirects", "/a /b ٣٠١", f"_redirects, line 1: its status is '٣٠١'; {STATUSES}."),
        (
            "_redirects",
            "/a\0 /b",
            r"_redirects, line 1: its source is '/a\x00'; accepted: a path or a URL.",
        ),
        ("_redirects", "/a /b".encode("utf-16"), "_redirects: it is UTF-16, not UTF-8."),
    ],
)
def test_what_cannot_be_read_is_a_finding(
    tmp_path: Path, file: str, text: str | bytes, problem: str
) -> None:
    write(tmp_path, {file: text})
    (found,) = problems(tmp_path)
    assert found.startswith(problem)


@pytest.mark.parametrize(
    "source",
    [
        *(
            "/:a((?:x+)+)",
            "/((?:x|x)+)$",
            "/:a((x*)*)",
            "/((?:x?){30})",
            "/((?:x{1,9}){9})",
            r"/((?:\\w+\\s?)+)",
        ),
        *(
            "/" + "/".join(f":a{number}{sign}" for number in range(30))
            for sign in ("?", "*", "(.*)")
        ),
        "/" + "-".join(f":a{number}" for number in range(30)),
    ],
)
def test_a_pattern_that_takes_too_long_is_a_finding(tmp_path: Path, source: str) -> None:
    write(tmp_path, {"vercel.json": vercel(source)})
    (found,) = problems(tmp_path)
    assert found.endswith("can match a URL in so many ways that trying them takes too long.")
    assert answer(tmp_path, "/" + "x" * 200 + "!") == ""


@pytest.mark.parametrize(
    ("source", "path"),
    [
        ("/:a([a-z0-9]+(?:-[a-z0-9]+)*)", "a-b-c"),
        ("/((?:[^/]+/)*)index.php", "a/b/index.php"),
        ("/((?!api/|_next/static|favicon.ico).*)", "a/b"),
        ("/:lang(de|en)/:path*", "en/a/b"),
        ("/" + "/".join(f":a{number}" for number in range(99)), "/".join(["a"] * 99)),
        ("/a/(x((?:y|z)(w)))", "a/xzw"),
    ],
)
def test_a_usual_pattern_is_applied(tmp_path: Path, source: str, path: str) -> None:
    write(tmp_path, {"vercel.json": vercel(source, "/new")})
    assert (problems(tmp_path), answer(tmp_path, f"/{path}")) == ([], "308 /new")


def test_a_star_of_firebase_can_occur_twice(tmp_path: Path) -> None:
    rule = {"source": "/*/a/*", "destination": "/new", "type": 301}
    write(tmp_path, {"firebase.json": json.dumps({"hosting": {"redirects": [rule]}})})
    assert (answer(tmp_path, "/x/a/y"), answer(tmp_path, "/x/b/y"), problems(tmp_path)) == (
        "301 /new",
        "",
        [],
    )


def test_a_target_that_gets_too_long_is_skipped_for_this_url_and_told_once(tmp_path: Path) -> None:
    write(tmp_path, {"_redirects": "/* /a/:splat/:splat/:splat 302\n/x/* /y/:splat\n"})
    serving = read_serving(str(tmp_path))
    long, short = f"{SITE}/x/{'z' * 800}", f"{SITE}/y/{'z' * 800}"
    found = [serving.redirect(url, has_file=False) for url in (f"{SITE}/b", long, f"{long}/1")]
    assert [each and each.to for each in found] == [
        f"{SITE}/a/b/b/b",
        short,
        f"{short}/1",
    ]
    (told,) = unread_rules(serving)
    assert (told.place, told.problem.startswith(f"its target for {SITE}/x/zzz")) == (
        "_redirects, line 1",
        True,
    )
    assert told.problem.endswith("is longer than the 2,047 characters of a URL.")


def test_the_other_rules_of_a_file_count(tmp_path: Path) -> None:
    write(tmp_path, {"_redirects": b"/a /b 999\n/*/a/* /b\n/caf\xe9 /b\n# caf\xe9\n/c /d\n"})
    lines = [each.partition(": ")[0] for each in problems(tmp_path)]
    assert lines == ["_redirects, line 1", "_redirects, line 2", "_redirects, line 3"]
    assert answer(tmp_path, "/c") == "301 /d"


@pytest.mark.parametrize(
    "odd", ["1", "null", '"/x"', "[]", "{}", '{"source": 1}', '{"source": "/x", "destination": {}}']
)
def test_the_other_rules_of_a_document_count(tmp_path: Path, odd: str) -> None:
    rule = '{"source": "/a", "destination": "/b"}'
    write(tmp_path, {"vercel.json": f'{{"redirects": [{odd}, {rule}]}}'})
    assert (len(problems(tmp_path)), answer(tmp_path, "/a")) == (1, "308 /b")


def test_the_headers_of_a_path_that_cannot_be_read_belong_to_no_other_path(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "_headers": (
                b"/a\n  X-Robots-Tag: noai\n/caf\xe9\n  X-Robots-Tag: noindex\n/b\n  X-Robots-Tag:"
                b" none\n"
            )
        },
    )
    serving = read_serving(str(tmp_path))
    assert [[*serving.robots(f"{SITE}/{path}")] for path in "ab"] == [["noai"], ["none"]]
    assert [each.spot.line for each in serving.unread] == [3]


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from(["/a", "/:a*", "/b/$1", "301"]),
    lambda below: (
        st.lists(below, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["source", "destination", "statusCode", "headers", "key", "value", "type", "public"]
            ),
            below,
        )
    ),
    max_leaves=8,
)
LINES = st.lists(
    st.lists(
        st.sampled_from(
            [
                "/",
                "*",
                ":a",
                ":splat",
                "(",
                ")+",
                "\\",
                "[",
                " ",
                "301",
                "!",
                "#",
                "=",
                "https://",
                "\0",
            ]
        )
        | st.text(max_size=3),
        max_size=9,
    ).map("".join),
    max_size=5,
).map("\n".join)


@given(
    name=st.sampled_from(
        ["_redirects", "_headers", "netlify.toml", "vercel.json", "firebase.json", "wrangler.json"]
    ),
    content=LINES.map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.binary()
    | st.fixed_dictionaries(
        {}, optional={"redirects": JSON, "headers": JSON, "hosting": JSON, "assets": JSON}
    ).map(lambda given: json.dumps(given).encode())
    | st.builds(
        lambda source, to: json.dumps(
            {"redirects": [{"source": source, "destination": to}]}
        ).encode(),
        LINES,
        LINES,
    ),
)
def test_no_content_of_a_file_of_rules_raises_anything(name: str, content: bytes) -> None:
    with TemporaryDirectory() as directory:
        write(Path(directory), {name: content})
        serving = read_serving(directory, f"{SITE}/")
        for path in ("", "a", "a/b/", "é.html"):
            url = urls.normal(path, f"{SITE}/")
            serving.answer(url)
            serving.robots(url)
        assert all(each.problem.endswith(".") for each in serving.unread)
        list(serving.rules.fixed())


def test_a_file_that_cannot_be_read_is_a_finding(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "_redirects")
    write(tmp_path, {"_headers": "/größe".encode("latin-1")})
    first, second = problems(tmp_path)
    assert first == "_redirects: it can't be read: it is not a regular file."
    assert second == "_headers, line 1: it is not UTF-8."
