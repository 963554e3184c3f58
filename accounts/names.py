"""Names of players and titles of matches. They stand in mail to people who did not ask for it, so they must be nothing
that a mail program makes a link of; and whoever has one can be seen."""

import re
import unicodedata

# Endings after which programs see a host even where nothing follows. The many others are also ends of words.
COMMON_ENDINGS = (
    "app|biz|click|cloud|cn|co|com|dev|email|help|info|io|link|live|mov|net|online|org|page|ru|shop|site|space|store"
    "|support|tech|top|uk|website|xyz|zip"
)
# Before a name these are no host: Dr.No, St.Ann.
NO_TITLE = r"(?<!\b(?:dr|jr|mr|ms|mt|sr|st))(?<!\bmrs)(?<!\bprof)"
# Each part looks only at the few signs where a link shows itself: a host of any length takes no longer.
# What follows a dot in small letters, in large ones, or with two letters, may be an ending, too; a name begins large.
LINK = re.compile(
    r"\w://"
    r"|\bwww\d{0,2}\.\w"
    r"|\bmailto:"
    r"|\\\\\w"
    r"|\w@\w[\w-]{0,62}\.\w"
    r"|\w\.(?:xn--[a-z\d-]{1,59}|[^\W\d_]{2,63})\.?(?::\d{1,5})?(?:/|[?#]\w)"
    rf"|\w\.(?:{COMMON_ENDINGS}|xn--[a-z\d-]{{1,59}}|(?-i:[a-zа-яё]{{2,63}}))\b"
    rf"|\w\w{NO_TITLE}\.(?:[a-z]{{2}}|(?-i:[A-ZА-ЯЁ]{{2,63}}))\b",
    re.IGNORECASE,
)
# Letters and symbols by their category, and yet nothing to be seen: the fillers of Hangul, and Braille without dots.
BLANK = set("\u115f\u1160\u3164\uffa0\u2800")


def holds_link(text: str) -> bool:
    """Read as a browser does, which takes wide letters and the full stops of other scripts for ours."""
    return LINK.search(unicodedata.normalize("NFKC", text).replace("\u3002", ".")) is not None


def is_visible(text: str) -> bool:
    return any(sign not in BLANK and unicodedata.category(sign)[0] in "LNPS" for sign in text)
