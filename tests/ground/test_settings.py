from collections.abc import Mapping
from dataclasses import fields

import pytest

from smindex_plugins.limits import MAX_BYTES, MAX_URLS
from smindex_plugins.model import NamedSection, Publication
from smindex_plugins.settings import OPTIONS, Settings, SettingsError

yaml = pytest.importorskip("yaml")  # MkDocs brings it; whether its types are installed makes no difference so

API = {"name": "api", "urls": ["reference/"]}


def errors(given: Mapping[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(SettingsError) as error:
        Settings.load(given)
    return list(error.value.errors)


def keys(given: Mapping[str, object]) -> list[str]:
    return [key for key, _ in errors(given)]


def test_without_options_every_default_holds() -> None:
    assert Settings.load({}) == Settings()
    assert Settings() == Settings(
        index_filename="sitemap_index.xml",
        section_depth=1,
        section_min_pages=2,
        sections=(),
        sitemap_placement="section",
        exclude=(),
        lastmod="git",
        lastmod_format="datetime",
        git_date="committer",
        ignore_revs_file=None,
        gzip=False,
        max_urls=50_000,
        max_bytes=52_428_800,
    )


def test_every_option_is_documented_and_its_default_is_accepted() -> None:
    assert [option.name for option in OPTIONS] == [option.name for option in fields(Settings)]
    assert all(option.accepted and option.meaning for option in OPTIONS)
    assert Settings.load({option.name: option.default for option in OPTIONS}) == Settings()


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        ("index_filename", "sitemap.xml", "sitemap.xml"),
        ("index_filename", "Index-2.of_all.xml", "Index-2.of_all.xml"),
        ("section_depth", 0, 0),
        ("section_depth", 20, 20),
        ("section_min_pages", 1, 1),
        ("sections", [], ()),
        ("sections", [API], (NamedSection(name="api", urls=("reference/",)),)),
        ("sections", ({"urls": "a/", "name": "0_a-b"},), (NamedSection(name="0_a-b", urls=("a/",)),)),
        ("sitemap_placement", "root", "root"),
        ("exclude", "drafts/", ("drafts/",)),
        ("exclude", ["drafts/", "*.html"], ("drafts/", "*.html")),
        ("exclude", [], ()),
        ("lastmod", "off", "off"),
        ("lastmod", False, "off"),
        ("lastmod_format", "date", "date"),
        ("git_date", "author", "author"),
        ("ignore_revs_file", ".ignored-revs", ".ignored-revs"),
        ("ignore_revs_file", None, None),
        ("gzip", True, True),
        ("images", True, True),
        ("videos", True, True),
        ("news", None, None),
        ("news", {"name": " The Times ", "language": "en"}, Publication(name="The Times", language="en")),
        ("news", {"language": "zh-cn", "name": "N"}, Publication(name="N", language="zh-cn")),
        ("max_urls", 1, 1),
        ("max_urls", MAX_URLS, MAX_URLS),
        ("max_bytes", 1_000, 1_000),
        ("max_bytes", MAX_BYTES, MAX_BYTES),
    ],
)
def test_what_an_option_accepts(option: str, given: object, value: object) -> None:
    loaded = Settings.load({option: given})
    assert getattr(loaded, option) == value
    hash(loaded)


@pytest.mark.parametrize(
    ("option", "wrong"),
    [
        ("index_filename", ["", "a.txt", "a/b.xml", "../a.xml", ".xml", "..xml", "a.xml.gz"]),
        ("index_filename", ["ä.xml", "a b.xml", "a.xml\n", "-%41.xml", None, 1, ["a.xml"]]),
        ("section_depth", [-1, 21, 1.0, "1", True, None, [1]]),
        ("section_min_pages", [0, -1, 1_000_001, "2", False]),
        ("sections", [None, "api", API, 1]),
        ("sitemap_placement", ["", "Root", "beside", None, True, ["root"]]),
        ("exclude", [None, 1, {"a": "b"}, True, {"a/"}]),
        ("lastmod", ["", "mtime", "OFF", None, True, 0]),
        ("lastmod_format", ["day", "", None, False]),
        ("git_date", ["commit", "", None, False]),
        ("ignore_revs_file", ["", " ", "/etc/revs", 1, False, ["a"]]),
        ("gzip", ["yes", 1, 0, None, []]),
        ("images", ["yes", 1, None]),
        ("videos", ["yes", 1, None]),
        ("news", [True, "The Times", ["a"], 1]),
        ("max_urls", [0, -1, MAX_URLS + 1, "10", 1.5, True, None]),
        ("max_bytes", [0, 999, MAX_BYTES + 1, "50MB", None]),
    ],
)
def test_what_an_option_refuses_is_named_with_what_it_accepts(option: str, wrong: list[object]) -> None:
    (documented,) = [documented for documented in OPTIONS if documented.name == option]
    for given in wrong:
        assert errors({option: given}) == [(option, f"got {given!r}; accepted: {documented.accepted}")]


