import django.db.models.deletion
import pghistory.utils
import pgtrigger.compiler
import pgtrigger.migrations
import registry.models
from django.db import migrations, models


# Marks that stand on letters, and characters that show nothing: nobody types them in a search.
UNSEEN = (
    r"\u0300-\u036F\u0483-\u0489\u0591-\u05BD\u05BF\u05C1-\u05C2\u05C4-\u05C5\u05C7"
    r"\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06DC\u06DF-\u06E4\u06E7-\u06E8\u06EA-\u06ED"
    r"\u0711\u0730-\u074A\u07A6-\u07B0\u07EB-\u07F3\u07FD\u0816-\u0819\u081B-\u0823"
    r"\u0825-\u0827\u0829-\u082D\u0859-\u085B\u0898-\u089F\u08CA-\u08E1\u08E3-\u0902\u093A"
    r"\u093C\u0941-\u0948\u094D\u0951-\u0957\u0962-\u0963\u0981\u09BC\u09C1-\u09C4\u09CD"
    r"\u09E2-\u09E3\u09FE\u0A01-\u0A02\u0A3C\u0A41-\u0A42\u0A47-\u0A48\u0A4B-\u0A4D\u0A51"
    r"\u0A70-\u0A71\u0A75\u0A81-\u0A82\u0ABC\u0AC1-\u0AC5\u0AC7-\u0AC8\u0ACD\u0AE2-\u0AE3"
    r"\u0AFA-\u0AFF\u0B01\u0B3C\u0B3F\u0B41-\u0B44\u0B4D\u0B55-\u0B56\u0B62-\u0B63\u0B82"
    r"\u0BC0\u0BCD\u0C00\u0C04\u0C3C\u0C3E-\u0C40\u0C46-\u0C48\u0C4A-\u0C4D\u0C55-\u0C56"
    r"\u0C62-\u0C63\u0C81\u0CBC\u0CBF\u0CC6\u0CCC-\u0CCD\u0CE2-\u0CE3\u0D00-\u0D01"
    r"\u0D3B-\u0D3C\u0D41-\u0D44\u0D4D\u0D62-\u0D63\u0D81\u0DCA\u0DD2-\u0DD4\u0DD6\u0E31"
    r"\u0E34-\u0E3A\u0E47-\u0E4E\u0EB1\u0EB4-\u0EBC\u0EC8-\u0ECD\u0F18-\u0F19\u0F35\u0F37"
    r"\u0F39\u0F71-\u0F7E\u0F80-\u0F84\u0F86-\u0F87\u0F8D-\u0F97\u0F99-\u0FBC\u0FC6"
    r"\u102D-\u1030\u1032-\u1037\u1039-\u103A\u103D-\u103E\u1058-\u1059\u105E-\u1060"
    r"\u1071-\u1074\u1082\u1085-\u1086\u108D\u109D\u135D-\u135F\u1712-\u1714\u1732-\u1733"
    r"\u1752-\u1753\u1772-\u1773\u17B4-\u17B5\u17B7-\u17BD\u17C6\u17C9-\u17D3\u17DD"
    r"\u180B-\u180D\u180F\u1885-\u1886\u18A9\u1920-\u1922\u1927-\u1928\u1932\u1939-\u193B"
    r"\u1A17-\u1A18\u1A1B\u1A56\u1A58-\u1A5E\u1A60\u1A62\u1A65-\u1A6C\u1A73-\u1A7C\u1A7F"
    r"\u1AB0-\u1ACE\u1B00-\u1B03\u1B34\u1B36-\u1B3A\u1B3C\u1B42\u1B6B-\u1B73\u1B80-\u1B81"
    r"\u1BA2-\u1BA5\u1BA8-\u1BA9\u1BAB-\u1BAD\u1BE6\u1BE8-\u1BE9\u1BED\u1BEF-\u1BF1"
    r"\u1C2C-\u1C33\u1C36-\u1C37\u1CD0-\u1CD2\u1CD4-\u1CE0\u1CE2-\u1CE8\u1CED\u1CF4"
    r"\u1CF8-\u1CF9\u1DC0-\u1DFF\u20D0-\u20F0\u2CEF-\u2CF1\u2D7F\u2DE0-\u2DFF\u302A-\u302D"
    r"\u3099-\u309A\uA66F-\uA672\uA674-\uA67D\uA69E-\uA69F\uA6F0-\uA6F1\uA802\uA806\uA80B"
    r"\uA825-\uA826\uA82C\uA8C4-\uA8C5\uA8E0-\uA8F1\uA8FF\uA926-\uA92D\uA947-\uA951"
    r"\uA980-\uA982\uA9B3\uA9B6-\uA9B9\uA9BC-\uA9BD\uA9E5\uAA29-\uAA2E\uAA31-\uAA32"
    r"\uAA35-\uAA36\uAA43\uAA4C\uAA7C\uAAB0\uAAB2-\uAAB4\uAAB7-\uAAB8\uAABE-\uAABF\uAAC1"
    r"\uAAEC-\uAAED\uAAF6\uABE5\uABE8\uABED\uFB1E\uFE00-\uFE0F\uFE20-\uFE2F\u00AD"
    r"\u0600-\u0605\u061C\u06DD\u070F\u0890-\u0891\u08E2\u180E\u200B-\u200F\u202A-\u202E"
    r"\u2060-\u2064\u2066-\u206F\uFEFF\uFFF9-\uFFFB"
)

