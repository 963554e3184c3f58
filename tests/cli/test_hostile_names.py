"""No command lets text from another player or a hostile server control the terminal."""

import json
import re
import unicodedata

import pytest

from accounts.models import Token, User
from cli.command_list import COMMANDS
from cli.commands import review, webhooks
from core import vault
from games.models import Match, Message, Note
from games.services import chat
from notifications.models import BouncingAddress, Notification, Webhook, WebhookCall
from tests.acceptance.security.owned_data import create_webhook
from tests.cli.all_commands import all_commands
from tests.cli.faulty_server import answer, faulty, forwarded
from tests.games.builders import play_some, running_match, sitting

# Characters that terminals act on, reorder or hide, according to the standards. They are listed here so that the test
# does not rely on the client's own list.
CONTROLS = {*range(0x20), *range(0x7F, 0xA0)} - {ord("\n"), ord("\t")}
DIRECTIONS = {0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)}
LINE_ENDS = {0x2028, 0x2029}
UNSEEN = {0x00AD, 0x180E, 0x200B, *range(0x2060, 0x2065), *range(0x206A, 0x2070), 0xFEFF, *range(0xFFF9, 0xFFFC)}
TAGS = {*range(0xE0000, 0xE0080)}
HARMFUL = {chr(number) for number in CONTROLS | DIRECTIONS | LINE_ENDS | UNSEEN | TAGS}
BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\u200f\x08\r\nroot# " + "".join(sorted(HARMFUL - {"\0"}))
MACHINE_WORD = re.compile(r"[a-z0-9_-]*|\d{4}-\d\d-\d\dT\S*")
STAYS_OPEN = {"demo"}
FURTHER = {
    "watch": ["--once"],
    "propose time": ["1d"],
    "propose pause": ["1d"],
    "propose replacement": ["ben", "cleo"],
}
"""Arguments that these commands need in order to start or to end."""
FORMS = pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])


def harm(shown):
    return {sign for sign in shown if sign in HARMFUL or unicodedata.bidirectional(sign) in BIDI_CONTROLS}


def commands():
    """Return all commands and subcommands. Logging out comes last, because nothing works after it."""
    every = [name.split() for name in dict.fromkeys([*COMMANDS, *all_commands()]) if name not in STAYS_OPEN]
    return sorted(every, key=lambda command: command == ["logout"])


def all_shown(player, form, *arguments):
    """Run all commands, with and without each argument, and yield their output."""
    for command in commands():
        for words in ([], *([argument] for argument in arguments)):
            done = player.run(*command, *words, *FURTHER.get(" ".join(command), []), *form, typed="")
            assert not harm(done.output), (command, words)
            yield done.output


def table_with_talk():
    table = play_some(running_match(), 3)
    for seat in table.seats:
        chat.post_message(table.match.id, sitting(seat), "Hello")
        chat.write_note(table.match.id, sitting(seat), "A note")
    return table


@pytest.fixture(autouse=True)
def _without_waiting(monkeypatch):
    monkeypatch.setattr(webhooks, "POLL_SECONDS", 0)
    monkeypatch.setattr(review, "LONGEST_WAIT", 0)


@FORMS
def test_no_command_prints_the_hostile_characters_in_names(machine_of, form):
    table, ann = table_with_talk(), machine_of("ann")
    webhook = create_webhook(table.seats[0].user)
    BouncingAddress.objects.create(email="ann@example.org", is_stopped=True)
    User.objects.update(display_name=HOSTILE)
    for model, field in (
        *((Match, "title"), (Message, "text"), (Token, "name"), (Webhook, "name")),
        *((Webhook, "why"), (WebhookCall, "why"), (Notification, "why"), (BouncingAddress, "why")),
    ):
        model.objects.update(**{field: HOSTILE})
    Note.objects.update(encrypted_text=vault.encrypt(HOSTILE.encode()))
    shown = "".join(all_shown(ann, form, table.match.id, str(webhook)))
    assert shown.count("owned") > 20, "The harmless part of the name is still shown, so the command did print it."


@pytest.mark.slow
@FORMS
@pytest.mark.parametrize("spared", [MACHINE_WORD, re.compile(r"(?!)")], ids=["in words", "everywhere"])
def test_no_command_prints_hostile_characters_from_a_server(machine_of, form, spared):
    table, over, ann = table_with_talk(), play_some(running_match(seats=2)), machine_of("ann")
    webhook = create_webhook(table.seats[0].user)
    with faulty(forwarded(ann.url, lambda content: spoilt(content, spared))) as server:
        ann.url = server.url
        shown = "".join(all_shown(ann, form, table.match.id, over.match.id, str(webhook)))
    assert shown.count("owned") > 20, "The harmless part of the name is still shown, so the command did print it."


def spoilt(content, spared):
    return json.dumps(worse(json.loads(content), spared)).encode() if content else content


def worse(value, spared):
    match value:
        case str():
            return value if spared.fullmatch(value) else value + HOSTILE
        case list():
            return [worse(one, spared) for one in value]
        case dict():
            return {name: worse(one, spared) for name, one in value.items()}
    return value


@FORMS
@pytest.mark.parametrize(
    "said",
    [
        answer(400, {"code": HOSTILE, "message": HOSTILE, "hint": HOSTILE, "data": {HOSTILE: HOSTILE}}),
        answer(400, {"code": "invalid", "message": "", "hint": "", "data": {"fields": {HOSTILE: [HOSTILE]}}}),
        answer(401, {"code": HOSTILE, "message": HOSTILE, "hint": HOSTILE, "data": {}}),
        answer(200, HOSTILE.encode()),
        answer(404, HOSTILE.encode()),
        answer(302, b"", Location="https://evil.example/\x1b[2J"),
        answer(302, b"", Location="https://evil.example/\x9b31m"),
        answer(302, b"", Location="https://[evil"),
    ],
    ids=["a refusal", "complaints", "no token", "no JSON", "no JSON either", "elsewhere", "no text", "nowhere"],
)
def test_no_command_prints_hostile_characters_in_a_refusal(machine, form, said):
    machine.log_in("token")
    with faulty(said) as server:
        machine.url = server.url
        shown = [machine.run(*command, *form).output for command in (["status"], ["whoami"], ["board", "k7m2x9q4a"])]
    assert not harm("".join(shown))
    assert all(shown)


def test_control_subcommands_are_run_too():
    below = {tuple(command) for command in commands() if len(command) > 1}
    assert {("propose", "pause"), ("notify", "log"), ("webhooks", "calls")} <= below
    assert {" ".join(command) for command in commands()} >= set(all_commands()) - STAYS_OPEN


def test_control_the_check_distinguishes_hostile_text_from_ordinary_names():
    assert harm(HOSTILE) == HARMFUL - {"\0"}
    assert not harm("Zoë 猫 अनन्या 👩\u200d🚀 O'Brien\n\tשלום")
