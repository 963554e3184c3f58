"""Test the parsing of senders, recipients, signs of automated mail, and wrapped lines."""

from email.message import EmailMessage
from unittest.mock import patch

import pytest

from inbound import parsing
from inbound.parsing import Reply, read, recipients


def mail(*headers, body="take 2"):
    return "\r\n".join([*headers, "", body]).encode()


def test_a_plain_reply_is_parsed():
    raw = mail("From: Ann <Ann@Example.org>", "To: <reply+abc@play.example.org>", "Message-ID: <1@example.org>")
    assert read(raw) == Reply("ann@example.org", ("take 2",))


@pytest.mark.parametrize("raw", [b"", b"\0", b"\xff\xfe", b"\r\n\r\n", b"Content-Type: multipart/mixed\r\n\r\n--"])
def test_data_that_is_not_an_email_has_no_lines(raw):
    assert read(raw).lines == ()


@pytest.mark.parametrize(
    "headers",
    [
        [],
        ["From: nobody"],
        ["From: ann@example.org, ben@example.org"],
        ["From: ann@example.org", "From: ben@example.org"],
        ['From: "ann@example.org" <ben@example.org>, <>, cleo@example.org'],
        ['From: ann@example.org, "e e"@evil.example'],
        ['From: "e e"@evil.example, ann@example.org'],
        ["From: ann@example.org, Ben <>"],
        ["From: ann@example.org, ben"],
        ["From: ann@example.org", "From: ben"],
        ["From: ann@example.org", "From: "],
        [f"From: ann@example.org, {'b' * 400}@example.org"],
    ],
)
def test_a_sender_must_be_a_single_valid_address(headers):
    assert read(mail(*headers)).sender == ""


def test_a_name_that_looks_like_an_address_is_not_the_sender():
    assert read(mail('From: "ann@example.org" <ben@example.org>')).sender == "ben@example.org"
    assert read(mail("From: =?utf-8?q?ann=40example=2Eorg=2C?= <ben@example.org>")).sender == "ben@example.org"


def test_recipients_are_read_from_every_known_header():
    raw = mail("To: a@x.org, B@x.org", "Cc: c@x.org", "Delivered-To: d@x.org", "X-Original-To: e@x.org", "To: a@x.org")
    assert recipients(raw) == ("a@x.org", "B@x.org", "c@x.org", "d@x.org", "e@x.org")


@pytest.mark.parametrize(
    ("header", "why"),
    [
        ("Auto-Submitted: auto-replied", "auto-submitted"),
        ("Auto-Submitted: auto-generated; owner-email=x", "auto-submitted"),
        ("Precedence: bulk", "precedence"),
        ("List-Id: <x.example.org>", "list"),
        ("Return-Path: <>", "null-sender"),
        ("X-Autoreply: yes", "out-of-office"),
        ("X-Auto-Response-Suppress: All", "out-of-office"),
        ("Subject: Automatic reply: Your turn", "out-of-office"),
        ("Subject: Abwesenheitsnotiz: Your turn", "out-of-office"),
        ("Subject: =?utf-8?q?R=C3=A9ponse_automatique_=3A_Your_turn?=", "out-of-office"),
        ("Subject: Risposta automatica: Your turn", "out-of-office"),
        ("Subject: =?iso-8859-1?q?Resposta_autom=E1tica=3A_Your_turn?=", "out-of-office"),
        ("From: MAILER-DAEMON@example.org", "delivery-report"),
        ("Content-Type: multipart/report; report-type=delivery-status", "delivery-report"),
    ],
)
def test_automated_mail_is_recognized(header, why):
    assert read(mail(header)).automatic == why


@pytest.mark.parametrize("beginning", ["Re: Out Of Office", "AW: Abwesend", "R: In ferie", "RES: Ausente", "SV: Auto:"])
def test_a_reply_does_not_count_as_automated_because_of_a_players_name_in_the_subject(beginning):
    assert read(mail(f"Subject: {beginning} wrote: Good luck!")).automatic == ""


@pytest.mark.parametrize(
    "header", ["Auto-Submitted: no", "Subject: Re: Your turn: Out of office", "Precedence: first-class"]
)
def test_an_email_written_by_a_person_does_not_count_as_automated(header):
    assert read(mail(header)).automatic == ""


