"""The client library, with hints that name this client's commands."""

from typing import TYPE_CHECKING, Any

from cli.problems import NeedsLogin, Refused, hint_for
from turnpost.http import MAX_ENTRIES, MAX_PAGE_SIZE, Retry
from turnpost.http import Server as AnyServer

if TYPE_CHECKING:
    from turnpost.transport import Response

__all__ = ["MAX_ENTRIES", "MAX_PAGE_SIZE", "Retry", "Server"]


class Server(AnyServer):
    def hint_for(self, code: str, url: str) -> str:
        return hint_for(code, url)

    def request(self, method: str, path: str, **options: Any) -> "Response":
        """Send a request. If it has no token and the match isn't found, the match may be private."""
        try:
            return super().request(method, path, **options)
        except Refused as problem:
            if self.token or problem.code != "no_such_match":
                raise
            hint = "If it's private, log in: turnpost login   Open matches: turnpost matches open"
            raise NeedsLogin(problem.code, problem.message, hint, **problem.data) from None
