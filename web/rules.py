"""Show the rules of a game, on a public page and beside the board of a match."""

from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt

from games.engine.errors import UnknownGame
from games.engine.registry import engine

SCROLLED = '<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>'
END = "</table></div>"


@require_safe
def game_rules(request: HttpRequest, slug: str) -> HttpResponse:
    try:
        game = engine(slug)
    except UnknownGame:
        raise Http404 from None
    return render(request, "web/rules.html", {"game": game, "rules": rules_html(slug, game.rules_version)})


@lru_cache(maxsize=32)
def rules_html(game: str, version: int) -> SafeString:
    """Render the rules, which are our own text.

    The page has its own main heading, so the headings in the rules move down a level.
    """
    page = engine(game, version).rules_page().replace("\n#", "\n##")
    html: str = MarkdownIt("commonmark", {"html": False}).enable("table").render(f"#{page}")
    tables = html.replace("<th></th>", "<td></td>").replace("<table>", SCROLLED).replace("</table>", END)
    return mark_safe(tables)  # noqa: S308
