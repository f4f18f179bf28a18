import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
import registry.constraints
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("registry", "0001_start"),
    ]

    operations = [
        migrations.CreateModel(
            name="LicenseCounterEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("license_class", models.CharField(max_length=1)),
                ("year", models.PositiveSmallIntegerField()),
                ("last", models.PositiveIntegerField(default=0)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="LicenseEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                (
                    "license_class",
                    models.CharField(
                        choices=[
                            ("A", "class A: to conduct bingo"),
                            ("B", "class B: to lease premises for bingo"),
                        ],
                        max_length=1,
                        verbose_name="class",
                    ),
                ),
                ("number", models.CharField(max_length=20, verbose_name="number")),
                ("issued_on", models.DateField(verbose_name="issued on")),
                ("expires_on", models.DateField(verbose_name="last day")),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Sanction",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("starts_on", models.DateField(verbose_name="from")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "kind",
                    models.CharField(
                        choices=[("suspension", "suspended")], default="suspension", max_length=20
                    ),
                ),
                ("reason", models.TextField(verbose_name="reason")),
                ("cite", models.CharField(blank=True, max_length=80, verbose_name="paragraph")),
            ],
        ),
        migrations.CreateModel(
            name="SanctionEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("starts_on", models.DateField(verbose_name="from")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "kind",
                    models.CharField(
                        choices=[("suspension", "suspended")], default="suspension", max_length=20
                    ),
                ),
                ("reason", models.TextField(verbose_name="reason")),
                ("cite", models.CharField(blank=True, max_length=80, verbose_name="paragraph")),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Exemption",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("basis", models.CharField(max_length=20, verbose_name="basis")),
                (
                    "evidence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("letter", "determination or affirmation letter"),
                            ("group", "listed in a central organization's group ruling"),
                            ("irs", "row in the IRS master file"),
                            ("1120-H", "Form 1120-H"),
                            ("church", "church, exempt without application"),
                        ],
                        max_length=10,
                        verbose_name="shown by",
                    ),
                ),
                (
                    "reference",
                    models.CharField(blank=True, max_length=200, verbose_name="document"),
                ),
                (
                    "verified_on",
                    models.DateField(blank=True, null=True, verbose_name="verified on"),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="exemptions",
                        to="registry.organization",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ExemptionEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("basis", models.CharField(max_length=20, verbose_name="basis")),
                (
                    "evidence",
                    models.CharField(
                        blank=True,
                        choices=[
                            ("letter", "determination or affirmation letter"),
                            ("group", "listed in a central organization's group ruling"),
                            ("irs", "row in the IRS master file"),
                            ("1120-H", "Form 1120-H"),
                            ("church", "church, exempt without application"),
                        ],
                        max_length=10,
                        verbose_name="shown by",
                    ),
                ),
                (
                    "reference",
                    models.CharField(blank=True, max_length=200, verbose_name="document"),
                ),
                (
                    "verified_on",
                    models.DateField(blank=True, null=True, verbose_name="verified on"),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        db_constraint=False,
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
                        to="licenses.exemption",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="LessorInterest",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("starts_on", models.DateField(verbose_name="from")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "tie",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("officer", "officer"),
                            ("director", "director"),
                            ("stockholder", "stockholder"),
                            ("employee", "employee"),
                            ("other", "other interest"),
                        ],
                        max_length=20,
                        verbose_name="tie",
                    ),
                ),
                (
                    "lessor",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="interested",
                        to="registry.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="lessor_interests",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LessorInterestEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("starts_on", models.DateField(verbose_name="from")),
                ("ends_on", models.DateField(blank=True, null=True, verbose_name="last day")),
                (
                    "tie",
                    models.CharField(
                        choices=[
                            ("owner", "owner"),
                            ("officer", "officer"),
                            ("director", "director"),
                            ("stockholder", "stockholder"),
                            ("employee", "employee"),
                            ("other", "other interest"),
                        ],
                        max_length=20,
                        verbose_name="tie",
                    ),
                ),
                (
                    "lessor",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="registry.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="registry.person",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="licenses.lessorinterest",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="License",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                (
                    "license_class",
                    models.CharField(
                        choices=[
                            ("A", "class A: to conduct bingo"),
                            ("B", "class B: to lease premises for bingo"),
                        ],
                        max_length=1,
                        verbose_name="class",
                    ),
                ),
                ("number", models.CharField(max_length=20, unique=True, verbose_name="number")),
                ("issued_on", models.DateField(verbose_name="issued on")),
                ("expires_on", models.DateField(verbose_name="last day")),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="licenses",
                        to="registry.organization",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="LicenseCounter",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("license_class", models.CharField(max_length=1)),
                ("year", models.PositiveSmallIntegerField()),
                ("last", models.PositiveIntegerField(default=0)),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("license_class", "year"), name="licensecounter_once"
                    )
                ],
            },
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licensecounter",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="846aa38d9de4cd34b5ca2b802fab2aa69ca25c04",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_95556",
                    table="licenses_licensecounter",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licensecounter",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_licensecounterevent" ("id", "last", "license_class", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "year") VALUES (NEW."id", NEW."last", NEW."license_class", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."year"); RETURN NULL;',
                    hash="c43a96a348a990ee4dbed47c20dc1b122f3da74e",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_00035",
                    table="licenses_licensecounter",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licensecounter",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "licenses_licensecounterevent" ("id", "last", "license_class", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "year") VALUES (NEW."id", NEW."last", NEW."license_class", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."year"); RETURN NULL;',
                    hash="efebbc30138e55fbe868b206610f30b4f337a497",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_7317a",
                    table="licenses_licensecounter",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licensecounter",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_licensecounterevent" ("id", "last", "license_class", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "year") VALUES (OLD."id", OLD."last", OLD."license_class", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."year"); RETURN NULL;',
                    hash="b28cec1f95d4d1405f58382e11798c7a0599b151",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_0b919",
                    table="licenses_licensecounter",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddField(
            model_name="licensecounterevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="licenses.licensecounter",
            ),
        ),
        migrations.AddField(
            model_name="licenseevent",
            name="organization",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="registry.organization",
            ),
        ),
        migrations.AddField(
            model_name="licenseevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="licenses.license",
            ),
        ),
        migrations.AddField(
            model_name="sanction",
            name="license",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="sanctions",
                to="licenses.license",
            ),
        ),
        migrations.AddField(
            model_name="sanctionevent",
            name="license",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="licenses.license",
            ),
        ),
        migrations.AddField(
            model_name="sanctionevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="licenses.sanction",
            ),
        ),
        migrations.AddConstraint(
            model_name="exemption",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("basis", "528"),
                    ("basis__regex", "^501\\(c\\)\\(([1-9]|1[0-9]|2[0-9])\\)$"),
                    _connector="OR",
                ),
                name="exemption_basis_known",
            ),
        ),
        migrations.AddConstraint(
            model_name="exemption",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_at__isnull", True)),
                fields=("organization",),
                name="exemption_one_standing",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemption",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="7b61de982b6c73e62b06eeaad864dc7d9c214478",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_935e1",
                    table="licenses_exemption",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemption",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "verified_on", "void_reason", "voided_at") VALUES (NEW."basis", NEW."evidence", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reference", NEW."verified_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="3b38c436017eb2f45b0632680bf1a1734b2885ae",
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
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "verified_on", "void_reason", "voided_at") VALUES (NEW."basis", NEW."evidence", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reference", NEW."verified_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="927e205b680111b19667e015c0d361c8a8cc55c0",
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
                    func='INSERT INTO "licenses_exemptionevent" ("basis", "evidence", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "verified_on", "void_reason", "voided_at") VALUES (OLD."basis", OLD."evidence", OLD."id", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reference", OLD."verified_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="5b0e20cddd2dcd9d1bd5bd8184d067fe8181f1b8",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_6578f",
                    table="licenses_exemption",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="exemptionevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="22762226400240fdb6071c2cde425b70a440f5d2",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_06006",
                    table="licenses_exemptionevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="lessorinterest",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="lessorinterest_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="lessorinterest",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["person", "lessor", "tie"],
                name="lessorinterest_once",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lessorinterest",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="a1f7ba1c14fb6d01b0c5ee9a32526ee726339ff9",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_e2e74",
                    table="licenses_lessorinterest",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lessorinterest",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_lessorinterestevent" ("ends_on", "id", "lessor_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "tie", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."lessor_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."starts_on", NEW."tie", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="b04bae7bcc2bcd464dbfa467b42938b14c7a2d73",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_05035",
                    table="licenses_lessorinterest",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lessorinterest",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "licenses_lessorinterestevent" ("ends_on", "id", "lessor_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "tie", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."lessor_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."starts_on", NEW."tie", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="c6070a1054401e401552058f609029ebc3cc9a38",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_8afa9",
                    table="licenses_lessorinterest",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lessorinterest",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_lessorinterestevent" ("ends_on", "id", "lessor_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "tie", "void_reason", "voided_at") VALUES (OLD."ends_on", OLD."id", OLD."lessor_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."starts_on", OLD."tie", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="3596a8d55e0851621b5ab0b961823d24d968ebe7",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_7dd54",
                    table="licenses_lessorinterest",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="lessorinterestevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="02e437a0f0fccfef4da6149d74fc391f2aa62a18",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_9572a",
                    table="licenses_lessorinterestevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="license",
            constraint=models.CheckConstraint(
                condition=models.Q(("expires_on__gte", models.F("issued_on"))),
                name="license_expires_after_issue",
            ),
        ),
        migrations.AddConstraint(
            model_name="license",
            constraint=registry.constraints.NoOverlap(
                during=("issued_on", "expires_on"),
                fields=["organization", "license_class"],
                name="license_one_per_class",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="license",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="9873f07aea2d497f58fa5119385ccec0f09b4127",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_00f98",
                    table="licenses_license",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="license",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_licenseevent" ("expires_on", "id", "issued_on", "license_class", "number", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (NEW."expires_on", NEW."id", NEW."issued_on", NEW."license_class", NEW."number", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="6b4be531fe1f7d5f3d9deb26b368ae5abe7e66ca",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_d6a39",
                    table="licenses_license",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="license",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "licenses_licenseevent" ("expires_on", "id", "issued_on", "license_class", "number", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (NEW."expires_on", NEW."id", NEW."issued_on", NEW."license_class", NEW."number", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="60daa5dc8ffa6fa4ca884e24bbf24f4d3da1eec1",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_271a6",
                    table="licenses_license",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="license",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_licenseevent" ("expires_on", "id", "issued_on", "license_class", "number", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (OLD."expires_on", OLD."id", OLD."issued_on", OLD."license_class", OLD."number", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="34a81b3226820eb518a713c2da84f98f9ecae706",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_40c05",
                    table="licenses_license",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licensecounterevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="e8e010bb84279d791d502475a7a6b81bfa087832",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_fa514",
                    table="licenses_licensecounterevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="licenseevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="b2c9c5e671ce8763eb0daaa11c4f8b6d8dab78f4",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_f909b",
                    table="licenses_licenseevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="sanction",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="sanction_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="sanction",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"), fields=["license", "kind"], name="sanction_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sanction",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="4ea3ec6c9f014fa828779201bae342cae7fb058f",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_9b3ce",
                    table="licenses_sanction",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sanction",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_sanctionevent" ("cite", "ends_on", "id", "kind", "license_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (NEW."cite", NEW."ends_on", NEW."id", NEW."kind", NEW."license_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reason", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="a8a6ba0dce055ec2ebc929fcdfe42790386a0a32",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_dbf29",
                    table="licenses_sanction",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sanction",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "licenses_sanctionevent" ("cite", "ends_on", "id", "kind", "license_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (NEW."cite", NEW."ends_on", NEW."id", NEW."kind", NEW."license_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reason", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="ed60c6009be05288ed9d050f4ab57e5086752b66",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_63c3d",
                    table="licenses_sanction",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sanction",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "licenses_sanctionevent" ("cite", "ends_on", "id", "kind", "license_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (OLD."cite", OLD."ends_on", OLD."id", OLD."kind", OLD."license_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reason", OLD."starts_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="de8f373821d0f1fe96dfa15757558bbba45b9cea",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_39094",
                    table="licenses_sanction",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="sanctionevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="1c81b43d9cf000f3315f8c2edd02bcf3d11864ce",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_fd69b",
                    table="licenses_sanctionevent",
                    when="BEFORE",
                ),
            ),
        ),
    ]
