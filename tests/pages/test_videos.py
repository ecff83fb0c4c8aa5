import pytest

from smindex_plugins.model import Details, Finding, Page, Video
from smindex_plugins.pages.media import describe

PAGE = Page(url="https://e.org/docs/a/", details=Details(source_name="a.md"))
SAID: dict[str, object] = {
    "@type": "VideoObject",
    "name": "A",
    "description": "All of A",
    "thumbnailUrl": "t.png",
    "contentUrl": "/v.mp4",
}
VIDEO = Video(thumbnail="https://e.org/docs/a/t.png", title="A", description="All of A", content="https://e.org/v.mp4")


def judged(**changes: object) -> tuple[Video | None, list[Finding]]:
    findings: list[Finding] = []
    return describe({**SAID, **changes}, PAGE, PAGE.url, findings), findings


def described(**changes: object) -> Video | None:
    video, findings = judged(**changes)
    assert not findings
    return video


def test_what_is_required_makes_a_video() -> None:
    assert described() == VIDEO


@pytest.mark.parametrize(
    ("key", "value", "field", "expected"),
    [
        ("thumbnailUrl", ["t.png", "u.png"], "thumbnail", VIDEO.thumbnail),
        ("thumbnailUrl", {"@type": "ImageObject", "url": "t.png"}, "thumbnail", VIDEO.thumbnail),
        ("thumbnailUrl", ["", {"contentUrl": "t.png"}], "thumbnail", VIDEO.thumbnail),
        ("name", " A \n B\u0000 ", "title", "A B"),
        ("name", "a" * 101, "title", "a" * 100),
        ("description", ["D"], "description", "D"),
        ("description", "é" * 2_049, "description", "é" * 2_048),
        ("embedUrl", "https://v.example/1", "player", "https://v.example/1"),
        ("embedUrl", PAGE.url, "player", None),
        ("contentUrl", ["data:,", "https://v.example/1"], "content", "https://v.example/1"),
        ("duration", "PT1S", "seconds", 1),
        ("duration", "PT1M30S", "seconds", 90),
        ("duration", "PT1H", "seconds", 3_600),
        ("duration", "P0DT0H1M5.7S", "seconds", 65),
        ("duration", "PT8H", "seconds", 28_800),
        ("uploadDate", "2026-05-10", "published", "2026-05-10"),
        ("uploadDate", "2026-05-10T12:00:00+02:00", "published", "2026-05-10T10:00:00Z"),
    ],
)
def test_how_a_value_is_read(key: str, value: object, field: str, expected: object) -> None:
    assert getattr(described(**{key: value}), field) == expected


def test_a_player_alone_will_do() -> None:
    assert described(contentUrl=None, embedUrl="https://v.example/1") is not None


@pytest.mark.parametrize(
    ("changes", "missing"),
    [
        ({"name": ""}, "name"),
        ({"name": 1}, "name"),
        ({"description": None}, "description"),
        ({"thumbnailUrl": "data:image/png,"}, "thumbnailUrl"),
        ({"contentUrl": ""}, "contentUrl or embedUrl"),
        ({"contentUrl": PAGE.url}, "contentUrl or embedUrl"),
        ({"contentUrl": f"{PAGE.url}#video", "description": ""}, "description, contentUrl or embedUrl"),
    ],
)
def test_a_required_field_that_is_missing_is_named_with_the_page(changes: dict[str, object], missing: str) -> None:
    video, (finding,) = judged(**changes)
    assert video is None
    assert (finding.check, finding.level, finding.where) == ("incomplete-video", "warning", "a.md")
    assert finding.problem.endswith(f"lacks {missing}.")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *[("duration", value) for value in ("PT0S", "PT8H1S", "P1D", "P", "90", "1:30", "P1M", 90)],
        *[("uploadDate", value) for value in ("soon", "2026-02-30", 2026)],
    ],
)
def test_an_optional_field_that_is_wrong_is_named_and_left_out(key: str, value: object) -> None:
    video, (finding,) = judged(**{key: value})
    assert video == VIDEO
    assert (finding.check, finding.level, finding.where) == ("invalid-video", "notice", "a.md")
    assert f"{key} {value!r}" in finding.problem


@pytest.mark.parametrize("value", ["PT" + "9" * 5_000 + "S", "P" + "9" * 5_000 + "D", "PT٣S", [[[]]], {}])
def test_a_duration_that_nobody_can_count_is_told_and_cut(value: object) -> None:
    video, findings = judged(duration=value)
    assert video == VIDEO
    assert [len(finding.problem) < 300 for finding in findings] == [True] * bool(value)


def test_what_is_nested_without_end_describes_no_video() -> None:
    deep: object = "t.png"
    for _ in range(10_000):
        deep = {"url": [deep]}
    assert described(thumbnailUrl=deep) == VIDEO
    deep = "A"
    for _ in range(10_000):
        deep = [deep]
    assert described(name=deep) == VIDEO
