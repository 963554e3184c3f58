"""Create worlds that differ only in information that is hidden from some viewers."""

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
from games.services import archiving, chat
from inbound.handling import handle_due
from notifications import archiving as notifications
from notifications.models import Notification, NotificationKind
from notifications.webhooks import calls
from tests.acceptance.secrecy.api import ask
from tests.acceptance.secrecy.sandbox import KEY, Sandbox, seed_randomness
from tests.games.api.document import ROOT
from tests.games.builders import sitting
from tests.inbound.letters import deliver, reply
from tests.not_none import not_none

Act = Callable[[], None]


def hidden_from(sandbox: Sandbox, seat: int | None) -> list[Act]:
    """Replace everything that is hidden from this seat in positions, private events and pending sealed moves."""

    def hide(number: int) -> None:
        redeal(sandbox, seat, number)
        redeal_past(sandbox, seat, number)
        replace_records(sandbox, seat, b"something else %d" % number)

    return [partial(hide, 1), partial(hide, 2)]


def redealt(sandbox: Sandbox) -> list[Act]:
    """Replace everything in the position that is hidden from the public."""
    return [partial(redeal, sandbox, None, 1), partial(redeal, sandbox, None, 2)]


def redeal(sandbox: Sandbox, seat: int | None, number: int) -> None:
    table, engine = load_match(sandbox.match_id), sandbox.table.engine
    other = engine.imagine(table.state, seat, Dice(bytes([number]) * 32))
    Match.objects.filter(pk=table.match.pk).update(encrypted_state=vault.encrypt(engine.states.dump(other)))


def redeal_past(sandbox: Sandbox, seat: int | None, number: int) -> None:
    """Replace the replayed positions, because no other seed leads to the same public moves."""
    honest, engine = history.positions, sandbox.table.engine

    def positions(table: LoadedMatch) -> Iterator[tuple[int, Any]]:
        for turn, state in honest(table):
            yield turn, engine.imagine(state, seat, Dice(bytes([number]) * 32, turn))

    sandbox.patch.setattr(history, "positions", positions)


def replace_records(sandbox: Sandbox, seat: int | None, content: bytes) -> None:
    for event in Event.objects.filter(match=sandbox.match_id, audience__isnull=False):
        if seat not in not_none(event.audience):
            Event.objects.filter(pk=event.pk).update(content=vault.encrypt(content))
    pending = Move.objects.filter(match=sandbox.match_id, turn=sandbox.table.match.turn, is_sealed=True)
    hidden = pending if seat is None else pending.exclude(seat=seat)
    hidden.update(content=vault.encrypt(content), receipt=sha256(content).hexdigest())


def sealed(sandbox: Sandbox) -> list[Act]:
    """Return worlds with different sealed moves, some of which were replaced."""
    one, other = sandbox.moves
    return [partial(seal, sandbox, *made) for made in ([one], [other], [one, one, other])]


def sealed_with_a_key(sandbox: Sandbox) -> list[Act]:
    """Return worlds with moves that were sent with an idempotency key, as the command line does."""
    one, other = sandbox.moves
    return [partial(sandbox.play, sandbox.owner, made, KEY) for made in (one, other)]


def sealed_short_and_long(sandbox: Sandbox) -> list[Act]:
    """Return a world with a short move and one with a long move, both sent with an idempotency key."""
    return [partial(sandbox.play, sandbox.owner, made, KEY) for made in short_and_long(sandbox)]


def sealed_short_and_long_by_mail(sandbox: Sandbox) -> list[Act]:
    return [partial(seal_by_mail, sandbox, made) for made in short_and_long(sandbox)]


