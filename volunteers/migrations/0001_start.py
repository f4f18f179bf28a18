import django.contrib.postgres.fields
import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
import registry.constraints
import volunteers.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("licenses", "0001_start"),
        ("registry", "0001_start"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RunSQL(
            "CREATE SEQUENCE volunteers_nametag_number", "DROP SEQUENCE volunteers_nametag_number"
        ),
        migrations.CreateModel(
            name="Activity",
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
                    "attested_on",
                    models.DateField(blank=True, null=True, verbose_name="confirmed on"),
                ),
                (
                    "attested_by",
                    models.CharField(blank=True, max_length=200, verbose_name="confirmed by"),
                ),
                ("evidence", models.CharField(blank=True, max_length=200, verbose_name="shown by")),
                ("done_on", models.DateField(verbose_name="date")),
                ("kind", models.CharField(max_length=40, verbose_name="what")),
                (
                    "description",
                    models.CharField(blank=True, max_length=200, verbose_name="description"),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="registry.organization"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="activities",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="ActivityEvent",
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
                    "attested_on",
                    models.DateField(blank=True, null=True, verbose_name="confirmed on"),
                ),
                (
                    "attested_by",
                    models.CharField(blank=True, max_length=200, verbose_name="confirmed by"),
                ),
                ("evidence", models.CharField(blank=True, max_length=200, verbose_name="shown by")),
                ("done_on", models.DateField(verbose_name="date")),
                ("kind", models.CharField(max_length=40, verbose_name="what")),
                (
                    "description",
                    models.CharField(blank=True, max_length=200, verbose_name="description"),
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
                        to="volunteers.activity",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Assignment",
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
                (
                    "duties",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), size=None, verbose_name="duties"
                    ),
                ),
                ("takes_place", models.BooleanField(default=True)),
                ("eligible_on", models.DateField(verbose_name="lawful from")),
                ("ends_on", models.DateField(verbose_name="last day")),
                ("end_reason", models.TextField(blank=True)),
                (
                    "license",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="licenses.license",
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="registry.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="assignments",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AssignmentEvent",
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
                (
                    "duties",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(max_length=20), size=None, verbose_name="duties"
                    ),
                ),
                ("takes_place", models.BooleanField(default=True)),
                ("eligible_on", models.DateField(verbose_name="lawful from")),
                ("ends_on", models.DateField(verbose_name="last day")),
                ("end_reason", models.TextField(blank=True)),
                (
                    "license",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="licenses.license",
                    ),
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
                        to="volunteers.assignment",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Determination",
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
                ("rule", models.CharField(max_length=20)),
                ("is_met", models.BooleanField()),
                (
                    "decided_by",
                    models.CharField(
                        choices=[
                            ("administrator", "the county administrator"),
                            ("board", "the board of county commissioners"),
                            ("court", "a court"),
                        ],
                        max_length=20,
                    ),
                ),
                ("decided_on", models.DateField()),
                ("reference", models.CharField(max_length=200)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="registry.organization"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="determinations",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="DeterminationEvent",
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
                ("rule", models.CharField(max_length=20)),
                ("is_met", models.BooleanField()),
                (
                    "decided_by",
                    models.CharField(
                        choices=[
                            ("administrator", "the county administrator"),
                            ("board", "the board of county commissioners"),
                            ("court", "a court"),
                        ],
                        max_length=20,
                    ),
                ),
                ("decided_on", models.DateField()),
                ("reference", models.CharField(max_length=200)),
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
                        to="volunteers.determination",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Membership",
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
                    "attested_on",
                    models.DateField(blank=True, null=True, verbose_name="confirmed on"),
                ),
                (
                    "attested_by",
                    models.CharField(blank=True, max_length=200, verbose_name="confirmed by"),
                ),
                ("evidence", models.CharField(blank=True, max_length=200, verbose_name="shown by")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regular", "regular member"),
                            ("associate", "associate member"),
                            ("honorary", "honorary member"),
                            ("member", "member"),
                            ("volunteer", "volunteer"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("name_stated", models.CharField(max_length=200)),
                ("born_on_stated", models.DateField(blank=True, null=True)),
                ("is_adult_stated", models.BooleanField(default=False)),
                ("is_resident_stated", models.BooleanField(blank=True, null=True)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="registry.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="memberships",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NameTag",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("number", models.PositiveIntegerField(unique=True)),
                (
                    "token",
                    models.CharField(
                        default=volunteers.models.tag_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("organization_name", models.CharField(max_length=200)),
                ("duty", models.CharField(blank=True, max_length=40)),
                ("valid_to", models.DateField(blank=True, null=True)),
                ("printed_at", models.DateTimeField(auto_now_add=True)),
                ("replaced_at", models.DateTimeField(blank=True, null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="tags",
                        to="volunteers.assignment",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="NameTagEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("number", models.PositiveIntegerField()),
                (
                    "token",
                    models.CharField(
                        default=volunteers.models.tag_token, editable=False, max_length=32
                    ),
                ),
                ("name", models.CharField(max_length=200)),
                ("organization_name", models.CharField(max_length=200)),
                ("duty", models.CharField(blank=True, max_length=40)),
                ("valid_to", models.DateField(blank=True, null=True)),
                ("printed_at", models.DateTimeField(auto_now_add=True)),
                ("replaced_at", models.DateTimeField(blank=True, null=True)),
                (
                    "assignment",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="volunteers.assignment",
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="volunteers.nametag",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="RosterFile",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("content", models.BinaryField()),
                ("uploaded_at", models.DateTimeField(auto_now_add=True)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("entered_at", models.DateTimeField(blank=True, null=True)),
                ("result", models.JSONField(blank=True, default=dict)),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="roster_files",
                        to="registry.organization",
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to=settings.AUTH_USER_MODEL
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="MembershipEvent",
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
                    "attested_on",
                    models.DateField(blank=True, null=True, verbose_name="confirmed on"),
                ),
                (
                    "attested_by",
                    models.CharField(blank=True, max_length=200, verbose_name="confirmed by"),
                ),
                ("evidence", models.CharField(blank=True, max_length=200, verbose_name="shown by")),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("regular", "regular member"),
                            ("associate", "associate member"),
                            ("honorary", "honorary member"),
                            ("member", "member"),
                            ("volunteer", "volunteer"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("name_stated", models.CharField(max_length=200)),
                ("born_on_stated", models.DateField(blank=True, null=True)),
                ("is_adult_stated", models.BooleanField(default=False)),
                ("is_resident_stated", models.BooleanField(blank=True, null=True)),
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
                        to="volunteers.membership",
                    ),
                ),
                (
                    "roster_file",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="volunteers.rosterfile",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="membership",
            name="roster_file",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="volunteers.rosterfile",
            ),
        ),
        migrations.CreateModel(
            name="RosterFileEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("name", models.CharField(max_length=255)),
                ("sha256", models.CharField(max_length=64)),
                ("uploaded_at", models.DateTimeField(auto_now_add=True)),
                ("options", models.JSONField(blank=True, default=dict)),
                ("entered_at", models.DateTimeField(blank=True, null=True)),
                ("result", models.JSONField(blank=True, default=dict)),
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
                        to="volunteers.rosterfile",
                    ),
                ),
                (
                    "uploaded_by",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Suspension",
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
                ("reason", models.TextField(blank=True, verbose_name="reason")),
                (
                    "organization",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT, to="registry.organization"
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="suspensions",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="SuspensionEvent",
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
                ("reason", models.TextField(blank=True, verbose_name="reason")),
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
                        to="volunteers.suspension",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddConstraint(
            model_name="activity",
            constraint=models.CheckConstraint(
                condition=models.Q(("kind__icontains", "bingo"), _negated=True),
                name="activity_other_than_bingo",
            ),
        ),
        migrations.AddConstraint(
            model_name="activity",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_at__isnull", True)),
                fields=("person", "organization", "done_on", "kind"),
                name="activity_once",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="activity",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="5be82774fdbf289a61fdf2cd5eb6a7ad6e2f41ba",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_fe675",
                    table="volunteers_activity",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="activity",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_activityevent" ("attested_by", "attested_on", "description", "done_on", "evidence", "id", "kind", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (NEW."attested_by", NEW."attested_on", NEW."description", NEW."done_on", NEW."evidence", NEW."id", NEW."kind", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="ef677ce1d8d5a84592da56d5def89cc7acd7653c",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_33c03",
                    table="volunteers_activity",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="activity",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_activityevent" ("attested_by", "attested_on", "description", "done_on", "evidence", "id", "kind", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (NEW."attested_by", NEW."attested_on", NEW."description", NEW."done_on", NEW."evidence", NEW."id", NEW."kind", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="ee4b0837f6d3c7160ae0e719dcd6eca06a3473c0",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_f0cd5",
                    table="volunteers_activity",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="activity",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_activityevent" ("attested_by", "attested_on", "description", "done_on", "evidence", "id", "kind", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "void_reason", "voided_at") VALUES (OLD."attested_by", OLD."attested_on", OLD."description", OLD."done_on", OLD."evidence", OLD."id", OLD."kind", OLD."organization_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="6867b901f0bb349fafc6ee9f67648f72563b162f",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_5cdc0",
                    table="volunteers_activity",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="activityevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="70e06fd761bd0fac22928ae21d24cca290ac20b1",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_9f9cd",
                    table="volunteers_activityevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="assignment",
            index=models.Index(fields=["organization", "ends_on"], name="assignment_org"),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="assignment_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=models.Q(("starts_on__gte", models.F("eligible_on"))),
                name="assignment_after_tenure",
            ),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["person", "organization"],
                name="assignment_one_per_organization",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignment",
            trigger=pgtrigger.compiler.Trigger(
                name="assignment_one_other_organization",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    declare="DECLARE most integer; root bigint; kin bigint[]; seen bigint; bad date; fresh boolean;",
                    func="\nIF NEW.voided_at IS NOT NULL OR NOT NEW.takes_place THEN RETURN NEW; END IF;\nfresh := TG_OP = 'INSERT';\nIF TG_OP = 'UPDATE' THEN\n  fresh := OLD.voided_at IS NOT NULL OR NOT OLD.takes_place\n    OR OLD.person_id <> NEW.person_id OR OLD.organization_id <> NEW.organization_id;\n  IF NOT fresh AND NEW.starts_on >= OLD.starts_on AND NEW.ends_on <= OLD.ends_on THEN\n    RETURN NEW;\n  END IF;\nEND IF;\nSELECT organizations_per_person INTO most FROM registry_limit;\nIF most IS NULL THEN RETURN NEW; END IF;\nIF current_setting('transaction_isolation') = 'repeatable read' THEN\n  RAISE EXCEPTION 'the count needs read committed' USING ERRCODE = '0A000';\nEND IF;\nroot := registry_person_root(NEW.person_id);\nLOOP\n  PERFORM 1 FROM registry_person WHERE id = root FOR NO KEY UPDATE;\n  seen := registry_person_root(NEW.person_id);\n  EXIT WHEN seen = root;\n  root := seen;\nEND LOOP;\nkin := registry_person_family(root);\nWITH mine AS MATERIALIZED (\n  SELECT registry_organization_root(a.organization_id) AS who, a.starts_on AS s, a.ends_on AS e\n    FROM volunteers_assignment a\n   WHERE a.person_id = ANY (kin) AND a.voided_at IS NULL AND a.takes_place\n     AND a.id IS DISTINCT FROM NEW.id\n     AND a.starts_on <= NEW.ends_on AND a.ends_on >= NEW.starts_on\n  UNION ALL\n  SELECT registry_organization_root(NEW.organization_id), NEW.starts_on, NEW.ends_on),\nday AS (\n  SELECT DISTINCT greatest(s, NEW.starts_on) AS d FROM mine\n  UNION SELECT OLD.ends_on + 1 WHERE NOT fresh AND NEW.ends_on > OLD.ends_on)\nSELECT d INTO bad FROM day JOIN mine ON d BETWEEN s AND e\n WHERE fresh OR NOT d BETWEEN OLD.starts_on AND OLD.ends_on\n GROUP BY d HAVING count(DISTINCT who) > most ORDER BY d LIMIT 1;\nIF bad IS NOT NULL THEN\n  RAISE EXCEPTION 'more than % organizations on %', most, bad\n    USING ERRCODE = '23514', CONSTRAINT = 'assignment_one_other_organization', TABLE = TG_TABLE_NAME, DETAIL = bad::text;\nEND IF;\nRETURN NEW;\n",
                    hash="fa58695cb4ccc2bbf9b9b2684ec069abc5e9c88d",
                    operation="INSERT OR UPDATE",
                    pgid="pgtrigger_assignment_one_other_organization_bcc9f",
                    table="volunteers_assignment",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignment",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="e5eb05e47026a3f822a94b4eddbe3aa64feac754",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_69c1e",
                    table="volunteers_assignment",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignment",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_assignmentevent" ("duties", "eligible_on", "end_reason", "ends_on", "id", "license_id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "takes_place", "void_reason", "voided_at") VALUES (NEW."duties", NEW."eligible_on", NEW."end_reason", NEW."ends_on", NEW."id", NEW."license_id", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."starts_on", NEW."takes_place", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="87e17aab15cbfc434cc99036e0c0e2766366cd08",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_0e7b1",
                    table="volunteers_assignment",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignment",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_assignmentevent" ("duties", "eligible_on", "end_reason", "ends_on", "id", "license_id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "takes_place", "void_reason", "voided_at") VALUES (NEW."duties", NEW."eligible_on", NEW."end_reason", NEW."ends_on", NEW."id", NEW."license_id", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."starts_on", NEW."takes_place", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="65c5b6f93097b608177e919be61a2396e3b35156",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_6728f",
                    table="volunteers_assignment",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignment",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_assignmentevent" ("duties", "eligible_on", "end_reason", "ends_on", "id", "license_id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "takes_place", "void_reason", "voided_at") VALUES (OLD."duties", OLD."eligible_on", OLD."end_reason", OLD."ends_on", OLD."id", OLD."license_id", OLD."organization_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."starts_on", OLD."takes_place", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="063d2896f360787152f283f38aa1e666d02db382",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_d9b4b",
                    table="volunteers_assignment",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="assignmentevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="1c8f701454a7042f6133e4f164495e613208d7e3",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_cf499",
                    table="volunteers_assignmentevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="determination",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="determination_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="determination",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["person", "organization", "rule"],
                name="determination_once",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="determination",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="44884ebba09bb6ead812ac5f041c0f975aff3ef0",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_f8333",
                    table="volunteers_determination",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="determination",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_determinationevent" ("decided_by", "decided_on", "ends_on", "id", "is_met", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "rule", "starts_on", "void_reason", "voided_at") VALUES (NEW."decided_by", NEW."decided_on", NEW."ends_on", NEW."id", NEW."is_met", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reference", NEW."rule", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="ec35b7e5c04610bf85fe640f1a834c68e408c4e5",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_8ba03",
                    table="volunteers_determination",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="determination",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_determinationevent" ("decided_by", "decided_on", "ends_on", "id", "is_met", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "rule", "starts_on", "void_reason", "voided_at") VALUES (NEW."decided_by", NEW."decided_on", NEW."ends_on", NEW."id", NEW."is_met", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reference", NEW."rule", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="fb4f19a1c4aa55ddfdfba8d3e70ea4c3f44e8a36",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_b456b",
                    table="volunteers_determination",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="determination",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_determinationevent" ("decided_by", "decided_on", "ends_on", "id", "is_met", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reference", "rule", "starts_on", "void_reason", "voided_at") VALUES (OLD."decided_by", OLD."decided_on", OLD."ends_on", OLD."id", OLD."is_met", OLD."organization_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reference", OLD."rule", OLD."starts_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="89bc342fe331dc97f771157fdd688464c435be10",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_45640",
                    table="volunteers_determination",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="determinationevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="9235092d9fe2e4d4e425d8fe9e06c75da8baf4d6",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_bcd77",
                    table="volunteers_determinationevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="nametag",
            constraint=models.UniqueConstraint(
                condition=models.Q(("replaced_at__isnull", True)),
                fields=("assignment",),
                name="nametag_one_good",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="nametag",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="2c7b186f09b14d6e62daff1b631003fb77358c1f",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_33f19",
                    table="volunteers_nametag",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="nametag",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_nametagevent" ("assignment_id", "duty", "id", "name", "number", "organization_name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "printed_at", "replaced_at", "token", "valid_to") VALUES (NEW."assignment_id", NEW."duty", NEW."id", NEW."name", NEW."number", NEW."organization_name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."printed_at", NEW."replaced_at", NEW."token", NEW."valid_to"); RETURN NULL;',
                    hash="9a58e31d6df1307b64156f6574e7f23f2f5124ca",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_6e3c8",
                    table="volunteers_nametag",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="nametag",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_nametagevent" ("assignment_id", "duty", "id", "name", "number", "organization_name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "printed_at", "replaced_at", "token", "valid_to") VALUES (NEW."assignment_id", NEW."duty", NEW."id", NEW."name", NEW."number", NEW."organization_name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."printed_at", NEW."replaced_at", NEW."token", NEW."valid_to"); RETURN NULL;',
                    hash="c4a9b2634a606034806033820c4c444c137252d7",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_ce5b4",
                    table="volunteers_nametag",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="nametag",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_nametagevent" ("assignment_id", "duty", "id", "name", "number", "organization_name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "printed_at", "replaced_at", "token", "valid_to") VALUES (OLD."assignment_id", OLD."duty", OLD."id", OLD."name", OLD."number", OLD."organization_name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."printed_at", OLD."replaced_at", OLD."token", OLD."valid_to"); RETURN NULL;',
                    hash="80f10b00dabd68f4d98170bd4b1ab361fafe5f1d",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_46976",
                    table="volunteers_nametag",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="nametagevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="ea78caefb0511f583a1e97b0d7caf104a92498f3",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_1b35b",
                    table="volunteers_nametagevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="rosterfile",
            constraint=models.UniqueConstraint(
                fields=("organization", "sha256"), name="rosterfile_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfile",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="033a855a8b10a7fb22a95db61a878fe9ccc4615f",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_248f8",
                    table="volunteers_rosterfile",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfile",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (NEW."entered_at", NEW."id", NEW."name", NEW."options", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."result", NEW."sha256", NEW."uploaded_at", NEW."uploaded_by_id"); RETURN NULL;',
                    hash="a708e488fb1bdbae705a9fe570b339347bcc8c9e",
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
                    condition='WHEN (OLD."entered_at" IS DISTINCT FROM (NEW."entered_at") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."options" IS DISTINCT FROM (NEW."options") OR OLD."organization_id" IS DISTINCT FROM (NEW."organization_id") OR OLD."result" IS DISTINCT FROM (NEW."result") OR OLD."sha256" IS DISTINCT FROM (NEW."sha256") OR OLD."uploaded_at" IS DISTINCT FROM (NEW."uploaded_at") OR OLD."uploaded_by_id" IS DISTINCT FROM (NEW."uploaded_by_id"))',
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (NEW."entered_at", NEW."id", NEW."name", NEW."options", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."result", NEW."sha256", NEW."uploaded_at", NEW."uploaded_by_id"); RETURN NULL;',
                    hash="b6f7a23f9e86958da27ab6372e13334250198699",
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
                    func='INSERT INTO "volunteers_rosterfileevent" ("entered_at", "id", "name", "options", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "result", "sha256", "uploaded_at", "uploaded_by_id") VALUES (OLD."entered_at", OLD."id", OLD."name", OLD."options", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."result", OLD."sha256", OLD."uploaded_at", OLD."uploaded_by_id"); RETURN NULL;',
                    hash="6c3f5787ad99bfe91f5a3c89215cf5454ec2b60f",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_34ed8",
                    table="volunteers_rosterfile",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membershipevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="155f09f5b3b67dae7513373a02f099d5c6a30913",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_b31ea",
                    table="volunteers_membershipevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="membership",
            index=models.Index(fields=["organization", "person"], name="membership_org_person"),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="membership_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="membership",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["person", "organization"],
                name="membership_one_at_a_time",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="79cfbeb05a156770bde456c76613ba851b0801f6",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_f2418",
                    table="volunteers_membership",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_membershipevent" ("attested_by", "attested_on", "born_on_stated", "ends_on", "evidence", "id", "is_adult_stated", "is_resident_stated", "kind", "name_stated", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "roster_file_id", "starts_on", "void_reason", "voided_at") VALUES (NEW."attested_by", NEW."attested_on", NEW."born_on_stated", NEW."ends_on", NEW."evidence", NEW."id", NEW."is_adult_stated", NEW."is_resident_stated", NEW."kind", NEW."name_stated", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."roster_file_id", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="7b8088303ac72cf74904a47498477f760cb10ad3",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_d2e83",
                    table="volunteers_membership",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_membershipevent" ("attested_by", "attested_on", "born_on_stated", "ends_on", "evidence", "id", "is_adult_stated", "is_resident_stated", "kind", "name_stated", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "roster_file_id", "starts_on", "void_reason", "voided_at") VALUES (NEW."attested_by", NEW."attested_on", NEW."born_on_stated", NEW."ends_on", NEW."evidence", NEW."id", NEW."is_adult_stated", NEW."is_resident_stated", NEW."kind", NEW."name_stated", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."roster_file_id", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="355052c4ddae3621d9f82edc4d63915081d44c69",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_ae977",
                    table="volunteers_membership",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="membership",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_membershipevent" ("attested_by", "attested_on", "born_on_stated", "ends_on", "evidence", "id", "is_adult_stated", "is_resident_stated", "kind", "name_stated", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "roster_file_id", "starts_on", "void_reason", "voided_at") VALUES (OLD."attested_by", OLD."attested_on", OLD."born_on_stated", OLD."ends_on", OLD."evidence", OLD."id", OLD."is_adult_stated", OLD."is_resident_stated", OLD."kind", OLD."name_stated", OLD."organization_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."roster_file_id", OLD."starts_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="b4435bc7ed7d2a44f0d5f8d2d593b1b4c57fa478",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_12058",
                    table="volunteers_membership",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rosterfileevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="2cc3a7fa2f2d5feac656809eb96f44de1b2d7712",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_1cf8c",
                    table="volunteers_rosterfileevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="suspension",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="suspension_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="suspension",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["person", "organization"],
                name="suspension_one_at_a_time",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="suspension",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="7788567ded2d2156c555cecb48e5c8f2b58b26ee",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_06fd0",
                    table="volunteers_suspension",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="suspension",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_suspensionevent" ("ends_on", "id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reason", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="32e4eccbe17af49f59dc2bf28fa020ec142105d8",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_5b3e5",
                    table="volunteers_suspension",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="suspension",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "volunteers_suspensionevent" ("ends_on", "id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."organization_id", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reason", NEW."starts_on", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="1f78273916a6b1e95f1b8a6e958fb6761d6963d0",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_78fd7",
                    table="volunteers_suspension",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="suspension",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "volunteers_suspensionevent" ("ends_on", "id", "organization_id", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "starts_on", "void_reason", "voided_at") VALUES (OLD."ends_on", OLD."id", OLD."organization_id", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reason", OLD."starts_on", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="e6d9e3b043e8a885fdb6f0a3f17a861522912427",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_e2a9c",
                    table="volunteers_suspension",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="suspensionevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="58a74497b27b3295bd45e355fadc0254eb733082",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_ee30f",
                    table="volunteers_suspensionevent",
                    when="BEFORE",
                ),
            ),
        ),
    ]
