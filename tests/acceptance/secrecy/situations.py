"""Worlds that differ only in what somebody may not know."""

from collections.abc import Callable, Iterator
from functools import partial
from hashlib import sha256
from typing import Any

from django.utils import timezone

from clock import proposals
from core import vault
from core.vault import padded_length
from games.engine.dice import Dice
from games.models import Event, Match, Move, Phase
from games.selectors import history
from games.selectors.loading import LoadedMatch, load_match
from games.services import chat
from inbound.handling import handle_due
from notifications.models import Notification, NotificationKind
from tests.acceptance.secrecy.api import ask
from tests.acceptance.secrecy.stage import KEY, Stage, draw_from
from tests.games.api.document import ROOT
from tests.games.builders import sitting
from tests.inbound.letters import deliver, reply

Act = Callable[[], None]


def hidden_from(stage: Stage, seat: int | None) -> list[Act]:
    """Everything is dealt anew that this seat may not know: the position, those before it, private events and pending
    sealed moves."""

    def hide(number: int) -> None:
        deal_anew(stage, seat, number)
        deal_the_past_anew(stage, seat, number)
        exchange_records(stage, seat, b"something else %d" % number)

    return [partial(hide, 1), partial(hide, 2)]


def dealt_anew(stage: Stage) -> list[Act]:
    """Only the position, and all of it that the public may not know."""
    return [partial(deal_anew, stage, None, 1), partial(deal_anew, stage, None, 2)]


def deal_anew(stage: Stage, seat: int | None, number: int) -> None:
    table, engine = load_match(stage.match_id), stage.table.engine
    other = engine.imagine(table.state, seat, Dice(bytes([number]) * 32))
    Match.objects.filter(pk=table.match.pk).update(encrypted_state=vault.encrypt(engine.states.dump(other)))


def deal_the_past_anew(stage: Stage, seat: int | None, number: int) -> None:
    """No other secret leads to the same public moves, so the positions are exchanged as they come out of the replay."""
    honest, engine = history.positions, stage.table.engine

    def positions(table: LoadedMatch) -> Iterator[tuple[int, Any]]:
        for turn, state in honest(table):
            yield turn, engine.imagine(state, seat, Dice(bytes([number]) * 32, turn))

    stage.patch.setattr(history, "positions", positions)


def exchange_records(stage: Stage, seat: int | None, content: bytes) -> None:
    for event in Event.objects.filter(match=stage.match_id, audience__isnull=False):
        if seat not in event.audience:
            Event.objects.filter(pk=event.pk).update(content=vault.encrypt(content))
    pending = Move.objects.filter(match=stage.match_id, turn=stage.table.match.turn, is_sealed=True)
    pending.exclude(seat=seat).update(content=vault.encrypt(content), receipt=sha256(content).hexdigest())


def sealed(stage: Stage) -> list[Act]:
    """What was sealed, and whether it was replaced."""
    one, other = stage.moves
    return [partial(seal, stage, *made) for made in ([one], [other], [one, one, other])]


def sealed_with_a_key(stage: Stage) -> list[Act]:
    """As the command line sends it."""
    one, other = stage.moves
    return [partial(stage.say, stage.owner, made, KEY) for made in (one, other)]


def sealed_short_and_long(stage: Stage) -> list[Act]:
    """With a key."""
    return [partial(stage.say, stage.owner, made, KEY) for made in short_and_long(stage)]


def sealed_short_and_long_by_mail(stage: Stage) -> list[Act]:
    return [partial(seal_by_mail, stage, made) for made in short_and_long(stage)]


def short_and_long(stage: Stage) -> list[str]:
    """The shortest and the longest of many moves that could be sealed and find room in the length that the game has for
    them; a plan beside a bid may need more."""
    engine, state = stage.table.engine, stage.table.state
    samples = [engine.sample(state, stage.owner, Dice(bytes([n]) * 32)) for n in range(200)]
    sealed = [(len(engine.moves.dump(move)), engine.notation(move)) for move in samples if engine.is_sealed(move)]
    fitting = sorted(one for one in sealed if padded_length(one[0]) < engine.sealed_move_bytes)
    return [fitting[0][1], fitting[-1][1]]


def seal(stage: Stage, *moves: str) -> None:
    """An hour lies between each and the next; then enough passes for a reminder of the others."""
    stage.later(hours=1)
    for move in moves:
        stage.say(stage.owner, move)
        stage.later(hours=1)
    stage.later(hours=40 - len(moves))


