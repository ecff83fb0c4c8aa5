"""Debian's chromium without a window, which reaches nothing but this machine."""

import io
import os
import shutil
import struct
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
IS_NEEDED = bool(os.environ.get("TESTS_NEED_CHROMIUM"))
"""Set by continuous integration: that there is no browser is then a failure, and no reason to
skip."""

needs_chromium = pytest.mark.skipif(
    not (CHROMIUM and DRIVER) and not IS_NEEDED, reason="platform: no chromium"
)

SIZE = (900, 620)
PICTURES = Path(__file__).parents[2] / "sample_sites/mkdocs/docs/img"
UPDATE = bool(os.environ.get("UPDATE_PICTURES"))
"""Set UPDATE_PICTURES=1 to take the pictures of the manual anew, then look at them."""

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # it can't be had in a container, and the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--hide-scrollbars",
    "--force-device-scale-factor=1",
)


@contextmanager
def start_chromium(profile: Path) -> Iterator[Chrome]:
    """Start a browser with an empty profile, and end it."""
    assert CHROMIUM, "install the Debian package chromium"
    assert DRIVER, "install the Debian package chromium-driver"
    options = ChromeOptions()
    options.binary_location = CHROMIUM
    for argument in (*_ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    driver = Chrome(options=options, service=Service(DRIVER))
    driver.set_window_size(*SIZE)
    try:
        yield driver
    finally:
        driver.quit()


def set_width(browser: Chrome, width: int, *, height: int = 900) -> None:
    """Let a page have this width, as on a telephone where it is small."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def set_scheme(browser: Chrome, scheme: str) -> None:
    """Let the person who looks at a page prefer light or dark colours."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def take_picture(browser: Chrome, name: str, words: str = "") -> None:
    """Take a picture for the manual of what the browser shows, and keep it where that is asked
    for, with the words that it shows.
    """
    time.sleep(0.5)  # what unfolds, unfolds slowly
    picture = browser.get_screenshot_as_png()
    assert picture.startswith(b"\x89PNG")
    path = PICTURES / f"{name}.png"
    if UPDATE:
        picture = _small(picture)
        path.write_bytes(with_words(picture, words) if words else picture)
    assert path.is_file(), f"take {path} with UPDATE_PICTURES=1"


def _small(picture: bytes) -> bytes:
    """Return a picture with 256 colors, a third of the size."""
    from PIL import Image  # noqa: PLC0415 - needed only to take pictures

    out = io.BytesIO()
    with Image.open(io.BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(256, dither=Image.Dither.NONE)
        few.save(out, "PNG", optimize=True)
    return out.getvalue()


_WORDS = b"Description\0\1\0\0\0"
"""The start of an iTXt chunk: its keyword, that it is compressed, no language, no translation."""
_END = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))


def with_words(picture: bytes, words: str) -> bytes:
    """Return a PNG with the words that it shows, so that a test can compare them."""
    content = b"iTXt" + _WORDS + zlib.compress(words.encode(), 9)
    length = struct.pack(">I", len(content) - 4)
    chunk = length + content + struct.pack(">I", zlib.crc32(content))
    assert picture.endswith(_END)
    return picture.removesuffix(_END) + chunk + _END


def words_of(name: str) -> str:
    """Return the words that a picture of the manual was taken with."""
    picture = (PICTURES / f"{name}.png").read_bytes()
    before, found, compressed = picture.partition(b"iTXt" + _WORDS)
    assert found, f"take {name}.png anew with UPDATE_PICTURES=1"
    (length,) = struct.unpack(">I", before[-4:])
    return zlib.decompress(compressed[: length - len(_WORDS)]).decode()