# Beside a name and not part of it: they stand in no one's way when doubles are looked for.
ASIDE = "mr,mrs,ms,miss,mx,dr,rev,fr,sr,jr,ii,iii,iv,hon,prof,phd,dds,dmd,md,do,dd,esq,rn,cpa"

# A search takes off accents, points, apostrophes and what is unseen; the name itself stays.
PLAIN = rf"""
CREATE OR REPLACE FUNCTION registry_plain(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
  SELECT btrim(regexp_replace(translate(lower(public.unaccent('public.unaccent'::regdictionary,
    normalize(regexp_replace(normalize(translate($1, '´`', ''''''), NFKD), '[{UNSEEN}]', '', 'g'),
    NFKC))), '‐‑–—ς’‘ʼʻʹ′''', '----σ'), '\s+', ' ', 'g'))
$f$;
CREATE FUNCTION registry_match_key(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
  SELECT coalesce((SELECT string_agg(word, ' ' ORDER BY word COLLATE "C")
    FROM regexp_split_to_table(registry_plain(translate($1, '.', '')), '[^[:alnum:]]+') AS word
   WHERE length(word) > 1 AND word <> ALL ('{{{ASIDE}}}'::text[])), registry_plain($1))
$f$;
"""
BACK = """
DROP FUNCTION registry_match_key(text);
CREATE OR REPLACE FUNCTION registry_plain(text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $f$
  SELECT btrim(regexp_replace(translate(lower(public.unaccent('public.unaccent'::regdictionary,
    normalize($1, NFKC))), '’‘ʼʻ`´‐‑–—', '''''''''''''----'), '\\s+', ' ', 'g'))
$f$;
"""

# What is stored was made by the old function. No fact changes, so there is no act to write.
REFRESH = """
ALTER TABLE registry_person DISABLE TRIGGER USER;
UPDATE registry_person SET full_name = full_name;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE registry_person ENABLE TRIGGER USER;
ALTER TABLE registry_organization DISABLE TRIGGER USER;
UPDATE registry_organization SET name = name;
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE registry_organization ENABLE TRIGGER USER;
"""


