"""Name the browser in use for the list of sessions."""

import re

from django.http import HttpRequest

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
    """Return a name such as "Firefox on Windows". Only known words are used, because anyone can send any header."""
    said = request.headers.get("User-Agent", "")
    browser, system = (
        next((name for name, form in names.items() if re.search(form, said)), "") for names in (BROWSERS, SYSTEMS)
    )
    return f"{browser or 'A browser'} on {system}" if system else browser or "a browser"
