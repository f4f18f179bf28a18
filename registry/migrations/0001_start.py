import django.contrib.postgres.indexes
import django.core.serializers.json
import django.db.models.deletion
import django.db.models.functions.comparison
import django.db.models.functions.datetime
import django.db.models.functions.text
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
import registry.constraints
import registry.history
import registry.models
import uuid
from django.conf import settings
from django.contrib.postgres.operations import (
    BtreeGistExtension,
    TrigramExtension,
    UnaccentExtension,
)
from django.db import migrations, models


PLAIN = """
CREATE FUNCTION registry_plain(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
  SELECT btrim(regexp_replace(translate(lower(public.unaccent('public.unaccent'::regdictionary,
    normalize($1, NFKC))), '’‘ʼʻ`´‐‑–—', '''''''''''''----'), '\\s+', ' ', 'g'))
$f$;
CREATE FUNCTION registry_sort_key(full_name text, given text, family text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
  SELECT registry_plain(CASE WHEN family <> '' THEN family || ' ' || given || ' ' || full_name
    ELSE regexp_replace(full_name, '^(.*)\\s(\\S+)\\s*$', '\\2 \\1') END)
$f$;
"""
PLAIN_GONE = (
    "DROP FUNCTION registry_sort_key(text, text, text); DROP FUNCTION registry_plain(text);"
)

REQUIRE_ACT = """
CREATE FUNCTION registry_require_act(what name) RETURNS void LANGUAGE plpgsql AS $f$
BEGIN
  IF NOT EXISTS (
    SELECT 1 FROM public.registry_act
     WHERE id = nullif(current_setting('pghistory.context_id', true), '')::uuid
       AND xact = pg_current_xact_id()::text::bigint) THEN
    RAISE EXCEPTION 'no act stands behind this write to %', what
      USING ERRCODE = '23514', CONSTRAINT = 'require_actor', TABLE = what;
  END IF;
END $f$;
"""

FAMILY = """
CREATE FUNCTION registry_{what}_root(start bigint) RETURNS bigint LANGUAGE plpgsql AS $f$
DECLARE here bigint := start; up bigint; steps integer := 0;
BEGIN
  LOOP
    SELECT merged_into_id INTO up FROM public.registry_{what} WHERE id = here;
    EXIT WHEN up IS NULL;
    here := up;
    steps := steps + 1;
    IF steps > 100 THEN
      RAISE EXCEPTION 'merges of {what} % run in a circle', start
        USING ERRCODE = '23514', CONSTRAINT = '{what}_merge_chain';
    END IF;
  END LOOP;
  RETURN here;
END $f$;
CREATE FUNCTION registry_{what}_family(root bigint) RETURNS bigint[] LANGUAGE plpgsql AS $f$
DECLARE kin bigint[] := ARRAY[root]; fresh bigint[] := kin;
BEGIN
  LOOP
    SELECT array_agg(id) INTO fresh FROM public.registry_{what}
     WHERE merged_into_id = ANY (fresh) AND NOT id = ANY (kin);
    IF fresh IS NULL THEN RETURN kin; END IF;
    kin := kin || fresh;
  END LOOP;
END $f$;
"""

GONE = "DROP FUNCTION registry_{what}_family(bigint); DROP FUNCTION registry_{what}_root(bigint);"


