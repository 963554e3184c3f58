"""Read-only admin pages with restricted lookups.

`?title=x` searches a visible column, but `?owner__password__gte=x` would search a hidden one.
"""

from collections.abc import Collection
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from django.http import HttpRequest

RELATION_LOOKUPS = ("", "exact", "isnull")


def is_allowed_lookup(model: type[Model], lookup: str, shown: Collection[str]) -> bool:
    """Allow lookups only on visible columns of this table. Lookups across relations would expose everything."""
    column, _, question = lookup.partition("__")
    try:
        field = model._meta.get_field(column.removesuffix("_id"))
    except FieldDoesNotExist:
        return False
    return column in shown and (not field.is_relation or question in RELATION_LOOKUPS)


class ReadOnlyAdmin:
    """Lets operators read but not change rows. Only the named fields are shown, and only those can be searched."""

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        shown = (*self.list_display, *self.list_filter)  # type: ignore[attr-defined]
        return is_allowed_lookup(self.model, lookup, shown)  # type: ignore[attr-defined]

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False
