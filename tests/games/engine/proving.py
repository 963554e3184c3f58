"""Create proofs of random matches without a server.

`python -m tests.games.engine.proving` writes proofs for every version of a game's rules that has none yet. Committed
files are never rewritten.
"""

from pathlib import Path
from typing import Any

import msgspec

from games.engine import fairness, receipts
from games.engine.dice import Dice
from games.engine.fairness import Contribution, End, MadeMove, Terms
from games.engine.proof import Proof, ProvenMove, Replay, proven_event
from games.engine.records import canonical
from games.engine.registry import engines
from tests.games.engine.playing import seed_of
from tests.games.engine.setups import SETUPS, Setup

FOLDER = Path(__file__).parent / "proofs"
MATCH = "k7m2x9q4a"
MAKERS: tuple[fairness.MoveMaker, ...] = ("player", "player", "standing_order", "time_out", "stand_in", "bot")


def time(number: int) -> str:
    return f"2026-11-17T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}.000120Z"


class Match:
    """Plays a match, and records everything that is listed in its proof."""

    def __init__(self, setup: Setup, number: int = 1, salts: fairness.Salts = "open") -> None:
        self.secret, self.will = seed_of("secret", number), Dice(seed_of("proof", number))
        self.terms = Terms(
            match=MATCH,
            game=setup.slug,
            rules=setup.engine.rules_version,
            options=msgspec.to_builtins(setup.options),
            salts=salts,
            secret_hash=fairness.secret_hash(self.secret),
            players=tuple(share(position, salts) for position in range(1, setup.seats + 1)),
            started_at=time(0),
        )
        self.replay = Replay(setup.engine, self.terms, self.secret)
        self.moves: list[ProvenMove] = []
        self.waiting: dict[int, int] = {}
        """The index of each seat's pending sealed move in `moves`."""
        self.count = 0

    def play(self, most: int = 20_000) -> None:
        engine = self.replay.engine
        while self.count < most and (awaited := sorted(engine.awaiting(self.replay.state))):
            others = [seat for seat in self.waiting if engine.choices(self.replay.state, seat)]
            seat = self.will.choice(awaited if self.will.below(4) or not others else others)
            self.make(seat, engine.sample(self.replay.state, seat, self.will))

    def make(self, seat: int, move: Any) -> None:
        self.count += 1
        engine, turn = self.replay.engine, self.replay.turn
        sealed, content = engine.is_sealed(move), self.written(move)
        nonce = seed_of("nonce", self.count).hex()[:32] if sealed else None
        shown, whole = canonical(self.written(engine.revealed(move))), canonical(content)
        receipt = receipts.receipt(MATCH, turn, seat, nonce, shown, whole) if nonce else None
        by = self.will.choice(MAKERS)
        self.replay.play(seat, move, MadeMove(time(self.count), by, content, receipt, seat, turn))
        if seat in self.waiting and sealed:
            first = self.moves[self.waiting[seat]]
            change = {"by": by, "move": content, "nonce": nonce, "receipt": receipt}
            self.moves[self.waiting[seat]] = msgspec.structs.replace(first, **change)
        else:
            self.moves.append(ProvenMove(turn, seat, time(self.count), by, content, sealed, nonce, receipt))
            self.settle(seat, sealed=sealed)
        if self.replay.turn != turn:
            if not sealed:
                self.hide(*self.waiting)
            self.waiting = {}

    def written(self, move: Any) -> dict[str, Any]:
        return dict(msgspec.json.decode(canonical(move)))

    def settle(self, seat: int, *, sealed: bool) -> None:
        if sealed:
            self.waiting[seat] = len(self.moves) - 1
        elif seat in self.waiting:
            self.hide(seat)
            del self.waiting[seat]

    def hide(self, *seats: int) -> None:
        for seat in seats:
            place = self.waiting[seat]
            self.moves[place] = msgspec.structs.replace(self.moves[place], by=None, move=None, nonce=None, receipt=None)

    def proof(self) -> bytes:
        self.hide(*self.waiting)
        outcome = self.replay.engine.outcome(self.replay.state)
        asked = () if outcome else tuple(range(len(self.terms.players)))
        end = End(time(self.count + 1), asked, "finished" if outcome else "abandoned", self.replay.turn)
        return canonical(
            Proof(
                terms=self.terms,
                secret=self.secret.hex(),
                seating=tuple(fairness.seating(self.replay.seed, len(self.terms.players))),
                moves=tuple(self.moves),
                events=tuple(proven_event(event) for event in self.replay.events),
                end=end,
                head=fairness.link(self.replay.chain.head, fairness.end_leaf(end)),
                outcome=msgspec.to_builtins(outcome),
            )
        )


OTHER_MAKERS: dict[int, fairness.SaltMaker] = {3: "server", 4: "bot"}


def share(position: int, salts: fairness.Salts) -> Contribution:
    """Return what a player contributes to the seed. With committed salts, the second player has not revealed theirs."""
    salt, pseudonym = f"salt {position}", seed_of("pseudonym", position).hex()
    by = OTHER_MAKERS.get(position, "player")
    if salts == "open" or by == "server":
        return Contribution(position, by, salt, None, pseudonym)
    return Contribution(position, by, None if position == 2 else salt, fairness.commitment(MATCH, salt), pseudonym)


def prove(setup: Setup, number: int = 1, salts: fairness.Salts = "open", most: int = 20_000) -> bytes:
    match = Match(setup, number, salts)
    match.play(most)
    return match.proof()


def path(slug: str, rules: int, setup: Setup | str) -> Path:
    return FOLDER / f"{slug}-{rules}" / f"{setup}.json"


def write_missing() -> None:
    for engine in engines():
        for setup in SETUPS[engine.slug]:
            file = path(engine.slug, engine.rules_version, setup)
            if str(setup) in KEPT and not file.exists():
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(prove(setup))
            file = path(engine.slug, engine.rules_version, f"{setup}-abandoned")
            if str(setup) in KEPT and not file.exists():
                file.write_bytes(prove(setup, salts="committed", most=ABANDONED_AFTER))


KEPT = {
    "colorado-county-3",
    "colorado-county-players-one-2",
    "coloretto-classic-single-4",
    "coloretto-modern-2",
    "coloretto-violet-3",
}
"""The setups whose proofs are stored: a finished match with open salts, and an abandoned one with committed salts, one
of which was not revealed. Together, they cover every option."""
ABANDONED_AFTER = 41


if __name__ == "__main__":
    write_missing()