@pytest.mark.parametrize(
    ("option", "given", "expected"),
    [
        ("exclude", ["a/", 1, "", "/", " "], ["exclude[1]", "exclude[2]", "exclude[3]", "exclude[4]"]),
        ("sections", [API, "b", None], ["sections[1]", "sections[2]"]),
        ("sections", [{"name": "a"}, {"urls": ["a/"]}, {}], ["sections[0]", "sections[1]", "sections[2]"]),
        ("sections", [{**API, "depth": 1}], ["sections[0]"]),
        ("sections", [{"name": "A b", "urls": ["a/"]}], ["sections[0].name"]),
        ("sections", [{"name": "root", "urls": ["a/"]}], ["sections[0].name"]),
        ("sections", [{"name": "../a", "urls": ["a/"]}], ["sections[0].name"]),
        ("sections", [{"name": 1, "urls": ["a/"]}], ["sections[0].name"]),
        ("sections", [{"name": ["a"], "urls": ["a/"]}], ["sections[0].name"]),
        ("sections", [{"name": "a", "urls": []}], ["sections[0].urls"]),
        ("sections", [{"name": "a", "urls": None}], ["sections[0].urls"]),
        ("sections", [{"name": "a", "urls": ["a/", 2]}], ["sections[0].urls[1]"]),
        (
            "sections",
            [{"name": "A", "urls": 1}, {"name": "b", "urls": [""]}],
            [
                "sections[0].name",
                "sections[0].urls",
                "sections[1].urls[0]",
            ],
        ),
        ("sections", [API, API], ["sections[1].name"]),
        ("news", {}, ["news.name", "news.language"]),
        ("news", {"name": " ", "language": "english"}, ["news.name", "news.language"]),
        ("news", {"name": "N", "language": "de-AT"}, ["news.language"]),
        ("news", {"name": 1, "lang": "de"}, ["news.lang", "news.name", "news.language"]),
        ("sections", ["b", API, API], ["sections[0]", "sections[2].name"]),
    ],
)
def test_a_mistake_inside_a_list_is_named_by_its_place(option: str, given: object, expected: list[str]) -> None:
    assert keys({option: given}) == expected


def test_every_mistake_is_reported_at_once() -> None:
    given = {"gzip": "yes", "max_urls": 0, "exclude": [1], "sections": [{"name": "a", "urls": [0]}], "nonsense": 1}
    assert sorted(keys(given)) == ["exclude[0]", "gzip", "max_urls", "nonsense", "sections[0].urls[0]"]
    with pytest.raises(SettingsError) as error:
        Settings.load(given)
    assert str(error.value).splitlines() == [f"{key}: {message}" for key, message in error.value.errors]


@pytest.mark.parametrize(
    ("unknown", "nearest"),
    [
        ("index_file", "index_filename"),
        ("indexfilename", "index_filename"),
        ("section", "sections"),
        ("min_pages", "section_min_pages"),
        ("excludes", "exclude"),
        ("Gzip", "gzip"),
        ("max_url", "max_urls"),
        ("last_mod", "lastmod"),
        ("placement", "sitemap_placement"),
    ],
)
def test_an_unknown_option_names_the_nearest_known_one(unknown: str, nearest: str) -> None:
    assert errors({unknown: 1}) == [(unknown, f"no such option; did you mean '{nearest}'?")]


def test_an_unknown_option_that_resembles_none_names_all() -> None:
    ((key, message),) = errors({"zzz": 1})
    assert key == "zzz"
    assert all(option.name in message for option in OPTIONS)


def test_a_key_that_is_no_text_is_an_unknown_option() -> None:
    assert keys(yaml.safe_load("1: a")) == ["1"]


def test_yaml_that_says_off_turns_dates_off() -> None:
    assert Settings.load(yaml.safe_load("lastmod: off")).lastmod == "off"
    assert Settings.load(yaml.safe_load("gzip: on")).gzip


def test_the_index_does_not_take_the_name_of_the_news_sitemap() -> None:
    given = {"index_filename": "sitemap-news.xml"}
    assert Settings.load(given).index_filename == "sitemap-news.xml"
    assert keys({**given, "news": {"name": "N", "language": "en"}}) == ["index_filename"]
