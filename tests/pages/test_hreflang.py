"""Groups of language variants: what is sound in them is written, and what is not is named with both pages."""

from dataclasses import dataclass, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smindex_plugins.model import Finding, Page
from smindex_plugins.pages.hreflang import pair, with_default
from smindex_plugins.settings import Settings, Site

BASE = "https://e.org/docs/"
EN, DE, FR = f"{BASE}en/", f"{BASE}de/", f"{BASE}fr/"
ELSEWHERE = "https://e.example/it/"


def page(url: str, **alternates: str) -> Page:
    return Page(
        url=url,
        alternates=tuple((code.replace("_", "-"), other) for code, other in alternates.items()),
    )


@dataclass
class Variants:
    """The result of pairing."""

    pages: list[Page]
    findings: list[Finding]


def paired(*pages: Page, unlisted: tuple[str, ...] = ()) -> Variants:
    findings: list[Finding] = []
    site = Site(url=BASE, directory="/nowhere", settings=Settings())
    return Variants(pair(list(pages), [*pages, *(Page(url=url) for url in unlisted)], site, findings), findings)


def groups(variants: Variants) -> dict[str, dict[str, str]]:
    return {page.url: dict(page.alternates) for page in variants.pages if page.alternates}


def found(variants: Variants) -> list[tuple[str, str]]:
    return [(finding.check, finding.where) for finding in variants.findings]


def test_pages_that_say_nothing_are_left_as_they_are() -> None:
    pages = [page(EN), page(DE)]
    variants = paired(*pages)
    assert (variants.pages, variants.findings) == (pages, [])


def test_every_variant_lists_all_variants_and_itself_sorted_by_code() -> None:
    variants = paired(page(EN, en=EN, de=DE, x_default=EN), page(DE, x_default=EN, en=EN, de=DE), page(BASE))
    assert groups(variants) == {url: {"de": DE, "en": EN, "x-default": EN} for url in [EN, DE]}
    assert variants.pages[0].alternates == (("de", DE), ("en", EN), ("x-default", EN))
    assert not variants.findings


def test_a_page_that_names_the_others_but_not_itself_is_completed_by_what_they_say_of_it() -> None:
    variants = paired(page(EN, de=DE), page(DE, en=EN))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    assert not variants.findings


def test_a_group_is_all_that_its_pages_say_together() -> None:
    variants = paired(page(EN, en=EN, de=DE), page(DE, en=EN, de=DE, fr=FR), page(FR, fr=FR, de=DE))
    assert groups(variants) == {url: {"de": DE, "en": EN, "fr": FR} for url in [EN, DE, FR]}


def test_a_variant_that_does_not_say_it_back_is_named_with_both_pages_and_left_out() -> None:
    variants = paired(page(EN, en=EN, de=DE, fr=FR), page(DE, en=EN, de=DE), page(FR))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    (finding,) = variants.findings
    assert (finding.level, finding.where) == ("warning", EN)
    assert FR in finding.problem
    assert "'fr'" in finding.problem


def test_a_variant_that_does_not_exist_is_named_with_both_pages_and_left_out() -> None:
    variants = paired(page(EN, en=EN, de=DE, fr=FR), page(DE, en=EN, de=DE))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    (finding,) = variants.findings
    assert finding.where == EN
    assert FR in finding.problem


def test_a_variant_that_is_left_out_for_a_reason_of_its_own_is_not_pointed_to_and_nothing_is_wrong() -> None:
    variants = paired(page(EN, en=EN, de=DE, fr=FR), page(DE, en=EN, de=DE, fr=FR), unlisted=(FR,))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    assert not variants.findings


def test_a_page_alone_is_no_variant() -> None:
    variants = paired(page(EN, en=EN, x_default=EN))
    assert (groups(variants), variants.findings) == ({}, [])


@pytest.mark.parametrize(
    "code",
    [
        "d",
        "german",
        "de_DE",
        "de-DE-",
        "en-UK",
        "en-uk",
        "-de",
        "de--AT",
        "x-other",
        "default",
        "12",
        "de-A",
        "d\u00e9",
        "jp",
        "eng",
        "en-EU",
        "es-419",
        "en-ZZ",
    ],
)
def test_a_code_that_is_no_language_tag_is_named_and_left_out(code: str) -> None:
    wrong = Page(url=EN, alternates=(("en", EN), (code, DE), ("fr", FR)))
    variants = paired(wrong, page(DE), page(FR, fr=FR, en=EN))
    assert groups(variants) == {url: {"en": EN, "fr": FR} for url in [EN, FR]}
    (finding,) = variants.findings
    assert (finding.check, finding.where) == ("invalid-hreflang", EN)
    assert repr(code) in finding.problem
    assert DE in finding.problem


@pytest.mark.parametrize(
    "code", ["de", "DE", "gsw", "zh-Hant", "zh-Hant-TW", "sq-XK", "en-GB", "de-1996", "ca-valencia"]
)
def test_a_language_tag_is_written_as_it_was(code: str) -> None:
    both = (("en", EN), (code, DE))
    variants = paired(Page(url=EN, alternates=both), Page(url=DE, alternates=both))
    assert groups(variants) == {url: dict(sorted(both)) for url in [EN, DE]}
    assert not variants.findings


