"""Helpers for servers that cheat: creating and playing matches, forging proofs, and reading reports."""

import msgspec

from core import vault
from games.engine import fairness
from games.engine.dice import Dice
from games.engine.proof import Proof
from games.engine.records import canonical
from games.selectors import proofs
from games.selectors.loading import load_match
from tests.games.builders import play_some, sitting


def create(owner, *options, seats=2):
    return owner.json("new", "coloretto", "--seats", str(seats), *options)["match"]["id"]


def play(match_id, *machines):
    """Let the players look at the board, and then play the match to its end."""
    for machine in machines:
        machine.ok("board", match_id)
    play_some(load_match(match_id))


def play_through(match_id, machines, moves=None):
    """Let the players make random moves with their clients."""
    dice, made, by_name = Dice(b"\7" * 32), 0, {machine.name: machine for machine in machines}
    while made != moves and (seats := sorted((table := load_match(match_id)).engine.awaiting(table.state))):
        seat = table.seats[dice.choice(seats)]
        move = table.engine.notation(table.engine.sample(table.state, seat.drawn, dice))
        by_name[sitting(seat).username].ok("play", match_id, *move.split(), "--turn", str(table.match.turn))
        made += 1


def refusal(machine, match_id):
    done = machine.run("verify", match_id)
    assert done.exit_code == 3, done.stdout
    return done.stderr


def texts(machine, match_id, grade):
    report = machine.json("verify", match_id)
    return " ".join(finding["text"] for finding in report["findings"] if finding["grade"] == grade)


def forge(match_id, monkeypatch, **terms):
    """Replace the proof with one that is internally consistent but has different terms and random moves."""
    true = load_match(match_id)
    forged = LoadedWith(true, terms).proof()
    monkeypatch.setattr(proofs, "proof", lambda loaded: forged)


class LoadedWith:
    """Plays the same match again with different terms, and writes a proof for it."""

    def __init__(self, loaded, changes):
        self.loaded, self.changes = loaded, changes

    def proof(self):
        from games.engine.proof import ProvenMove, Replay, proven_event

        secret = vault.decrypt(self.loaded.match.encrypted_secret)
        terms = msgspec.structs.replace(self.loaded.terms, **self.changes)
        replay, dice, made = Replay(self.loaded.engine, terms, secret), Dice(b"\7" * 32), []
        engine, at = self.loaded.engine, terms.started_at
        while awaited := sorted(engine.awaiting(replay.state)):
            seat = dice.choice(awaited)
            move = engine.sample(replay.state, seat, dice)
            content = msgspec.json.decode(canonical(move))
            made.append(ProvenMove(replay.turn, seat, at, "player", content, sealed=False))
            replay.play(seat, move, fairness.MadeMove(at, "player", move, None, seat, replay.turn))
        end = fairness.End(at, (), "finished", replay.turn)
        outcome = msgspec.to_builtins(engine.outcome(replay.state))
        return canonical(
            Proof(
                terms=terms,
                secret=secret.hex(),
                seating=tuple(fairness.seating(replay.seed, len(terms.players))),
                moves=tuple(made),
                events=tuple(proven_event(event) for event in replay.events),
                end=end,
                head=fairness.link(replay.chain.head, fairness.end_leaf(end)),
                outcome=outcome,
            )
        )
