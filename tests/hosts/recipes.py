"""The files that the manual's page about dates on pages tells readers to write, and the dates that
pages then show.
"""

import json
import re
from pathlib import Path

from lxml import html

from tests.support.project import MANUAL, ROOT


def follow(heading: str, root: Path) -> None:
    """Write the files of a section of the manual below a directory, or add to those that are
    there.
    """
    text = (ROOT / MANUAL / "docs/dates/show.md").read_text("utf-8")
    section = re.split(
        r"^## ", text.partition(f"\n## {heading}\n")[2], maxsplit=1, flags=re.MULTILINE
    )[0]
    blocks = re.findall(r"^```\w+\n((?:#|\{#) (\S+).*?)^```$", section, re.DOTALL | re.MULTILINE)
    assert len(blocks) >= 2, heading
    for code, path in blocks:
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text((file.read_text("utf-8") if file.exists() else "") + code, "utf-8")


def shown_date(page: Path) -> str | None:
    """Return the date that a page shows, to readers and to programs alike, or None if it shows
    none.
    """
    tree = html.parse(page)
    dates = [
        str(meta.get("content"))
        for meta in tree.iterfind(".//meta[@property='article:modified_time']")
    ]
    linked = [
        json.loads(str(script.text))
        for script in tree.iterfind(".//script[@type='application/ld+json']")
    ]
    texts = tree.xpath("//*[contains(text(), 'Last updated')] | //aside[@class='md-source-file']")
    assert [it["dateModified"] for it in linked] == dates
    assert [
        day for text in texts for day in re.findall(r"\d{4}-\d\d-\d\d", text.text_content())
    ] == [date[:10] for date in dates]
    return dates[0].replace("+00:00", "Z") if dates else None
