"""Valid answers of servers, changed, cut, doubled and mixed: no reader raises what it does not promise, or hangs."""

import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

from tests.hostile.attack import Attack, chosen
from tests.hostile.content import BYTES
from tests.support.fuzzed import TARGETS, WORDS, seeds
from tests.support.readers import PIECES, READERS

_INPUTS = 60
"""Of one trial."""
_LONGEST = 1 << 14
_SECONDS, _MOST_SECONDS = 2.0, 30
"""Of CPU for one input, which is a failure; and by the clock, which ends the trial."""

_SEEDS: dict[str, tuple[str, ...]] = {
    "versions.json": ('[{"version": "1.0", "title": "1", "aliases": ["latest"], "properties": {"hidden": false}}]',),
    "headers": (
        '<https://e.org/>; rel="canonical"',
        "googlebot: noindex, nofollow",
        "Fri, 31 Dec 1999 23:59:59 GMT",
    ),
    "URL": ("https://user:pw@xn--e-0fa.org:8443/a/../%C3%A4?b=c#d", "//e.org", "../a"),
}
"""Of readers that read no markup: valid texts, which are then spoilt."""
_DICTIONARY = [word.encode() for word in (*WORDS, *PIECES)]


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


def _target(name: str) -> tuple[Callable[[bytes], object], list[bytes]]:
    """Return what reads inputs, and the seeds of which they are made."""
    if name in TARGETS:
        return TARGETS[name](), seeds(name, _LONGEST)
    known = [seed.encode() for seed in _SEEDS.get(name, ())]
    pages = [page[:_LONGEST] for page in BYTES]
    own = known or (seeds("sitemap", _LONGEST) if "sitemap" in name else pages)
    frames = [frame.replace("{}", "a").encode() for frame in READERS[name].frames]
    return lambda content: READERS[name].run(content.decode("utf-8", "replace")), [*own, *frames]


def attack(number: int, place: Path) -> str:
    """Let one reader read some inputs."""
    _, name = chosen(number, [*TARGETS, *READERS])
    random = Random(number)
    read, known = _target(name)
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


ATTACKS = (Attack("fuzzing", "answers of servers that are spoilt, through every reader", attack, 40, 5_000),)
