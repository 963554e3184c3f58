"""Name the current browser for the list of sessions."""

import re

from django.http import HttpRequest
from django.utils.translation import gettext

BROWSERS = {
    "Edge": r"\bEdgA?/",
    "Opera": r"\bOPR/",
    "Samsung Internet": r"\bSamsungBrowser/",
    "Firefox": r"\b(Firefox|FxiOS)/",
    "Chrome": r"\b(Chrome|CriOS)/",
    "Safari": r"\bSafari/",
}
SYSTEMS = {
    "iPhone": r"\biPhone\b",
    "iPad": r"\biPad\b",
    "Android": r"\bAndroid\b",
    "Windows": r"\bWindows\b",
    "macOS": r"\bMac OS X\b",
    "ChromeOS": r"\bCrOS\b",
    "Linux": r"\bLinux\b",
}


def device_of(request: HttpRequest) -> str:
    """Return a name such as "Firefox on Windows".

    It consists only of known words, because the header could contain anything.
    """
    said = request.headers.get("User-Agent", "")
    browser, system = (
        next((name for name, form in names.items() if re.search(form, said)), "") for names in (BROWSERS, SYSTEMS)
    )
    if system and browser:
        return gettext("%(browser)s on %(system)s") % {"browser": browser, "system": system}
    return gettext("A browser on %(system)s") % {"system": system} if system else browser or gettext("a browser")
