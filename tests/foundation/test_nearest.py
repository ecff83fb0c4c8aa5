"""What is said of a pattern that matches no page: the nearest thing that would match."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.nearest import fix

CLEAN = (
    "https://example.org/docs/",
    [
        *("", "about/", "api/", "api/one/", "api/two/", "api/v2/", "api/v2/x/", "Reference/a/", "v1.2/a/"),
        *("blog/2024/a/", "blog/2024/b/", "blog/page/2/", "blog/page/3/", "guide/install/", "guide/tutorial/one/"),
        *("tag/a/", "tag/b/", "category/x/", "übersicht/größe/", "release notes/"),
    ],
    {
        "index.md": "",
        "api/index.md": "api/",
        "api/one.md": "api/one/",
        "about.md": "about/",
        "blog/posts/a.md": "blog/2024/a/",
    },
)
FILES = (
    "https://example.org/",
    ["index.html", "archives.html", "tags.html", "tag/a.html", "tag/b.html", "posts/hello.html", "pages/about.html"],
    {"articles/2024-hello.md": "posts/hello.html"},
)


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("api", "`api/`"),
        ("api/one", "`api/one/`"),
        ("api/one.md", "`api/one/`"),
        ("api/one.html", "`api/one/`"),
        ("api/index.md", "`api/index.html`"),
        ("api/*.md", "`api/`"),
        ("api/*.html", "`api/`"),
        ("guide/*", "`guide/`"),
        ("posts/a.md", "`blog/2024/a/index.html`"),
        ("content/about.md", "`about/`"),
        ("site/api/", "`api/`"),
        ("../api/", "`api/`"),
        ("./api", "`api/`"),
        ("api\\one", "`api/one/`"),
        ("'api/'", "`api/`"),
        (" api ", "`api/`"),
        ("API/", "`api/`"),
        ("Api/One", "`api/one/`"),
        ("reference/", "`Reference/`"),
        ("ubersicht/", "`übersicht/`"),
        ("refernce/", "`Reference/`"),
        ("guide/instal/", "`guide/install/`"),
        ("aboot", "`about/`"),
        ("tutorial/", "`guide/tutorial/`"),
        ("install", "`guide/install/`"),
        ("page/", "`blog/page/`"),
        ("release notes", "`release notes/`"),
    ],
)
def test_the_nearest_pattern_is_asked_for(pattern: str, meant: str) -> None:
    assert fix(pattern, *CLEAN) == f"Did you mean {meant}?"


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("archives/", "`archives.html`"),
        ("archive", "`archives.html`"),
        ("about/", "`pages/about.html`"),
        ("articles/2024-hello.md", "`posts/hello.html`"),
        ("hello", "`posts/hello.html`"),
        ("tag/*/", "`tag/`"),
    ],
)
def test_of_a_site_of_html_files_too(pattern: str, meant: str) -> None:
    assert fix(pattern, *FILES) == f"Did you mean {meant}?"


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("https://example.org/docs/api/", "Did you mean `api/`?"),
        ("http://www.example.org/docs/api/one", "Did you mean `api/one/`?"),
        ("docs/api/", "Did you mean `api/`?"),
        ("/docs/api/one.md", "Did you mean `api/one/`?"),
        ("docs/index.md", "Did you mean `index.html`?"),
        ("!api/", "A pattern cannot be negated. Remove it, and narrow the others."),
    ],
)
def test_what_is_no_pattern_is_called_what_it_is(pattern: str, said: str) -> None:
    assert fix(pattern, *CLEAN) == said


@pytest.mark.parametrize(
    "pattern",
    [
        "drafts/",
        "files/*.pdf",
        "draft*/",
        "**/drafts/**",
        "/",
        "zzz",
        "c++",
        "[",
        "(?",
        "(tag|api)/",
        r"v\d\.\d/",
        "api/, tag/",
    ],
)
def test_where_nothing_is_near_patterns_are_explained_by_directories_of_the_site(pattern: str) -> None:
    assert fix(pattern, *CLEAN) == (
        "Patterns are paths below https://example.org/docs/, such as `about/`, `api/`, `Reference/`, with `*`, `**` "
        "and `?` as wildcards. Correct it, or remove it."
    )


def test_a_site_of_one_page_has_no_directories_to_name() -> None:
    assert fix("drafts/", "https://e.org/", [""]) == (
        "Patterns are paths below https://e.org/, with `*`, `**` and `?` as wildcards. Correct it, or remove it."
    )


@given(st.text(alphabet="ab/*?.^$[](){}|\\+-,;: #!'\"é\0\n%25d", max_size=14) | st.just("(a{1,99999999999})"))
def test_no_text_is_too_strange(pattern: str) -> None:
    with warnings.catch_warnings(action="error"):
        assert all(fix(pattern, *site) for site in (CLEAN, FILES, ("https://e.org/", ["a/"])))
