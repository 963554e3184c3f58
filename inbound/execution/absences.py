"""Vacations, taking a seat back, and resigning by mail."""

from contextlib import suppress

from clock import resignations, stand_ins, vacations
from core.refusals import Refused
from games.models import Phase
from games.selectors import access
from inbound.execution.run import Run
from inbound.reading.commands import Back, Resign, Vacation, VacationOff

ASKS_TO_RESIGN = "asks_to_resign"
"""The key in the data of a notification that asks whether to resign."""
RESIGN_QUESTION = (
    "Do you want to resign? A stand-in then plays your seat to the end, and you come last. You can't come back."
)


def be_away(run: Run, command: Vacation | VacationOff | Back | Resign) -> None:
    match command:
        case Vacation(first=first, last=last):
            run.check_arranging()
            vacations.plan(run.genuine.user, first, last)
            run.tell_arranged(f"Your vacation from {first} to {last} is set. Your clock stops on those days.")
        case VacationOff():
            run.tell(end_vacation(run, must_have_begun=False))
        case Back():
            come_back(run)
        case Resign():
            resign(run)


def come_back(run: Run) -> None:
    """Take the seat back from a stand-in, end the vacation, or both."""
    if not (run.genuine.seat.has_stand_in and run.genuine.loaded.match.phase == Phase.RUNNING):
        run.tell(end_vacation(run, must_have_begun=True))
        return
    stand_ins.come_back(run.match_id, run.genuine.user)
    run.reload()
    run.tell("You have your seat back. The stand-in has stopped playing for you.")
    with suppress(Refused):
        run.results.said.append(end_vacation(run, must_have_begun=True))


def resign(run: Run) -> None:
    """Resign if the player has confirmed it by answering our question. Otherwise, ask the question.

    Only the player's own mailbox gets the question, so a forwarded email isn't enough to lose a match.
    """
    if ASKS_TO_RESIGN in run.mail.notification.data:
        resignations.resign(run.match_id, run.genuine.user)
        run.reload()
        run.tell("You've resigned. A stand-in will play your seat to the end.")
        return
    access.require_phase(run.genuine.loaded, Phase.RUNNING)
    access.require_not_resigned(run.genuine.seat)
    run.note_question()
    run.results.asks_to_resign = True
    run.results.said.append(RESIGN_QUESTION)


def end_vacation(run: Run, *, must_have_begun: bool) -> str:
    ended = vacations.end_next(run.genuine.user, must_have_begun=must_have_begun)
    if ended.pk:
        return f"Your vacation ends today, {ended.last_day}. Your clock starts again at midnight."
    return f"Your vacation from {ended.first_day} to {ended.last_day} is canceled."
