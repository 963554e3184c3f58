"""People who play in a browser with a finger on a phone, with only the keyboard, or without JavaScript.

They don't know the games. They press the controls that the page offers until a move is made.
"""

from dataclasses import dataclass, field

from playwright.sync_api import Locator, Page

from games.engine.dice import Dice
from tests.web.browser.windows import Visit, new_controls

MORE_PRESSES_THAN_ANY_MOVE = 40
MORE_TABS_THAN_ANY_PAGE = 250
PLAY = "#controls form[action$='/move'] button:not(.quiet)"
IS_FOCUSED = "one => one === document.activeElement"


@dataclass
class Person:
    visit: Visit
    match_id: str
    dice: Dice = field(default_factory=lambda: Dice(b"\1" * 32))

    @property
    def page(self) -> Page:
        return self.visit.page

    def press(self, what: Locator) -> None:
        what.click()

    def move(self) -> None:
        """Open the match and make a move."""
        self.visit.go(f"/matches/{self.match_id}")
        for _ in range(MORE_PRESSES_THAN_ANY_MOVE):
            if (play := self.page.locator(PLAY)).count():
                with self.page.expect_navigation():
                    self.press(play.first)
                return
            self.choose()
        raise AssertionError(f"no move was made: {self.page.inner_text('#controls')}")

    def choose(self) -> None:
        """Press once: on the board, on an offered move, or on the button that completes a form."""
        chips = self.page.locator("#controls .pick input:not(:checked)")
        if chips.count() and not self.page.locator("#controls .pick input:checked").count():
            self.press(chips.nth(self.dice.below(chips.count())))
            return
        offered = self.page.locator(
            "#board .tap:not(.chosen), #controls [name=move], #controls [name=add], #controls [name=done]:enabled"
        )
        ends = self.page.locator("#controls [name=add], #controls [name=done]:enabled")
        wanted = ends if ends.count() and self.dice.below(3) else offered
        self.tap(wanted.nth(self.dice.below(wanted.count())))

    def tap(self, what: Locator) -> None:
        """Press something and wait until the page has changed."""
        with new_controls(self.page):
            self.press(what)


class WithAFinger(Person):
    def press(self, what: Locator) -> None:
        what.tap()


class ByKeyboard(Person):
    def press(self, what: Locator) -> None:
        """Press Tab until the control has the focus, then press the key that a person would press."""
        handle = what.element_handle()
        for _ in range(MORE_TABS_THAN_ANY_PAGE):
            if handle.evaluate(IS_FOCUSED):
                break
            self.page.keyboard.press("Tab")
        assert handle.evaluate(IS_FOCUSED), f"not reached by Tab: {handle.evaluate('one => one.outerHTML')}"
        self.page.keyboard.press("Space" if handle.evaluate("one => one.tagName") == "INPUT" else "Enter")
