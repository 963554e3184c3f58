"""Tests in a real browser: Debian's Chromium, driven by Playwright, against the live server.

Without the browser, these tests are skipped, or fail if CI=true. To get a PNG of every page that `look` checks, set
PICTURES to a folder.
"""

import os
from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from accounts.models import User
from tests.requirements import CHROMIUM, require
from tests.web.browser.windows import DESKTOP, PHONE, Open, Visit

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
PATIENCE = 30_000
"""The timeout in milliseconds. It is long because the machine may be busy."""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    require("Chromium")
    # Playwright runs an event loop in this thread, where Django would otherwise refuse to use the database.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, live_server) -> Iterator[Open]:
    """`visit(user, width=PHONE, scripts=False, dark=True)` opens a window, logged in as that user if there is one. A
    script error, a violation of the content security policy or a request to another site fails the test."""
    with ExitStack() as contexts:
        trouble: list[str] = []

        def open_window(user: User | None = None, *, width=DESKTOP, scripts=True, dark=False, zone="UTC") -> Visit:
            context = contexts.enter_context(
                chromium.new_context(
                    viewport={"width": width, "height": 720},
                    java_script_enabled=scripts,
                    color_scheme="dark" if dark else "light",
                    reduced_motion="reduce",
                    has_touch=width == PHONE,
                    timezone_id=zone,
                    locale="en-US",
                )
            )
            context.set_default_timeout(PATIENCE)
            page = context.new_page()
            page.on("pageerror", lambda error: trouble.append(f"script error: {error}"))
            page.on("console", lambda message: trouble.append(message.text) if is_violation(message.text) else None)
            page.on("request", lambda asked: None if is_ours(asked.url, live_server.url) else trouble.append(asked.url))
            opened = Visit(page, live_server.url)
            if user:
                opened.log_in(user)
            return opened

        yield open_window
        assert not trouble, trouble


def is_violation(message: str) -> bool:
    return "Content Security Policy" in message or "Refused to" in message


def is_ours(url: str, site: str) -> bool:
    return url.startswith((site, "data:", "blob:", "about:"))
