"""Debian's chromium without a window, which reaches nothing but this machine."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, ChromeOptions
from selenium.webdriver.chrome.service import Service

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
IS_NEEDED = bool(os.environ.get("TESTS_NEED_CHROMIUM"))
"""Set by continuous integration: that there is no browser is then a failure, and no reason to skip."""

needs_chromium = pytest.mark.skipif(not (CHROMIUM and DRIVER) and not IS_NEEDED, reason="platform: no chromium")

_ARGUMENTS = (
    "--headless",
    "--no-sandbox",  # it cannot be had in a container, and the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--hide-scrollbars",
    "--window-size=1280,900",
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
    try:
        yield driver
    finally:
        driver.quit()
