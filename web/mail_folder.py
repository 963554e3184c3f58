"""Show the mail folder in a browser, for trying Turnpost on your own machine without a mail server."""

from collections.abc import Callable
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from core.rate_limits import came_through_a_proxy

MOST_LISTED = 200
# Links in an email open in a new tab, as they do in a mail program.
HTML_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'; "
    "sandbox allow-popups allow-popups-to-escape-sandbox"
)
NEW_TAB = '<base target="_blank">'


def only_here(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Show a page only on this machine and only without a mail server, because the emails contain the codes and links
    of all players."""

    def guarded(request: HttpRequest, **of_path: Any) -> HttpResponse:
        host = request.get_host().rpartition(":")[0].strip("[]") or request.get_host()
        nearby = request.META.get("REMOTE_ADDR") in settings.LOOPBACK and host in settings.LOOPBACK
        if not (settings.MAIL_PAGE and nearby) or came_through_a_proxy(request):
            raise Http404
        return view(request, **of_path)

    return require_safe(guarded)


@only_here
def mails(request: HttpRequest) -> HttpResponse:
    paths = sorted(folder().glob("*.eml"), reverse=True)[:MOST_LISTED]
    return render(request, "web/mails.html", {"mails": [(path.stem, read(path)) for path in paths]})


@only_here
def mail(request: HttpRequest, name: str) -> HttpResponse:
    message = read(find(name))
    policy = f"{settings.CONTENT_SECURITY_POLICY}; frame-src 'self'"
    page = render(request, "web/mail.html", {"name": name, "mail": message, "text": body(message, "plain")})
    page.headers["Content-Security-Policy"] = policy
    return page


@xframe_options_sameorigin
@only_here
def mail_html(_: HttpRequest, name: str) -> HttpResponse:
    html = body(read(find(name)), "html").replace("<head>", f"<head>{NEW_TAB}", 1)
    return HttpResponse(html, headers={"Content-Security-Policy": HTML_POLICY})


def folder() -> Path:
    return Path(settings.MAIL_FOLDER or "")


def find(name: str) -> Path:
    path = folder() / f"{name}.eml"
    if not path.is_file():
        raise Http404
    return path


def read(path: Path) -> EmailMessage:
    return message_from_bytes(path.read_bytes(), policy=policy.default)


def body(message: EmailMessage, kind: str) -> str:
    part = message.get_body([kind])
    return str(part.get_content()) if part else ""
