"""What the notifications that a digest has gathered tell, match by match: each kind in its own words, the story once."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence

from notifications.context import Context
from notifications.letters.blocks import Block, Story, Words
from notifications.letters.parts import recent_story
from notifications.letters.play import how_it_began, quotes, stand_in, whose_time_ran_out
from notifications.letters.result import in_short, result_blocks
from notifications.models.notification import NotificationKind
from notifications.policy import reason_against

MOST_TOLD = 10


def by_match(gathered: Iterable[Context]) -> dict[str, list[Context]]:
    """Those that still matter, in the order in which they were owed."""
    matches: dict[str, list[Context]] = defaultdict(list)
    for context in sorted(gathered, key=lambda one: (one.notification.owed_at, one.notification.pk)):
        if not reason_against(context):
            matches[context.match_table.match.id].append(context)
    return matches


def told_blocks(gathered: Sequence[Context]) -> list[Block]:
    """Of one match. Its first message brings along all that were written after it."""
    first_message = next((one for one in gathered if one.notification.kind == NotificationKind.MESSAGE), None)
    telling = [one for one in gathered if one.notification.kind != NotificationKind.MESSAGE or one is first_message]
    told = [
        block for one in telling if one.notification.kind in TELLERS for block in TELLERS[one.notification.kind](one)
    ]
    return [*told, *latest_story(gathered)]


def began(context: Context) -> Iterator[Block]:
    if recent_story(context):
        yield Words(how_it_began(context))


def passed(context: Context) -> Iterator[Block]:
    yield Words(whose_time_ran_out(context))
    if context.seat and context.seat.number in context.notification.data.get("late", []):
        yield from stand_in(context)


def latest_story(gathered: Sequence[Context]) -> Iterator[Story]:
    if not gathered or not (told := recent_story(gathered[0])):
        return
    log = f"turnpost log {gathered[0].match_table.match.id}"
    earlier = [f"… What came before is in the log: {log}"] if len(told) > MOST_TOLD else []
    story = Story("Since your last visit", [*earlier, *told[-MOST_TOLD:]])
    over = any(one.notification.kind == NotificationKind.MATCH_OVER for one in gathered)
    yield from in_short(iter([story])) if over else [story]


TELLERS: dict[str, Callable[[Context], Iterable[Block]]] = {
    NotificationKind.MATCH_STARTED: began,
    NotificationKind.DEADLINE_PASSED: passed,
    NotificationKind.MATCH_OVER: result_blocks,
    NotificationKind.MESSAGE: quotes,
}
