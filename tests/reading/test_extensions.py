"""Images, videos and articles in an entry: what Google requires of them.

`tests/checks` plants every kind of fault.
"""

import io

import pytest

from smindex_plugins.reading.document import Document
from smindex_plugins.reading.reader import read
from tests.support.planted import urlset

PAGE = "https://e.org/a"
IMAGE = "<image:image><image:loc>https://e.org/a.png</image:loc>{}</image:image>"
VIDEO = (
    "<video:video><video:thumbnail_loc>https://e.org/a.jpg</video:thumbnail_loc><video:title>A</video:title>"
    "<video:description>B</video:description><video:content_loc>https://e.org/a.mp4</video:content_loc>{}</video:video>"
)
NEWS = (
    "<news:news><news:publication><news:name>N</news:name><news:language>en</news:language></news:publication>"
    "<news:publication_date>2026-05-10</news:publication_date><news:title>T</news:title>{}</news:news>"
)


def document(inside: str) -> Document:
    content = urlset(f"<loc>{PAGE}</loc>{inside}").encode()
    return read(io.BytesIO(content), Document(url="https://e.org/sitemap.xml"))


@pytest.mark.parametrize(
    "inside",
    [
        *(element.format("") for element in (IMAGE, VIDEO, NEWS)),
        VIDEO.format("<video:duration>28800</video:duration><video:rating>5.0</video:rating>"),
    ],
)
def test_what_has_all_that_is_required_is_right(inside: str) -> None:
    assert document(inside).findings == []


@pytest.mark.parametrize(
    ("inside", "check", "problem"),
    [
        (
            NEWS.replace("2026-05-10", "today"),
            "invalid-value",
            "the <news:publication_date> of an article is 'today'.",
        ),
        (
            VIDEO.replace("content_loc", "tag"),
            "missing-tag",
            "a video has no <video:content_loc> or <video:player_loc>.",
        ),
        (
            VIDEO.format("<video:rating>5.1</video:rating>"),
            "invalid-value",
            "the <video:rating> of a video is '5.1'.",
        ),
    ],
)
def test_what_is_wrong_is_reported(inside: str, check: str, problem: str) -> None:
    (finding,) = document(inside.replace("{}", "")).findings
    assert finding.check == check
    assert finding.problem.startswith(problem)


def test_what_google_no_longer_reads_is_counted() -> None:
    more = (
        "<video:player_loc"
        ' autoplay="1">https://e.org/p</video:player_loc><video:price>1</video:price>'
    )
    retired = document(VIDEO.format(more) + IMAGE.format("<image:title>A</image:title>")).retired
    assert retired == {"<video:price>": 1, "attribute autoplay": 1, "<image:title>": 1}