class Migration(migrations.Migration):
    initial = True

    dependencies = []

    operations = [
        BtreeGistExtension(),
        TrigramExtension(),
        UnaccentExtension(),
        migrations.RunSQL(PLAIN, PLAIN_GONE),
        migrations.RunSQL(REQUIRE_ACT, "DROP FUNCTION registry_require_act(name)"),
        migrations.CreateModel(
            name="User",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("password", models.CharField(max_length=128, verbose_name="password")),
                (
                    "last_login",
                    models.DateTimeField(blank=True, null=True, verbose_name="last login"),
                ),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail")),
                ("name", models.CharField(blank=True, max_length=200, verbose_name="name")),
                ("is_active", models.BooleanField(default=True)),
                ("is_superuser", models.BooleanField(default=False)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="AccountHolder",
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
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="holdings",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Limit",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("organizations_per_person", models.PositiveSmallIntegerField(null=True)),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", 1)), name="limit_one_row")
                ],
            },
        ),
        migrations.CreateModel(
            name="Organization",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("name", models.CharField(max_length=200, verbose_name="licensed name")),
                ("slug", models.SlugField(editable=False, max_length=80, unique=True)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("charitable", "charitable organization"),
                            ("authorized", "authorized organization"),
                            ("associational", "associational group or organization"),
                            ("other", "hall owner only"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("ein", models.CharField(blank=True, max_length=9, null=True, verbose_name="EIN")),
                ("street", models.CharField(blank=True, max_length=200, verbose_name="street")),
                ("city", models.CharField(blank=True, max_length=100, verbose_name="city")),
                (
                    "state",
                    models.CharField(blank=True, default="FL", max_length=2, verbose_name="state"),
                ),
                (
                    "postal_code",
                    models.CharField(blank=True, max_length=10, verbose_name="ZIP code"),
                ),
                (
                    "existing_since",
                    models.DateField(blank=True, null=True, verbose_name="in existence since"),
                ),
                ("merged_on", models.DateField(blank=True, null=True)),
                (
                    "search_name",
                    models.GeneratedField(
                        db_persist=True,
                        expression=registry.models.Plain(models.F("name")),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.organization",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Address",
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
                ("street", models.CharField(blank=True, max_length=200, verbose_name="street")),
                ("city", models.CharField(blank=True, max_length=100, verbose_name="city")),
                ("state", models.CharField(blank=True, max_length=30, verbose_name="state")),
                (
                    "postal_code",
                    models.CharField(blank=True, max_length=10, verbose_name="ZIP code"),
                ),
                (
                    "is_exempt",
                    models.BooleanField(default=False, verbose_name="exempt from disclosure"),
                ),
                (
                    "stated_by",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.organization",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AccountHolderEvent",
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
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="registry.accountholder",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to=settings.AUTH_USER_MODEL,
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
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="accountholder",
            name="organization",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="holders",
                to="registry.organization",
            ),
        ),
        migrations.CreateModel(
            name="OrganizationEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("name", models.CharField(max_length=200, verbose_name="licensed name")),
                ("slug", models.SlugField(db_index=False, editable=False, max_length=80)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("charitable", "charitable organization"),
                            ("authorized", "authorized organization"),
                            ("associational", "associational group or organization"),
                            ("other", "hall owner only"),
                        ],
                        max_length=20,
                        verbose_name="kind",
                    ),
                ),
                ("ein", models.CharField(blank=True, max_length=9, null=True, verbose_name="EIN")),
                ("street", models.CharField(blank=True, max_length=200, verbose_name="street")),
                ("city", models.CharField(blank=True, max_length=100, verbose_name="city")),
                (
                    "state",
                    models.CharField(blank=True, default="FL", max_length=2, verbose_name="state"),
                ),
                (
                    "postal_code",
                    models.CharField(blank=True, max_length=10, verbose_name="ZIP code"),
                ),
                (
                    "existing_since",
                    models.DateField(blank=True, null=True, verbose_name="in existence since"),
                ),
                ("merged_on", models.DateField(blank=True, null=True)),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
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
                        to="registry.organization",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="Person",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "number",
                    models.CharField(
                        default=registry.models.person_number,
                        editable=False,
                        max_length=8,
                        unique=True,
                    ),
                ),
                ("full_name", models.CharField(max_length=200, verbose_name="full name")),
                (
                    "given_name",
                    models.CharField(blank=True, max_length=120, verbose_name="first name"),
                ),
                (
                    "family_name",
                    models.CharField(blank=True, max_length=120, verbose_name="last name"),
                ),
                ("born_on", models.DateField(blank=True, null=True, verbose_name="birth date")),
                (
                    "search_name",
                    models.GeneratedField(
                        db_persist=True,
                        expression=registry.models.Plain(models.F("full_name")),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "sort_name",
                    models.GeneratedField(
                        db_persist=True,
                        expression=registry.models.SortKey(
                            models.F("full_name"), models.F("given_name"), models.F("family_name")
                        ),
                        output_field=models.TextField(),
                    ),
                ),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="AddressEvent",
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
                ("street", models.CharField(blank=True, max_length=200, verbose_name="street")),
                ("city", models.CharField(blank=True, max_length=100, verbose_name="city")),
                ("state", models.CharField(blank=True, max_length=30, verbose_name="state")),
                (
                    "postal_code",
                    models.CharField(blank=True, max_length=10, verbose_name="ZIP code"),
                ),
                (
                    "is_exempt",
                    models.BooleanField(default=False, verbose_name="exempt from disclosure"),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="registry.address",
                    ),
                ),
                (
                    "stated_by",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
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
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="address",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="addresses",
                to="registry.person",
            ),
        ),
        migrations.CreateModel(
            name="Act",
            fields=[
                (
                    "id",
                    models.UUIDField(
                        default=uuid.uuid4, editable=False, primary_key=True, serialize=False
                    ),
                ),
                (
                    "at",
                    models.DateTimeField(
                        db_default=django.db.models.functions.datetime.Now(), db_index=True
                    ),
                ),
                ("by_name", models.CharField(max_length=320)),
                ("verb", models.CharField(max_length=80)),
                ("reason", models.TextField(blank=True)),
                (
                    "data",
                    models.JSONField(
                        default=dict, encoder=django.core.serializers.json.DjangoJSONEncoder
                    ),
                ),
                ("token", models.UUIDField(null=True, unique=True)),
                (
                    "xact",
                    models.BigIntegerField(
                        db_default=django.db.models.functions.comparison.Cast(
                            registry.history.TxId(), models.BigIntegerField()
                        )
                    ),
                ),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="acts",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "part_of",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, to="registry.act"
                    ),
                ),
                (
                    "organization",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.organization",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.PROTECT, to="registry.person"
                    ),
                ),
            ],
        ),
        migrations.AddField(
            model_name="user",
            name="person",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                to="registry.person",
            ),
        ),
        migrations.CreateModel(
            name="PersonEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                (
                    "number",
                    models.CharField(
                        default=registry.models.person_number, editable=False, max_length=8
                    ),
                ),
                ("full_name", models.CharField(max_length=200, verbose_name="full name")),
                (
                    "given_name",
                    models.CharField(blank=True, max_length=120, verbose_name="first name"),
                ),
                (
                    "family_name",
                    models.CharField(blank=True, max_length=120, verbose_name="last name"),
                ),
                ("born_on", models.DateField(blank=True, null=True, verbose_name="birth date")),
                (
                    "merged_into",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
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
                        to="registry.person",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="RoleGrant",
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
                    "role",
                    models.CharField(
                        choices=[
                            ("clerk", "clerk"),
                            ("supervisor", "supervisor"),
                            ("investigator", "investigator"),
                            ("administrator", "county administrator"),
                            ("inspector", "inspector"),
                            ("counsel", "counsel"),
                            ("records", "records officer"),
                            ("auditor", "auditor"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="grants",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RoleGrantEvent",
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
                    "role",
                    models.CharField(
                        choices=[
                            ("clerk", "clerk"),
                            ("supervisor", "supervisor"),
                            ("investigator", "investigator"),
                            ("administrator", "county administrator"),
                            ("inspector", "inspector"),
                            ("counsel", "counsel"),
                            ("records", "records officer"),
                            ("auditor", "auditor"),
                        ],
                        max_length=20,
                    ),
                ),
                (
                    "pgh_obj",
                    models.ForeignKey(
                        db_constraint=False,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="events",
                        to="registry.rolegrant",
                    ),
                ),
                (
                    "user",
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
            name="UserEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("email", models.EmailField(max_length=254, verbose_name="e-mail")),
                ("name", models.CharField(blank=True, max_length=200, verbose_name="name")),
                ("is_active", models.BooleanField(default=True)),
                ("is_superuser", models.BooleanField(default=False)),
                ("joined_at", models.DateTimeField(auto_now_add=True)),
                (
                    "person",
                    models.ForeignKey(
                        blank=True,
                        db_constraint=False,
                        null=True,
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
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.CreateModel(
            name="WorkItem",
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
                            ("possible_double", "may be the same person"),
                            ("linked", "joined by name and birth date"),
                            ("correction", "approvals to look at after a correction"),
                            ("place", "a place to be freed"),
                            ("concern", "a concern from the public"),
                        ],
                        max_length=20,
                    ),
                ),
                ("cite", models.CharField(blank=True, max_length=80)),
                ("note", models.TextField(blank=True)),
                ("data", models.JSONField(blank=True, default=dict)),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("outcome", models.TextField(blank=True)),
                (
                    "organization",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        to="registry.organization",
                    ),
                ),
                (
                    "other",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="+",
                        to="registry.person",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="work_items",
                        to="registry.person",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="WorkItemEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("possible_double", "may be the same person"),
                            ("linked", "joined by name and birth date"),
                            ("correction", "approvals to look at after a correction"),
                            ("place", "a place to be freed"),
                            ("concern", "a concern from the public"),
                        ],
                        max_length=20,
                    ),
                ),
                ("cite", models.CharField(blank=True, max_length=80)),
                ("note", models.TextField(blank=True)),
                ("data", models.JSONField(blank=True, default=dict)),
                ("opened_at", models.DateTimeField(auto_now_add=True)),
                ("closed_at", models.DateTimeField(blank=True, null=True)),
                ("outcome", models.TextField(blank=True)),
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
                    "other",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
                        on_delete=django.db.models.deletion.DO_NOTHING,
                        related_name="+",
                        related_query_name="+",
                        to="registry.person",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        db_constraint=False,
                        null=True,
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
                        to="registry.workitem",
                    ),
                ),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddIndex(
            model_name="organization",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("search_name", name="gin_trgm_ops"),
                name="organization_search_trgm",
            ),
        ),
        migrations.AddIndex(
            model_name="organization",
            index=models.Index(
                django.contrib.postgres.indexes.OpClass("search_name", name="text_pattern_ops"),
                name="organization_search",
            ),
        ),
        migrations.AddConstraint(
            model_name="organization",
            constraint=models.UniqueConstraint(fields=("ein",), name="organization_ein_unique"),
        ),
        migrations.AddConstraint(
            model_name="organization",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ein__isnull", True), ("ein__regex", "^[0-9]{9}$"), _connector="OR"
                ),
                name="organization_ein_nine_digits",
            ),
        ),
        migrations.AddConstraint(
            model_name="organization",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("merged_into__isnull", True), ("merged_on__isnull", True)),
                    models.Q(("merged_into__isnull", False), ("merged_on__isnull", False)),
                    _connector="OR",
                ),
                name="organization_merger_has_a_day",
            ),
        ),
        migrations.AddConstraint(
            model_name="organization",
            constraint=models.CheckConstraint(
                condition=models.Q(("merged_into", models.F("id")), _negated=True),
                name="organization_not_into_itself",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="organization",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="549f06fe9203dc4a1502bb7a57b5aba8d095bcb1",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_9a500",
                    table="registry_organization",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="organization",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_organizationevent" ("city", "ein", "existing_since", "id", "kind", "merged_into_id", "merged_on", "name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "slug", "state", "street") VALUES (NEW."city", NEW."ein", NEW."existing_since", NEW."id", NEW."kind", NEW."merged_into_id", NEW."merged_on", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."postal_code", NEW."slug", NEW."state", NEW."street"); RETURN NULL;',
                    hash="ec707e5ea6934334d48a512572f4d11d3ace2f80",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_47d51",
                    table="registry_organization",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="organization",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."city" IS DISTINCT FROM (NEW."city") OR OLD."ein" IS DISTINCT FROM (NEW."ein") OR OLD."existing_since" IS DISTINCT FROM (NEW."existing_since") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."kind" IS DISTINCT FROM (NEW."kind") OR OLD."merged_into_id" IS DISTINCT FROM (NEW."merged_into_id") OR OLD."merged_on" IS DISTINCT FROM (NEW."merged_on") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."postal_code" IS DISTINCT FROM (NEW."postal_code") OR OLD."slug" IS DISTINCT FROM (NEW."slug") OR OLD."state" IS DISTINCT FROM (NEW."state") OR OLD."street" IS DISTINCT FROM (NEW."street"))',
                    func='INSERT INTO "registry_organizationevent" ("city", "ein", "existing_since", "id", "kind", "merged_into_id", "merged_on", "name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "slug", "state", "street") VALUES (NEW."city", NEW."ein", NEW."existing_since", NEW."id", NEW."kind", NEW."merged_into_id", NEW."merged_on", NEW."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."postal_code", NEW."slug", NEW."state", NEW."street"); RETURN NULL;',
                    hash="d9ea848e54b4c2d4119e5d6063d441ef532d39ad",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_6896c",
                    table="registry_organization",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="organization",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_organizationevent" ("city", "ein", "existing_since", "id", "kind", "merged_into_id", "merged_on", "name", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "slug", "state", "street") VALUES (OLD."city", OLD."ein", OLD."existing_since", OLD."id", OLD."kind", OLD."merged_into_id", OLD."merged_on", OLD."name", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."postal_code", OLD."slug", OLD."state", OLD."street"); RETURN NULL;',
                    hash="b925f9d7e18cf83da35d80fd3d7b3548f5211724",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_6a8b1",
                    table="registry_organization",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="accountholderevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="c54e9323c038003b1737f1b954d14196601695b7",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_739a3",
                    table="registry_accountholderevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="accountholder",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="accountholder_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="accountholder",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"),
                fields=["user", "organization"],
                name="accountholder_once",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="accountholder",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="4a6b9e6f5c43eb3e2c1f369068db3c65952a5138",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_f05eb",
                    table="registry_accountholder",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="accountholder",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_accountholderevent" ("ends_on", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "user_id", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."starts_on", NEW."user_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="98695cfc38b665db8bad893f0da014beaf761ac7",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_1f530",
                    table="registry_accountholder",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="accountholder",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "registry_accountholderevent" ("ends_on", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "user_id", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", NEW."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."starts_on", NEW."user_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="108a897b2465d21e9ba9cc65bddb5ae55745fc72",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_dca42",
                    table="registry_accountholder",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="accountholder",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_accountholderevent" ("ends_on", "id", "organization_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "starts_on", "user_id", "void_reason", "voided_at") VALUES (OLD."ends_on", OLD."id", OLD."organization_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."starts_on", OLD."user_id", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="aab346104c1677214bb61405024e202ada756897",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_a3213",
                    table="registry_accountholder",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="organizationevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="26fb47fcfb6fa91c196a856337e323742dc2b2d0",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_f9055",
                    table="registry_organizationevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="person",
            index=django.contrib.postgres.indexes.GinIndex(
                django.contrib.postgres.indexes.OpClass("search_name", name="gin_trgm_ops"),
                name="person_search_trgm",
            ),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(
                django.contrib.postgres.indexes.OpClass("search_name", name="text_pattern_ops"),
                name="person_search",
            ),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(
                django.contrib.postgres.indexes.OpClass("sort_name", name="text_pattern_ops"),
                name="person_sort",
            ),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(fields=["search_name", "born_on"], name="person_same"),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(fields=["merged_into"], name="person_merged"),
        ),
        migrations.AddConstraint(
            model_name="person",
            constraint=models.CheckConstraint(
                condition=models.Q(("full_name", ""), _negated=True), name="person_has_a_name"
            ),
        ),
        migrations.AddConstraint(
            model_name="person",
            constraint=models.CheckConstraint(
                condition=models.Q(("merged_into", models.F("id")), _negated=True),
                name="person_not_into_itself",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="person",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="9fb5640489dfc85ade70cb5b07f106dfe02337a2",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_7a132",
                    table="registry_person",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="person",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_personevent" ("born_on", "family_name", "full_name", "given_name", "id", "merged_into_id", "number", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."born_on", NEW."family_name", NEW."full_name", NEW."given_name", NEW."id", NEW."merged_into_id", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id"); RETURN NULL;',
                    hash="06120347a3617fb4eb7448a5fb2e5c21556e6e78",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_2388e",
                    table="registry_person",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="person",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."born_on" IS DISTINCT FROM (NEW."born_on") OR OLD."family_name" IS DISTINCT FROM (NEW."family_name") OR OLD."full_name" IS DISTINCT FROM (NEW."full_name") OR OLD."given_name" IS DISTINCT FROM (NEW."given_name") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."merged_into_id" IS DISTINCT FROM (NEW."merged_into_id") OR OLD."number" IS DISTINCT FROM (NEW."number"))',
                    func='INSERT INTO "registry_personevent" ("born_on", "family_name", "full_name", "given_name", "id", "merged_into_id", "number", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."born_on", NEW."family_name", NEW."full_name", NEW."given_name", NEW."id", NEW."merged_into_id", NEW."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id"); RETURN NULL;',
                    hash="73ee904d72dffe8bc4f07bb01e2475045c9463f2",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_56ba8",
                    table="registry_person",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="person",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_personevent" ("born_on", "family_name", "full_name", "given_name", "id", "merged_into_id", "number", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (OLD."born_on", OLD."family_name", OLD."full_name", OLD."given_name", OLD."id", OLD."merged_into_id", OLD."number", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id"); RETURN NULL;',
                    hash="d33a147a644c41bdaa466c3c10d09bbf73d54932",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_a3234",
                    table="registry_person",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="addressevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="5a97b0336ddb07ef7ff82e9b289ad4438d37f0f4",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_8d430",
                    table="registry_addressevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="address",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="address_ends_after_start",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="address",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="296e9ebed27ff8ee832ba445bd7ce5688512dd32",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_fbcba",
                    table="registry_address",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="address",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_addressevent" ("city", "ends_on", "id", "is_exempt", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "starts_on", "state", "stated_by_id", "street", "void_reason", "voided_at") VALUES (NEW."city", NEW."ends_on", NEW."id", NEW."is_exempt", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."postal_code", NEW."starts_on", NEW."state", NEW."stated_by_id", NEW."street", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="f2169dfd5bef18321531ba21a59b0fdd919c0134",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_eb1f5",
                    table="registry_address",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="address",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "registry_addressevent" ("city", "ends_on", "id", "is_exempt", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "starts_on", "state", "stated_by_id", "street", "void_reason", "voided_at") VALUES (NEW."city", NEW."ends_on", NEW."id", NEW."is_exempt", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."postal_code", NEW."starts_on", NEW."state", NEW."stated_by_id", NEW."street", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="650a51f50c605585444837e8e2763d28d863df75",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_03f23",
                    table="registry_address",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="address",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_addressevent" ("city", "ends_on", "id", "is_exempt", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "postal_code", "starts_on", "state", "stated_by_id", "street", "void_reason", "voided_at") VALUES (OLD."city", OLD."ends_on", OLD."id", OLD."is_exempt", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."postal_code", OLD."starts_on", OLD."state", OLD."stated_by_id", OLD."street", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="933f4b9a6a81576849dedce112b26aa83c71894f",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_f095f",
                    table="registry_address",
                    when="AFTER",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="act",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("by__isnull", False),
                    (
                        "by_name__in",
                        [
                            "system: sign-up",
                            "system: nightly",
                            "system: set-up",
                            "system: public",
                            "system: operator at the command line",
                        ],
                    ),
                    _connector="OR",
                ),
                name="act_has_an_actor",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="act",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="5ae0604ce26d4ca7534ddd73464c1e2caa6fdb73",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_61d9e",
                    table="registry_act",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                django.db.models.functions.text.Lower("email"), name="user_email_unique"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="user",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="1b49f9488dd78744a6379f50037d74749d965768",
                    level="STATEMENT",
                    operation="INSERT OR DELETE",
                    pgid="pgtrigger_require_actor_3516f",
                    table="registry_user",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="user",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor_to_change",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."email" IS DISTINCT FROM (NEW."email") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_active" IS DISTINCT FROM (NEW."is_active") OR OLD."is_superuser" IS DISTINCT FROM (NEW."is_superuser") OR OLD."joined_at" IS DISTINCT FROM (NEW."joined_at") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id"))',
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="5a0d6f5b92ab87cd32b4b8b8a60af1f33488963d",
                    operation="UPDATE",
                    pgid="pgtrigger_require_actor_to_change_db983",
                    table="registry_user",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="user",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_userevent" ("email", "id", "is_active", "is_superuser", "joined_at", "name", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."email", NEW."id", NEW."is_active", NEW."is_superuser", NEW."joined_at", NEW."name", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id"); RETURN NULL;',
                    hash="10b9a19105e694c6d16d42c2d437497d557b1998",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_b61ef",
                    table="registry_user",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="user",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition='WHEN (OLD."email" IS DISTINCT FROM (NEW."email") OR OLD."id" IS DISTINCT FROM (NEW."id") OR OLD."is_active" IS DISTINCT FROM (NEW."is_active") OR OLD."is_superuser" IS DISTINCT FROM (NEW."is_superuser") OR OLD."joined_at" IS DISTINCT FROM (NEW."joined_at") OR OLD."name" IS DISTINCT FROM (NEW."name") OR OLD."person_id" IS DISTINCT FROM (NEW."person_id"))',
                    func='INSERT INTO "registry_userevent" ("email", "id", "is_active", "is_superuser", "joined_at", "name", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."email", NEW."id", NEW."is_active", NEW."is_superuser", NEW."joined_at", NEW."name", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id"); RETURN NULL;',
                    hash="b43c74725ba1c782eac4901b8c1a0159342967b5",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_99106",
                    table="registry_user",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="user",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_userevent" ("email", "id", "is_active", "is_superuser", "joined_at", "name", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (OLD."email", OLD."id", OLD."is_active", OLD."is_superuser", OLD."joined_at", OLD."name", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id"); RETURN NULL;',
                    hash="902cb4309b8fa24a5c8894ef381f77c89a478b0a",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_3f480",
                    table="registry_user",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="personevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="a0713d9d82dffa941d60522b902ccebf1a0353a3",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_aa3d6",
                    table="registry_personevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddConstraint(
            model_name="rolegrant",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    ("ends_on__isnull", True),
                    ("ends_on__gte", models.F("starts_on")),
                    _connector="OR",
                ),
                name="rolegrant_ends_after_start",
            ),
        ),
        migrations.AddConstraint(
            model_name="rolegrant",
            constraint=registry.constraints.NoOverlap(
                during=("starts_on", "ends_on"), fields=["user", "role"], name="rolegrant_once"
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rolegrant",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="d9abd0dd14c6231675c463b40a4ed24708ec07c0",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_d4eef",
                    table="registry_rolegrant",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rolegrant",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_rolegrantevent" ("ends_on", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "starts_on", "user_id", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."role", NEW."starts_on", NEW."user_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="c33da3c8c635cdeaec8300431ef0bd37f65ce9fd",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_ddfc1",
                    table="registry_rolegrant",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rolegrant",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "registry_rolegrantevent" ("ends_on", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "starts_on", "user_id", "void_reason", "voided_at") VALUES (NEW."ends_on", NEW."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."role", NEW."starts_on", NEW."user_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="818b6c35ff9f081225d2c1cc08e796541b42a7b1",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_430ee",
                    table="registry_rolegrant",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rolegrant",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_rolegrantevent" ("ends_on", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "role", "starts_on", "user_id", "void_reason", "voided_at") VALUES (OLD."ends_on", OLD."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."role", OLD."starts_on", OLD."user_id", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="4bc89c018accb9fa4bda72b2ca0940cf17081984",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_51e79",
                    table="registry_rolegrant",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="rolegrantevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="a09804ddfae18880d450c53f42a2dcd9848fdaa1",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_9f658",
                    table="registry_rolegrantevent",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="userevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="bf7d69055bee1ad6c59d7cfa5a00aca12b0f6bdd",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_4acf6",
                    table="registry_userevent",
                    when="BEFORE",
                ),
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(
                condition=models.Q(("closed_at", None)), fields=["opened_at"], name="workitem_open"
            ),
        ),
        migrations.AddIndex(
            model_name="workitem",
            index=models.Index(fields=["person", "kind"], name="workitem_person"),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="workitem",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="eab0555dfe71a554bb81540f7f455f2a408e1928",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_857f3",
                    table="registry_workitem",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="workitem",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_workitemevent" ("cite", "closed_at", "data", "id", "kind", "note", "opened_at", "organization_id", "other_id", "outcome", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."cite", NEW."closed_at", NEW."data", NEW."id", NEW."kind", NEW."note", NEW."opened_at", NEW."organization_id", NEW."other_id", NEW."outcome", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id"); RETURN NULL;',
                    hash="cd2b5440fe5ee8c0d9747d488740d10cdb0255a5",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_e5b0e",
                    table="registry_workitem",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="workitem",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "registry_workitemevent" ("cite", "closed_at", "data", "id", "kind", "note", "opened_at", "organization_id", "other_id", "outcome", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (NEW."cite", NEW."closed_at", NEW."data", NEW."id", NEW."kind", NEW."note", NEW."opened_at", NEW."organization_id", NEW."other_id", NEW."outcome", NEW."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id"); RETURN NULL;',
                    hash="10e1a1f1f5de38099929260a245d972a6a1e474e",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_423e3",
                    table="registry_workitem",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="workitem",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_workitemevent" ("cite", "closed_at", "data", "id", "kind", "note", "opened_at", "organization_id", "other_id", "outcome", "person_id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id") VALUES (OLD."cite", OLD."closed_at", OLD."data", OLD."id", OLD."kind", OLD."note", OLD."opened_at", OLD."organization_id", OLD."other_id", OLD."outcome", OLD."person_id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id"); RETURN NULL;',
                    hash="3ea61d085b7cec1308cc7766934c37e599ba48cc",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_2d047",
                    table="registry_workitem",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="workitemevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="a1c35bb5a2de7f26e767c75f6fe0bee63692e804",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_43cbe",
                    table="registry_workitemevent",
                    when="BEFORE",
                ),
            ),
        ),
        *(
            migrations.RunSQL(FAMILY.replace("{what}", what), GONE.replace("{what}", what))
            for what in ("person", "organization")
        ),
    ]