def test_codes_are_compared_without_their_case() -> None:
    variants = paired(page(EN, en=EN, X_DEFAULT=EN, de_at=DE), page(DE, EN=EN, de_AT=DE))
    assert len(set(map(str, groups(variants).values()))) == 1
    assert {code.lower() for code in groups(variants)[EN]} == {"en", "de-at", "x-default"}
    assert "x-default" in groups(variants)[EN]
    assert not variants.findings


def test_one_code_for_two_pages_of_one_page_is_a_contradiction_and_the_first_holds() -> None:
    wrong = Page(url=EN, alternates=(("en", EN), ("de", DE), ("de", FR)))
    variants = paired(wrong, page(DE, en=EN, de=DE), page(FR))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    (finding,) = variants.findings
    assert (finding.check, finding.where) == ("hreflang-contradiction", EN)
    assert DE in finding.problem
    assert FR in finding.problem


def test_two_pages_for_one_code_in_one_group_are_a_contradiction_and_the_rest_is_written() -> None:
    other = f"{BASE}de/2/"
    variants = paired(
        page(EN, en=EN, de=DE, fr=FR),
        page(FR, en=EN, de=other, fr=FR),
        page(DE, en=EN, de=DE),
        page(other, fr=FR, de=other),
    )
    assert {url: group for url, group in groups(variants).items() if url in {EN, FR}} == {
        url: {"en": EN, "fr": FR} for url in [EN, FR]
    }
    assert ("hreflang-contradiction", EN) in found(variants)
    problem = next(finding.problem for finding in variants.findings if finding.check == "hreflang-contradiction")
    assert DE in problem
    assert other in problem


def test_of_many_pages_for_one_code_two_are_named() -> None:
    others = {"en": EN, "fr": FR, "it": f"{BASE}it/"}
    german = {code: f"{DE}{code}/" for code in others}
    variants = paired(
        *(page(url, de=german[code], **others) for code, url in others.items()),
        *(page(url, de=url, **{code: others[code]}) for code, url in german.items()),
    )
    assert {url: groups(variants)[url] for url in others.values()} == dict.fromkeys(others.values(), others)
    problem = f"its group has two variants 'de': {german['en']} and {german['fr']}."
    assert (EN, problem) in [(finding.where, finding.problem) for finding in variants.findings]


def test_a_page_that_its_group_says_nothing_certain_of_has_no_variants() -> None:
    other = f"{BASE}fr/2/"
    variants = paired(
        page(EN, en=EN, de=DE, fr=FR),
        page(DE, en=EN, de=DE, fr=other),
        page(FR, en=EN, de=DE),
        page(other, en=EN, de=DE),
    )
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    (without,) = (finding for finding in variants.findings if finding.check == "hreflang-without-self")
    problem = "no page of its group, itself included, says which language it is in."
    others = f"The same is true of 1 other page, such as {other}."
    assert (without.where, without.problem) == (FR, f"{problem} {others}")
    assert ("hreflang-contradiction", EN) in found(variants)


def test_a_page_may_be_the_one_for_all_other_languages_and_nothing_else() -> None:
    variants = paired(
        page(EN, en=EN, de=DE, x_default=FR), page(DE, en=EN, de=DE, x_default=FR), page(FR, en=EN, de=DE)
    )
    assert groups(variants) == {url: {"de": DE, "en": EN, "x-default": FR} for url in [EN, DE, FR]}


def test_variants_on_other_sites_are_taken_at_the_pages_word() -> None:
    variants = paired(page(EN, en=EN, it=ELSEWHERE))
    assert groups(variants) == {EN: {"en": EN, "it": ELSEWHERE}}
    assert not variants.findings


def test_the_same_site_above_the_index_is_another_site() -> None:
    above = "https://e.org/it/"
    assert groups(paired(page(EN, en=EN, it=above))) == {EN: {"en": EN, "it": above}}


URLS = st.sampled_from([BASE, EN, DE, FR, f"{BASE}gone/", ELSEWHERE])
CODES = st.sampled_from(["en", "de", "fr", "DE", "en-UK", "x-default", "?"])
SITES = st.dictionaries(
    st.sampled_from([BASE, EN, DE, FR]), st.lists(st.tuples(CODES, URLS), max_size=5).map(tuple), max_size=4
)


@settings(max_examples=300)
@given(SITES)
def test_whatever_pages_say_what_is_written_is_mutual_complete_and_unambiguous(
    site: dict[str, tuple[tuple[str, str], ...]],
) -> None:
    written = groups(paired(*(Page(url=url, alternates=alternates) for url, alternates in site.items())))
    for url, group in written.items():
        assert url in group.values()
        for other in set(group.values()) & site.keys():
            assert written[other] == group


@settings(max_examples=300)
@given(SITES)
def test_what_is_sound_stays_as_it_is(site: dict[str, tuple[tuple[str, str], ...]]) -> None:
    once = paired(*(Page(url=url, alternates=alternates) for url, alternates in site.items()))
    again = paired(*once.pages)
    assert again.pages == once.pages
    assert not again.findings


