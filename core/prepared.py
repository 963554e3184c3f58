"""Queries that are asked with every request, compiled once: putting a query into SQL costs more than asking it."""

import threading
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)


class Prepared(Generic[M]):
    """`Prepared(lambda name: User.objects.filter(username=name))` is asked with `.ask("ann")`. Its arguments are texts
    and appear in the SQL as they are; whatever else decides about the query is decided when it is asked first."""

    def __init__(self, build: Callable[..., QuerySet[M]]) -> None:
        self._build = build
        self._kept = threading.local()

    def ask(self, *arguments: str) -> list[M]:
        compiled: Compiled[M] | None = getattr(self._kept, "compiled", None)
        if compiled is None:
            compiled = self._kept.compiled = Compiled(self._build, len(arguments))
        return compiled.ask(arguments)


class Compiled(Generic[M]):
    """For one thread, and with it for one connection."""

    def __init__(self, build: Callable[..., QuerySet[M]], arguments: int) -> None:
        places = [f"argument {number}" for number in range(arguments)]
        self._compiler = build(*places).query.get_compiler(connection=connection)
        self._sql, parameters = self._compiler.as_sql()
        self._parameters = [(places.index(value), None) if value in places else (None, value) for value in parameters]
        columns = [expression for expression, _, _ in self._compiler.select]
        self._converters = self._compiler.get_converters(columns)
        self._read = self._reader()

    def ask(self, arguments: tuple[str, ...]) -> list[M]:
        values = [value if place is None else arguments[place] for place, value in self._parameters]
        with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
            cursor.execute(self._sql, values)
            rows = cursor.fetchall()
        return [self._read(row) for row in self._compiler.apply_converters(rows, self._converters)]

    def _reader(self) -> Callable[[list[Any]], M]:
        """From a row to an object with its related ones and annotations, as Django's own iterator does it."""
        compiler = self._compiler
        klass = compiler.klass_info
        first, last = klass["select_fields"][0], klass["select_fields"][-1] + 1
        names = [column[0].target.attname for column in compiler.select[first:last]]
        related = get_related_populators(klass, compiler.select, DEFAULT_DB_ALIAS)  # type: ignore[call-arg]
        annotations = compiler.annotation_col_map.items()

        def read(row: list[Any]) -> M:
            found: M = klass["model"].from_db(DEFAULT_DB_ALIAS, names, row[first:last])
            for populator in related:
                populator.populate(row, found)
            for name, column in annotations:
                setattr(found, name, row[column])
            return found

        return read
