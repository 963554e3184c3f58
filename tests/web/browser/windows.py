"""Windows of a real browser, and the checks that every page must pass."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Error, Page

from accounts import browser_sessions
from accounts.models import User
from games.models import Match
from tests.not_none import not_none
from tests.waiting import until

PHONE, TABLET, DESKTOP = 320, 768, 1280
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
PICTURES = os.environ.get("PICTURES", "")
SMALLEST_TARGET = 44
OVERFLOWING = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
CONTROLS = "a, button, input:not([type=hidden]), select, textarea, summary"
SMALL_TARGETS = f"""[...document.querySelectorAll('{CONTROLS}')]
    .filter(one => one.checkVisibility() && getComputedStyle(one).display !== 'inline' && !one.matches('.skip'))
    .map(one => [one.outerHTML.slice(0, 80), (one.closest('label.choice') || one).getBoundingClientRect()])
    .filter(([, box]) => Math.min(box.width, box.height) < {SMALLEST_TARGET} - 0.5)
    .map(([html, box]) => html + ' ' + Math.round(box.width) + '×' + Math.round(box.height))"""
"""Controls that are hard to tap. Links within a sentence may be small, and the skip link is for keyboards."""


@dataclass
class Visit:
    """A browser window and the site it visits."""

    page: Page
    site: str

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def go(self, path: str) -> None:
        """Visit a page, even if the current page is just reloading itself."""
        try:
            self.page.goto(self.site + path)
        except Error as error:
            if "interrupted by another navigation" not in error.message:
                raise
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
        """Press a button. If it leads to another page, wait until that is complete."""
        self.page.get_by_role("button", name=name, exact=True).click()
        self.page.wait_for_load_state()

    def fill(self, **fields: str) -> None:
        for name, text in fields.items():
            self.page.locator(f"form [name={name}]").first.fill(text)


def notes_of(visit: Visit, match_id: str, username: str) -> dict[str, Any]:
    """Return what the browser has recorded about a match for this user."""
    origins: Any = visit.context.storage_state()["origins"]
    stored = {entry["name"]: entry["value"] for origin in origins for entry in origin["localStorage"]}
    return dict(json.loads(stored.get(f"turnpost:{match_id}:{username}", "{}")))


def wait_for_note(visit: Visit, match_id: str, username: str, name: str) -> None:
    noted = "([place, name]) => JSON.parse(localStorage.getItem(place) || '{}')[name]"
    visit.page.wait_for_function(noted, arg=[f"turnpost:{match_id}:{username}", name])


@contextmanager
def new_controls(page: Page) -> Iterator[None]:
    """Wait until the controls of a move have been replaced, by an update of the page or by another page."""
    page.locator("#controls").evaluate("one => one.toggleAttribute('data-old', true)")
    yield
    page.locator("#controls:not([data-old])").wait_for(state="attached")
    page.wait_for_load_state()


def draw_a_card(visit: Visit, match_id: str) -> None:
    """Draw a card in Coloretto. If drawing is the only possible move, there is nothing to confirm."""
    turn = Match.objects.get(pk=match_id).turn
    with new_controls(visit.page):
        visit.page.get_by_role("button", name="Draw").first.click()
    if (play := visit.page.get_by_role("button", name="Play it")).count():
        play.click()
    assert until(lambda: Match.objects.get(pk=match_id).turn > turn), "The card was not drawn."


Open = Callable[..., Visit]


def look(visit: Visit, name: str = "") -> None:
    """Check that a page is accessible, fits into the window, and has no controls that are hard to tap.

    This covers phones, tablets and desktops, in light and dark mode.
    """
    before = not_none(visit.page.viewport_size)
    for width, scheme in product((PHONE, TABLET, DESKTOP), SCHEMES):
        visit.page.set_viewport_size({"width": width, "height": before["height"]})
        visit.page.emulate_media(color_scheme=scheme)
        if PICTURES and name:
            visit.page.screenshot(path=Path(PICTURES) / f"{name}-{width}-{scheme}.png", full_page=True)
        where = f"{visit.path} at {width} px, {scheme}"
        found = Axe().run(visit.page).response["violations"] if width != TABLET else []
        assert not found, (where, [(one["id"], one["help"], [node["html"] for node in one["nodes"]]) for one in found])
        assert not visit.page.evaluate(OVERFLOWING), f"{where}: too wide"
        small = visit.page.evaluate(SMALL_TARGETS)
        assert not small, f"{where}: {small}"
    visit.page.set_viewport_size(before)