TEXT_FILES = [
    'Content-Disposition: attachment; filename="move.txt"\r\nContent-Type: text/plain',
    'Content-Disposition: inline; filename="move.txt"\r\nContent-Type: text/plain',
    'Content-Type: text/plain; name="move.txt"',
    "Content-Type: text/plain; name*=utf-8''move.txt",
    'Content-Type: text/html; name="move.html"',
]


@pytest.mark.parametrize("head", TEXT_FILES)
@pytest.mark.parametrize("typed", ["", "draw"])
def test_text_in_an_attached_file_is_ignored(head, typed):
    parts = f"--b\r\n\r\n{typed}\r\n--b\r\n{head}\r\n\r\nmute\r\n--b--"
    reply = read(mail("Content-Type: multipart/mixed; boundary=b", body=parts))
    assert (reply.lines, reply.attachments) == (tuple(typed.split()), 1)


@pytest.mark.parametrize("head", TEXT_FILES)
def test_text_is_ignored_if_the_whole_email_is_an_attached_file(head):
    assert read(mail(*head.split("\r\n"), body="mute")).lines == ()


def test_the_null_sender_is_read_from_the_envelope():
    assert read(mail("Return-Path: <ann@example.org>"), envelope_from="").automatic == "null-sender"
    assert read(mail(), envelope_from="<>").automatic == "null-sender"
    assert read(mail(), envelope_from="ann@example.org").automatic == ""


def test_deeply_nested_comments_in_addresses_are_ignored_without_filling_the_log(caplog):
    raw = b"From: %sann@example.org\r\n\r\ndraw\r\n" % (b"(" * 3000)
    assert (read(raw).sender, read(raw).lines) == ("", ("draw",))
    assert recipients(b"To" + raw[4:]) == ()
    assert not caplog.text


def test_after_a_parser_error_the_email_has_no_lines_and_the_error_is_logged(caplog):
    with patch.object(parsing, "body_of", side_effect=RecursionError):
        assert read(mail("From: ann@example.org"), envelope_from="") == Reply(automatic="null-sender")
    assert "Could not parse a message" in caplog.text


LONG = "say I wish you all a merry Christmas and a good start into the new year!"


def test_a_line_that_may_continue_the_one_above_is_reported():
    reply = read(mail(body=f"{LONG}\r\nbid 5\r\n\r\nboard"))
    assert (reply.lines, reply.rests) == ((f"{LONG} bid 5", "board"), ("bid 5",))


def test_a_flowed_line_that_may_continue_the_one_above_is_reported():
    flowed = "Content-Type: text/plain; format=flowed"
    assert read(mail(flowed, body="say hello \r\nbid 5\r\ndraw")).rests == ("bid 5",)
    assert read(mail(f"{flowed}; delsp=yes", body="say hello \r\nbid 5")).rests == ("bid 5",)
    assert read(mail(flowed, body="draw\r\n> say hello \r\n> bid 5")).rests == ()


@pytest.mark.parametrize("sign", ["\r", "\x0b", "\x0c", "\x85", "\u2028", "\u2029"])
def test_a_line_after_an_unusual_separator_is_reported(sign):
    raw = mail("Content-Type: text/plain; charset=utf-8", body=f"say hello{sign}bid 5")
    assert (read(raw).lines, read(raw).rests) == (("say hello bid 5",), ("bid 5",))


def in_both(text, html):
    message = EmailMessage()
    message.set_content(text)
    message.add_alternative(html, subtype="html")
    return message.as_bytes()


def test_the_html_part_shows_which_lines_were_typed_separately():
    assert read(in_both(f"{LONG}\nbid 5", f"<div>{LONG}</div><div>bid&nbsp;5</div>")).lines == (LONG, "bid 5")
    assert read(in_both(f"{LONG}\nbid 5", f"<div>{LONG} bid 5</div>")).lines == (f"{LONG} bid 5",)
    twice = read(in_both(f"{LONG}\ndraw\n\ndraw", f"<div>{LONG} draw</div><div>draw</div>"))
    assert (twice.lines, twice.rests) == ((f"{LONG} draw", "draw"), ("draw",))


def test_an_empty_line_keeps_lines_separate():
    assert read(mail(body=f"{LONG}\r\n\r\nbid 5")) == Reply(lines=(LONG, "bid 5"))
    raw = mail("Content-Type: text/plain; format=flowed", body="say hello \r\n\r\nbid 5")
    assert read(raw) == Reply(lines=("say hello", "bid 5"))
