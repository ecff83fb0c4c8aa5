"""Debian's chromium without a window, which reaches nothing but this machine."""

import os
import shutil
import time
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


def set_width(browser: Chrome, width: int) -> None:
    """Let a page have this width, as on a telephone where it is small."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)


def set_scheme(browser: Chrome, scheme: str) -> None:
    """Let the person who looks at a page prefer light or dark colours."""
    features = [{"name": "prefers-color-scheme", "value": scheme}]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def take_picture(browser: Chrome, name: str) -> None:
    """Take a picture for the manual of what the browser shows, and keep it where that is asked
    for.
    """
    time.sleep(0.5)  # what unfolds, unfolds slowly
    picture = browser.get_screenshot_as_png()
    assert picture.startswith(b"\x89PNG")
    path = PICTURES / f"{name}.png"
    if UPDATE:
        path.write_bytes(picture)
    assert path.is_file(), f"take {path} with UPDATE_PICTURES=1"
