"""Language variants of rows are judged by joins, and what is wrong with them is told."""

from pathlib import Path

import pyarrow as pa
import pytest

from smindex_plugins.tables import Bounds, Outcome, write_sitemaps

SITE = "https://shop.example.org/"
Links = dict[str, dict[str, str]]


def write(links: Links, out: Path) -> Outcome:
    """Write pages that say of each other what variants they are."""
    variants = [[(code, SITE + path) for code, path in pairs.items()] for pairs in links.values()]
    kind = pa.map_(pa.string(), pa.string())
    table = pa.table({"url": [SITE + path for path in links], "alternates": pa.array(variants, kind)})
    return write_sitemaps(table, site_url=SITE, out=str(out), bounds=Bounds(memory="200MB", threads=2))


@pytest.mark.parametrize(
    ("links", "check", "words"),
    [
        (
            {"a": {"de": "a", "en": "b"}, "b": {"en": "b"}},
            "hreflang-not-mutual",
            f"names {SITE}b as its variant, but that page does not name it in return",
        ),
        (
            {"a": {"de": "a", "en": "gone"}},
            "missing-variant",
            f"names {SITE}gone as its variant, and no page",
        ),
        (
            {"a": {"de": "a", "fr": "b", "it": "c"}, "b": {"fr": "b", "de": "a"}, "c": {"de": "a", "fr": "c"}},
            "hreflang-contradiction",
            "its group has two variants fr",
        ),
        (
            {"a": {"de": "b", "en": "c"}, "b": {"de": "b", "en": "c", "x-default": "a", "it": "a"}, "c": {"en": "c"}},
            "hreflang-not-mutual",
            "does not name it in return",
        ),
        (
            {"a": {"en": "a", "EN": "b"}, "b": {"en": "b", "EN": "a"}},
            "accidental-translation",
            "both are in one language",
        ),
    ],
)
def test_wrong_variants_are_reported(links: Links, check: str, words: str, tmp_path: Path) -> None:
    outcome = write(links, tmp_path)
    assert words in next(finding.problem for finding in outcome.findings if finding.check == check)


def test_a_group_of_which_one_page_says_nothing_of_itself_is_named(tmp_path: Path) -> None:
    outcome = write({"a": {"de": "b"}, "b": {"de": "b", "fr": "a"}, "c": {}}, tmp_path)
    written = (tmp_path / "sitemap-root.xml").read_text()
    assert [finding.check for finding in outcome.findings if "hreflang" in finding.check] == []
    assert written.count('hreflang="fr"') == 2


def test_sound_variants_of_many_pages_are_written_without_findings(tmp_path: Path) -> None:
    pairs = [{code: f"{code}/{number}" for code in ("de", "en")} for number in range(50)]
    outcome = write({path: each for each in pairs for path in each.values()}, tmp_path)
    assert [finding.check for finding in outcome.findings if finding.check != "doubtful-address"] == []
    assert (tmp_path / "de/sitemap.xml").read_text().count('rel="alternate"') == 100


def test_a_long_chain_of_variants_is_one_group(tmp_path: Path) -> None:
    """Its pages find each other in a few rounds, though each names but its neighbours."""
    codes = [
        "af",
        "ar",
        "az",
        "be",
        "bg",
        "bn",
        "bs",
        "ca",
        "cs",
        "cy",
        "da",
        "de",
        "el",
        "en",
        "es",
        "et",
        "eu",
        "fa",
        "fi",
        "fr",
        "ga",
        "gl",
        "he",
        "hi",
        "hr",
        "hu",
        "id",
        "is",
        "it",
        "ja",
        "ka",
        "kk",
        "ko",
        "lt",
        "lv",
        "mk",
        "ms",
        "nb",
        "nl",
        "pl",
    ]
    links = {code: {near: near for near in codes[max(at - 1, 0) : at + 2]} for at, code in enumerate(codes)}
    outcome = write(links, tmp_path)
    assert outcome.pages == 40
    assert (tmp_path / "sitemap-root.xml").read_text().count('rel="alternate"') == 40 * 40