def revealed(stage: Stage) -> list[Act]:
    """Whether what came to light had been replaced before; then all agree to end the match, so there is a proof."""
    one, other = stage.moves
    return [partial(reveal, stage, *made) for made in ([other], [one, one, other])]


def reveal(stage: Stage, *moves: str) -> None:
    seal(stage, *moves)
    table = load_match(stage.match_id)
    turn = table.match.turn
    for seat in sorted(table.engine.awaiting(table.state)):
        stage.say(seat, table.engine.notation(table.engine.sample(table.state, seat, Dice(bytes([seat]) * 32))))
    assert load_match(stage.match_id).match.turn > turn
    end(stage)


def taken_back(stage: Stage) -> list[Act]:
    """What was sealed and then taken back, or never came to bear: it stays unknown, in the proof too."""
    one, other = stage.moves
    return [partial(take_back, stage, *made) for made in ([one], [other, one])]


def take_back(stage: Stage, *moves: str) -> None:
    seal(stage, *moves)
    stage.say(stage.owner, "withdraw")
    stage.later(hours=1)
    stage.say(stage.owner, moves[0])
    end(stage)


def end(stage: Stage) -> None:
    """All agree to end the match here, if it is not over yet."""
    for seat in load_match(stage.match_id).seats:
        if load_match(stage.match_id).match.phase == Phase.RUNNING:
            proposals.abandon(stage.match_id, sitting(seat), agreed=True)


def sealed_by_mail(stage: Stage) -> list[Act]:
    """The same moves in answer to the mail that asks for them."""
    return [partial(seal_by_mail, stage, move) for move in stage.moves]


def seal_by_mail(stage: Stage, *moves: str) -> None:
    """The first answers the mail that asks for it, and each other the answer to the one before."""
    user = sitting(stage.table.seats[stage.owner])
    now = timezone.now()
    asks = {"kind": NotificationKind.YOUR_TURN, "match_id": stage.match_id, "seat": stage.owner, "number": 9}
    Notification.objects.create(user=user, turn=stage.table.match.turn, created_at=now, due_at=now, **asks)
    for number, move in enumerate(moves):
        stage.deliver()
        latest = [mail for mail in stage.sink.arrived if mail["To"] == user.email][-1]
        draw_from(move.split()[0])
        deliver(reply(latest, move, Message_ID=f"<bid{number}@mail.example.org>"))
        handle_due()
    assert stage.owner not in load_match(stage.match_id).engine.awaiting(load_match(stage.match_id).state)


def replaced_by_mail(stage: Stage) -> list[Act]:
    """Whether what was sealed by mail was replaced by mail. Afterwards others ask for mail of their own, and are
    reminded: there is much to compare numbers with."""
    one, other = stage.moves
    return [partial(replace_by_mail, stage, *made) for made in ([other], [one, other])]


def replace_by_mail(stage: Stage, *moves: str) -> None:
    seal_by_mail(stage, *moves)
    assert load_match(stage.match_id).match.moves.filter(source="mail").count() == len(moves)
    stage.later(hours=1)
    for viewer in stage.viewers:
        if viewer.user and viewer.seat != stage.owner:
            ask(viewer, "post", f"{ROOT}/me/test-mail", {})
    stage.deliver()
    stage.later(hours=39)


def busy_alone(stage: Stage) -> list[Act]:
    """Whether a player looks at everything, tries moves, takes notes, wants less mail: nobody's business."""
    return [lambda: stage.later(hours=2), lambda: be_busy(stage)]


def be_busy(stage: Stage) -> None:
    stage.later(hours=1)
    owner = next(viewer for viewer in stage.players if viewer.seat == stage.owner)
    match, own = f"{ROOT}/matches/{stage.match_id}", stage.table.engine.choices(stage.table.state, stage.owner)
    for part in ("", "/choices", "/log", "/boards", "/receipts", "/proof", "/messages", "/note"):
        ask(owner, "get", match + part)
    tried = [stage.table.engine.notation(move) for move in own.moves[:2]]
    for move in tried:
        ask(owner, "post", f"{match}/moves?dry_run=1", {"move": move, "turn": stage.table.match.turn})
    for move in ("dance", *tried):
        ask(owner, "post", f"{match}/moves", {"move": move, "turn": 0}, **{"Idempotency-Key": KEY})
    chat.write_note(stage.match_id, sitting(stage.table.seats[stage.owner]), "I have a plan.")
    ask(owner, "put", f"{match}/mute", {"muted": True})
    ask(owner, "patch", f"{ROOT}/me", {"mail_frequency": "daily", "display_name": owner.user.display_name})
    stage.later(hours=1)
