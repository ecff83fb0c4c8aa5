"""Groups of language variants: only mutual links are written, and a wrong link is a finding with
both pages.
"""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.base.model import Finding, Page
from smindex_plugins.base.site import Site
from smindex_plugins.pages.hreflang import normal_alternates, pair, with_default

BASE = "https://e.org/docs/"
EN, DE, FR, DE2 = f"{BASE}en/", f"{BASE}de/", f"{BASE}fr/", f"{BASE}de/2/"
ELSEWHERE = "https://e.org/it/"
SITE = Site(url=BASE, directory="/nowhere")
Groups = dict[str, dict[str, str]]


def page(url: str, **alternates: str) -> Page:
    return Page(
        url=url,
        alternates=tuple((code.replace("_", "-"), other) for code, other in alternates.items()),
    )


def paired(*pages: Page, unlisted: tuple[str, ...] = ()) -> tuple[Groups, list[Finding]]:
    known = [*pages, *(Page(url=url) for url in unlisted)]
    completed, findings = pair(list(pages), known, SITE)
    for found in completed:
        assert found.alternates == tuple(sorted(found.alternates))
    return {page.url: dict(page.alternates) for page in completed if page.alternates}, findings


def everywhere(**group: str) -> Groups:
    """Every page of the group has the whole group."""
    codes = {code.replace("_", "-"): url for code, url in group.items()}
    return {url: codes for url in codes.values() if url.startswith(BASE)}


SOUND: dict[str, tuple[list[Page], Groups]] = {
    "pages that do not name themselves": (
        [page(EN, de=DE), page(DE, en=EN)],
        everywhere(en=EN, de=DE),
    ),
    "a group that no page names whole": (
        [page(EN, en=EN, de=DE), page(DE, en=EN, de=DE, fr=FR), page(FR, fr=FR, de=DE)],
        everywhere(en=EN, de=DE, fr=FR),
    ),
    "codes in another case": (
        [page(EN, en=EN, X_DEFAULT=EN, de_at=DE), page(DE, EN=EN, de_AT=DE)],
        everywhere(en=EN, de_at=DE, x_default=EN),
    ),
    "a page only for all other languages": (
        [
            page(EN, en=EN, de=DE, x_default=FR),
            page(DE, en=EN, de=DE, x_default=FR),
            page(FR, en=EN, de=DE),
        ],
        everywhere(en=EN, de=DE, x_default=FR),
    ),
    "a variant above the site": ([page(EN, en=EN, it=ELSEWHERE)], everywhere(en=EN, it=ELSEWHERE)),
    **{
        code: (
            [Page(url=url, alternates=(("en", EN), (code, DE))) for url in (EN, DE)],
            everywhere(**{"en": EN, code: DE}),
        )
        for code in ("gsw", "zh-Hant-TW", "sq-XK", "de-1996", "ca-valencia")
    },
}


@pytest.mark.parametrize(("pages", "groups"), SOUND.values(), ids=SOUND)
def test_a_group_is_all_that_its_pages_name_together(pages: list[Page], groups: Groups) -> None:
    assert paired(*pages) == (groups, [])


@pytest.mark.parametrize("code", ["fr", "en"])
def test_a_variant_that_is_left_out_for_a_reason_is_not_written(code: str) -> None:
    three = (("de", DE), ("en", EN), (code, FR))
    both = everywhere(en=EN, de=DE)
    assert paired(*(Page(url=url, alternates=three) for url in (EN, DE)), unlisted=(FR,)) == (
        both,
        [],
    )


CONTRADICTION, NOT_MUTUAL, MISSING = (
    "hreflang-contradiction",
    "hreflang-not-mutual",
    "missing-variant",
)
NAMES = "it links to {} as its variant"
WITHOUT_SELF = "no page of its group, including itself, declares its own language."
ONLY_EN_DE = everywhere(en=EN, de=DE)
WRONG: dict[str, tuple[list[Page], Groups, str, str]] = {
    "a link that is not returned": (
        [page(EN, en=EN, de=DE, fr=FR), page(DE, en=EN, de=DE), page(FR)],
        ONLY_EN_DE,
        NOT_MUTUAL,
        f"{NAMES.format(FR)} 'fr', but that page doesn't link back.",
    ),
    **{
        f"a link to {url}": (
            [page(EN, en=EN, de=DE, fr=url), page(DE, en=EN, de=DE), page(FR)],
            ONLY_EN_DE,
            MISSING,
            f"{NAMES.format(url)} 'fr', but no page of the site has that URL.",
        )
        for url in (f"{BASE}gone/", f"{BASE}fr", f"{BASE}fr/index.html")
    },
    "one code for two pages": (
        [
            Page(url=EN, alternates=(("en", EN), ("de", DE), ("de", FR))),
            page(DE, en=EN, de=DE),
            page(FR),
        ],
        ONLY_EN_DE,
        CONTRADICTION,
        f"its group has two variants 'de': {DE} and {FR}.",
    ),
    "two pages for one code in a group": (
        [
            page(EN, en=EN, de=DE, fr=FR),
            page(FR, en=EN, de=DE2, fr=FR),
            page(DE, en=EN, de=DE),
            page(DE2, fr=FR, de=DE2),
        ],
        everywhere(en=EN, fr=FR),
        CONTRADICTION,
        f"its group has two variants 'de': {DE} and {DE2}.",
    ),
    "a page of which its group says nothing certain": (
        [
            page(EN, en=EN, de=DE, fr=FR),
            page(DE, en=EN, de=DE, fr=f"{FR}2/"),
            page(FR, en=EN, de=DE),
            page(f"{FR}2/", en=EN, de=DE),
        ],
        ONLY_EN_DE,
        "hreflang-without-self",
        f"{WITHOUT_SELF} The same applies to 1 other page, such as {FR}2/.",
    ),
    **{
        code: (
            [
                Page(url=EN, alternates=(("en", EN), (code, DE), ("fr", FR))),
                page(DE),
                page(FR, fr=FR, en=EN),
            ],
            everywhere(en=EN, fr=FR),
            "invalid-hreflang",
            f"it gives its variant {DE} the code {code!r}, which is not a language tag.",
        )
        for code in "d german de_DE de-DE- -de de--AT de-A en-UK x-other 12 jp eng en-EU es-419 en-ZZ d\u00e9".split()  # noqa: SIM905 - readable
    },
}


