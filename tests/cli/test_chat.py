import pytest

from tests.cli.shapes import check
from tests.games.builders import running_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def match_id():
    return running_match(seats=2).match.id


def test_the_other_player_reads_the_message(machine_of, match_id):
    ann, ben = machine_of("ann"), machine_of("ben")
    check("say", ann.json("say", match_id, "Good luck"))
    ben.ok("say", match_id, "And", "to", "you")
    shown = ann.ok("messages", match_id).splitlines()
    assert [line.partition(":")[2].strip() for line in shown] == ["Good luck", "And to you"]
    assert shown[0].startswith("Ann, ")
    check("messages", ann.json("messages", match_id))


def test_without_an_id_the_message_goes_to_the_current_match(machine_of, match_id):
    other = running_match(seats=2).match.id
    ann = machine_of("ann")
    ann.ok("use", match_id)
    assert ann.ok("say", "Good", "luck") == f"Message sent in {match_id}.\n"
    assert ann.ok("say", "beautiful", "cards") == f"Message sent in {match_id}.\n", "Nine letters, but not an ID."
    assert ann.ok("say", other, "Hello") == f"Message sent in {other}.\n", "This machine hasn't seen the match."
    assert ann.ok("say", match_id[:5], "again") == f"Message sent in {match_id}.\n"
    assert "beautiful cards" in ann.ok("messages")


def test_an_empty_chat_shows_how_to_write_a_message(machine_of, match_id):
    assert "turnpost say" in machine_of("ann").ok("messages", match_id)


def test_a_message_cannot_control_the_terminal(machine_of, match_id):
    from games.models import Message

    machine_of("ann").ok("say", match_id, "x")
    Message.objects.update(text="\x1b]0;owned\x07 and \u202eback")
    assert "\x1b" not in machine_of("ben").ok("messages", match_id)


def test_notes_are_private(machine_of, match_id):
    ann, ben = machine_of("ann"), machine_of("ben")
    assert "No notes yet." in ann.ok("notes", match_id)
    ann.ok("notes", match_id, "--write", "Ben collects red")
    assert ann.ok("notes", match_id, "--add", "and blue") == "Ben collects red\nand blue\n"
    check("notes", ann.json("notes", match_id))
    assert "No notes yet." in ben.ok("notes", match_id)


def test_long_messages_are_wrapped_between_words(machine_of, match_id):
    text = "Sorry that I am so slow this week, I will have more time on Saturday and on Sunday"
    machine_of("ann").ok("say", match_id, text)
    shown = machine_of("ben").ok("messages", match_id, "--style", "color", NO_COLOR="1")
    assert max(map(len, shown.splitlines())) <= 80
    assert " ".join(shown.split()).endswith(text)


def test_strangers_cannot_read_messages(machine_of, match_id):
    cleo = machine_of("cleo")
    assert cleo.run("messages", match_id).exit_code == 3
    assert cleo.run("say", match_id, "hello").exit_code == 3
