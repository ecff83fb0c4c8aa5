"""Tables fit a terminal, are not cut elsewhere, and command nothing."""

import io

import pytest

from smindex_plugins.printing.terminal import console, write_line, write_table
from smindex_plugins.printing.words import more, percent, size
from tests.overview.reports import HOSTILE, OF_RICH, Terminal, commands

ROW = ("a/long/name/of/a/section", 1_000_000, 0.00001, "2024-01-01")


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.delenv("FORCE_COLOR", raising=False)


@pytest.mark.parametrize("width", [120, 40])
def test_a_table_is_as_wide_as_the_terminal_and_shows_everything(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out = Terminal()
    write_table(console(out), "A table", ("name", "pages", "full", "newest"), [ROW])
    lines = OF_RICH.sub("", out.getvalue()).splitlines()
    assert max(map(len, lines)) <= width
    for cell in ("a/long/name/of/a/section", "1,000,000", "< 0.1 %", "2024-01-01"):
        assert set(cell) <= set("".join(lines))


@pytest.mark.parametrize("width", [60, 80, 100, 110, 120, 140])
def test_a_column_that_does_not_fit_is_below_its_row_and_no_name_is_broken(
    width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    out, names = (
        Terminal(),
        (
            "robots-names-missing-sitemap",
            "guide/" + 40 * "n" + ".html, line 1,234",
        ),
    )
    row = (*names, 1_000, "Do this and that. " * 9)
    write_table(console(out), "A table", ("check", "first", "pages", "fix"), [row])
    lines = OF_RICH.sub("", out.getvalue()).splitlines()
    is_narrow = width < len("  ".join((*names, "pages")))
    assert lines[1].split() == (["check"] if is_narrow else ["check", "first", "pages"])
    assert lines[2].split("  ")[0] == names[0]
    words = " ".join(" ".join(lines).split())
    assert (f" first: {names[1]} " in words) == is_narrow
    assert words.endswith(f" fix: {'Do this and that. ' * 9}".rstrip())
    assert all(line.startswith("    ") for line in lines[3:])


def test_a_table_in_a_pipe_is_not_cut_and_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    out = io.StringIO()
    write_table(
        console(out),
        "A table",
        ("name", "pages", "full", "newest"),
        [ROW, ("b" * 500, 1, 0.5, "none")],
    )
    title, heads, first, second = out.getvalue().splitlines()
    assert (title, heads.split()) == ("A table", ["name", "pages", "full", "newest"])
    assert first.split() == ["a/long/name/of/a/section", "1,000,000", "<", "0.1", "%", "2024-01-01"]
    assert second.startswith("b" * 500 + "          1  ")
    assert "\033" not in out.getvalue()


@pytest.mark.parametrize("out", [Terminal, io.StringIO])
def test_foreign_text_commands_nothing(
    out: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "100000")
    printed = out()
    write_table(
        console(printed), HOSTILE[0], ("a", "b"), [(hostile, hostile) for hostile in HOSTILE]
    )
    for hostile in HOSTILE:
        write_line(console(printed), hostile, (hostile, "bold"))
    assert not commands(OF_RICH.sub("", printed.getvalue()))


def test_a_long_line_is_wrapped_between_words_and_indented(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    url = f"https://e.org/{40 * 'a'}"
    out = Terminal()
    write_line(
        console(out), "  ", ("fix: ", "bold"), f"Write the date of the last change, or {url} none."
    )
    assert OF_RICH.sub("", out.getvalue()).splitlines() == [
        "  fix: Write the date of the last",
        "    change, or",
        f"    {url}",
        "    none.",
    ]


def test_numbers_in_words() -> None:
    assert [percent(share) for share in (0, 1 / 50_000, 0.5, 1)] == [
        "0.0 %",
        "< 0.1 %",
        "50.0 %",
        "100.0 %",
    ]
    assert [size(count) for count in (0, 1_023, 1_536, 52_428_800)] == [
        "0 bytes",
        "1,023 bytes",
        "1.5 KiB",
        "50 MiB",
    ]
    assert [more(count) for count in (-1, 0, 1_000)] == ["", "", "… and 1,000 more"]
