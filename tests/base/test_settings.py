"""Options: what each accepts, and messages about mistakes."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest

from smindex_plugins.base.settings import OPTIONS, Option, Settings, SettingsError
from smindex_plugins.base.yaml_values import load_yaml
from tests.support.planted.options import ACCEPTED, MISTAKEN, REFUSED

ORIGIN = "https://a.example"
IGNORED = "no such option: search engines ignore it, and it is never written. Remove it."


def errors(given: Mapping[str, object]) -> list[tuple[str, str]]:
    with pytest.raises(SettingsError) as error:
        Settings.load(given)
    assert str(error.value).splitlines() == [
        f"{key}: {message}" for key, message in error.value.errors
    ]
    return list(error.value.errors)


def keys(given: Mapping[str, object]) -> list[str]:
    return [key for key, _ in errors(given)]


def test_every_option_is_documented_and_accepts_its_default() -> None:
    assert [option.name for option in OPTIONS] == [option.name for option in fields(Settings)]
    assert all(option.accepted and option.meaning for option in OPTIONS)
    assert (
        Settings.load({option.name: option.default for option in OPTIONS})
        == Settings.load({})
        == Settings()
    )


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_empty_option_has_its_default_and_an_unknown_one_is_refused_even_if_empty(
    option: Option,
) -> None:
    assert Settings.load({option.name: None}) == Settings()
    assert errors({option.name + "x": None}) == [
        (f"{option.name}x", f"no such option; did you mean '{option.name}'?"),
    ]


@pytest.mark.parametrize(
    ("option", "given", "value"),
    [
        *ACCEPTED,
        (
            "cross_site",
            {"HTTPS://Ä.example:443/": "a/robots.txt"},
            (("https://xn--4ca.example", "a/robots.txt"),),
        ),
        ("cross_site", {"http://a.example:8080": "/a b"}, (("http://a.example:8080", "/a b"),)),
        ("cross_site", {}, ()),
    ],
)
def test_what_an_option_accepts(option: str, given: object, value: object) -> None:
    loaded = Settings.load({option: given})
    assert getattr(loaded, option) == value
    hash(loaded)


@pytest.mark.parametrize(("option", "wrong"), REFUSED)
def test_what_an_option_refuses_is_named_with_what_it_accepts(
    option: str, wrong: list[object]
) -> None:
    (documented,) = [documented for documented in OPTIONS if documented.name == option]
    for given in wrong:
        assert errors({option: given}) == [
            (option, f"got {given!r}; accepted: {documented.accepted}")
        ]


@pytest.mark.parametrize(
    ("option", "given", "expected"),
    [
        *MISTAKEN,
        ("cross_site", {1: 2}, ["cross_site[1]", "cross_site[1]"]),
        *(
            ("cross_site", {ORIGIN: place}, [f"cross_site['{ORIGIN}']"])
            for place in ("", " ", "a\0", 2, None, ["a"])
        ),
        *(
            ("cross_site", {origin: "a"}, [f"cross_site['{origin.replace('u:p', '***')}']"])
            for origin in ("https://", "ftp://a.example", f"{ORIGIN}?a", "https://u:p@a.example")
        ),
        ("sections", [{"name": [], "urls": {}}], ["sections[0].name", "sections[0].urls"]),
    ],
)
def test_a_mistake_inside_a_value_is_named_by_its_place(
    option: str, given: object, expected: list[str]
) -> None:
    assert keys({option: given}) == expected


def test_every_mistake_is_reported_at_once() -> None:
    given = {
        "gzip": "yes",
        "max_urls": 0,
        "exclude": [1],
        "sections": [{"name": "a", "urls": [0]}],
        "nonsense": 1,
    }
    assert sorted(keys(given)) == [
        "exclude[0]",
        "gzip",
        "max_urls",
        "nonsense",
        "sections[0].urls[0]",
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("index_file", "no such option; did you mean 'index_filename'?"),
        ("min_pages", "no such option; did you mean 'section_min_pages'?"),
        ("Gzip", "no such option; did you mean 'gzip'?"),
        ("placement", "no such option; did you mean 'sitemap_placement'?"),
        ("ignore_revs", "no such option; did you mean 'ignore_revs_file'?"),
        ("ignore", "no such option; did you mean 'exclude'?"),
        ("priority", IGNORED),
        ("format", "no such option: sitemaps are always XML. Remove it."),
        ("zzz", f"no such option; the options are {', '.join(option.name for option in OPTIONS)}"),
    ],
)
def test_an_unknown_option_is_refused_with_the_one_to_use(name: str, message: str) -> None:
    assert errors({name: 1}) == [(name, message)]


def test_options_of_a_host_in_python_are_named_with_their_dict() -> None:
    for given in ({"gzip": 5}, 5):
        with pytest.raises(SettingsError) as error:
            Settings.of_dict(given, "SITEMAP_INDEX")
        assert error.value.errors[0][0] == (
            "SITEMAP_INDEX['gzip']" if isinstance(given, dict) else "SITEMAP_INDEX"
        )


def yaml(text: str) -> Any:  # noqa: ANN401 - what YAML holds
    return load_yaml(text)


def test_yaml_reads_off_as_false_and_keys_as_numbers() -> None:
    assert Settings.load(yaml("lastmod: off")).lastmod == "off"
    assert Settings.load(yaml("gzip: on")).gzip
    assert keys(yaml("1: a")) == ["1"]
    assert Settings.load({"depends": [], "cross_site": []}) == Settings()


def test_a_build_without_dates_cannot_insist_on_dates() -> None:
    for off in ("off", False):
        assert keys({"undated": "fail", "lastmod": off}) == ["undated"]
    assert Settings.load({"undated": "ignore", "lastmod": "off"}).undated == "ignore"
    assert keys({"undated": "fail", "lastmod": []}) == ["lastmod"]
