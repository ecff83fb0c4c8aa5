"""The hint about a pattern that matches nothing: the nearest name that would match."""

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smindex_plugins.pages._nearest import fix

CLEAN = (
    "https://example.org/docs/",
    [
        *(
            "",
            "about/",
            "api/",
            "api/one/",
            "api/two/",
            "api/v2/",
            "api/v2/x/",
            "Reference/a/",
            "v1.2/a/",
        ),
        *(
            "blog/2024/a/",
            "blog/2024/b/",
            "blog/page/2/",
            "blog/page/3/",
            "guide/install/",
            "guide/tutorial/one/",
        ),
        *("tag/a/", "tag/b/", "category/x/", "übersicht/größe/", "release notes/"),
    ],
    {
        "index.md": "",
        "api/index.md": "api/",
        "api/one.md": "api/one/",
        "blog/posts/a.md": "blog/2024/a/",
    },
)
FILES = (
    "https://example.org/",
    [
        "index.html",
        "archives.html",
        "tags.html",
        "tag/a.html",
        "tag/b.html",
        "posts/hello.html",
        "pages/about.html",
    ],
    {"articles/2024-hello.md": "posts/hello.html"},
)


@pytest.mark.parametrize(
    ("meant", "patterns"),
    [
        (
            "api/",
            ["api", "api/*.md", "api/*.html", "site/api/", "../api/", "./api", "'api/'", " api "],
        ),
        (
            "api/one/",
            [
                "api/one",
                "api\\one",
                "Api/One",
                "http://www.example.org/docs/api/one",
                "/docs/api/one.md",
            ],
        ),
        ("api/index.html", ["api/index.md"]),
        ("blog/2024/a/index.html", ["posts/a.md"]),
        ("about/", ["content/about.md", "aboot"]),
        ("Reference/", ["refernce/"]),
        ("übersicht/", ["ubersicht/"]),
        ("guide/install/", ["guide/instal/", "install"]),
        ("guide/tutorial/", ["tutorial/"]),
    ],
)
def test_the_nearest_name_is_suggested(meant: str, patterns: list[str]) -> None:
    for pattern in patterns:
        assert fix(pattern, *CLEAN) == f"Did you mean `{meant}`?", pattern


@pytest.mark.parametrize(
    ("pattern", "meant"),
    [
        ("archive", "archives.html"),
        ("articles/2024-hello.md", "posts/hello.html"),
        ("hello", "posts/hello.html"),
        ("tag/*/", "tag/"),
    ],
)
def test_so_is_the_nearest_html_file(pattern: str, meant: str) -> None:
    assert fix(pattern, *FILES) == f"Did you mean `{meant}`?"


def test_a_negated_pattern_is_explained() -> None:
    assert fix("!api/", *CLEAN) == "A pattern can't be negated. Remove it, and narrow the others."


@pytest.mark.parametrize(
    "pattern",
    [
        *(
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
        ),
        "api/, tag/",
    ],
)
def test_if_nothing_is_near_patterns_are_explained_by_directories_of_the_site(pattern: str) -> None:
    assert (
        fix(pattern, *CLEAN)
        == "Patterns are paths below https://example.org/docs/, such as `about/`, `api/`,"
        " `Reference/`, with `*`, `**` and `?` as wildcards. Correct it, or remove it."
    )
    assert (
        fix(pattern, "https://e.org/", [""])
        == "Patterns are paths below https://e.org/, with `*`, `**` and `?` as wildcards. Correct"
        " it, or remove it."
    )


@given(
    st.text(alphabet="ab/*?.^$[](){}|\\+-,;: #!'\"é\0\n%25d", max_size=14)
    | st.just("(a{1,99999999999})")
)
def test_every_text_has_a_hint(pattern: str) -> None:
    with warnings.catch_warnings(action="error"):
        assert all(fix(pattern, *site) for site in (CLEAN, FILES, ("https://e.org/", ["a/"])))
