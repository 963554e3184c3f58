"""Fast SQL for moves: one round trip reads whole rows, and another one writes all changes.

Django rebuilds each query every time, which takes longer than running it. These queries are built once from the models'
fields, so new fields need no changes here.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from typing import Any, Generic, TypeVar, cast

import msgspec
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import (
    AutoField,
    BooleanField,
    CharField,
    DateTimeField,
    DurationField,
    Field,
    ForeignKey,
    IntegerField,
    JSONField,
    Model,
    TextField,
)
from django.db.models.base import ModelState

M = TypeVar("M", bound=Model)
Statement = tuple[str, list[Any]]
StoredForm = Callable[[Any, Any], Any]
Attribute = tuple[str, StoredForm | None]
"""The name of an attribute, and the function that converts its value for the database (None if it needs no
conversion)."""
TEXT_AND_NUMBERS = (CharField, TextField, IntegerField, BooleanField, ForeignKey)
STORED_AS_THEY_ARE = {
    "postgresql": (*TEXT_AND_NUMBERS, DateTimeField, DurationField),
    "sqlite": TEXT_AND_NUMBERS,
}
"""The kinds of fields whose values need no conversion."""
LATEST = 'CASE WHEN "{0}" > %s THEN "{0}" ELSE %s END'


class Select(Generic[M]):
    """Selects all columns of a model's rows and, if a foreign key is named, of the rows it points to.

    `where` is the SQL that follows FROM and the join, in which the two tables are called `one` and `other`.
    """

    def __init__(self, model: type[M], where: str, *, related: str = "") -> None:
        self._model = model
        self._related = cast("ForeignKey[Any, Any]", model._meta.get_field(related)) if related else None
        self._where = where
        self._prepared: dict[str, tuple[str, str, list[Any]]] = {}

    def rows(self, parameters: Sequence[Any]) -> list[M]:
        [rows] = read([(self, parameters)])
        return rows

    def sql(self, database: Any, *, locked: bool = False) -> str:
        sql, locking, _ = self._prepared.get(database.vendor) or self._prepare(database)
        return locking if locked else sql

    def models(self, database: Any, found: Iterable[tuple[Any, ...]]) -> list[M]:
        *_, converters = self._prepared[database.vendor]
        names, related = attribute_names(self._model), self._related
        rows = []
        for values in map(list, found):
            for place, converter, column in converters:
                values[place] = converter(values[place], column, database)
            row = stored_row(self._model, names, values)
            if related:
                theirs = values[len(names) :]
                other = stored_row(related.related_model, attribute_names(related.related_model), theirs)
                related.set_cached_value(row, other if other.pk is not None else None)
            rows.append(row)
        return rows

    def _prepare(self, database: Any) -> tuple[str, str, list[Any]]:
        own = self._model._meta.concrete_fields
        other = self._related.related_model._meta.concrete_fields if self._related else ()
        columns = [f'one."{field.column}"' for field in own] + [f'other."{field.column}"' for field in other]
        sql = self.select(columns)
        converters = [
            (place, converter, field.get_col("one"))
            for place, field in enumerate((*own, *other))
            for converter in converters_of(field, database)
        ]
        locking = sql + " FOR NO KEY UPDATE OF one" * (database.vendor == "postgresql")
        self._prepared[database.vendor] = sql, locking, converters
        return sql, locking, converters

    def select(self, columns: Sequence[str]) -> str:
        joined = ""
        if self._related:
            table, key = self._related.related_model._meta.db_table, self._related.column
            joined = f'LEFT JOIN "{table}" other ON other."id" = one."{key}"'
        return f'SELECT {", ".join(columns)} FROM "{self._model._meta.db_table}" one {joined} {self._where}'  # noqa: S608

    def versions(self) -> "Versions":
        return Versions(self, ["one", "other"] if self._related else ["one"])


class Versions:
    """Finds out whether the rows that a query selects have changed, without reading them.

    PostgreSQL stores a new version of a row, in another place, whenever the row is written. SQLite doesn't, so the rows
    themselves are read.
    """

    def __init__(self, select: Select[Any], tables: Sequence[str]) -> None:
        self._select = select
        self._query = select.select([f"{table}.{column}" for table in tables for column in ("xmin", "ctid")])

    def sql(self, database: Any, *, locked: bool = False) -> str:
        return self._query if database.vendor == "postgresql" else self._select.sql(database)

    def models(self, database: Any, found: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return list(found)


class Values:
    """A hand-written query whose rows are used as they are."""

    def __init__(self, query: str) -> None:
        self._query = query

    def sql(self, database: Any, *, locked: bool = False) -> str:
        return self._query

    def models(self, database: Any, found: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        return list(found)


def filled(values: Iterable[Any]) -> list[Any]:
    """Append NULLs to the values of an IN, so that the database prepares only a few statements of different lengths."""
    found, length = list(values), 1
    while length < len(found):
        length *= 5
    return found + [None] * (length - len(found))


@cache
def vendor() -> str:
    """Return the kind of the database, without looking up the connection each time."""
    return connections[DEFAULT_DB_ALIAS].vendor


def reads_together() -> bool:
    """Return whether the database accepts several statements at once."""
    return vendor() == "postgresql"


Query = tuple[Select[Any] | Versions | Values, Sequence[Any]]
"""A query and its parameters."""


def read(queries: Sequence[Query], *, lock_first: bool = False) -> list[list[Any]]:
    """Return what each query finds, in one round trip if the database accepts several statements at once."""
    return models(queries, fetch(queries, lock_first=lock_first))


def models(queries: Sequence[Query], found: Sequence[list[tuple[Any, ...]]]) -> list[list[Any]]:
    """Convert fetched rows to model instances."""
    database = connections[DEFAULT_DB_ALIAS]
    return [query.models(database, rows) for (query, _), rows in zip(queries, found, strict=True)]


def fetch(queries: Sequence[Query], *, lock_first: bool = False) -> list[list[tuple[Any, ...]]]:
    """Fetch the rows of each query as they are stored.

    With `lock_first`, the rows of the first query stay locked until the transaction ends, and the others are read once
    the lock is held. SQLite needs no lock, because its transactions are exclusive.
    """
    database: Any = connections[DEFAULT_DB_ALIAS]
    statements = [
        (query.sql(database, locked=lock_first and not place), values) for place, (query, values) in enumerate(queries)
    ]
    if database.vendor == "postgresql":
        return cast("list[list[tuple[Any, ...]]]", database.run_together(statements))
    found = dict[tuple[str, tuple[Any, ...]], list[tuple[Any, ...]]]()
    keys = [(sql, tuple(values)) for sql, values in statements]
    with database.cursor() as cursor:
        for sql, values in dict.fromkeys(keys):  # the versions of rows are the rows themselves
            cursor.execute(sql, values)
            found[sql, values] = cursor.fetchall()
    return [found[key] for key in keys]


def stored_row(model: type[M], names: Sequence[str], values: Sequence[Any]) -> M:
    """Build a model instance for a row in the database.

    Unlike `Model.from_db`, this skips the checks and signals of `__init__`.
    """
    row = model.__new__(model)
    row.__dict__.update(zip(names, values, strict=False))
    row._state = ModelState()
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS
    return row


def converters_of(field: "Field[Any, Any]", database: Any) -> list[Callable[..., Any]]:
    """Return the functions that convert this field's database value to Python."""
    if isinstance(field, JSONField):
        return [decoded_json]
    return [*database.ops.get_db_converters(field.get_col("one")), *field.get_db_converters(database)]


