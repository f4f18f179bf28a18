import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("registry", "0001_start"),
    ]

    operations = [
        migrations.CreateModel(
            name="Concern",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("tag_number", models.PositiveIntegerField(null=True)),
                ("text", models.TextField(verbose_name="what did you see?")),
                (
                    "contact",
                    models.CharField(
                        blank=True, max_length=200, verbose_name="how we can reach you"
                    ),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "organization",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.organization",
                    ),
                ),
                (
                    "work_item",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.PROTECT, to="registry.workitem"
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="ConcernEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("tag_number", models.PositiveIntegerField(null=True)),
                ("text", models.TextField(verbose_name="what did you see?")),
                (
                    "contact",
                    models.CharField(
                        blank=True, max_length=200, verbose_name="how we can reach you"
                    ),
                ),
                ("received_at", models.DateTimeField(auto_now_add=True)),
                (
                    "organization",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="registry.organization",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="inspections.concern",
                    ),
                ),
                (
                    "work_item",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="registry.workitem",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="concern",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="8904981288ebd8790d9e95fc3037625c8b10064a",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_63686",
                    table="inspections_concern",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="concern",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "inspections_concernevent" ("contact", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "received_at", "tag_number", "text", "work_item_id") VALUES (NEW."contact", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."received_at", NEW."tag_number", NEW."text", NEW."work_item_id"); RETURN NULL;',
                    hash="d09d529d99247381018280b71c2a2b712dc8ac07",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_887c9",
                    table="inspections_concern",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="concern",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "inspections_concernevent" ("contact", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "received_at", "tag_number", "text", "work_item_id") VALUES (NEW."contact", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."received_at", NEW."tag_number", NEW."text", NEW."work_item_id"); RETURN NULL;',
                    hash="b35f8a9dc4dc723f862e827be6e32342f00e43b7",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_7216f",
                    table="inspections_concern",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="concern",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "inspections_concernevent" ("contact", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "received_at", "tag_number", "text", "work_item_id") VALUES (OLD."contact", OLD."id", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."received_at", OLD."tag_number", OLD."text", OLD."work_item_id"); RETURN NULL;',
                    hash="56743d20468b343155b9f689c2b426999726e26b",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_30e22",
                    table="inspections_concern",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="concernevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="1c6c311a5c156cceff6b8dba4103269aa38dc981",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_2daa9",
                    table="inspections_concernevent",
                    when="BEFORE",
                ),
            ),
        ),
    ]
