"""Valid files that are changed, cut, doubled and mixed: no reader raises what it does not promise, or hangs."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack, chosen
from tests.hostile.content import BYTES, DATA, KEYS, VALUES
from tests.support.fuzzed import TARGETS, WORDS, seeds
from tests.support.readers import PIECES, READERS

_INPUTS = 60
"""Of one trial."""
_LONGEST = 1 << 14
_SECONDS, _MOST_SECONDS = 2.0, 30
"""Of CPU for one input, which is a failure; and by the clock, which ends the trial."""

_WRITTEN = "---\ntitle: A\nlastmod: 2024-02-29\ntags: [a, b]\nsitemap: {exclude: false}\n---\n# A\n"
_SEEDS: dict[str, tuple[str, ...]] = {
    "front matter": (
        _WRITTEN,
        _WRITTEN.replace("---", "+++").replace(": ", " = "),
        "+++\na.b = 1\n[c]\nd = 2024-01-01\n+++\n",
    ),
    "includes": ('# A\n{% include "b.md" %}\n--8<-- "c.md"\n',),
    "versions.json": ('[{"version": "1.0", "title": "1", "aliases": ["latest"], "properties": {"hidden": false}}]',),
    "YAML": (_WRITTEN.strip("-#A\n"), "a: &a {b: 1}\nc: {<<: *a, d: !!timestamp 2024-01-01}\ne: |\n  f\n? g\n: h\n"),
    "TOML": ("a.b = \"c\"\n[d]\ne = [1, 2.5, 2024-01-01T00:00:00Z]\n[[f]]\ng = {h = '''i'''}\n",),
    "mkdocs.yml": (
        "site_name: A\nsite_url: !ENV [A, 'https://e.org/']\nplugins:\n  - search\n  - sitemap-index: {a: 1}\n",
    ),
    "hugo.toml": ('baseURL = "https://e.org/"\n[params]\na = 1\n',),
    "hugo.json": ('{"baseURL": "https://e.org/", "params": {"a": [1, null]}}',),
    "pelicanconf.py": (
        "import os\nSITEURL = os.environ.get('A', 'https://e.org')\nPATH = 'content'\nA: str = f'{PATH}'\n",
    ),
    "fields of Pelican": (
        "Title: A\nDate: 2024-01-01\nTags: a, b\nSlug: a\n\nText\n",
        "A\n=\n\n:date: 2024-01-01\n:tags: a\n\nText\n",
    ),
    "headers of answers": (
        '<https://e.org/>; rel="canonical"',
        "googlebot: noindex, nofollow",
        "Fri, 31 Dec 1999 23:59:59 GMT",
    ),
    "log of git": (":100644 100644 aa bb M\0a.md\0:100644 100644 aa aa R100\0a\0b\0", "1600000000 aa bb cc\0\n"),
    "list of commits": ("a" * 40 + " # b\n" + "1" * 64 + "\n",),
    "dates": ("2024-02-29T23:59:59.999+14:00", "2024-01", "2024-01-01T00:00Z"),
    "srcset": ("a.png 1x, b.png 2.5x, c,d.png 300w",),
    "URL": ("https://user:pw@xn--e-0fa.org:8443/a/../%C3%A4?b=c#d", "//e.org", "../a"),
    "address": ("https://e.org:443/docs/", "http://[::1]:80/"),
}
"""Of readers that read no markup: valid texts, which are then spoilt."""
_DICTIONARY = (
    *(word.encode() for word in (*WORDS, *PIECES, *KEYS)),
    *(value[:99].encode("utf-8", "replace") for value in VALUES),
)


def spoilt(seed: bytes, others: list[bytes], random: Random) -> bytes:
    """Return an input in which something is changed, again and again."""
    content = bytearray(seed)
    for _ in range(random.choice([1, 1, 2, 4, 16])):
        start = random.randrange(len(content) + 1)
        end = min(len(content), start + random.choice([0, 1, 2, 8, 64, 999]))
        new = {
            "changed": bytes(byte ^ 1 << random.randrange(8) for byte in content[start:end]),
            "cut": b"",
            "doubled": content[start:end] * random.choice([2, 3, 99]),
            "word": random.choice(_DICTIONARY) * random.choice([1, 1, 2, 50]),
            "other": random.choice(others)[: random.randrange(999)],
            "noise": random.randbytes(end - start),
            "odd": random.choice(
                [b"\0", b"\xff", b"\xed\xa0\x80", b"\xe2\x80\xa8", b"\r", b"\xef\xbb\xbf", b"\xf4\x90\x80\x80"]
            ),
        }
        content[start:end] = new[random.choice(list(new))]
    return bytes(content[:_LONGEST])


def _target(name: str, place: Path) -> tuple[Callable[[bytes], object], list[bytes]]:
    """Return what reads inputs, and the seeds of which they are made."""
    if name in TARGETS:
        return TARGETS[name](), seeds(name, _LONGEST)
    known = [seed.encode() for seed in _SEEDS.get(name, ())]
    pages = [page[:_LONGEST] for page in BYTES] + [data[:_LONGEST].encode() for data in DATA]
    own = known or (seeds("sitemap", _LONGEST) if "sitemap" in name else pages)
    frames = [frame.replace("{}", "a").encode() for frame in READERS[name].frames]
    return lambda content: READERS[name].run(content.decode("utf-8", "replace"), place), [*own, *frames]


def attack(number: int, place: Path) -> str:
    """Let one reader read some inputs."""
    _, name = chosen(number, [*TARGETS, *READERS])
    random = Random(number)
    read, known = _target(name, place)
    others = [seed for each in TARGETS for seed in seeds(each, _LONGEST)]
    for _ in range(_INPUTS):
        content = spoilt(random.choice(known), others, random)
        (place / "input").write_bytes(content)  # which a trial that is made again keeps
        signal.alarm(_MOST_SECONDS)
        started = time.process_time()
        try:
            read(content)
        except Exception as error:  # noqa: BLE001 - whatever a reader raises is what is looked for
            return f"{name}: {type(error).__name__}: {str(error)[:200]}, of {content[:200]!r}"
        finally:
            signal.alarm(0)
        if (seconds := time.process_time() - started) > _SECONDS:
            return f"{name}: {seconds:.1f} s, for {content[:200]!r}"
    return ""


ATTACKS = (Attack("fuzzing", "valid files that are spoilt, through every reader", attack, 40, 5_000),)
