"""Compare the moves in a proof with those that the player sent, and with the receipts that players got."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from cli.findings import MISSING, PROVEN, Finding, invalid_proof, numbered
from cli.local_store import Document
from cli.problems import Refused
from games.engine.text import counted, listing

if TYPE_CHECKING:
    from games.engine.proof import Proof, ProvenMove, Replay

NOT_BY_THE_PLAYER = {"time_out": "a time-out", "stand_in": "a stand-in", "bot": "a bot"}
NOT_SENT = NOT_BY_THE_PLAYER | {"standing_order": "a standing order"}
MOST_TURNS = 10
"""The maximum number of turns to list."""


def move_findings(proof: "Proof", notes: Document, sent: Document) -> list[Finding]:
    return [*sealed_findings(proof, sent), *own_move_findings(proof, notes, sent), *refused_findings(proof, notes)]


def sealed_findings(proof: "Proof", sent: Document) -> list[Finding]:
    """Compare the player's sealed moves with the proof. A turn may have no revealed move, because its moves were
    withdrawn or voided."""
    rules, confirmed = rules_of(proof), 0
    for turn, on_turn in sent.items():
        sealed = [one for one in on_turn if not one.get("is_open")]
        revealed = [move for move in proof.moves if move.receipt and str(move.turn) == turn]
        if sealed and revealed and not any(may_be_the_same(rules, move, one) for move in revealed for one in sealed):
            raise other_sealed_move(proof, turn, sealed)
        confirmed += any(is_the_same(rules, move, one) for move in revealed for one in sent_from_here(sealed))
    if not confirmed:
        return []
    moves = "sealed move matches" if confirmed == 1 else f"{confirmed} sealed moves match"
    return [Finding(PROVEN, f"Your {moves} what this client sent.")]


def sent_from_here(on_turn: list[Document]) -> list[Document]:
    """Leave out moves that the client only knows from the server, which may have made them up."""
    return [one for one in on_turn if not one.get("is_shown")]


def own_move_findings(proof: "Proof", notes: Document, sent: Document) -> list[Finding]:
    """Look for moves that the server may have made in the player's name."""
    own, rules = own_seat(proof, notes), rules_of(proof)
    if own is None:
        return [Finding(MISSING, "This client doesn't know your seat, so it couldn't compare the moves in your name.")]
    others = [move for move in proof.moves if move.seat == own and move.by in NOT_SENT]
    moves = [move for move in proof.moves if move.seat == own and move.by == "player"]
    foreign = [
        move
        for move in moves
        if not any(is_the_same(rules, move, one) for one in sent_from_here(sent.get(str(move.turn), [])))
    ]
    found = [Finding(MISSING, made_for_the_player(others))] if others else []
    if unreadable := unreadable_moves(rules, foreign, sent):
        text = f"This client can't read what you sent on {turns_of(unreadable)}, so it can't compare it with the proof."
        found.append(Finding(MISSING, text))
        foreign = [move for move in foreign if move not in unreadable]
    if foreign:
        return [*found, Finding(MISSING, not_sent(foreign, len(moves)))]
    sent_all = f"This client sent all moves in your name ({counted(len(moves), 'move')})."
    return [*found, Finding(PROVEN, sent_all)] if moves and not unreadable else found


def own_seat(proof: "Proof", notes: Document) -> int | None:
    """Return the player's seat. A client that last saw the match before it started knows only the player's position."""
    if "seat" in notes:
        return int(notes["seat"])
    places = [place for place, one in enumerate(proof.terms.players) if one.position == notes.get("position")]
    return proof.seating.index(places[0]) if places else None


def made_for_the_player(moves: "list[ProvenMove]") -> str:
    makers = listing([name for by, name in NOT_SENT.items() if any(move.by == by for move in moves)])
    made = f"The proof says that {makers} made {counted(len(moves), 'move')} for you ({turns_of(moves)})."
    return f"{made} You have only the operator's word that there was a reason."


def not_sent(moves: "list[ProvenMove]", of: int) -> str:
    were = "was" if len(moves) == 1 else "were"
    text = f"{counted(len(moves), 'move')} of {of} in your name {were} not sent by this client, which has no note for "
    return f"{text}{turns_of(moves)}. If you didn't make them by email or on another device, the server did."


def turns_of(moves: "list[ProvenMove]") -> str:
    turns = sorted({move.turn for move in moves})
    if len(turns) <= MOST_TURNS:
        return numbered("turn", turns)
    return f"turns {', '.join(map(str, turns[:MOST_TURNS]))} and {len(turns) - MOST_TURNS} more"


def rules_of(proof: "Proof") -> Any:
    from games.engine.registry import engine

    return engine(proof.terms.game, proof.terms.rules)


def may_be_the_same(rules: Any, proven: "ProvenMove", sent: Document) -> bool:
    """Return whether the move in the proof is the one that was sent, or may be: a client can't compare notation that
    only a newer one can parse."""
    is_readable = parsed(rules, sent) is not None
    return is_the_same(rules, proven, sent) or (not is_readable and sent["receipt"] == proven.receipt is not None)


