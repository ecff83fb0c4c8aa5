"""The comment on a pull request starts with the URLs that break, and names each page once."""

import io

import pytest

from smindex_plugins.base.difference import Difference, Fate, Gone
from smindex_plugins.compare.output import broken_urls, write_difference
from tests.support.command import SITE


def test_the_comment_starts_with_what_is_lost_and_names_a_renamed_page_once() -> None:
    old, new, lost = f"{SITE}old/", f"{SITE}new/", f"{SITE}lost/"
    moved, there = f"{SITE}moved/", f"{SITE}there/"
    found = Difference(
        added=[new, f"{SITE}other/", there],
        removed=[lost, moved, old],
        gone=[
            Gone(lost, "lost", None, "there is no such page"),
            Gone(moved, "redirected", there, "_redirects, line 1"),
            Gone(old, "renamed", new, "add to _redirects: /old/ /new/ 301"),
        ],
        base=SITE,
        urls_after=9,
    )
    out = io.StringIO()
    write_difference(found, "markdown", out, preview="https://p.example/1/")
    assert out.getvalue().splitlines() == [
        "<!-- smindex diff -->",
        (
            "**2 URLs break: 1 page lost, 1 renamed. Redirect or restore each lost page. Add the"
            " redirect below.**"
        ),
        "",
        "Lost (1):",
        "",
        f"- `- {lost} (there is no such page)` ([preview](<https://p.example/1/lost/>))",
        "",
        "Renamed (1):",
        "",
        (
            f"- `- {old} → {new} (add to _redirects: /old/ /new/ 301)`"
            " ([preview](<https://p.example/1/new/>))"
        ),
        "",
        (
            "**Sitemaps:** pages: 1 lost, 1 renamed, 1 redirected, 1 added; sitemaps: unchanged;"
            " 9 pages in all"
        ),
        "",
        "<details><summary>Redirected (1)</summary>",
        "",
        (f"- `- {moved} → {there} (_redirects, line 1)` ([preview](<https://p.example/1/moved/>))"),
        "",
        "</details>",
        "",
        "<details><summary>Added (1)</summary>",
        "",
        f"- `+ {SITE}other/` ([preview](<https://p.example/1/other/>))",
        "",
        "</details>",
        "",
    ]


@pytest.mark.parametrize(
    ("fates", "words"),
    [
        (["lost"], "1 URL breaks: its page is lost. Redirect or restore it."),
        (
            ["lost", "lost", "unlisted"],
            "2 URLs break: their pages are lost. Redirect or restore each of them.",
        ),
        (["renamed"], "1 URL breaks: its page was renamed. Add the redirect above."),
        (
            ["renamed", "renamed"],
            "2 URLs break: their pages were renamed. Add the redirects above.",
        ),
        (
            ["lost", "renamed", "renamed"],
            (
                "3 URLs break: 1 page lost, 2 renamed. Redirect or restore each lost page. Add the"
                " redirects above."
            ),
        ),
    ],
)
def test_urls_that_lead_nowhere_are_counted_with_what_mends_them(
    fates: list[Fate], words: str
) -> None:
    gone = [Gone(f"{SITE}{number}", fate) for number, fate in enumerate(fates)]
    assert broken_urls(Difference(gone=gone), "above") == words
