"""Fast SQL for moves: one statement reads whole rows, and one round trip writes all changes.

Django rebuilds each query, which takes longer than running it. These queries are built once from the models' fields, so
new fields need no changes here.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache
from typing import Any, Generic, TypeVar, cast

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import AutoField, BooleanField, CharField, Field, ForeignKey, IntegerField, Model, TextField

M = TypeVar("M", bound=Model)
Statement = tuple[str, list[Any]]
Fields = Sequence["Field[Any, Any]"]
STORED_AS_THEY_ARE = (CharField, TextField, IntegerField, BooleanField, ForeignKey)
"""Text and numbers need no conversion on any database."""


class Select(Generic[M]):
    """Selects all columns of a model's rows and, if a foreign key is named, of the row it points to.

    `where` is the SQL after FROM and the join; it calls the two tables `one` and `other`.
    """

    def __init__(self, model: type[M], where: str, *, related: str = "") -> None:
        self._model = model
        self._related = cast("ForeignKey[Any, Any]", model._meta.get_field(related)) if related else None
        self._where = where
        self._prepared: dict[str, tuple[str, list[Any]]] = {}

    def rows(self, parameters: Sequence[Any], *, locked: bool = False) -> list[M]:
        """Fetch the rows.

        With `locked`, they stay locked until the transaction ends. SQLite needs no lock: its transactions are
        exclusive.
        """
        database = connections[DEFAULT_DB_ALIAS]
        sql, converters = self._prepared.get(database.vendor) or self._prepare(database)
        if locked and database.vendor == "postgresql":
            sql += " FOR NO KEY UPDATE OF one"
        with database.cursor() as cursor:
            cursor.execute(sql, parameters)
            found = cursor.fetchall()
        names, related = attribute_names(self._model), self._related
        rows = []
        for values in map(list, found):
            for place, converter, column in converters:
                values[place] = converter(values[place], column, database)
            row: M = self._model.from_db(DEFAULT_DB_ALIAS, names, values[: len(names)])
            if related:
                theirs = values[len(names) :]
                other = related.related_model.from_db(DEFAULT_DB_ALIAS, attribute_names(related.related_model), theirs)
                setattr(row, related.name, other if other.pk is not None else None)
            rows.append(row)
        return rows

    def _prepare(self, database: Any) -> tuple[str, list[Any]]:
        own = self._model._meta.concrete_fields
        other = self._related.related_model._meta.concrete_fields if self._related else ()
        columns = [f'one."{field.column}"' for field in own] + [f'other."{field.column}"' for field in other]
        joined = ""
        if self._related:
            table, key = self._related.related_model._meta.db_table, self._related.column
            joined = f'LEFT JOIN "{table}" other ON other."id" = one."{key}"'
        sql = f'SELECT {", ".join(columns)} FROM "{self._model._meta.db_table}" one {joined} {self._where}'  # noqa: S608
        converters = [
            (place, converter, field.get_col("one"))
            for place, field in enumerate((*own, *other))
            for converter in converters_of(field, database)
        ]
        self._prepared[database.vendor] = sql, converters
        return sql, converters


def converters_of(field: "Field[Any, Any]", database: Any) -> list[Callable[..., Any]]:
    """Return the functions that convert this field's database value to Python."""
    return [*database.ops.get_db_converters(field.get_col("one")), *field.get_db_converters(database)]


@cache
def attribute_names(model: type[Model]) -> list[str]:
    return [field.attname for field in model._meta.concrete_fields]


def insert_each(rows: Sequence[Model]) -> list[Statement]:
    """Insert rows with one statement per model, in the order in which the models first appear.

    A model with `ONCE = True` skips rows that already exist.
    """
    by_model: dict[type[Model], list[Model]] = {}
    for row in rows:
        by_model.setdefault(type(row), []).append(row)
    return [insert(alike, unless_there=getattr(model, "ONCE", False)) for model, alike in by_model.items()]


def insert(rows: Sequence[Model], *, unless_there: bool = False) -> Statement:
    """Insert rows of one model with one statement. `unless_there` skips rows that violate a unique constraint."""
    fields = written_fields(type(rows[0]))
    one = f"({', '.join(['%s'] * len(fields))})"
    columns = ", ".join(f'"{field.column}"' for field in fields)
    sql = f'INSERT INTO "{rows[0]._meta.db_table}" ({columns}) VALUES {", ".join([one] * len(rows))}'  # noqa: S608
    values = [value for row in rows for value in values_of(row, fields)]
    return sql + " ON CONFLICT DO NOTHING" * unless_there, values


def update(row: Model, names: Iterable[str]) -> Statement:
    """Update only these fields."""
    fields = [field_of(type(row), name) for name in names]
    assignments = ", ".join(f'"{field.column}" = %s' for field in fields)
    sql = f'UPDATE "{row._meta.db_table}" SET {assignments} WHERE "id" = %s'  # noqa: S608
    return sql, [*values_of(row, fields), row.pk]


def update_each(changed: Sequence[tuple[Model, Sequence[str]]], *, latest: Collection[str] = ()) -> list[Statement]:
    """Update many rows of one model with one statement that writes only the given fields of each.

    Fields in `latest` are written only if the new value is later than the stored one.
    """
    if not changed:
        return []
    model, values, assignments = type(changed[0][0]), list[Any](), list[str]()
    for name in dict.fromkeys(name for _, names in changed for name in names):
        field, rows = field_of(model, name), [row for row, names in changed if name in names]
        new = f'CASE WHEN "{field.column}" > %s THEN "{field.column}" ELSE %s END' if name in latest else "%s"
        cases = f"WHEN %s THEN {new} " * len(rows)
        assignments.append(f'"{field.column}" = CASE "id" {cases} ELSE "{field.column}" END')
        for row in rows:
            values += [row.pk, *values_of(row, [field] * new.count("%s"))]
    wanted = ", ".join(["%s"] * len(changed))
    sql = f'UPDATE "{model._meta.db_table}" SET {", ".join(assignments)} WHERE "id" IN ({wanted})'  # noqa: S608
    return [(sql, values + [row.pk for row, _ in changed])]


def run(statements: Sequence[Statement]) -> None:
    """Run the statements in one round trip, if the database accepts several at once."""
    database = connections[DEFAULT_DB_ALIAS]
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(";\n".join(cursor.mogrify(sql, values) for sql, values in statements))
        else:
            for sql, values in statements:
                cursor.execute(sql, values)


def values_of(row: Model, fields: Fields) -> list[Any]:
    database = connections[DEFAULT_DB_ALIAS]
    return [
        getattr(row, field.attname)
        if isinstance(field, STORED_AS_THEY_ARE)
        else field.get_db_prep_save(getattr(row, field.attname), database)
        for field in fields
    ]


@cache
def field_of(model: type[Model], name: str) -> "Field[Any, Any]":
    return cast("Field[Any, Any]", model._meta.get_field(name))


@cache
def written_fields(model: type[Model]) -> Fields:
    """Return all fields except an id generated by the database."""
    return [field for field in model._meta.local_concrete_fields if not isinstance(field, AutoField)]
