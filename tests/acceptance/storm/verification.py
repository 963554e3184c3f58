"""Check after a storm that nothing was lost. The expected results are derived from the stored moves."""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import msgspec
from django.core.management import CommandError, call_command

from core import vault
from games.engine.proof import Replay
from games.models import BotTurn, Match, Move, Phase, Source, StoredResult
from games.selectors import history
from games.selectors.loading import LoadedMatch, load_match
from games.services.idempotency import Stored
from notifications.mail.envelope import message_id
from notifications.models import Delivery, Notification, NotificationKind
from tests.acceptance.storm.mail_counter import Arrived
from tests.acceptance.storm.players import Acknowledged
from tests.acceptance.storm.suppressed import complaint_about, questions

Owed = tuple[int, int, str]
"""The seat, turn and kind, which identify a notification within a match."""


def complaints(acknowledged: Sequence[Acknowledged], arrived: Sequence[Arrived]) -> Iterator[str]:
    """Yield every problem. `arrived` contains the emails that reached the mail server."""
    yield from check_moves(acknowledged)
    yield from check_stored_results(acknowledged)
    yield from check_audit()
    yield from check_bots()
    for match in Match.objects.exclude(phase=Phase.FINISHED):
        yield f"{match.id} is {match.phase}, not finished"
    yield from check_expected_notifications()
    yield from check_deliveries(arrived)
    yield from check_suppressed()


def all_tables() -> Iterator[LoadedMatch]:
    return map(load_match, Match.objects.values_list("pk", flat=True))


