"""Make the README's pictures from real matches: python -m demo.pictures"""

import shutil
import subprocess
from collections.abc import Callable
from email.message import EmailMessage
from io import StringIO
from pathlib import Path
from typing import Any

from matplotlib.image import imread, imsave
from PIL import Image
from playwright.sync_api import FloatRect, sync_playwright
from rich.console import Console
from rich.text import Text

from demo.mailbox import is_about
from demo.match import Match, done
from demo.players import PASSWORD, Player, WithCommandLine, WithRest
from demo.service import ROOT, Service, running, wait_for

FOLDER = ROOT / "docs" / "pictures"
ON_THE_HOME_PAGE = ROOT / "web" / "static" / "web" / "board.png"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDE, HIGH = 640, 1600
MARGIN = 16
UPPER_PART = 1.1
"""The height of the picture on the home page, relative to its width."""


class PictureFound(Exception):
    """Raised to stop the match at a position that makes a good picture."""


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with running() as service:
        ann, ben = WithCommandLine(service, "ann"), WithRest(service, "ben")
        coloretto = Match("coloretto", [ann, ben, WithRest(service, "cleo")], most=0)
        county = Match("colorado-county", [ann, ben], most=0)
        for match in (coloretto, county):
            play_until_turn(match, ann)
            draw_board(ann, match.id, FOLDER / f"{match.game}.svg")
        draw_page(service, county.id, FOLDER / "web.png")
        shrink(FOLDER / "web.png", ON_THE_HOME_PAGE)
        draw_mail(wait_for("email for ann", lambda: mail_about(ann, coloretto.id)), service, FOLDER / "mail.png")


def play_until_turn(match: Match, player: WithRest) -> None:
    """Play until it is the player's turn in the middle of the match and they have a choice."""
    match.begin()
    try:
        match.play(stop_on_turn(player))
    except PictureFound:
        return


def stop_on_turn(player: WithRest) -> Callable[[Match, Any, Player, str], None]:
    def tell(match: Match, before: Any, mover: Player, _: str) -> None:
        asked = match.awaited(match.look()).name == player.name
        if done(before) > 0.5 and asked and mover is not player and has_a_choice(player, match.id):
            raise PictureFound

    return tell


def has_a_choice(player: WithRest, match_id: str) -> bool:
    choices = player.call("GET", f"matches/{match_id}/choices")
    return len(choices["moves"]) + len(choices["forms"]) > 1


def draw_board(player: WithCommandLine, match_id: str, path: Path) -> None:
    console = Console(record=True, width=84, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi(f"$ turnpost board\n{player.run_in_colour('board', match_id)}".rstrip()))
    path.write_text(console.export_svg(title="turnpost", unique_id="board"))


def draw_page(service: Service, match_id: str, path: Path) -> None:
    """Render the match as Ann sees it in her browser, without the log and the chat."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=browser(), args=["--no-sandbox", "--disable-gpu"])
        page = chromium.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{service.url}/log-in")
        page.fill("[name=login]", "ann")
        page.fill("[name=password]", PASSWORD)
        page.press("[name=password]", "Enter")
        page.goto(f"{service.url}/matches/{match_id}")
        page.screenshot(path=path, full_page=True, clip=with_margin(page.locator(".at-the-table").bounding_box()))
        chromium.close()


def with_margin(box: FloatRect | None) -> FloatRect:
    if box is None:
        raise SystemExit("There is no board on the page.")
    return {
        "x": box["x"] - MARGIN,
        "y": box["y"] - MARGIN,
        "width": box["width"] + 2 * MARGIN,
        "height": box["height"] + 2 * MARGIN,
    }


def shrink(path: Path, to: Path) -> None:
    """Save the upper part of the picture, with the board and the cards, in 64 colors."""
    picture = Image.open(path).convert("RGB")
    picture.crop((0, 0, picture.width, round(picture.width * UPPER_PART))).quantize(64).save(to, optimize=True)


def browser() -> str:
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        raise SystemExit(f"To render pages and emails, install one of: {', '.join(BROWSERS)}")
    return found


def mail_about(player: WithRest, match_id: str) -> EmailMessage | None:
    asking = [mail for mail in player.mailbox.mails() if is_about(mail, match_id)]
    return asking[-1] if asking else None


def draw_mail(mail: EmailMessage, service: Service, path: Path) -> None:
    html, page = mail.get_body(["html"]), service.folder / "mail.html"
    page.write_text(html.get_content() if html else "")
    window = f"--window-size={WIDE},{HIGH}"
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", window, f"--screenshot={path}"]
    subprocess.run([browser(), *options, f"file://{page}"], check=True, capture_output=True, timeout=120)
    crop(path)


def crop(path: Path) -> None:
    """Remove the empty space below the email, whose height the browser does not report."""
    pixels = imread(path)
    last = max(row for row in range(len(pixels)) if (pixels[row] != pixels[-1]).any())
    imsave(path, pixels[: last + MARGIN])


if __name__ == "__main__":
    main()