def short_and_long(sandbox: Sandbox) -> list[str]:
    """Return the shortest and the longest of many possible sealed moves that fit into the game's padded size.

    A bid with a plan may be longer.
    """
    engine, state = sandbox.table.engine, sandbox.table.state
    samples = [engine.sample(state, sandbox.owner, Dice(bytes([n]) * 32)) for n in range(200)]
    sealed = [(len(engine.moves.dump(move)), engine.notation(move)) for move in samples if engine.is_sealed(move)]
    fitting = sorted(one for one in sealed if padded_length(one[0]) < engine.sealed_move_bytes)
    return [fitting[0][1], fitting[-1][1]]


def seal(sandbox: Sandbox, *moves: str) -> None:
    """Seal the moves an hour apart, and then wait until the other players get reminders."""
    sandbox.later(hours=1)
    for move in moves:
        sandbox.play(sandbox.owner, move)
        sandbox.later(hours=1)
    sandbox.later(hours=40 - len(moves))


def revealed(sandbox: Sandbox) -> list[Act]:
    """Return a world in which a revealed move was the first one sealed, and a world in which it replaced others.

    At the end, everyone agrees to end the match, so that there is a proof.
    """
    one, other = sandbox.moves
    return [partial(reveal, sandbox, *made) for made in ([other], [one, one, other])]


def reveal(sandbox: Sandbox, *moves: str) -> None:
    seal(sandbox, *moves)
    table = load_match(sandbox.match_id)
    turn = table.match.turn
    for seat in sorted(table.engine.awaiting(table.state)):
        sandbox.play(seat, table.engine.notation(table.engine.sample(table.state, seat, Dice(bytes([seat]) * 32))))
    assert load_match(sandbox.match_id).match.turn > turn
    end(sandbox)


def withdrawn(sandbox: Sandbox) -> list[Act]:
    """Return worlds with withdrawn and voided moves, which stay secret even in the proof."""
    one, other = sandbox.moves
    return [partial(withdraw, sandbox, *made) for made in ([one], [other, one])]


def withdraw(sandbox: Sandbox, *moves: str) -> None:
    seal(sandbox, *moves)
    sandbox.play(sandbox.owner, "withdraw")
    sandbox.later(hours=1)
    sandbox.play(sandbox.owner, moves[0])
    end(sandbox)


def end(sandbox: Sandbox) -> None:
    """Let everyone agree to end the match, unless it has already ended."""
    for seat in load_match(sandbox.match_id).seats:
        if load_match(sandbox.match_id).match.phase == Phase.RUNNING:
            proposals.abandon(sandbox.match_id, sitting(seat), agreed=True)


def archived(sandbox: Sandbox, act: Act) -> None:
    """Let the match end, and archive it a month later, when no webhook call refers to its notifications anymore."""
    sandbox.run(act)
    sandbox.later(days=31)
    sandbox.deliver()
    calls.forget_old(timezone.now())
    assert archiving.archive_due(timezone.now())
    assert notifications.archive_due(timezone.now())


def sealed_by_mail(sandbox: Sandbox) -> list[Act]:
    """Return worlds with different moves, sealed by mail."""
    return [partial(seal_by_mail, sandbox, move) for move in sandbox.moves]


def seal_by_mail(sandbox: Sandbox, *moves: str) -> None:
    """Seal moves by mail. Reply first to the email about the turn, and then to each answer."""
    user = sitting(sandbox.table.seats[sandbox.owner])
    now = timezone.now()
    asks = {"kind": NotificationKind.YOUR_TURN, "match_id": sandbox.match_id, "seat": sandbox.owner, "number": 9}
    Notification.objects.create(user=user, turn=sandbox.table.match.turn, created_at=now, due_at=now, **asks)
    for number, move in enumerate(moves):
        sandbox.deliver()
        latest = [mail for mail in sandbox.mail_server.arrived if mail["To"] == user.email][-1]
        seed_randomness(move.split()[0])
        deliver(reply(latest, move, Message_ID=f"<bid{number}@mail.example.org>"))
        handle_due()
    assert sandbox.owner not in load_match(sandbox.match_id).engine.awaiting(load_match(sandbox.match_id).state)


