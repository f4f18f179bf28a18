import django.contrib.postgres.indexes
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.text
import pgtrigger.compiler
import pgtrigger.migrations
import registry.models
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("licenses", "0002_applications"),
        ("registry", "0004_papers_and_letters"),
    ]

    operations = [
        migrations.CreateModel(
            name="IrsFile",
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
                        choices=[
                            ("bmf", "master file of exempt organizations"),
                            ("revocations", "auto-revocation list"),
                        ],
                        max_length=20,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("sha256", models.CharField(max_length=64)),
                ("file_date", models.DateField()),
                ("loaded_at", models.DateTimeField(auto_now_add=True)),
                ("rows", models.PositiveIntegerField(default=0)),
                ("skipped", models.PositiveIntegerField(default=0)),
                ("replaced_at", models.DateTimeField(null=True)),
            ],
        ),
        migrations.CreateModel(
            name="IrsOrganization",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("line", models.PositiveIntegerField()),
                ("ein", models.CharField(max_length=9)),
                ("name", models.TextField()),
                ("second_name", models.TextField(blank=True)),
                ("row", models.TextField()),
                (
                    "search_name",
                    models.GeneratedField(
                        db_persist=True,
                        expression=registry.models.Plain(
                            django.db.models.functions.text.Concat(
                                models.F("name"),
                                models.Value(" "),
                                models.F("second_name"),
                                output_field=models.TextField(),
                            )
                        ),
                        output_field=models.TextField(),
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="IrsRevocation",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("line", models.PositiveIntegerField()),
                ("ein", models.CharField(max_length=9)),
                ("revoked_on", models.DateField()),
                ("posted_on", models.DateField(null=True)),
                ("reinstated_on", models.DateField(null=True)),
                ("row", models.TextField()),
            ],
        ),
        migrations.CreateModel(
            name="IrsStanding",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("ein", models.CharField(max_length=9)),
                (
                    "snapshot",
                    models.JSONField(
                        default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder
                    ),
                ),
                ("seen_at", models.DateTimeField(auto_now=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="exemption",
            name="insert_insert",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="exemption",
            name="update_update",
        ),
        pgtrigger.migrations.RemoveTrigger(
            model_name="exemption",
            name="delete_delete",
        ),
        migrations.AddField(
            model_name="exemption",
            name="snapshot",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        migrations.AddField(
            model_name="exemptionevent",
            name="snapshot",
            field=models.JSONField(blank=True, default=dict, editable=False),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemption",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "snapshot", "verified_on", "void_reason", "voided_at") VALUES (NEW."basis", NEW."evidence", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reference", NEW."snapshot", NEW."verified_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="c6e6ea9624cc718baa362eeffaf7a930d8d05b57",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_7ab8c",
                    table="licenses_exemption",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemption",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "snapshot", "verified_on", "void_reason", "voided_at") VALUES (NEW."basis", NEW."evidence", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reference", NEW."snapshot", NEW."verified_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="65b6b1a438dbb636d481df7cf638811019cca331",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_532fc",
                    table="licenses_exemption",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemption",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "snapshot", "verified_on", "void_reason", "voided_at") VALUES (OLD."basis", OLD."evidence", OLD."id", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reference", OLD."snapshot", OLD."verified_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="cfdaee67ceaf317a98abc65d91836a970976ddcf",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_6578f",
                    table="licenses_exemption",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="irsfile",
            constraint=models.UniqueConstraint(
                condition=models.Q(("replaced_at", None)),
                fields=("name",),
                name="irsfile_one_of_a_name",
            ),
        ),
        migrations.AddField(
            model_name="irsorganization",
            name="file",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="organizations",
                to="licenses.irsfile",
            ),
        ),
        migrations.AddField(
            model_name="irsrevocation",
            name="file",
            field=models.ForeignKey(
                db_constraint=False,
                db_index=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="revocations",
                to="licenses.irsfile",
            ),
        ),
        migrations.AddField(
            model_name="irsstanding",
            name="organization",
            field=models.OneToOneField(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="irs_standing",
                to="registry.organization",
            ),
        ),
        migrations.AddIndex(
            model_name="irsorganization",
            index=models.Index(fields=["ein"], name="irsorganization_ein"),
        ),
        migrations.AddIndex(
            model_name="irsorganization",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("search_name", name="gin_trgm_ops"),
                name="irsorganization_search_trgm",
            ),
        ),
        migrations.AddIndex(
            model_name="irsrevocation",
            index=models.Index(fields=["ein"], name="irsrevocation_ein"),
        ),
    ]
