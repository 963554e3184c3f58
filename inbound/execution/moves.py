"""Play the moves of a reply in order.

One email can play all steps of a turn. Each move is played on the turn that the previous move led to, provided that
nobody else has acted in between. A refused or sealed move ends the sequence.
"""

from games.engine.text import listing
from games.models import Move, Source
from games.services.moves import Actor, MoveResult, submit_to
from games.shapes import MadeMove, MoveAccepted
from inbound.execution.run import Run
from inbound.models import InboundMail
from notifications.letters.blocks import unbroken


def play(run: Run, text: str, turn: int | None) -> None:
    """Play a move on the turn that the email showed. If the player copied a command that contains a turn, use that turn
    instead."""
    if run.why_no_more:
        refuse(run, f"{named(run, text)} wasn't played{run.why_no_more}")
        return
    if has_newer_move(run):
        refuse(run, f"{named(run, text)} wasn't played, because you have sent another move since then.")
        return
    actor = Actor(Source.MAIL, run.genuine.user)
    note_result(run, text, submit_to(run.genuine.loaded, run.genuine.seat, actor, text, turn or run.turn))


def has_newer_move(run: Run) -> bool:
    """Return whether a later email has already made a move.

    Emails are handled in order, unless one of them fails and has to be tried again.
    """
    newer = InboundMail.objects.filter(user=run.genuine.user, received_at__gt=run.mail.received_at)
    return newer.filter(has_moved=True, notification__match=run.match_id, turn=run.mail.turn).exists()


def named(run: Run, text: str) -> str:
    """Name a move for the answer. A sealed move is never repeated in an email, even if it was refused."""
    engine = run.genuine.loaded.engine
    move = engine.parse(text)
    return "Your sealed move" if isinstance(move, engine.sealed_moves) else f"Your move '{engine.notation(move)}'"


def note_result(run: Run, text: str, result: MoveResult) -> None:
    if isinstance(result, MoveAccepted):
        note_move(run, result)
        return
    if result.code == "stale":
        note_what_changed(run)
    refuse(run, f"{named(run, text)} wasn't played. {result.message} {result.hint}")


def note_what_changed(run: Run) -> None:
    run.results.is_stale = True
    run.results.changed = run.log_after(run.turn)
    run.results.told_through = run.genuine.loaded.match.events_made


def note_move(run: Run, made: MoveAccepted) -> None:
    results = run.results
    results.moves_made += 1
    results.sealed += made.move.sealed
    played = f"you played {made.move.notation}"
    results.played = "your sealed move was accepted" if made.move.sealed else played
    run.tell(words_for(made.move, is_last=made.turn > run.turn, replaces=replaces(run, made.move)))
    results.happened += [event.text for event in made.events]
    results.told_through = max([event.number for event in made.events], default=0)
    run.why_no_more = end_after(run, made)
    run.turn = made.turn


def replaces(run: Run, move: MadeMove) -> bool:
    """Return whether a sealed move replaces an earlier one on the same turn."""
    made = Move.objects.filter(match=run.match_id, seat=run.genuine.seat.drawn, turn=run.turn, is_sealed=True)
    return move.sealed and made.count() > 1


def end_after(run: Run, made: MoveAccepted) -> str:
    """Return why no more moves are played after this one, as the end of a sentence.

    If more moves can be played, return an empty string.
    """
    if made.move.sealed:
        return ": nothing can be played after a sealed move in the same email."
    if not made.awaiting:
        return ": the match has ended."
    if run.genuine.seat.number not in made.awaiting:
        names = listing([run.genuine.loaded.names[number] for number in made.awaiting])
        return f": it's no longer your turn. The match is waiting for {names}."
    if made.turn - run.turn > 1:
        return ": others have moved since. Look at the board first."
    return ""


def refuse(run: Run, words: str) -> None:
    run.results.said.append(words.strip())
    run.results.moves_refused += 1
    run.why_no_more = run.why_no_more or " because the previous move wasn't."


def words_for(move: MadeMove, *, is_last: bool, replaces: bool = False) -> str:
    """Describe a move that was made. Sealed moves are never repeated in emails."""
    if not move.sealed:
        return f"You played: {unbroken(move.notation)}."
    which = "It replaces your earlier move. " if replaces else ""
    accepted = f"Your sealed move was accepted. {which}Its receipt is {move.receipt}."
    return (
        accepted if is_last else f"{accepted} Until everyone has moved, you can replace it by replying to this email."
    )
