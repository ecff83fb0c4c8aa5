"""Tables that are skewed as real ones are, the pages that they come to, and workers of Spark that
die.
"""

import json
import os
import random
import signal
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pyarrow as pa

from smindex_plugins.base.model import Page
from smindex_plugins.base.settings import Settings
from smindex_plugins.tables import _rows as rows
from smindex_plugins.tables._rows import RowRules, judge_details
from smindex_plugins.writing.storage import Storage

SITE = "https://shop.example.org/d/"
NOW = datetime(2026, 1, 1, tzinfo=UTC)
LANGUAGES = ("de", "en", "en-GB", "fr", "x-default")
SCHEMA = pa.schema(
    [
        ("url", pa.string()),
        ("lastmod", pa.string()),
        ("alternates", pa.map_(pa.string(), pa.string())),
        ("images", pa.list_(pa.string())),
    ]
)


@dataclass(frozen=True)
class Row:
    """One row of a table, as it is given."""

    url: str | None
    lastmod: str | None = None
    alternates: tuple[tuple[str, str], ...] = ()
    images: tuple[str, ...] = ()


def skewed(chance: random.Random) -> list[Row]:
    """Make rows of which most are in one section, and most of these in one directory, with all that
    can be wrong.
    """
    rows = [_row(chance, number) for number in range(chance.randint(0, 300))]
    rows += chance.choices(rows, k=len(rows) // 10)  # the very same
    rows += [
        Row(row.url, _date(chance), images=row.images)
        for row in chance.sample(rows, len(rows) // 10)
    ]
    wrong = [
        None,
        "",
        "no url",
        "https://other.example.org/d/",
        "https://shop.example.org/e",
        SITE + "x" * 3_000,
    ]
    rows += [Row(url) for url in chance.sample(wrong, chance.randint(0, 6))]
    return chance.sample(rows, len(rows))


def _row(chance: random.Random, number: int) -> Row:
    if chance.random() < 0.6:
        directory = "deep/" if chance.random() < 0.8 else f"g{chance.randint(0, 5)}/"
        path = f"products/{directory}item-{chance.randint(0, 400)}"
    else:
        parts = [
            "a",
            "b",
            "c",
            "x%2Fy",
            "é",
            "a b",
            "",
            "it's&so",
            f"small-{number}",
            "404.html",
            "..",
            "%7e",
        ]
        path = "/".join(chance.choices(parts, k=chance.randint(1, 4)))
    end = chance.choice(
        ["", "/", f"?q={chance.randint(0, 9)}&r=/", "/index.html", "?", "#x", f"/{'y' * 900}"]
    )
    shown = chance.choice(
        [(), (), (), ("https://i.example.org/ü 1.png", "https://i.example.org/2")]
    )
    return Row(SITE + path + end, _date(chance), images=shown)


def _date(chance: random.Random) -> str | None:
    day = f"2025-01-{chance.randint(1, 28):02}"
    return chance.choice(
        [
            None,
            day,
            f"{day}T00:00:00Z",
            f"{day}T0{chance.randint(0, 9)}:00:00+02:00",
            f"{day}T03:04:05",
        ]
    )


def grouped(chance: random.Random) -> list[Row]:
    """Make rows in groups of language variants, of which each row names all, itself included."""
    rows = []
    for number in range(chance.randint(1, 60)):
        codes = chance.sample(LANGUAGES, chance.randint(2, 4))
        pairs = tuple((code, f"{SITE}products/{code.lower()}/ü-{number}") for code in codes)
        wrong = (("no code", f"{SITE}products/no/{number}"),) * chance.randint(0, 1)
        rows += [Row(url, _date(chance), pairs + wrong) for _, url in pairs]
    return rows


def options(chance: random.Random) -> dict[str, Any]:
    named = [
        {"name": "first", "urls": ["**/item-1*"]},
        {"name": "second", "urls": ["b/", "products/g1/"]},
    ]
    return {
        "section_depth": chance.randint(0, 3),
        "section_min_pages": chance.randint(1, 5),
        "sitemap_placement": chance.choice(["section", "root"]),
        "max_urls": chance.choice([2, 5, 20, 100]),
        "gzip": chance.random() < 0.2,
        "lastmod_format": chance.choice(["date", "datetime"]),
        "sections": chance.choice([[], [], named]),
        "exclude": chance.choice([[], [], ["a/b/", "**/item-2*"]]),
    }


def pages_as_listed(rows: list[Row], settings: Settings) -> list[Page]:
    """Return the pages that `publish` is to be given: each URL once, with the newest date."""
    rules = RowRules(site_url=SITE, settings=settings, now=NOW)
    newest: dict[str, tuple[str, str]] = {}
    for row in rows:
        if url := rules.url(row.url)[0]:
            details, _ = judge_details(json.dumps(dict(row.alternates)), json.dumps(row.images))
            rank = (rules.date(row.lastmod)[0] or "", details or "")
            newest[url] = max(rank, newest.get(url, ("", "")))
    pages = []
    for url, (date, packed) in newest.items():
        alternates, images = json.loads(packed) if packed else ((), ())
        pages.append(Page(url=url, lastmod=date or None, alternates=alternates, images=images))
    return pages


def table_of(rows: list[Row]) -> pa.Table:
    columns = [
        pa.array([row.url for row in rows], pa.string()),
        pa.array([row.lastmod for row in rows], pa.string()),
        pa.array([list(row.alternates) or None for row in rows], SCHEMA.field("alternates").type),
        pa.array([list(row.images) or None for row in rows], SCHEMA.field("images").type),
    ]
    return pa.table(columns, schema=SCHEMA)


DEATHS = "SMINDEX_TEST_DEATHS"
"""The variable with the directory. Each file in it is a death that is still to come: its name is
that of a step and of who dies in it, such as ``reading-worker`` or ``writing-executor-2``."""
_SPARED = 5
"""Files that a process may put in place before; the next is written, and not in place yet."""


def parent_of(process: int) -> int:
    with open(f"/proc/{process}/stat", encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def _die(step: str) -> None:
    place = os.environ[DEATHS]
    for name in os.listdir(place):
        if not name.startswith(step):
            continue
        try:
            os.remove(os.path.join(place, name))  # another process may have been quicker
        except FileNotFoundError:
            continue
        executor = parent_of(os.getppid())
        os.kill(executor if "executor" in name else os.getpid(), signal.SIGKILL)


def _deadly() -> None:
    write, normal_rows = Storage.write, rows.normal_rows
    left = [_SPARED]

    def read(*arguments: Any, **options: Any) -> Any:  # noqa: ANN401 - whatever it takes
        _die("reading")
        return normal_rows(*arguments, **options)

    def counted(self: Storage, path: str, content: bytes) -> None:
        left[0] -= 1
        if left[0] < 0:
            _die("writing")
        write(self, path, content)

    replaced: Any = Storage
    replaced.write = counted
    replaced = rows
    replaced.normal_rows = read


if __name__ == "__main__":
    from pyspark import daemon

    _deadly()
    daemon.manager()


BROKEN: dict[str, tuple[bytes, list[str]]] = {
    "encoding.csv": (b"url,n\n%a,1\n%\xff,1\n%b,1\n", ["%?,1"]),
    "columns.csv": (b"url,n\r\n%a,1\r\n%c,1,2\r\n%d\r\n%b,1\r\n", ["%c,1,2", "%d"]),
    "columns.tsv": (b"n\turl\n1\t%a\n%c\n1\t%b\n", ["%c"]),
    "lines.jsonl": (
        b'{"url": "%a"}\n{"url": "%c"\n[1]\n\n{"url": "%\xff"}\n7\n{"n": {}, "url": "%b"}\n',
        ["7", "[1]", '{"url": "%?"}', '{"url": "%c"'],
    ),
}
"""Tables that list two pages, and the rows that can't be read, in order."""
for name, (content, unread) in BROKEN.items():
    BROKEN[name] = content.replace(b"%", SITE.encode()), [row.replace("%", SITE) for row in unread]