def decoded_json(value: str | None, *_: Any) -> Any:
    """Decode JSON like Django's JSONField, but several times faster."""
    return None if value is None else msgspec.json.decode(value)


@cache
def attribute_names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def new_row(model: type[M], **values: Any) -> M:
    """Build a model instance to insert, with defaults for the fields that aren't given.

    Unlike the model's constructor, this skips checks and signals.
    """
    constants, factories, relations = defaults_of(model)
    row = model.__new__(model)
    row._state = ModelState()
    attributes = row.__dict__
    attributes.update(constants)
    attributes.update(values)
    for name, relation in relations:
        if name in values:
            other = attributes.pop(name)
            attributes[relation.attname] = None if other is None else other.pk
            relation.set_cached_value(row, other)
    for name, factory in factories:
        if name not in values:
            attributes[name] = factory()
    return row


@cache
def defaults_of(
    model: type[Model],
) -> tuple[dict[str, Any], list[tuple[str, Callable[[], Any]]], list[tuple[str, "ForeignKey[Any, Any]"]]]:
    """Return the constant defaults, the functions that make the other defaults, and the foreign keys."""
    fields = model._meta.concrete_fields
    factories = [(field.attname, field.default) for field in fields if field.has_default() and callable(field.default)]
    names = {name for name, _ in factories}
    constants = {field.attname: field.get_default() for field in fields if field.attname not in names}
    return constants, factories, [(field.name, field) for field in fields if isinstance(field, ForeignKey)]


