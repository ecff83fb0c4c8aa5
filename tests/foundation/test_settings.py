from collections.abc import Mapping
from dataclasses import fields

import pytest

from smindex_plugins.settings import OPTIONS, Option, Settings, SettingsError
from tests.support.options import ACCEPTED, MISTAKEN, REFUSED

yaml = pytest.importorskip("yaml")  # MkDocs brings it; whether its types are installed makes no difference so


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
        ignore_revs_file=None,
        gzip=False,
        max_urls=50_000,
    )


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_that_is_left_empty_has_its_default_and_an_unknown_one_is_refused_even_so(option: Option) -> None:
    assert Settings.load({option.name: None}) == Settings()
    with pytest.raises(SettingsError, match=f"no such option; did you mean '{option.name}'"):
        Settings.load({option.name + "x": None})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"priority": 0.5}, "no such option: search engines ignore it, and no sitemap has it. Remove it."),
        (
            {"changefreqs": {"articles": "daily"}},
            "no such option: search engines ignore it, and no sitemap has it. Remove it.",
        ),
        ({"format": "txt"}, "no such option: a sitemap is XML. Remove it."),
        ({"ignore": ["a/"]}, "no such option; did you mean 'exclude'?"),
        ({"ignore_revs": "a"}, "no such option; did you mean 'ignore_revs_file'?"),
    ],
)
def test_an_option_of_another_tool_is_told_with_what_there_is_in_its_place(
    given: dict[str, object], message: str
) -> None:
    assert errors(given) == [(*given, message)]


def test_every_option_is_documented_and_its_default_is_accepted() -> None:
    assert [option.name for option in OPTIONS] == [option.name for option in fields(Settings)]
    assert all(option.accepted and option.meaning for option in OPTIONS)
    assert Settings.load({option.name: option.default for option in OPTIONS}) == Settings()


@pytest.mark.parametrize(("option", "given", "value"), ACCEPTED)
def test_what_an_option_accepts(option: str, given: object, value: object) -> None:
    loaded = Settings.load({option: given})
    assert getattr(loaded, option) == value
    hash(loaded)


@pytest.mark.parametrize(("option", "wrong"), REFUSED)
def test_what_an_option_refuses_is_named_with_what_it_accepts(option: str, wrong: list[object]) -> None:
    (documented,) = [documented for documented in OPTIONS if documented.name == option]
    for given in wrong:
        assert errors({option: given}) == [(option, f"got {given!r}; accepted: {documented.accepted}")]


@pytest.mark.parametrize(("option", "given", "expected"), MISTAKEN)
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


def test_to_insist_on_dates_and_to_write_none_is_a_contradiction() -> None:
    for off in ("off", False):
        assert keys({"undated": "fail", "lastmod": off}) == ["undated"]
    assert Settings.load({"undated": "ignore", "lastmod": "off"}).undated == "ignore"


def test_a_part_of_the_wrong_type_is_only_that_mistake() -> None:
    assert keys({"undated": "fail", "lastmod": []}) == ["lastmod"]
    assert keys({"cross_site": {1: 2}, "sections": [{"name": [], "urls": {}}]}) == [
        "sections[0].name",
        "sections[0].urls",
        "cross_site[1]",
        "cross_site[1]",
    ]


def test_an_empty_list_is_an_empty_table() -> None:
    assert Settings.load({"depends": [], "cross_site": []}) == Settings()
