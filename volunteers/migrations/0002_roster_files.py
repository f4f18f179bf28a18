import django.db.models.deletion
import pgtrigger.compiler
import pgtrigger.migrations
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_start"),
        ("volunteers", "0001_start"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="FileJob",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[("read", "check the rows"), ("enter", "enter the rows")],
                        max_length=10,
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "waiting"),
                            ("running", "running"),
                            ("done", "done"),
                            ("failed", "stopped"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(auto_now_add=True)),
                ("arguments", models.JSONField(default=dict)),
                ("phase", models.CharField(blank=True, max_length=20)),
                ("done", models.PositiveIntegerField(default=0)),
                ("total", models.PositiveIntegerField(default=0)),
                ("beat_at", models.DateTimeField(null=True)),
                ("told", models.TextField(blank=True)),
            ],
        ),
        migrations.CreateModel(
            name="FileReading",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("language", models.CharField(max_length=10)),
                ("basis", models.CharField(max_length=64)),
                ("judged_on", models.DateField()),
                ("summary", models.JSONField(default=dict)),
            ],
        ),
        migrations.CreateModel(
            name="FileReadingRow",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField()),
                ("status", models.CharField(max_length=10)),
                ("is_good", models.BooleanField(default=True)),
                ("name", models.CharField(max_length=400)),
                ("since", models.DateField(null=True)),
                ("mark", models.CharField(blank=True, max_length=20)),
                ("eligible_on", models.DateField(null=True)),
                ("told", models.JSONField(default=dict)),
            ],
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="rosterfile",
            name="insert_insert",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="rosterfile",
            name="update_update",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="rosterfile",
            name="delete_delete",
        ),
        migrations.AddField(
            model_name="rosterfile",
            name="layout",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddField(
            model_name="rosterfileevent",
            name="layout",
            field=models.CharField(blank=True, default="", max_length=64),
        ),
        migrations.AddIndex(
            model_name="rosterfile",
            index=models.Index(fields=["organization", "layout"], name="rosterfile_layout"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfile",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "layout", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (NEW."entered_at", NEW."id", NEW."layout", NEW."name", NEW."options", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."result", NEW."sha256", NEW."uploaded_at", NEW."uploaded_by_id"); RETURN NULL;',
                    hash="ad8de1584d7c91899f9a755f6784434da60247f3",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_36777",
                    table="volunteers_rosterfile",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfile",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."entered_at" IS DISTINCT FROM (NEW."entered_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."layout" IS DISTINCT FROM (NEW."layout") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."options" IS DISTINCT FROM (NEW."options") OR OLD."organization_id" IS DISTINCT FROM (NEW."organization_id") OR OLD."result" IS DISTINCT FROM (NEW."result") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."uploaded_at" IS DISTINCT FROM (NEW."uploaded_at") OR OLD."uploaded_by_id" IS DISTINCT FROM (NEW."uploaded_by_id"))',
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "layout", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (NEW."entered_at", NEW."id", NEW."layout", NEW."name", NEW."options", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."result", NEW."sha256", NEW."uploaded_at", NEW."uploaded_by_id"); RETURN NULL;',
                    hash="0a7129f0d4a370032c474c96cd4c17d190a0c430",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_9eeff",
                    table="volunteers_rosterfile",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfile",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "layout", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (OLD."entered_at", OLD."id", OLD."layout", OLD."name", OLD."options", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."result", OLD."sha256", OLD."uploaded_at", OLD."uploaded_by_id"); RETURN NULL;',
                    hash="b1c38f2e8f24b7937275a969270860ef0110ea3e",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_34ed8",
                    table="volunteers_rosterfile",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddField(
            model_name="filejob",
            name="asked_by",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="filejob",
            name="roster_file",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="jobs",
                to="volunteers.rosterfile",
            ),
        ),
        migrations.AddField(
            model_name="filereading",
            name="roster_file",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="readings",
                to="volunteers.rosterfile",
            ),
        ),
        migrations.AddField(
            model_name="filereading",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="filereadingrow",
            name="reading",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="rows",
                to="volunteers.filereading",
            ),
        ),
        migrations.AddConstraint(
            model_name="filejob",
            constraint=models.UniqueConstraint(
                condition=models.Q(("state__in", ["waiting", "running"])),
                fields=("roster_file", "kind"),
                name="filejob_one_at_a_time",
            ),
        ),
        migrations.AddConstraint(
            model_name="filereading",
            constraint=models.UniqueConstraint(
                fields=("roster_file", "user", "language"), name="filereading_once"
            ),
        ),
        migrations.AddIndex(
            model_name="filereadingrow",
            index=models.Index(
                fields=["reading", "is_good", "number"], name="filereadingrow_order"
            ),
        ),
        migrations.AddIndex(
            model_name="filereadingrow",
            index=models.Index(
                fields=["reading", "status", "number"], name="filereadingrow_status"
            ),
        ),
    ]
