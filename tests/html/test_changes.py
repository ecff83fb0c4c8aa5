"""When a page says that it last changed: its own statements, and not those about something else on
it.
"""

import json

import pytest

from smindex_plugins.html.changes import SaidChange, said_changes

URL = "https://e.org/blog/a/"
MODIFIED = '<meta property="article:modified_time" content="{}">'
DAY, OTHER = "2024-03-01", "2023-01-01"


def page(head: str = "", body: str = "") -> bytes:
    return (
        "<!doctype"
        f" html><html><head><title>A</title>{head}</head><body><p>Text</p>{body}</body></html>".encode()
    )


def data(*objects: object, kind: str = "application/ld+json") -> str:
    return (
        f'<script type="{kind}">{json.dumps(objects[0] if len(objects) == 1 else objects)}</script>'
    )


def about(date: object = DAY, kind: object = "BlogPosting", **more: object) -> dict[str, object]:
    return {"@type": kind, "dateModified": date, **more}


def dates(head: str = "", body: str = "") -> list[str]:
    return [said.date for said in said_changes(page(head, body), URL)]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (DAY, DAY),
        ("2024-03-01T12:30:00+02:00", "2024-03-01T10:30:00Z"),
        ("2024-03-01T12:30:00.000Z", "2024-03-01T12:30:00Z"),
        ("2024-03-01T12:30:00+0200", "2024-03-01T10:30:00Z"),
        ("2024-03-01 12:30:00", DAY),
    ],
)
def test_a_date_is_read_in_the_forms_that_themes_write(written: str, read: str) -> None:
    assert (
        dates(MODIFIED.format(written))
        == dates(data(about(written)))
        == dates(body=data(about(written)))
        == [read]
    )


@pytest.mark.parametrize(
    "written", ["", "yesterday", "March 1, 2024", "2024", "2024-02-30", "0001-01-01T00:00:00+00:00"]
)
def test_a_date_that_is_none_is_skipped(written: str) -> None:
    assert dates(MODIFIED.format(written), data(about(written))) == []
    assert dates(data(about(None)), data(about([written]))) == []


def test_the_tag_and_the_object_are_told_apart_and_have_the_day_of_publication() -> None:
    head = '<meta property="article:published_time" content="2023-01-01">' + MODIFIED.format(DAY)
    body = data(about("2024-03-02", datePublished="2023-01-02"))
    assert said_changes(page(head, body), URL) == (
        SaidChange(DAY, "2023-01-01", "article:modified_time"),
        SaidChange("2024-03-02", "2023-01-02", "dateModified"),
    )


@pytest.mark.parametrize(
    "given",
    [
        about(),
        about(kind="WebPage"),
        about(kind=["NewsArticle", "WebPage"]),
        about(kind="https://schema.org/TechArticle"),
        about(url=URL),
        about(url="http://www.e.org/blog/a"),
        about(url="/blog/a/index.html"),
        about(**{"@id": f"{URL}#article"}),
        about(**{"@id": "#article"}),
        about(**{"@id": "_:article"}),
        about(mainEntityOfPage={"@type": "WebPage", "@id": URL}),
        [about(OTHER, "Organization"), about()],
        {"@graph": [about(OTHER, "WebSite"), about(), {"@type": "Person"}]},
        {"@type": "WebPage", "mainEntity": about()},
        about(
            comment=[about(OTHER, "Comment")],
            isPartOf=about(OTHER, "WebPage"),
            hasPart=[about(OTHER)],
        ),
        {"@graph": [about(url=URL), about(OTHER, url="https://e.org/blog/b/"), about(OTHER)]},
    ],
)
def test_what_is_about_the_page_itself_counts_and_nothing_else_on_it(given: object) -> None:
    assert dates(data(given)) == [DAY]


@pytest.mark.parametrize(
    "given",
    [
        about(kind="WebSite"),
        about(kind="Comment"),
        about(kind="SoftwareApplication"),
        about(kind=None),
        about(url="https://e.org/blog/b/"),
        about(mainEntityOfPage="https://e.org/"),
        {"@type": "ItemList", "itemListElement": [about()]},
        {"@type": "Blog", "blogPost": [about(), about()]},
        {
            "@type": "CollectionPage",
            "mainEntity": {"@type": "ItemList", "itemListElement": [about()]},
        },
        ["dateModified", 3, None, {"dateModified": DAY}],
    ],
)
def test_what_is_about_something_else_does_not_count(given: object) -> None:
    assert dates(data(given)) == []


def test_what_is_no_tag_or_no_valid_object_does_not_count() -> None:
    tag, script = MODIFIED.format(DAY), data(about())
    assert dates(f"<!-- {tag}{script} -->", f"<!-- {script} -->") == []
    assert dates(f'<meta property="og:updated_time" content="{DAY}">', "<p>dateModified") == []
    assert dates(data(about(), kind="application/json"), data(about(), kind="")) == []
    broken = '<script type="application/ld+json">{"dateModified": }</script>'
    deep = f'<script type="application/ld+json">{"[" * 100_000}"dateModified"</script>'
    assert dates(broken + deep + script) == [DAY]


def test_a_page_in_another_encoding_is_read() -> None:
    content = (
        "<!doctype html><meta"
        f' charset="windows-1252"><title>Größe</title>{MODIFIED.format(DAY)}<p>Text'
    )
    assert [said.date for said in said_changes(content.encode("cp1252"), URL)] == [DAY]
