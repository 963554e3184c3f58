"""Rows written by plain statements: what a move has to write goes to the database in one go."""

from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Any, cast

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import BooleanField, CharField, Field, ForeignKey, IntegerField, Model, TextField

Statement = tuple[str, list[Any]]
STORED_AS_THEY_ARE = (CharField, TextField, IntegerField, BooleanField, ForeignKey)
"""Texts and numbers need no preparation, on any database."""


def insert(rows: Sequence[Model], *, unless_there: bool = False) -> list[Statement]:
    """One statement for rows of one model, which get no ids; with `unless_there` what is unique is written once."""
    if not rows:
        return []
    fields = written_fields(type(rows[0]))
    one = f"({', '.join(['%s'] * len(fields))})"
    columns = ", ".join(f'"{field.column}"' for field in fields)
    sql = f'INSERT INTO "{rows[0]._meta.db_table}" ({columns}) VALUES {", ".join([one] * len(rows))}'  # noqa: S608
    values = [value for row in rows for value in values_of(row, fields)]
    return [(sql + " ON CONFLICT DO NOTHING" * unless_there, values)]


def update(row: Model, names: Iterable[str]) -> Statement:
    """Writes these fields, and leaves the others to whoever writes them."""
    fields = [field_of(type(row), name) for name in names]
    assignments = ", ".join(f'"{field.column}" = %s' for field in fields)
    sql = f'UPDATE "{row._meta.db_table}" SET {assignments} WHERE "id" = %s'  # noqa: S608
    return sql, [*values_of(row, fields), row.pk]


def update_each(changed: Sequence[tuple[Model, Sequence[str]]], *, latest: Collection[str] = ()) -> list[Statement]:
    """One statement for many rows of one model, in each of which only the named fields are written. What is `latest`
    is written only where it is later than what is there."""
    if not changed:
        return []
    model, values, assignments = type(changed[0][0]), [], []
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
    """In one round trip where the database takes several statements at once."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(";\n".join(cursor.mogrify(sql, values) for sql, values in statements))
        else:
            for sql, values in statements:
                cursor.execute(sql, values)


def values_of(row: Model, fields: Iterable["Field[Any, Any]"]) -> list[Any]:
    database = connections[DEFAULT_DB_ALIAS]  # what `connection` stands for, which looks it up every time
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
def written_fields(model: type[Model]) -> list["Field[Any, Any]"]:
    """All but an id that the database makes."""
    return [field for field in model._meta.local_concrete_fields if not field.primary_key]
