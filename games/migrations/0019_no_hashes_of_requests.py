from django.db import migrations


class Migration(migrations.Migration):
    """Apart from the one before: PostgreSQL changes no table whose rows were changed in the same transaction."""

    dependencies = [("games", "0018_what_tells_of_sealed_moves")]

    operations = [
        migrations.RemoveField("move", "request_hash"),
        migrations.RemoveField("refusal", "request_hash"),
    ]