def check_moves(acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    kept = Counter(
        acknowledgment_of(table, move)
        for table in all_tables()
        for move in table.match.moves.exclude(source=Source.BOT)
    )
    promised = Counter(acknowledged)
    for move, count in promised.items():
        if count != 1 or kept[move] != 1:
            yield f"a move was acknowledged {count} times and is stored {kept[move]} times: {move}"
    for move in kept.keys() - promised.keys():
        yield f"a move is stored that was never acknowledged: {move}"


def check_bots() -> Iterator[str]:
    """Check that bots made all the moves in their seats, and no others. The audit finds moves that were made twice."""
    for table in all_tables():
        bots = {seat.drawn for seat in table.seats if seat.is_bot}
        for move in table.match.moves.all():
            if (move.source == Source.BOT) != (move.seat in bots):
                yield f"{table.match.id}: move {move.number} in seat {move.seat} was made by {move.source}"
    for waiting in BotTurn.objects.all():
        yield f"{waiting} were not told that the match is over"


def acknowledgment_of(table: LoadedMatch, move: Move) -> Acknowledged:
    """Return the expected response to this move."""
    user = table.seats[move.seat].user
    notation = table.engine.notation(table.engine.moves.load(history.content(move)))
    return Acknowledged(
        table.match.id, user.username if user else "", move.seat, move.turn, notation, move.receipt or None
    )


def check_stored_results(acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    """Find requests whose stored response differs from the one that the player got."""
    promised = {(move.match, move.username, move.key): (move.notation, move.receipt) for move in acknowledged}
    for match_id, username, key, content in StoredResult.objects.values_list(
        "match", "user__username", "key", "content"
    ):
        kept = msgspec.json.decode(vault.decrypt(content), type=Stored)
        told = promised.pop((match_id, username, key), None)
        if kept.accepted and told != (kept.accepted.move.notation, kept.accepted.move.receipt):
            yield f"{match_id}: the result for {username}'s key {key} is not the one that was acknowledged"
    for match_id, username, key in promised:
        yield f"{match_id}: no result is stored for {username}'s key {key}"


def check_audit() -> Iterator[str]:
    said = StringIO()
    try:
        call_command("audit", stdout=said, stderr=said)
    except CommandError as failed:
        yield from (*said.getvalue().splitlines(), str(failed))


def check_expected_notifications() -> Iterator[str]:
    for table in all_tables():
        due = set(owed(table))
        written = Counter(Notification.objects.filter(match=table.match).values_list("seat", "turn", "kind"))
        for missing in due - written.keys():
            yield f"{table.match.id}: a notification was never written: {missing}"
        for extra, count in (written - Counter(due)).items():
            yield f"{table.match.id}: a notification was written {count} times too often: {extra}"


def owed(table: LoadedMatch) -> Iterator[Owed]:
    """Yield the expected notifications, based on a replay of the match.

    At the start, players who have to move get "your turn", and the others get "match started". After a move, players
    with a new turn get "your turn", and the others get news. At the end, all players get the result. The seat that
    moved gets neither "your turn" nor news.
    """
    match, engine = table.match, table.engine
    replay = Replay(engine, table.terms, vault.decrypt(match.encrypted_secret))
    everybody, asked = frozenset(seat.drawn for seat in table.seats if seat.user), engine.awaiting(replay.state)
    yield from tell(everybody & asked, replay, NotificationKind.YOUR_TURN)
    if len(everybody) > 1:
        yield from tell(everybody - asked, replay, NotificationKind.MATCH_STARTED)
    for move in match.moves.order_by("number"):
        before = replay.turn
        happened = replay.play(move.seat, engine.moves.load(history.content(move)))
        now = engine.awaiting(replay.state)
        anew = now if replay.turn != before else now - asked
        yield from tell(everybody & anew - {move.seat}, replay, NotificationKind.YOUR_TURN)
        if now and any(chained.event.is_news for chained in happened):
            yield from tell(everybody - now - {move.seat}, replay, NotificationKind.NEWS)
        asked = now
    if not asked:
        yield from tell(everybody, replay, NotificationKind.MATCH_OVER)


def tell(seats: frozenset[int], replay: Replay, kind: NotificationKind) -> Iterator[Owed]:
    yield from ((seat, replay.turn, kind) for seat in seats)


def check_deliveries(arrived: Sequence[Arrived]) -> Iterator[str]:
    """Find emails that are missing or that arrived too many times.

    An email may arrive twice if its sender was killed before recording it, but never more times than Turnpost tried to
    send it.
    """
    mails = Counter(arrived)
    for notification in Notification.objects.select_related("user"):
        assert notification.user
        times = mails.pop(Arrived(message_id(notification.pk), notification.user.email), 0)
        if notification.delivery not in (Delivery.SENT, Delivery.SUPPRESSED):
            yield f"{notification} is {notification.delivery}: {notification.why}"
        elif notification.delivery == Delivery.SENT and not times:
            yield f"{notification} is marked as sent but never arrived"
        if times > notification.tries:
            yield f"{notification} arrived {times} times but was tried {notification.tries} times"
    for mail in mails:
        yield f"an unexpected email arrived: {mail}"


def check_suppressed() -> Iterator[str]:
    suppressed = Notification.objects.filter(delivery=Delivery.SUPPRESSED)
    yield from (f"{notification} was not sent: {notification.why}" for notification in suppressed.filter(match=None))
    for table in all_tables():
        asked = list(questions(table))
        found = (complaint_about(notification, table, asked) for notification in suppressed.filter(match=table.match))
        yield from filter(None, found)


def by_kind(delivery: Delivery) -> dict[str, int]:
    return dict(Counter(Notification.objects.filter(delivery=delivery).values_list("kind", flat=True)))


def figures(acknowledged: Sequence[Acknowledged], arrived: Sequence[Arrived]) -> dict[str, Any]:
    return {
        "matches": dict(Counter(Match.objects.values_list("game", flat=True))),
        "moves acknowledged": len(acknowledged),
        "moves stored": Move.objects.exclude(source=Source.BOT).count(),
        "moves by bots": Move.objects.filter(source=Source.BOT).count(),
        "notifications sent": by_kind(Delivery.SENT),
        "notifications suppressed": by_kind(Delivery.SUPPRESSED),
        "emails that arrived twice": len(arrived) - len(set(arrived)),
    }