def is_the_same(rules: Any, proven: "ProvenMove", sent: Document) -> bool:
    """Return whether the move in the proof is the one that was sent.

    Comparing receipts isn't enough, because the server may have issued the receipt for another move.
    """
    from games.engine.records import canonical

    if proven.seat != sent["seat"] or sent["receipt"] not in (None, proven.receipt):
        return False
    move = parsed(rules, sent)
    return move is not None and canonical(move) == canonical(proven.move)


def parsed(rules: Any, sent: Document) -> Any:
    """Return the move, or None if this client can't read its notation."""
    from games.engine.errors import MalformedMove

    try:
        return rules.parse(sent["move"])
    except MalformedMove:
        return None


def unreadable_moves(rules: Any, moves: "list[ProvenMove]", sent: Document) -> "list[ProvenMove]":
    """Return the moves whose notation this client can't read, so that it can't compare them with the proof."""
    return [
        move
        for move in moves
        if any(may_be_the_same(rules, move, one) for one in sent_from_here(sent.get(str(move.turn), [])))
    ]


def refused_findings(proof: "Proof", notes: Document) -> list[Finding]:
    """Look for moves that the server refused although the rules allowed them.

    On a turn with sealed moves, a move counts only if it was legal at every point of the turn.
    """
    seat, rules = own_seat(proof, notes), rules_of(proof)
    asked = {(one["turn"], one["move"]) for one in notes.get("refused") or []}
    if not asked or seat is None:
        return []
    possible: dict[tuple[int, str], bool] = {}
    for replay in replayed(proof):
        for turn, written in asked:
            if turn == replay.turn:
                is_legal = possible.get((turn, written), True) and may_play(
                    replay, seat, parsed(rules, {"move": written})
                )
                possible[turn, written] = is_legal
    turns = sorted({turn for (turn, _), is_legal in possible.items() if is_legal})
    if not turns:
        return []
    which = "a legal move" if len(turns) == 1 else "legal moves"
    return [Finding(MISSING, f"The server refused {which} that you wanted to make ({numbered('turn', turns)}).")]


def may_play(replay: "Replay", seat: int, move: Any) -> bool:
    from games.engine.dice import Dice
    from games.engine.errors import EngineError

    try:
        return move is not None and bool(replay.engine.play(replay.state, seat, move, Dice(replay.seed, replay.turn)))
    except EngineError:
        return False


def replayed(proof: "Proof") -> "Iterator[Replay]":
    """Replay the match. Yield the replay after the deal and after every move."""
    from games.engine.proof import Replay, made_move

    rules = rules_of(proof)
    replay = Replay(rules, proof.terms, bytes.fromhex(proof.secret))
    yield replay
    for made in proof.moves:
        move = rules.on_timeout(replay.state, made.seat) if made.move is None else rules.read_move(made.move)
        replay.play(made.seat, move, made_move(made))
        yield replay


def other_sealed_move(proof: "Proof", turn: str, sealed: list[Document]) -> Refused:
    """Report that the proof shows a different sealed move.

    Only the player knows whether they changed it on another device.
    """
    who = next((maker for one in sealed if one["receipt"] and (maker := maker_instead(proof, int(turn), one))), "")
    if who:
        message = f"You sealed a move on turn {turn}, but {who} moved for you: the server dropped your move."
        return invalid_proof("dropped_move", message)
    return Refused(
        "other_move",
        f"The move you sealed on turn {turn} isn't the one in the proof.",
        "If you didn't change it by mail or on another machine, the server did. Save the evidence: turnpost export ID",
        turn=int(turn),
    )


def maker_instead(proof: "Proof", turn: int, sent: Document) -> str:
    """Return who moved instead of the player who has this receipt, or an empty string if the player did.

    The player's own move could have been replaced only by the player. If they had withdrawn it, the proof would list
    the withdrawn move.
    """
    moves = [move for move in proof.moves if (move.turn, move.seat) == (turn, sent["seat"]) and move.sealed]
    if len(moves) != 1 or moves[0].receipt in (None, sent["receipt"]):
        return ""
    return NOT_BY_THE_PLAYER.get(moves[0].by or "", "")


def check_receipts(proof: "Proof", other: Document, is_signed: Any) -> str:
    """Compare another player's receipts with the proof. Raise Refused if the server dropped one of their moves."""
    receipts = other["receipts"]
    for sent in receipts:
        if who := maker_instead(proof, sent["turn"], sent):
            evidence = "It signed the receipt, which proves misconduct."
            if not is_signed(sent):
                evidence = "It hasn't signed the receipt, so the file may be forged."
            message = f"Seat {sent['seat']} sealed a move on turn {sent['turn']}, but {who} moved instead. {evidence}"
            hint = "Keep the file and the proof, and show them to the other players."
            raise Refused("dropped_move", message, hint, proven=is_signed(sent))
    known = {(move.turn, move.seat, move.receipt) for move in proof.moves}
    found = sum((sent["turn"], sent["seat"], sent["receipt"]) in known for sent in receipts)
    if not receipts:
        return ""
    text = f"The proof contains {found} of their {counted(len(receipts), 'receipt')}."
    return text if found == len(receipts) else f"{text} Ask the player whether they replaced or withdrew the others."
