"""Cursor pagination.

A cursor marks the last row of a page, so new rows do not cause others to be repeated or skipped.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from django.core import signing
from django.db.models import Field, Model, Q
from django.http import HttpRequest
from rest_framework.exceptions import ValidationError
from rest_framework.pagination import BasePagination
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from core.shapes import Page

Item = TypeVar("Item")
CURSOR, LIMIT = "cursor", "limit"


class CursorPages(BasePagination):
    """Paginates rows. `ordering` names model fields that are never null and whose combination is unique."""

    ordering: Sequence[str] = ("-id",)
    page_size = 50
    max_page_size = 200

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        self._begin(queryset.model, request)
        size = self._page_size(request)
        backwards, place = self._read_cursor(request)
        ordering = [_flip(name) for name in self.ordering] if backwards else self.ordering
        found = self.fetch(queryset, ordering, place, size + 1)
        self.rows = found[:size][::-1] if backwards else found[:size]
        more = len(found) > size
        self.has_next, self.has_previous = (bool(place), more) if backwards else (more, bool(place))
        return self.rows

    def fetch(self, rows: Any, ordering: Sequence[str], place: Sequence[str], most: int) -> list[Any]:
        """Return the first rows that come after a given position in this ordering.

        Override this method if the rows come from more than one query. Even then, `rows` must have a `model`, because
        the signature of a cursor includes it.
        """
        return list((rows.filter(beyond(rows.model, ordering, place)) if place else rows).order_by(*ordering)[:most])

    def page(self, rows: Any, request: Request, present: Callable[[Any], Item]) -> Page[Item]:
        self.paginate_queryset(rows, request)
        return self._presented(present)

    def first_page(
        self, model: type[Model], found: Sequence[Any], size: int, request: HttpRequest, present: Callable[[Any], Item]
    ) -> Page[Item]:
        """Present the first `size` of these rows. If there are more rows, there is a next page."""
        self._begin(model, request)
        self.rows, self.has_next, self.has_previous = list(found[:size]), len(found) > size, False
        return self._presented(present)

    def _begin(self, model: type[Model], request: Request | HttpRequest) -> None:
        self.url = request.build_absolute_uri()
        self.salt = f"{model._meta.label}:{','.join(self.ordering)}"

    def _presented(self, present: Callable[[Any], Item]) -> Page[Item]:
        return Page(next=self._next(), previous=self._previous(), results=[present(row) for row in self.rows])

    def _page_size(self, request: Request) -> int:
        written = request.query_params.get(LIMIT, str(self.page_size))
        short = len(written) <= len(str(self.max_page_size))
        if not (short and written.isascii() and written.isdigit() and 1 <= int(written) <= self.max_page_size):
            raise ValidationError({LIMIT: [f"Must be a number from 1 to {self.max_page_size}."]})
        return int(written)

    def _read_cursor(self, request: Request) -> tuple[bool, list[str]]:
        written = request.query_params.get(CURSOR)
        if written is None:
            return False, []
        try:
            backwards, *place = signing.loads(written, salt=self.salt)
        except (signing.BadSignature, ValueError):
            raise ValidationError({CURSOR: ["This cursor is invalid. Use the links in next and previous."]}) from None
        return backwards, self.place_in(place)

    def place_of(self, row: Any) -> list[str]:
        """Return the row's place as it is written into a cursor. Cursors are signed but not encrypted."""
        return [_field(type(row), name).value_to_string(row) for name in self.ordering]

    def place_in(self, written: list[str]) -> list[str]:
        """Convert the strings in a cursor back to values."""
        return written

    def _next(self) -> str | None:
        return self._link(False, self.rows[-1]) if self.has_next and self.rows else None

    def _previous(self) -> str | None:
        return self._link(True, self.rows[0]) if self.has_previous and self.rows else None

    def _link(self, backwards: bool, row: Model) -> str:
        cursor = signing.dumps([backwards, *self.place_of(row)], salt=self.salt)
        return str(replace_query_param(remove_query_param(self.url, CURSOR), CURSOR, cursor))

    def get_schema_operation_parameters(self, view: Any) -> list[dict[str, Any]]:
        size = {"type": "integer", "minimum": 1, "maximum": self.max_page_size, "default": self.page_size}
        return [
            _parameter(CURSOR, "Where to continue. Take it from the `next` and `previous` links.", {"type": "string"}),
            _parameter(LIMIT, "Entries per page.", size),
        ]


def _flip(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _field(model: type[Model], name: str) -> "Field[Any, Any]":
    return cast("Field[Any, Any]", model._meta.get_field(name.lstrip("-")))


def beyond(model: type[Model], ordering: Sequence[str], place: Sequence[str]) -> Q:
    """Select the rows after this place.

    Fields are compared in the given order. A field counts only if all fields before it are equal.
    """
    after, equal = Q(), Q()
    for name, written in zip(ordering, place, strict=True):
        field, value = name.lstrip("-"), _field(model, name).to_python(written)
        after |= equal & Q(**{f"{field}__{'lt' if name.startswith('-') else 'gt'}": value})
        equal &= Q(**{field: value})
    return after


def _parameter(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "description": description, "schema": schema}
