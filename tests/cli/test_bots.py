from games.selectors.loading import load_match
from games.services import bot_moves


def finish(ann, match_id):
    """Make minimal moves for Ann until the match is over."""
    while (table := load_match(match_id)).match.phase == "running":
        bot_moves.play_due()
        table = load_match(match_id)
        own = next(seat for seat in table.seats if not seat.is_bot)
        if own.awaited_since:
            move = table.engine.notation(table.engine.on_timeout(table.state, own.drawn))
            ann.ok("play", match_id, move, "--turn", str(table.match.turn))


def test_a_match_against_bots_starts_immediately_and_is_proven_fair(machine_of):
    ann = machine_of("ann")
    match = ann.json("new", "coloretto", "--bots", "1", "--level", "easy")["match"]
    assert match["phase"] == "running"
    assert {seat["player"]["name"]: seat["level"] for seat in match["seats"]} == {"Ann": None, "Ada (bot)": "easy"}
    assert "Ada (bot)" in ann.ok("board", match["id"])
    finish(ann, match["id"])
    verified = ann.json("verify", match["id"])
    assert verified["conclusion"].startswith("The match was fair")
    assert "Player 2 is a bot run by the server." in [finding["text"] for finding in verified["findings"]]


def test_free_seats_can_be_given_to_bots_later(machine_of):
    ann = machine_of("ann")
    match_id = ann.json("new", "coloretto", "--seats", "3", "--allow-bots")["match"]["id"]
    assert "If a player is late or away, a bot moves for them." in ann.ok("board", match_id)
    assert ann.json("bots", match_id)["match"]["phase"] == "running"


def test_hard_bots_can_get_more_thinking_time(machine_of):
    ann = machine_of("ann")
    assert ann.json("new", "coloretto", "--bots", "1", "--level", "hard", "--think", "10")["match"]["think"] == 10
    assert ann.json("new", "coloretto", "--bots", "1")["match"]["think"] is None


def test_errors_about_bots_say_what_is_wrong(machine_of):
    ann = machine_of("ann")
    for arguments, sentence in [
        (("--bots", "2", "--level", "godlike"), "There is no level called 'godlike'."),
        (("--bots", "3", "--seats", "3"), "There is no room for 3 bots: 2 seats are free."),
        (("--level", "hard"), "Add the number of bots: turnpost new coloretto --bots 2 --level hard"),
        (("--bots", "1", "--no-allow-bots"), "This match doesn't allow bots."),
        (("--bots", "1", "--think", "11"), "think"),
    ]:
        assert sentence in ann.run("new", "coloretto", *arguments).output
