"""What a language code is, as pages and sitemaps name their variants."""

import re

X_DEFAULT = "x-default"

# A well-formed language tag (RFC 5646, section 2.1): language, script, region, variants.
_LANGUAGE_TAG = re.compile(
    r"[a-z]{2,3}(-[a-z]{4})?(-([a-z]{2}|[0-9]{3}))?(-([a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*", re.IGNORECASE
)
# Written often, and the region of no country: the registry has GB and no other code for it.
_MISTAKEN_REGION = re.compile(r"-uk$", re.IGNORECASE)


def is_hreflang(code: str) -> bool:
    """Tell whether search engines understand a code: a language tag or `x-default`."""
    is_tag = _LANGUAGE_TAG.fullmatch(code) and not _MISTAKEN_REGION.search(code)
    return bool(is_tag) or code.lower() == X_DEFAULT
