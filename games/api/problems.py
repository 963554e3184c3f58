"""API responses for errors raised by engines."""

from core.problems import Problem, being_updated, problem_of
from games.bots import UnknownLevel
from games.engine.errors import BadSetup, EngineError, IllegalMove, MalformedMove, NewerRecord, UnknownGame

STATUS = {UnknownGame: 404, BadSetup: 400, UnknownLevel: 400, MalformedMove: 400, IllegalMove: 409}


@problem_of.register
def _(error: EngineError) -> Problem | None:
    status = STATUS.get(type(error))
    return Problem(status, error.code, error.message, error.hint, error.data) if status else None


@problem_of.register
def _(error: NewerRecord) -> Problem:
    """Respond when a stored position comes from a newer version.

    Another process already runs that version, so this one will be replaced soon.
    """
    return being_updated(error)
