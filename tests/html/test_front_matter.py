import pytest

from smindex_plugins.html.front_matter import DATE_KEYS, author_date, author_images, find_mistakes
from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.membership import author_omission

yaml = pytest.importorskip("yaml")  # MkDocs brings it; whether its types are installed makes no difference so


def page(front_matter: str) -> Page:
    return Page(url="https://e.org/a/", source_name="a.md", meta=yaml.safe_load(front_matter))


def mistakes(given: Page) -> list[Finding]:
    findings: list[Finding] = []
    find_mistakes(given, findings)
    return findings


def dated(given: Page) -> tuple[str | None, list[Finding]]:
    findings: list[Finding] = []
    return author_date(given, findings), findings


@pytest.mark.parametrize(
    ("front_matter", "lastmod"),
    [
        ("lastmod: 2026-05-10", "2026-05-10"),
        ("lastmod: '2026-05-10'", "2026-05-10"),
        ("lastmod: 2026-05-10T12:30:15Z", "2026-05-10T12:30:15Z"),
        ("lastmod: 2026-05-10T12:30:15+02:00", "2026-05-10T10:30:15Z"),
        ("lastmod: 2026-05-10 12:30:15 +2", "2026-05-10T10:30:15Z"),
        ("lastmod: 2026-05-10 12:30:15", "2026-05-10"),
        ("updated: 2026-05-10", "2026-05-10"),
        ("modified: 2026-05-10", "2026-05-10"),
        ("date: {created: 2020-01-01, updated: 2026-05-10}", "2026-05-10"),
        ("{lastmod: 2026-05-10, updated: 2026-05-11, modified: 2026-05-12}", "2026-05-10"),
        ("{lastmod: , updated: 2026-05-11}", "2026-05-11"),
        ("{lastmod: '', modified: 2026-05-12}", "2026-05-12"),
    ],
)
def test_the_authors_date_is_the_first_that_is_written(front_matter: str, lastmod: str) -> None:
    assert dated(page(front_matter)) == (lastmod, [])


@pytest.mark.parametrize(
    "front_matter",
    [
        "",
        "{}",
        "title: A",
        "date: 2026-05-10",
        "date: {created: 2026-05-10}",
        "date: [2026-05-10]",
        "date:",
        "lastmod:",
        "lastmod: ''",
        "date: {updated: }",
    ],
)
def test_without_a_date_of_change_there_is_neither_date_nor_finding(front_matter: str) -> None:
    assert dated(page(front_matter)) == (None, [])


@pytest.mark.parametrize(
    ("front_matter", "key", "value"),
    [
        ("lastmod: last week", "lastmod", "'last week'"),
        ("lastmod: 2026-05", "lastmod", "'2026-05'"),
        ("lastmod: 2026", "lastmod", "2026"),
        ("lastmod: '2026-02-30'", "lastmod", "'2026-02-30'"),
        ("updated: [2026-05-10]", "updated", "[datetime.date(2026, 5, 10)]"),
        ("modified: true", "modified", "True"),
        ("lastmod: false", "lastmod", "False"),
        ("lastmod: 0", "lastmod", "0"),
        ("date: {updated: soon}", "date.updated", "'soon'"),
        ("{lastmod: soon, updated: 2026-05-10}", "lastmod", "'soon'"),
    ],
)
def test_a_wrong_date_is_a_finding_that_names_page_key_and_value(front_matter: str, key: str, value: str) -> None:
    lastmod, (finding,) = dated(page(front_matter))
    assert lastmod is None
    assert (finding.check, finding.level, finding.where) == ("invalid-front-matter", "warning", "a.md")
    assert f"{key}: {value}" in finding.problem
    assert "YYYY-MM-DD" in finding.fix


def test_a_page_without_a_source_is_named_by_its_url() -> None:
    _, (finding,) = dated(Page(url="https://e.org/a/", meta={"lastmod": "soon"}))
    assert finding.where == "https://e.org/a/"


def test_every_key_is_looked_for() -> None:
    for key in DATE_KEYS:
        outer, _, inner = key.partition(".")
        meta = {outer: {inner: "2026-05-10"} if inner else "2026-05-10"}
        assert dated(Page(url="https://e.org/a/", meta=meta)) == ("2026-05-10", [])


