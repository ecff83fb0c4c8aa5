"""Configurations that are bombs, or programs: they are read in bounded time and memory, and never run."""

from pathlib import Path

from tests.hostile.attack import Attack, chosen
from tests.hostile.child import fault, smindex
from tests.hostile.content import BOMB, VALUES
from tests.support.command import PAGE
from tests.support.planted import write

MOST_MEMORY = 300 << 20
_YAML = (
    *(f"x: &x [x]\n{BOMB}site_url: {value}\n" for value in VALUES),
    *(f"x: &x [x]\n{BOMB}plugins:\n  - sitemap-index: {{exclude: {value}, sections: *l}}\n" for value in VALUES[:12]),
    f"x: &x [x]\n{BOMB}{'? *l : 1'}\nsite_url: !ENV [*l, a]\n",
    "a: &a {b: 1}\n"
    + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1 if n else str()}'] * 9)}]}}\n" for n in range(12)),
    "INHERIT: mkdocs.yml\n",
    "INHERIT: /dev/zero\nsite_dir: /\n",
    "- " * 99_999,
    "&a " * 99_999,
    "a: " + "9" * 999_999,
    "? " * 99_999,
    "!" * 999_999,
    "#" * (2 << 20),
    "%YAML 9.9\n---\n\0",
)
_TOML = (
    "a" + ".a" * 99_999 + " = 1",
    "a = " + "[" * 99_999,
    "a = " + "{a = " * 9_999,
    "a = " + "9" * 99_999,
    "[" + "a." * 99_999 + "a]",
    '"' + "a" * 999_999 + '" = 1',
    "[[a]]\n" * 99_999,
    "a = 9999-99-99T99:99:99",
    "a = '''" + "\n" * 999_999,
    "\0\xff",
)
_TABLE = tuple(
    f"[tool.smindex]\n{key} = {value}\n"
    for key in (
        "site_url",
        "sources",
        "exclude",
        "sections",
        "depends",
        "max_urls",
        "directory",
        "cross_site",
        "nosuch",
    )
    for value in (
        "[" * 999,
        "9" * 9_999,
        '["' + "a" * 99_999 + '"]',
        "[[], {a = [1]}, nan]",
        '"\\u001b[2J{path}"',
        '"**/' * 2,
        '"../../.."',
    )
)
_PYTHON = (
    "import os; os.system('touch marker')\nSITEURL = os.environ.get('A', __import__('os').system('touch marker'))\n",
    "SITEURL = " + "(" * 99_999,
    "SITEURL = " + "-" * 99_999 + "1",
    "SITEURL = " + "a." * 99_999 + "a",
    "SITEURL = " + "1 + " * 50_000 + "1",
    "SITEURL = " + "f'{" * 999,
    "SITEURL = " + "[" * 99 + "9 ** 9 ** 9 ** 9" + "]" * 99,
    "SITEURL = 'a' * 999999999999\n",
    "if a:\n" + "".join(" " * n + "if a:\n" for n in range(1, 200)),
    "a = 1\n" * 40_000,
    "\0",
    "# -*- coding: nosuch -*-\nSITEURL = 'a'\n",
)
_JSON = (
    '{"baseURL":' * 99_999,
    "[" * 999_999,
    "9" * 999_999,
    '{"baseURL": 1e999999999, "a": NaN}',
    '{"baseURL": "\\ud800"}',
)
FILES = (
    *(("mkdocs.yml", text) for text in _YAML),
    *((name, text) for name in ("hugo.toml", "zensical.toml", "pyproject.toml") for text in _TOML),
    *(("pyproject.toml", text) for text in _TABLE),
    *((name, text) for name in ("pelicanconf.py", "conf.py") for text in _PYTHON),
    *(("hugo.json", text) for text in _JSON),
)
_COMMANDS = (
    ("build", "site"),
    ("check", "site"),
    ("join", "site"),
    ("build", "site", "--site-url", "https://e.org/", "--sources", "docs/{path}.md"),
    ("build",),
    ("check",),
)


def attack(number: int, place: Path) -> str:
    """Run one command beside one configuration, or in it."""
    rounds, (name, text) = chosen(number, FILES)
    write(place / "site", {"index.html": PAGE, "a.html": PAGE})
    (place / name).write_bytes(text.encode("utf-8", "surrogatepass"))
    command = _COMMANDS[(rounds + len(text)) % len(_COMMANDS)]
    wrong = fault(smindex(*command, place=place, seconds=60), memory=MOST_MEMORY)
    if list(place.rglob("marker")):
        wrong = "a program was run"
    return f"{name} of {text[:60]!r}, {command[0]}: {wrong}" if wrong else ""


ATTACKS = (
    Attack("configurations", "configurations that are bombs, or programs", attack, 8, len(_COMMANDS) * len(FILES)),
)
