"""Which codes Google supports in hreflang links."""

import pytest

from smindex_plugins.base.language_codes import is_hreflang


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("X-Default", True),
        ("gsw", True),
        ("zh-Hant-TW", True),
        ("DE-at", True),
        ("de-1996", True),
        ("jp", False),
        ("en-UK", False),
        ("es-419", False),
        ("en-EU", False),
        ("de_AT", False),
        ("", False),
    ],
)
def test_a_code_is_a_registered_language_with_a_script_or_a_country(
    code: str, *, expected: bool
) -> None:
    assert is_hreflang(code) is expected