def insert_each(rows: Sequence[Model]) -> list[Statement]:
    """Insert rows with one statement per model, in the order in which the models first appear.

    A model with `ONCE = True` skips rows that already exist.
    """
    by_model: dict[type[Model], list[Model]] = {}
    for row in rows:
        by_model.setdefault(type(row), []).append(row)
    return [insert(alike, unless_there=getattr(model, "ONCE", False)) for model, alike in by_model.items()]


def insert(rows: Sequence[Model], *, unless_there: bool = False) -> Statement:
    """Insert rows of one model with one statement, without the columns that are NULL in all of them.

    With `unless_there`, rows that violate a unique constraint are skipped.
    """
    model = type(rows[0])
    written = [
        (name, stored)
        for name, stored in written_attributes(model, vendor())
        if any(row.__dict__[name] is not None for row in rows)
    ]
    database = connections[DEFAULT_DB_ALIAS]
    values = [
        value if stored is None or value is None else stored(value, database)
        for row in rows
        for name, stored in written
        for value in (row.__dict__[name],)
    ]
    return insertion(model, tuple(name for name, _ in written), len(rows), unless_there), values


@lru_cache(maxsize=1024)
def insertion(model: type[Model], names: tuple[str, ...], count: int, unless_there: bool) -> str:
    one = f"({', '.join(['%s'] * len(names))})"
    columns = ", ".join(f'"{model._meta.get_field(name).column}"' for name in names)  # type: ignore[union-attr]
    sql = f'INSERT INTO "{model._meta.db_table}" ({columns}) VALUES {", ".join([one] * count)}'  # noqa: S608
    return sql + " ON CONFLICT DO NOTHING" * unless_there


def update(row: Model, names: Iterable[str], *, latest: Collection[str] = ()) -> Statement:
    """Update only these fields. Fields in `latest` are written only if the new value is later than the stored one."""
    sql, written = assignment(type(row), tuple(names), frozenset(latest), vendor())
    values = [
        value if stored is None or value is None else stored(value, connections[DEFAULT_DB_ALIAS])
        for name, stored in written
        for value in (getattr(row, name),)
    ]
    return sql, [*values, row.pk]


@lru_cache(maxsize=1024)
def assignment(
    model: type[Model], names: tuple[str, ...], latest: frozenset[str], vendor: str
) -> tuple[str, list[Attribute]]:
    """Return an UPDATE statement, and the attributes whose values it needs, in order."""
    fields = [cast("Field[Any, Any]", model._meta.get_field(name)) for name in names]
    assignments = ", ".join(
        f'"{field.column}" = {LATEST.format(field.column) if field.name in latest else "%s"}' for field in fields
    )
    written = [
        (field.attname, stored_form(field, vendor)) for field in fields for _ in range(1 + (field.name in latest))
    ]
    return f'UPDATE "{model._meta.db_table}" SET {assignments} WHERE "id" = %s', written  # noqa: S608


def run(statements: Sequence[Statement]) -> None:
    """Run the last statements of a transaction, together with its COMMIT if the database accepts several statements at
    once. If the transaction continues, they run before its next statement."""
    if not statements:
        return
    database: Any = connections[DEFAULT_DB_ALIAS]
    if database.vendor == "postgresql":
        database.run_at_commit(statements)
    else:
        with database.cursor() as cursor:
            for sql, values in statements:
                cursor.execute(sql, values)


@cache
def written_attributes(model: type[Model], vendor: str) -> list[Attribute]:
    """Return the attributes of all fields except an ID generated by the database."""
    fields = [field for field in model._meta.local_concrete_fields if not isinstance(field, AutoField)]
    return [(field.attname, stored_form(field, vendor)) for field in fields]


def stored_form(field: "Field[Any, Any]", vendor: str) -> StoredForm | None:
    """Return the function that converts a value of this field for the database, or None if it needs no conversion."""
    if isinstance(field, STORED_AS_THEY_ARE[vendor]):
        return None
    return encoded_json if isinstance(field, JSONField) else field.get_db_prep_save


def encoded_json(value: Any, _: Any) -> str:
    return msgspec.json.encode(value).decode()
