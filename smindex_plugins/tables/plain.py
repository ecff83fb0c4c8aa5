"""What is in its normal form already, so that no Python looks at it: expressions that Arrow and engines know too.

They are of RE2, and speak of whole strings. A test proves them against `urls.normalise` and `dates.w3c_date`.
"""

# No escape of what needs none, and every other escape in upper case (RFC 3986, section 6.2.2).
_ESCAPE = "%(?:[0189A-F][0-9A-F]|2[0-9A-CF]|3[A-F]|[46]0|5[B-E]|7[BCDF])"
PLAIN_REST = rf"(?:[A-Za-z0-9\-._~!$&'()*+,;=:@/?]|{_ESCAPE})*"
"""What may stand below the address of a site in a normal URL, if it has no `DOT_SEGMENT` and ends in no `?`."""
DOT_SEGMENT = "/."
"""What a dot segment begins with, and many names that are none."""

_DAY_OF_ANY_YEAR = (
    "(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31"  # not 29 February
)
PLAIN_DATE = rf"[1-9][0-9]{{3}}-(?:{_DAY_OF_ANY_YEAR})(?:T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z)?"
"""A date as the package writes it, of a day that is in the calendar of every year."""
MIDNIGHT = "T00:00:00Z"
"""What stands behind the day where there is no time."""