@pytest.mark.parametrize(("pages", "groups", "check", "problem"), WRONG.values(), ids=WRONG)
def test_a_wrong_link_is_not_written_and_is_a_finding_with_both_pages(
    pages: list[Page], groups: Groups, check: str, problem: str
) -> None:
    found, findings = paired(*pages)
    assert {url: group for url, group in found.items() if url in groups} == groups
    (finding,) = (finding for finding in findings if finding.check == check)
    assert (finding.level, finding.problem) == ("warning", problem)
    assert finding.where == (FR if "without-self" in check else EN)
    assert finding.fix.endswith(" The valid variants are listed.")


def test_what_many_pages_have_wrong_is_one_finding_for_each_language() -> None:
    english = [f"{EN}{number}/" for number in range(300)]
    wrong = [page(url, en=url, fr=url + "fr", it=url + "it") for url in english]
    _, findings = paired(*wrong, page(FR, es=f"{BASE}es/"))
    others = f" The same applies to 299 other pages, such as {english[1]}."
    assert [finding.problem.partition(" has that URL.")[2] for finding in findings] == [
        others,
        others,
        "",
    ]


def test_pages_in_one_language_that_a_host_groups_are_no_translations() -> None:
    news = [f"{BASE}{year}/news/" for year in range(2000, 2020)]
    together = tuple(("en", url) for url in news)
    others = (("de", DE), ("fr", FR))
    groups, (notice,) = paired(
        *(Page(url=url, alternates=together + others) for url in news),
        *(Page(url=url, alternates=together[:2] + others) for url in (DE, FR)),
    )
    assert groups == everywhere(de=DE, fr=FR)
    assert (notice.check, notice.level, notice.where) == (
        "accidental-translation",
        "notice",
        news[0],
    )
    assert (
        notice.problem
        == f"it and {news[1]} are grouped as translations of each other, but both have the language"
        f" 'en'. The same applies to 18 other pages, such as {news[2]}."
    )


URLS = st.sampled_from([BASE, EN, DE, FR, f"{BASE}gone/", ELSEWHERE])
CODES = st.sampled_from(["en", "de", "fr", "DE", "en-UK", "x-default", "?"])
SITES = st.dictionaries(
    st.sampled_from([BASE, EN, DE, FR]),
    st.lists(st.tuples(CODES, URLS), max_size=5).map(tuple),
    max_size=4,
)


@settings(max_examples=300)
@given(SITES)
def test_written_variants_are_mutual_complete_and_stay_as_they_are(
    site: dict[str, tuple[tuple[str, str], ...]],
) -> None:
    groups, _ = paired(*(Page(url=url, alternates=alternates) for url, alternates in site.items()))
    for url, group in groups.items():
        assert url in group.values()
        for other in set(group.values()) & site.keys():
            assert groups[other] == group
    again = (Page(url=url, alternates=tuple(sorted(groups.get(url, {}).items()))) for url in site)
    assert paired(*again) == (groups, [])


def test_the_variant_in_the_default_language_is_for_all_other_readers_too() -> None:
    pages = [page(EN, en=EN, de_CH=DE), page(FR)]
    both = (("de-CH", DE), ("en", EN), ("x-default", DE))
    for language in ("de_CH", "DE-CH"):
        assert [found.alternates for found in with_default(pages, language)] == [both, ()]
    assert with_default(pages, "it") == with_default(pages, "") == with_default(pages, "d") == pages
    (found,) = with_default([page(EN, x_default=EN, en=EN)], "en")
    assert found.alternates == (("en", EN), ("x-default", EN)), "once"


def test_variants_of_a_filter_are_normalised() -> None:
    assert normal_alternates([("en", "HTTPS://E.org"), ("de", DE), ("de", DE)]) == (
        ("de", DE),
        ("en", "https://e.org/"),
    )
