"""Windows of a real browser, and the checks that every page must pass."""

import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page

from accounts import browser_sessions
from accounts.models import User
from games.models import Match
from tests.not_none import not_none

PHONE, TABLET, DESKTOP = 320, 768, 1280
PICTURES = os.environ.get("PICTURES", "")
SMALLEST_TARGET = 44
OVERFLOWING = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
CONTROLS = "main a, main button, main input, main select, main summary, .top a, .top button"
SMALL_TARGETS = f"""[...document.querySelectorAll('{CONTROLS}')]
    .filter(one => one.type !== 'hidden' && one.checkVisibility() && !one.closest('p, li, td, pre, label.choice'))
    .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
    .filter(([, box]) => box.width && Math.min(box.width, box.height) < {SMALLEST_TARGET} - 0.5)
    .map(([html, box]) => html + ' ' + Math.round(box.width) + '×' + Math.round(box.height))"""


@dataclass
class Visit:
    """A browser window and the site it visits."""

    page: Page
    site: str

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def go(self, path: str) -> None:
        self.page.goto(self.site + path)

    def log_in(self, user: User) -> None:
        """Log in without the form, for tests about something else."""
        self.set_cookie("session", browser_sessions.start(user, "test")[1], "/")

    def enter(self, user: User, match_id: str) -> None:
        """Enter the match as if the user had opened the link in an email about it."""
        self.set_cookie("seat", browser_sessions.start(user, "test", match_id)[1], f"/matches/{match_id}")

    def set_cookie(self, name: str, value: str, path: str) -> None:
        host = not_none(re.fullmatch(r"http://([^:/]+):\d+", self.site))[1]
        cookie: Any = {"name": name, "value": value, "domain": host, "path": path, "httpOnly": True, "sameSite": "Lax"}
        self.context.add_cookies([cookie])

    @property
    def path(self) -> str:
        return self.page.url.removeprefix(self.site)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def fill(self, **fields: str) -> None:
        for name, text in fields.items():
            self.page.locator(f"form [name={name}]").first.fill(text)


def draw_a_card(visit: Visit, match_id: str) -> None:
    """In Coloretto. There is nothing to confirm if drawing is the only possible move."""
    turn = Match.objects.get(pk=match_id).turn
    visit.page.get_by_role("button", name="Draw").first.click()
    play = visit.page.get_by_role("button", name="Play it")
    for _ in range(100):
        if Match.objects.get(pk=match_id).turn > turn:
            return
        if play.count():
            play.click()
        visit.page.wait_for_timeout(100)
    raise AssertionError("The card was not drawn.")


Open = Callable[..., Visit]


def look(visit: Visit, name: str = "") -> None:
    """Check a page for accessibility, for content wider than the window, and for controls that are hard to tap."""
    width = not_none(visit.page.viewport_size)["width"]
    if PICTURES and name:
        visit.page.screenshot(path=Path(PICTURES) / f"{name}.png", full_page=True)
    found = Axe().run(visit.page).response["violations"]
    assert not found, [(one["id"], one["help"], [node["html"] for node in one["nodes"]]) for one in found]
    assert not visit.page.evaluate(OVERFLOWING), f"{visit.path} is wider than {width} px"
    small = visit.page.evaluate(SMALL_TARGETS)
    assert not small, f"{visit.path} at {width} px: {small}"
