"""What is said of a pattern that matches no page: the nearest thing that would match."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.nearest import Site, fix

CLEAN = Site(
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
FILES = Site(
    "https://example.org/",
    ["index.html", "archives.html", "tags.html", "tag/a.html", "tag/b.html", "posts/hello.html", "pages/about.html"],
    {"articles/2024-hello.md": "posts/hello.html"},
)
BELOW = "Patterns are paths below https://example.org/docs/:"
REGULAR = "That is a regular expression; patterns are paths:"


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("api", "`api/`"),
        ("api/one", "`api/one/`"),
        ("api/one.md", "`api/one/`"),
        ("api/one.html", "`api/one/`"),
        ("api/index.md", "`api/index.html`"),
        ("api/README.md", "`api/index.html`"),
        ("api/*.md", "`api/`"),
        ("api/*.html", "`api/`"),
        ("*.html", "`*/`"),
        ("guide/*", "`guide/`"),
        ("posts/a.md", "`blog/2024/a/`"),
        ("content/about.md", "`about/`"),
        ("site/api/", "`api/`"),
        ("../api/", "`api/`"),
        ("./api", "`api/`"),
        ("api\\one", "`api/one/`"),
        ("'api/'", "`api/`"),
        (" api ", "`api/`"),
        ("api/#top", "`api/`"),
        ("API/", "`api/`"),
        ("Api/One", "`api/one/`"),
        ("reference/", "`Reference/`"),
        ("u\u0308bersicht/", "`übersicht/`"),
        ("ubersicht/", "`übersicht/`"),
        ("refernce/", "`Reference/`"),
        ("guide/instal/", "`guide/install/`"),
        ("apii/*/", "`api/*/`"),
        ("aboot", "`about/`"),
        ("tutorial/", "`guide/tutorial/`"),
        ("install", "`guide/install/`"),
        ("page/", "`blog/page/`"),
        ("release notes", "`release notes/`"),
    ],
)
def test_the_nearest_pattern_is_asked_for(pattern: str, meant: str) -> None:
    assert fix(pattern, CLEAN) == f"Did you mean {meant}?"


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
    assert fix(pattern, FILES) == f"Did you mean {meant}?"


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("https://example.org/docs/api/", f"{BELOW} `api/`."),
        ("http://www.example.org/docs/api/one", f"{BELOW} `api/one/`."),
        ("example.org/docs/tag", f"{BELOW} `tag/`."),
        ("docs/api/", f"{BELOW} `api/`."),
        ("/docs/api/one.md", f"{BELOW} `api/one/`."),
        ("docs/index.md", f"{BELOW} `index.html`."),
        ("^api/.*$", f"{REGULAR} `api/`."),
        ("^tag/", f"{REGULAR} `tag/`."),
        ("^/tag/", f"{REGULAR} `tag/`."),
        ("tag/.*", f"{REGULAR} `tag/`."),
        ("^(tag|category)/", f"{REGULAR} `tag/` and `category/`."),
        ("(tag|category)/", f"{REGULAR} `tag/` and `category/`."),
        ("blog/page/[0-9]+/", f"{REGULAR} `blog/page/*/`."),
        (r"v\d\.\d/", f"{REGULAR} `v*.*/`."),
        ("api/, tag/", "Each pattern is an item of its own in the list: `api/` and `tag/`."),
        ("{api,tag}/", "Braces have no meaning in a pattern; write each by itself: `api/` and `tag/`."),
        ("!api/", "A pattern cannot be negated. Remove it, and narrow the others."),
        (
            "files/*.pdf",
            "Only pages are listed, and files that `include` names, so other files need no pattern. Remove it.",
        ),
    ],
)
def test_what_is_no_pattern_is_called_what_it_is(pattern: str, said: str) -> None:
    assert fix(pattern, CLEAN) == said


@pytest.mark.parametrize("pattern", ["drafts/", "draft*/", "**/drafts/**", "/", "zzz", "c++", "[", "(?"])
def test_where_nothing_is_near_patterns_are_explained_by_directories_of_the_site(pattern: str) -> None:
    said = fix(pattern, CLEAN)
    assert said.startswith("Patterns are paths below https://example.org/docs/, such as `about/`, `api/` and")
    assert said.endswith("Correct it, or remove it.")
    assert ("No signs but `*`, `**` and `?`" in said) is (pattern in {"[", "(?"})


def test_a_site_of_one_page_has_no_directories_to_name() -> None:
    assert fix("drafts/", Site("https://e.org/", [""])) == (
        "Patterns are paths below https://e.org/. Correct it, or remove it."
    )


@given(st.text(alphabet="ab/*?.^$[](){}|\\+-,;: #!'\"é\0\n%25d", max_size=14) | st.just("(a{1,99999999999})"))
def test_no_text_is_too_strange(pattern: str) -> None:
    with warnings.catch_warnings(action="error"):
        assert all(fix(pattern, site) for site in (CLEAN, FILES, Site("https://e.org/", ["a/"])))


def test_of_a_pattern_too_long_to_be_a_mistake_nothing_is_guessed() -> None:
    assert fix("api/" + "a" * 195, CLEAN).startswith("Patterns are paths below https://example.org/docs/, such as ")
    assert fix("./" * 100 + "api", CLEAN).startswith("Patterns are paths below https://example.org/docs/, such as ")
    assert fix("x/" * 98 + "api", CLEAN) == "Did you mean `api/`?"