class Migration(migrations.Migration):
    dependencies = [
        ("registry", "0001_start"),
    ]

    operations = [
        migrations.RunSQL(PLAIN, BACK),
        migrations.RunSQL(REFRESH, REFRESH),
        migrations.CreateModel(
            name="DifferentPeople",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("reason", models.TextField(verbose_name="reason")),
                ("found_at", models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name="DifferentPeopleEvent",
            fields=[
                ("pgh_id", models.AutoField(primary_key=True, serialize=False)),
                ("pgh_created_at", models.DateTimeField(auto_now_add=True)),
                ("pgh_label", models.TextField(help_text="The event label.")),
                ("pgh_context", pghistory.utils.JSONField(null=True)),
                ("pgh_context_id", models.UUIDField(null=True)),
                ("id", models.BigIntegerField()),
                ("voided_at", models.DateTimeField(blank=True, editable=False, null=True)),
                ("void_reason", models.TextField(blank=True, editable=False)),
                ("reason", models.TextField(verbose_name="reason")),
                ("found_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={
                "abstract": False,
            },
        ),
        migrations.AddField(
            model_name="person",
            name="match_key",
            field=models.GeneratedField(
                db_persist=True,
                expression=registry.models.MatchKey(models.F("full_name")),
                output_field=models.TextField(),
            ),
        ),
        migrations.AlterField(
            model_name="workitem",
            name="kind",
            field=models.CharField(
                choices=[
                    ("possible_double", "may be the same person"),
                    ("linked", "joined by name and birth date"),
                    ("union", "joined records that the law would not allow together"),
                    ("correction", "approvals to look at after a correction"),
                    ("place", "a place to be freed"),
                    ("concern", "a concern from the public"),
                ],
                max_length=20,
            ),
        ),
        migrations.AlterField(
            model_name="workitemevent",
            name="kind",
            field=models.CharField(
                choices=[
                    ("possible_double", "may be the same person"),
                    ("linked", "joined by name and birth date"),
                    ("union", "joined records that the law would not allow together"),
                    ("correction", "approvals to look at after a correction"),
                    ("place", "a place to be freed"),
                    ("concern", "a concern from the public"),
                ],
                max_length=20,
            ),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(fields=["born_on"], name="person_born"),
        ),
        migrations.AddIndex(
            model_name="person",
            index=models.Index(fields=["match_key"], name="person_match"),
        ),
        migrations.AddField(
            model_name="differentpeople",
            name="first",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.person"
            ),
        ),
        migrations.AddField(
            model_name="differentpeople",
            name="second",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT, related_name="+", to="registry.person"
            ),
        ),
        migrations.AddField(
            model_name="differentpeopleevent",
            name="first",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="registry.person",
            ),
        ),
        migrations.AddField(
            model_name="differentpeopleevent",
            name="pgh_obj",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="events",
                to="registry.differentpeople",
            ),
        ),
        migrations.AddField(
            model_name="differentpeopleevent",
            name="second",
            field=models.ForeignKey(
                db_constraint=False,
                on_delete=django.db.models.deletion.DO_NOTHING,
                related_name="+",
                related_query_name="+",
                to="registry.person",
            ),
        ),
        migrations.AddIndex(
            model_name="differentpeople",
            index=models.Index(fields=["second"], name="differentpeople_second"),
        ),
        migrations.AddConstraint(
            model_name="differentpeople",
            constraint=models.CheckConstraint(
                condition=models.Q(("first__lt", models.F("second"))),
                name="differentpeople_in_order",
            ),
        ),
        migrations.AddConstraint(
            model_name="differentpeople",
            constraint=models.UniqueConstraint(
                condition=models.Q(("voided_at__isnull", True)),
                fields=("first", "second"),
                name="differentpeople_once",
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="differentpeople",
            trigger=pgtrigger.compiler.Trigger(
                name="require_actor",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="PERFORM registry_require_act(TG_TABLE_NAME); RETURN NEW;",
                    hash="092a7dfbb6b20f3a4980c7b5270c312efb16ef89",
                    level="STATEMENT",
                    operation="INSERT OR DELETE OR UPDATE",
                    pgid="pgtrigger_require_actor_e884b",
                    table="registry_differentpeople",
                    when="BEFORE",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="differentpeople",
            trigger=pgtrigger.compiler.Trigger(
                name="insert_insert",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_differentpeopleevent" ("first_id", "found_at", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "second_id", "void_reason", "voided_at") VALUES (NEW."first_id", NEW."found_at", NEW."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'insert\', NEW."id", NEW."reason", NEW."second_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="1234533fdab628daf021c4eb3c0b3c8913be5098",
                    operation="INSERT",
                    pgid="pgtrigger_insert_insert_8e040",
                    table="registry_differentpeople",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="differentpeople",
            trigger=pgtrigger.compiler.Trigger(
                name="update_update",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    condition="WHEN (OLD.* IS DISTINCT FROM NEW.*)",
                    func='INSERT INTO "registry_differentpeopleevent" ("first_id", "found_at", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "second_id", "void_reason", "voided_at") VALUES (NEW."first_id", NEW."found_at", NEW."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'update\', NEW."id", NEW."reason", NEW."second_id", NEW."void_reason", NEW."voided_at"); RETURN NULL;',
                    hash="c6f4d1e79e1bfac2d5acbb15de824691fb6483d7",
                    operation="UPDATE",
                    pgid="pgtrigger_update_update_be05a",
                    table="registry_differentpeople",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="differentpeople",
            trigger=pgtrigger.compiler.Trigger(
                name="delete_delete",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func='INSERT INTO "registry_differentpeopleevent" ("first_id", "found_at", "id", "pgh_context", "pgh_context_id", "pgh_created_at", "pgh_label", "pgh_obj_id", "reason", "second_id", "void_reason", "voided_at") VALUES (OLD."first_id", OLD."found_at", OLD."id", COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_metadata\', TRUE), \'\'), NULL)::JSONB, COALESCE(NULLIF(CURRENT_SETTING(\'pghistory.context_id\', TRUE), \'\'), NULL)::UUID, NOW(), \'delete\', OLD."id", OLD."reason", OLD."second_id", OLD."void_reason", OLD."voided_at"); RETURN NULL;',
                    hash="0932a7b137636953ff9963af31214b13049f58dd",
                    operation="DELETE",
                    pgid="pgtrigger_delete_delete_4be24",
                    table="registry_differentpeople",
                    when="AFTER",
                ),
            ),
        ),
        pgtrigger.migrations.AddTrigger(
            model_name="differentpeopleevent",
            trigger=pgtrigger.compiler.Trigger(
                name="append_only",
                sql=pgtrigger.compiler.UpsertTriggerSql(
                    func="RAISE EXCEPTION 'pgtrigger: Cannot update or delete rows from % table', TG_TABLE_NAME;",
                    hash="d3dc4d9a0e9f422178d025071f01d5348c447f5e",
                    operation="UPDATE OR DELETE",
                    pgid="pgtrigger_append_only_be1a0",
                    table="registry_differentpeopleevent",
                    when="BEFORE",
                ),
            ),
        ),
    ]
