"""The language codes of hreflang links.

The rules: https://developers.google.com/search/docs/specialty/international/localized-versions
"""

import re
from functools import cache

X_DEFAULT = "x-default"
"""The code of the variant for all other languages."""
# Language, script, region and variants (RFC 5646, section 2.1). Google doesn't support regions with
# several countries.
_LANGUAGE_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-(?P<region>[a-z]{2}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*",
    re.IGNORECASE,
)
# Registered as regions, but not assigned by ISO 3166-1: reserved, of several countries, or for
# private use.
_NO_COUNTRY = re.compile(r"A[AC]|C[PQ]|DG|E[AUZ]|IC|Q[M-Z]|TA|UN|X[A-JL-Z]|ZZ", re.IGNORECASE)


@cache
def is_hreflang(code: str) -> bool:
    """Whether Google supports a code: a registered language, with a script or a country if needed,
    or `x-default`.
    """
    if code.lower() == X_DEFAULT:
        return True
    tag = _LANGUAGE_TAG.fullmatch(code)
    if tag is None or _NO_COUNTRY.fullmatch(tag["region"] or ""):
        return False
    from langcodes import Language  # noqa: PLC0415 - this takes 0.03 s, and most sites have one language

    return Language.get(code, normalize=False).is_valid()
