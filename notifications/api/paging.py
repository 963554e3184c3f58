"""Lists of rows whose numbers would tell what happens elsewhere."""

from django.db.models import Model

from core import numbers
from core.paging import CursorPages


class LatestFirst(CursorPages):
    """A cursor shows a row's number to whoever follows it."""

    def place_of(self, row: Model) -> list[str]:
        return [str(numbers.disguised(row.pk))]

    def place_in(self, written: list[str]) -> list[str]:
        return [str(numbers.undisguised(int(number))) for number in written]