@pytest.mark.parametrize(
    ("front_matter", "reason"),
    [
        ("sitemap: false", "excluded by its front matter"),
        ("sitemap: no", "excluded by its front matter"),
        ("sitemap: 'False '", "excluded by its front matter"),
        ("sitemap: {exclude: true}", "excluded by its front matter"),
        ("sitemap: {exclude: 'yes'}", "excluded by its front matter"),
        ("sitemap: {disable: true}", "excluded by its front matter"),
        ("robots: noindex", "private or noindex in its front matter"),
        ("robots: 'NOFOLLOW, NoIndex'", "private or noindex in its front matter"),
        ("robots: none", "private or noindex in its front matter"),
        ("noindex: true", "private or noindex in its front matter"),
        ("private: 'true'", "private or noindex in its front matter"),
        ("external_canonical: https://f.org/", "with another canonical URL"),
        ("", None),
        ("sitemap: true", None),
        ("sitemap: {exclude: false}", None),
        ("sitemap: {lastmod: 2026-05-10}", None),
        ("sitemap: 0", None),
        ("sitemap:", None),
        ("robots: [index]", None),
        ("robots: index", None),
        ("noindex: false", None),
        ("private: no", None),
        ("external_canonical: https://e.org/a/", None),
        ("external_canonical: ''", None),
        ("search: {exclude: true}", None),
        ("hide: [navigation]", None),
    ],
)
def test_the_author_keeps_a_page_out_in_many_words(front_matter: str, reason: str | None) -> None:
    omission = author_omission(page(front_matter))
    assert (omission and omission.reason) == reason
    assert not mistakes(page(front_matter)) or front_matter == "sitemap: 0"


@pytest.mark.parametrize(
    ("front_matter", "images"),
    [
        ("", None),
        ("sitemap: false", None),
        ("sitemap: {images: true}", True),
        ("sitemap: {images: 'off'}", False),
        ("sitemap: {images: []}", ()),
        ("sitemap: {images: [a.png, 'https://e.org/b.png']}", ("a.png", "https://e.org/b.png")),
    ],
)
def test_the_author_names_images_or_wants_them_or_does_not(front_matter: str, images: object) -> None:
    assert author_images(page(front_matter)) == images
    assert not mistakes(page(front_matter))


@pytest.mark.parametrize(
    ("front_matter", "key", "fix"),
    [
        ("sitemap: maybe", "sitemap: 'maybe'", "Write true, false, or a mapping of exclude, images, lastmod."),
        ("sitemap: 0", "sitemap: 0", "Write true, false, or a mapping"),
        ("sitemap: [exclude]", "sitemap: ['exclude']", "Write true, false, or a mapping"),
        ("sitemap: {exclude: perhaps}", "sitemap.exclude: 'perhaps'", "Write true or false."),
        ("sitemap: {images: a.png}", "sitemap.images: 'a.png'", "Write true, false, or a list of image URLs."),
        ("sitemap: {images: [1]}", "sitemap.images: [1]", "Write true, false, or a list of image URLs."),
        ("sitemap: {exclud: true}", "sitemap.exclud", "Known are exclude, images, lastmod."),
        ("sitemap: {rank: 1}", "sitemap.rank", "Known are exclude, images, lastmod."),
        ("sitemap: {1: true}", "sitemap.1", "Known are exclude, images, lastmod."),
    ],
)
def test_a_wrong_word_is_a_finding_with_file_and_key_and_the_page_keeps_its_default(
    front_matter: str, key: str, fix: str
) -> None:
    given = page(front_matter)
    (finding,) = mistakes(given)
    assert (finding.check, finding.level, finding.where) == ("invalid-front-matter", "warning", "a.md")
    assert key in finding.problem
    assert fix in finding.fix
    assert author_omission(given) is None


def test_a_wrong_date_under_the_sitemap_key_is_named_by_it() -> None:
    _, (finding,) = dated(page("sitemap: {lastmod: soon}"))
    assert "sitemap.lastmod: 'soon'" in finding.problem


@pytest.mark.parametrize(
    "front_matter",
    [
        "sitemap: {priority: 0.9, changefreq: daily}",
        "sitemap: {Priority: 1, lastmod: 2026-05-10}",
        "sitemap: {filename: sitemap.xml, disable: false}",
        "priority: 1",
    ],
)
def test_the_keys_of_other_generators_are_no_mistakes(front_matter: str) -> None:
    assert mistakes(page(front_matter)) == []
