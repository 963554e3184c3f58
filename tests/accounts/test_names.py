"""Players and matches can have any name that people use, but not a link."""

import time

import pytest

from accounts.validators import holds_link, is_visible

LINKS = [
    "your account is locked: https://evil.example/login now",
    "HTTPS://EVIL.EXAMPLE",
    "ftp://evil.example",
    "www.evil.example",
    "Www2.evil.example",
    "evil.example/login",
    "evil.example/",
    "evil.example./login",
    "evil.example:8080/login",
    "evil.example?login",
    "log in at bücher.example/müller",
    "пример.испытание/вход",
    "xn--e1afmkfd.xn--80akhbyknj4f/login",
    "evil.com",
    "Go to evil.com now",
    "sub.evil.NET",
    "evil.co.uk",
    "help@evil.example",
    "mailto:help",
    r"\\evil\share",
    "ｅｖｉｌ．ｃｏｍ",
    "evil。example/login",
    "evil.me",
    "t.me",
    "log in: evil.de now",
    "paypal.support",
    "PayPal.Support",
    "evil.example",
    "Evil.De",
    "EVIL.DE",
    "EVIL.MUSEUM",
    "Free-Prizes.Club",
    "Free-Prizes.Club_",
    "_Free-Prizes.Club_",
    "Free-Prizes.Club_now",
    "(Free-Prizes.Club)",
    "*Free-Prizes.Club*",
    "Free-Prizes.Club-",
    "Free-Prizes.Club…",
    "evil.com_",
    "EVIL.MUSEUM_",
    "_www.Evil_",
    "пример.рф_",
    "_192.168.0.1_",
    "_tel:5551234",
    "Win.Casino",
    "Your Prize.Bet now",
    "dr.no",
    "Dr.No",
    "DR.NO",
    "Prof.Li",
    "Prof.Club",
    "Mr.Bet",
    "St.Win",
    "J.Bet",
    "Win🎁.Club",
    "🎁.Club",
    "Win❤️.Club",
    "🎁.ws",
    "Win‐.Club",
    "Win)🎁.Club/now",
    "Win․Club",
    "Win｡Club",
    "Ｗｉｎ🎁．Ｃｌｕｂ",
    "пример.рф",
    "xn--e1afmkfd.xn--p1ai",
    "192.168.0.1",
    "log in at 1.1.1.1 now",
    "1.1.1.1:8080",
    "Prize: +1 (555) 123-4567",
    "+491701234567",
    "tel:5551234",
    "sms:12345",
    "skype:evil",
    "javascript:alert(1)",
    "magnet:?xt=urn",
]
PEOPLE = [
    "Ann",
    "St. Ann",
    "St.Ann",
    "J.R.",
    "J.R._",
    "v1.2_beta",
    "_Mr.Bean_",
    "St.John_",
    "J. R. R. Tolkien",
    "v1.2",
    "v1.2/beta",
    "Mr.Bean",
    "Mr./Mrs. Bean",
    "10 a.m./p.m.",
    "and/or",
    "Ann :/",
    "Awww...",
    "Zoë",
    "猫。犬",
    "अनन्या",
    "O'Brien",
    "Ann @ home",
    "@ann",
    "Benoît ☕",
    "❤️",
    "Dr.Communio",
    "3.14",
    "19:30",
    r"¯\_(ツ)_/¯",
    "Really?No.",
    "J.R.R. Tolkien",
    "J. R. Smith",
    "Dr. No",
    "Mr. Bet",
    "Win 🎁. Club",
    "Ann 🎁",
    "🎁...",
    "J.Smith",
    "St. John",
    "Mrs.Dalloway",
    "Anne.Marie",
    "Ph.D.",
    "a.k.a. Ben",
    "Ann...and Ben",
    "Round 2.5",
    "Sunday evening. at Ann's",
    "v1.2.3",
    "1.2.3",
    "+2",
    "+2 +2 +2",
    "18.11.2026",
    "2026-11-18 20:00",
    "Ann: 2+2",
    "Hotel: Ann",
]
BLANKS = ["\u3164", "\u115f\u1160", "\uffa0", "\u2800\u2800", "\u00a0", "\u3164 \u3164", "\u034f", "\ufe0f", "\u2003"]


@pytest.mark.parametrize("name", LINKS)
def test_text_that_mail_programs_turn_into_a_link_is_refused(name):
    assert holds_link(name)


@pytest.mark.parametrize("name", PEOPLE)
def test_real_names_are_not_links(name):
    assert not holds_link(name)


@pytest.mark.parametrize("name", BLANKS)
def test_an_invisible_name_is_refused(name):
    assert not is_visible(name)


@pytest.mark.parametrize("piece", ["a.", "a@", "www", "a-", "aa.bb", "\\", "://", "é", "..", "\u3164"])
def test_checking_the_longest_text_is_fast(piece):
    began = time.process_time()
    holds_link(piece * 20_000)
    is_visible(piece * 20_000)
    assert time.process_time() - began < 0.5
