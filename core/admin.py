"""What an address of the admin may ask for: `?title=x` is a question about what is shown, `?owner__password__gte=x` is
one about what is not."""

from collections.abc import Collection
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import HttpRequest

OF_A_RELATION = ("", "exact", "isnull")


def asks_for_what_is_shown(model: type[Model], lookup: str, shown: Collection[str]) -> bool:
    """Whether it stays with a column of this very table: behind a relation lies everything."""
    column, _, question = lookup.partition("__")
    try:
        field = model._meta.get_field(column.removesuffix("_id"))
    except FieldDoesNotExist:
        return False
    return column in shown and (not field.is_relation or question in OF_A_RELATION)


class ReadOnlyAdmin:
    """Operators can look and not change. Fields that are not named are not shown, and no lookup asks for them."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        shown = (*self.list_display, *self.list_filter)  # type: ignore[attr-defined]
        return asks_for_what_is_shown(self.model, lookup, shown)  # type: ignore[attr-defined]

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False
