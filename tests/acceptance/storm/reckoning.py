"""After the storm: what was promised against what is there. Everything is reckoned anew from the stored moves."""

from collections import Counter
from collections.abc import Iterator, Sequence
from io import StringIO
from typing import Any

import msgspec
from django.core.management import CommandError, call_command

from core import vault
from games.engine.proof import Replay
from games.models import Match, Move, Phase, StoredResult
from games.selectors import history
from games.selectors.loading import LoadedMatch, load_match
from games.services.idempotency import Stored
from notifications.mail.envelope import message_id
from notifications.models import Delivery, Notification, NotificationKind
from tests.acceptance.storm.doormat import Arrived
from tests.acceptance.storm.needless import complaint_about, questions
from tests.acceptance.storm.players import Acknowledged

Owed = tuple[int, int, str]
"""Seat, turn and kind: what a notification of one match is unique by."""


def complaints(acknowledged: Sequence[Acknowledged], arrived: Sequence[Arrived]) -> Iterator[str]:
    """Everything that is not as it was promised; `arrived` is what reached the mail server."""
    yield from about_moves(acknowledged)
    yield from about_kept_results(acknowledged)
    yield from about_the_audit()
    for match in Match.objects.exclude(phase=Phase.FINISHED):
        yield f"{match.id} is {match.phase}, not finished"
    yield from about_what_is_owed()
    yield from about_notifications(arrived)
    yield from about_what_was_not_sent()


def all_tables() -> Iterator[LoadedMatch]:
    return map(load_match, Match.objects.values_list("pk", flat=True))


def about_moves(acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    kept = Counter(as_told(table, move) for table in all_tables() for move in table.match.moves.all())
    promised = Counter(acknowledged)
    for move, count in promised.items():
        if count != 1 or kept[move] != 1:
            yield f"a move was acknowledged {count} times and is kept {kept[move]} times: {move}"
    for move in kept.keys() - promised.keys():
        yield f"a move is kept that nobody was told of: {move}"


def as_told(table: LoadedMatch, move: Move) -> Acknowledged:
    """What the answer to this move must have told."""
    user = table.seats[move.seat].user
    notation = table.engine.notation(table.engine.moves.load(history.content(move)))
    return Acknowledged(
        table.match.id, user.username if user else "", move.seat, move.turn, notation, move.receipt or None
    )


def about_kept_results(acknowledged: Sequence[Acknowledged]) -> Iterator[str]:
    """Repeating any of the requests would get the answer that its player got."""
    promised = {(move.match, move.username, move.key): (move.notation, move.receipt) for move in acknowledged}
    for match_id, username, key, content in StoredResult.objects.values_list(
        "match", "user__username", "key", "content"
    ):
        kept = msgspec.json.decode(vault.decrypt(content), type=Stored)
        told = promised.pop((match_id, username, key), None)
        if kept.accepted and told != (kept.accepted.move.notation, kept.accepted.move.receipt):
            yield f"{match_id}: the result for {username}'s key {key} is not the one that was acknowledged"
    for match_id, username, key in promised:
        yield f"{match_id}: no result is kept for {username}'s key {key}"


def about_the_audit() -> Iterator[str]:
    said = StringIO()
    try:
        call_command("audit", stdout=said, stderr=said)
    except CommandError as failed:
        yield from (*said.getvalue().splitlines(), str(failed))


def about_what_is_owed() -> Iterator[str]:
    for table in all_tables():
        due = set(owed(table))
        written = Counter(Notification.objects.filter(match=table.match).values_list("seat", "turn", "kind"))
        for missing in due - written.keys():
            yield f"{table.match.id}: a notification is owed and was never written: {missing}"
        for needless, count in (written - Counter(due)).items():
            yield f"{table.match.id}: {count} more of this notification than anybody is owed: {needless}"


def owed(table: LoadedMatch) -> Iterator[Owed]:
    """By playing the match again: all are told that it begins, or that they do; whoever is asked anew by a move of
    somebody else is told, whoever is neither asked nor moved is told of news, and all of the end."""
    match, engine = table.match, table.engine
    replay = Replay(engine, table.terms, vault.decrypt(match.encrypted_secret))
    everybody, asked = frozenset(range(len(table.seats))), engine.awaiting(replay.state)
    yield from tell(asked, replay, NotificationKind.YOUR_TURN)
    yield from tell(everybody - asked, replay, NotificationKind.MATCH_STARTED)
    for move in match.moves.order_by("number"):
        before = replay.turn
        happened = replay.play(move.seat, engine.moves.load(history.content(move)))
        now = engine.awaiting(replay.state)
        anew = now if replay.turn != before else now - asked
        yield from tell(anew - {move.seat}, replay, NotificationKind.YOUR_TURN)
        if now and any(chained.event.is_news for chained in happened):
            yield from tell(everybody - now - {move.seat}, replay, NotificationKind.NEWS)
        asked = now
    if not asked:
        yield from tell(everybody, replay, NotificationKind.MATCH_OVER)


def tell(seats: frozenset[int], replay: Replay, kind: NotificationKind) -> Iterator[Owed]:
    yield from ((seat, replay.turn, kind) for seat in seats)


def about_notifications(arrived: Sequence[Arrived]) -> Iterator[str]:
    """A mail may come twice if whoever sent it was killed before noting it, so as often as there were attempts."""
    mails = Counter(arrived)
    for notification in Notification.objects.select_related("user"):
        assert notification.user
        times = mails.pop(Arrived(message_id(notification.pk), notification.user.email), 0)
        if notification.delivery not in (Delivery.SENT, Delivery.SUPPRESSED):
            yield f"{notification} is {notification.delivery}: {notification.why}"
        elif notification.delivery == Delivery.SENT and not times:
            yield f"{notification} counts as sent, and never arrived"
        if times > notification.tries:
            yield f"{notification} arrived {times} times, and was tried {notification.tries} times"
    for mail in mails:
        yield f"a mail arrived that nobody was owed: {mail}"


def about_what_was_not_sent() -> Iterator[str]:
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
        "moves kept": Move.objects.count(),
        "notifications sent": by_kind(Delivery.SENT),
        "notifications suppressed, as their player had moved or seen it": by_kind(Delivery.SUPPRESSED),
        "mails that came twice": len(arrived) - len(set(arrived)),
    }