def test_the_order_of_the_pages_does_not_matter() -> None:
    pages = [page(EN, en=EN, de=DE, fr=FR), page(DE, en=EN, de=DE), page(FR, en=EN, fr=FR)]
    assert groups(paired(*pages)) == groups(paired(*reversed(pages)))
    assert paired(*(replace(page, alternates=()) for page in pages)).findings == []


def test_what_many_pages_have_wrong_for_one_cause_is_one_finding_that_says_how_many() -> None:
    english = [f"{EN}{number}/" for number in range(300)]
    variants = paired(*(page(url, en=url, fr=url.replace("/en/", "/fr/")) for url in english))
    (finding,) = variants.findings
    assert (finding.check, finding.where) == ("missing-variant", english[0])
    assert finding.problem == (
        f"it names {BASE}fr/0/ as its variant 'fr', but no page of the site has that URL. "
        f"The same is true of 299 other pages, such as {english[1]}."
    )
    assert finding.fix.endswith(" The valid variants are written.")


def test_a_problem_is_one_finding_for_each_language() -> None:
    english = [f"{EN}{number}/" for number in range(4)]
    wrong = [page(url, en=url, fr=url + "fr", it=url + "it") for url in english]
    few = [page(url, en=url, de=url + "de") for url in (f"{DE}1/", f"{DE}2/", f"{DE}3/")]
    problems = [finding.problem for finding in paired(*wrong, *few, page(FR, es=f"{BASE}es/")).findings]
    assert [problem.partition(" has that URL.")[2] for problem in problems] == [
        f" The same is true of 3 other pages, such as {english[1]}.",
        f" The same is true of 3 other pages, such as {english[1]}.",
        f" The same is true of 2 other pages, such as {few[1].url}.",
        "",
    ]


def test_pages_in_one_language_that_a_host_groups_are_no_translations_and_one_notice_says_so() -> None:
    news = [f"{BASE}{year}/news/" for year in range(2000, 2020)]
    together = [Page(url=url, alternates=tuple(("en", other) for other in news)) for url in news]
    variants = paired(*together, page(DE, de=DE, fr=FR), page(FR, de=DE, fr=FR))
    assert groups(variants) == {url: {"de": DE, "fr": FR} for url in [DE, FR]}
    (notice,) = variants.findings
    assert (notice.check, notice.level, notice.where) == ("accidental-translation", "notice", news[0])
    assert f"it and {news[1]} are grouped" in notice.problem
    assert notice.problem.endswith(
        f"both have the language 'en'. The same is true of 18 other pages, such as {news[2]}."
    )


def test_a_page_in_another_language_does_not_suffer_from_two_in_one() -> None:
    one, two = f"{EN}1/", f"{EN}2/"
    said = (("de", DE), ("en", one), ("en", two), ("fr", FR), ("x-default", one), ("x-default", two))
    variants = paired(*(Page(url=url, alternates=said) for url in (one, two, DE, FR)))
    assert groups(variants) == {url: {"de": DE, "fr": FR} for url in [DE, FR]}
    assert [finding.check for finding in variants.findings] == ["accidental-translation"]


def test_of_two_pages_in_one_language_the_one_that_is_listed_is_the_variant() -> None:
    said = (("de", DE), ("en", EN), ("en", FR))
    variants = paired(*(Page(url=url, alternates=said) for url in (EN, DE)), unlisted=(FR,))
    assert groups(variants) == {url: {"de": DE, "en": EN} for url in [EN, DE]}
    assert not variants.findings


@pytest.mark.parametrize("url", [f"{BASE}fr", f"{BASE}fr/index.html", f"{BASE}fr.pdf"])
def test_a_variant_at_another_url_than_its_page_is_missing(url: str) -> None:
    variants = paired(page(EN, en=EN, fr=url), page(FR, fr=FR, en=EN))
    found = {finding.check: finding.problem for finding in variants.findings}
    assert found["missing-variant"] == f"it names {url} as its variant 'fr', but no page of the site has that URL."


@pytest.mark.parametrize("language", ["de_CH", "de-ch", "DE-CH"])
def test_the_variant_in_the_default_language_is_also_for_readers_of_any_other(language: str) -> None:
    pages = [page(EN, en=EN, de_CH=DE), page(DE, en=EN, de_CH=DE), page(FR)]
    both = (("de-CH", DE), ("en", EN), ("x-default", DE))
    assert [found.alternates for found in with_default(pages, language)] == [both, both, ()]


@pytest.mark.parametrize("language", ["", "it", "d"])
def test_without_a_variant_in_the_default_language_nothing_is_said_for_others(language: str) -> None:
    pages = [page(EN, en=EN, de=DE), page(FR)]
    assert with_default(pages, language) == pages


def test_a_default_that_is_there_already_is_said_once() -> None:
    (found,) = with_default([page(EN, x_default=EN, en=EN)], "en")
    assert found.alternates == (("en", EN), ("x-default", EN))
