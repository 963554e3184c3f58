
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='LastPosition',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.BigIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='StreamEvent',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('your_turn', 'Your Turn'), ('move_made', 'Move Made'), ('match_started', 'Match Started'), ('match_over', 'Match Over'), ('message', 'Message'), ('proposal', 'Proposal'), ('invitation', 'Invitation'), ('reminder', 'Reminder'), ('deadline_changed', 'Deadline Changed'), ('deadline_passed', 'Deadline Passed'), ('resigned', 'Resigned')], max_length=20)),
                ('match', models.CharField(max_length=12)),
                ('turn', models.PositiveIntegerField(null=True)),
                ('data', models.JSONField(default=dict)),
                ('happened_at', models.DateTimeField()),
                ('position', models.BigIntegerField(null=True, unique=True)),
                ('number', models.BigIntegerField(null=True)),
                ('user', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'indexes': [models.Index(condition=models.Q(('position__isnull', True)), fields=['id'], name='stream_events_to_number'), models.Index(fields=['happened_at'], name='stream_events_by_age')],
                'constraints': [models.UniqueConstraint(fields=('user', 'number'), name='one_stream_event_per_number')],
            },
        ),
    ]
