from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):

    dependencies = [
        ('inbound', '0002_problem'),
    ]

    operations = [
        migrations.RemoveIndex(model_name='inboundmail', name='inbound_mail_due'),
        migrations.RemoveConstraint(model_name='mailcount', name='one_count_per_day_and_verdict'),
        migrations.RenameField(model_name='inboundmail', old_name='verdict', new_name='result'),
        migrations.RenameField(model_name='mailcount', old_name='verdict', new_name='result'),
        migrations.AddIndex(
            model_name='inboundmail',
            index=models.Index(condition=Q(('result', 'waiting')), fields=['due_at'], name='inbound_mail_due'),
        ),
        migrations.AddConstraint(
            model_name='mailcount',
            constraint=models.UniqueConstraint(fields=('day', 'source', 'result'), name='one_count_per_day_and_result'),
        ),
    ]