def replaced_by_mail(sandbox: Sandbox) -> list[Act]:
    """Return worlds in which a move was sealed by mail, and then either replaced by mail or left unchanged.

    Afterwards, the other players get test emails and reminders, so that their IDs can be compared.
    """
    one, other = sandbox.moves
    return [partial(replace_by_mail, sandbox, *made) for made in ([other], [one, other])]


def replace_by_mail(sandbox: Sandbox, *moves: str) -> None:
    seal_by_mail(sandbox, *moves)
    assert load_match(sandbox.match_id).match.moves.filter(source="mail").count() == len(moves)
    sandbox.later(hours=1)
    for viewer in sandbox.viewers:
        if viewer.user and viewer.seat != sandbox.owner:
            ask(viewer, "post", f"{ROOT}/me/test-mail", {})
    sandbox.deliver()
    sandbox.later(hours=39)


ORDERS = {
    "coloretto": (
        "take 3 if it is full and worth 99",
        "take any with a golden joker and no red worth 77 until 2026-04-01",
    ),
    "colorado-county": ("bid my lowest 5 if a card is worth 99", "pick a blue card where it is worth most"),
}
"""Standing orders for each game that never apply in the sandbox."""


def with_orders(sandbox: Sandbox) -> list[Act]:
    """Return worlds in which a player has no standing orders, has given some, or has changed and withdrawn some."""
    one, other = ORDERS[sandbox.table.match.game]
    acts: list[list[list[str]]] = [[], [[one]], [[one, other, one], [other], []], [[one], [one, other]]]
    return [partial(give_orders, sandbox, *given) for given in acts]


def with_short_and_long_orders(sandbox: Sandbox) -> list[Act]:
    one, other = ORDERS[sandbox.table.match.game]
    return [partial(give_orders, sandbox, given) for given in ([one], [one, other, one, other])]


def give_orders(sandbox: Sandbox, *given: list[str]) -> None:
    owner = next(viewer for viewer in sandbox.players if viewer.seat == sandbox.owner)
    sandbox.later(hours=1)
    for orders in given:
        answer = ask(owner, "put", f"{ROOT}/matches/{sandbox.match_id}/orders", {"orders": orders})
        assert answer[0] == 200, answer[2]
    sandbox.later(hours=40)
    sandbox.deliver()


def private_activity(sandbox: Sandbox) -> list[Act]:
    """Return two worlds.

    In one of them, a player looks at everything, tries moves, writes notes and mutes the match. In the other world, the
    player does nothing.
    """
    return [lambda: sandbox.later(hours=2), lambda: act_privately(sandbox)]


def act_privately(sandbox: Sandbox) -> None:
    sandbox.later(hours=1)
    owner = next(viewer for viewer in sandbox.players if viewer.seat == sandbox.owner)
    match, own = f"{ROOT}/matches/{sandbox.match_id}", sandbox.table.engine.choices(sandbox.table.state, sandbox.owner)
    for part in (
        "",
        "/updates?events=0&messages=0",
        "/choices",
        "/log",
        "/boards",
        "/receipts",
        "/proof",
        "/review",
        "/messages",
        "/note",
    ):
        ask(owner, "get", match + part)
    tried = [sandbox.table.engine.notation(move) for move in own.moves[:2]]
    for move in tried:
        ask(owner, "post", f"{match}/moves?dry_run=1", {"move": move, "turn": sandbox.table.match.turn})
    for move in ("dance", *tried):
        ask(owner, "post", f"{match}/moves", {"move": move, "turn": 0}, **{"Idempotency-Key": KEY})
    chat.write_note(sandbox.match_id, sitting(sandbox.table.seats[sandbox.owner]), "I have a plan.")
    ask(owner, "put", f"{match}/mute", {"muted": True})
    ask(owner, "patch", f"{ROOT}/me", {"mail_frequency": "daily", "display_name": not_none(owner.user).display_name})
    sandbox.later(hours=1)
