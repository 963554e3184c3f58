from typing import Any

from django.db.models import Aggregate, TextField


class Listed(Aggregate):
    """Texts, with commas between them."""

    function = "STRING_AGG"
    template = "%(function)s(%(expressions)s, ',')"
    output_field = TextField()

    def as_sqlite(self, *args: Any, **extra: Any) -> Any:
        return self.as_sql(*args, function="GROUP_CONCAT", **extra)
