"""What changed since an earlier time: since a report that was kept as JSON, another directory, or the live site."""

import json
from collections.abc import Callable, Mapping
from typing import cast

from smindex_plugins import files
from smindex_plugins.announcing import Change, Difference, diff
from smindex_plugins.dates import is_same
from smindex_plugins.limits import MAX_REPORT
from smindex_plugins.reports.overview import Overview
from smindex_plugins.web import Fetcher


def changes_since(
    earlier: str, seen: Overview, *, fetcher: Fetcher | None = None, tell: Callable[[str], None] = lambda _: None
) -> Difference:
    """Return what changed since a report in JSON, a directory, or a site on the web.

    Raises:
        OSError: it cannot be read.
        ValueError: it is no report.
    """
    if earlier.endswith(".json"):
        return _since_report(earlier, seen)
    return diff(earlier, seen.given, site_url=seen.site, fetcher=fetcher, tell=tell)


def _since_report(path: str, seen: Overview) -> Difference:
    before = _read(path)
    after = {url: date for url, date, _ in seen.dated() if url}
    common = sorted(before.keys() & after.keys())
    return Difference(
        old=path,
        new=seen.given,
        added=sorted(after.keys() - before.keys()),
        removed=sorted(before.keys() - after.keys()),
        changed=[Change(url, before[url], after[url]) for url in common if not is_same(before[url], after[url])],
        urls_before=len(before),
        urls_after=len(after),
        not_compared=["sitemaps and language variants, which a report does not hold"],
    )


def _read(path: str) -> Mapping[str, str]:
    content = files.read(path, MAX_REPORT + 1)
    if len(content) > MAX_REPORT:
        message = f"{path}: it is larger than {MAX_REPORT:,} bytes"
        raise ValueError(message)
    try:
        pages = cast("list[dict[str, str | None]]", json.loads(content)["pages"])
        return {str(page["url"]): str(page["lastmod"] or "") for page in pages if page["url"]}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"{path}: it is no report. Write one with `smindex report -o {path}`"
        raise ValueError(message) from error
