"""Names, titles and messages that would steer a terminal, in every command that there is."""

import pytest

from accounts.models import User
from cli.contents import COMMANDS
from cli.safe import is_harmful
from games import talk
from games.models import Match, Message
from tests.games.builders import play_some, running_match

HOSTILE = "\x1b[2J\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066\u200f\x08\r\nroot# "
STAYS_OPEN = {"demo"}
ONCE = {"watch": ["--once"]}


@pytest.mark.parametrize("form", [(), ("--json",)], ids=["text", "json"])
def test_no_command_lets_them_through(desk, form):
    table = play_some(running_match(), 3)
    talk.say(table.match.id, table.seats[1].user, "Hello")
    User.objects.update(display_name=HOSTILE)
    Match.objects.update(title=HOSTILE)
    Message.objects.update(text=HOSTILE)
    ann, shown = desk("ann"), ""
    for command in [name for name in COMMANDS if name not in STAYS_OPEN]:
        for words in ([], [table.match.id]):
            done = ann.run(command, *words, *ONCE.get(command, []), *form, typed="")
            assert not [sign for sign in done.output if is_harmful(sign)], (command, words)
            shown += done.output
    assert shown.count("owned") > 10, "As a control, what is harmless of it is shown."
