"""What a person does for whom: membership, activity, assignment, and the tag that says so."""

from __future__ import annotations

import secrets

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from licenses.models import License
from registry.base import AttestedModel, EffectiveModel, RegisterModel, VoidableModel
from registry.constraints import AtMostDistinct, NoOverlap, ends_after_start
from registry.history import audited
from registry.models import Organization, Person, User


class Kind(models.TextChoices):
    """How a person belongs; the same words as volunteers.facts.Kind."""

    REGULAR = "regular", _("regular member")
    ASSOCIATE = "associate", _("associate member")
    HONORARY = "honorary", _("honorary member")
    MEMBER = "member", _("member")
    VOLUNTEER = "volunteer", _("volunteer")


@audited(exclude=["content"])
class RosterFile(RegisterModel):
    """A roster as an organization sent it, with what was read from it; kept for good."""

    organization = models.ForeignKey(Organization, models.PROTECT, related_name="roster_files")
    name = models.CharField(max_length=255)
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField()
    uploaded_by = models.ForeignKey(User, models.PROTECT)
    uploaded_at = models.DateTimeField(auto_now_add=True)
    layout = models.CharField(max_length=64, blank=True, default="")
    """A mark of the headings and the kind of file: the next file of this layout is read alike."""
    options = models.JSONField(default=dict, blank=True)
    entered_at = models.DateTimeField(null=True, blank=True)
    result = models.JSONField(default=dict, blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "sha256"], name="rosterfile_once")
        ]
        indexes = [models.Index(fields=["organization", "layout"], name="rosterfile_layout")]

    def __str__(self) -> str:
        return self.name


class FileJob(RegisterModel):
    """Work on a long roster file, waiting in the queue or running; what it does, an act says."""

    class Kind(models.TextChoices):
        READ = "read", _("check the rows")
        ENTER = "enter", _("enter the rows")

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("stopped")

    roster_file = models.ForeignKey(RosterFile, models.PROTECT, related_name="jobs")
    kind = models.CharField(max_length=10, choices=Kind)
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    asked_by = models.ForeignKey(User, models.PROTECT)
    asked_at = models.DateTimeField(auto_now_add=True)
    arguments = models.JSONField(default=dict)
    phase = models.CharField(max_length=20, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    beat_at = models.DateTimeField(null=True)
    """When the worker last said that it is alive."""
    told = models.TextField(blank=True)
    """Why it stopped, in one sentence; empty when it was interrupted."""

    tenant = "roster_file__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["roster_file", "kind"],
                condition=Q(state__in=["waiting", "running"]),
                name="filejob_one_at_a_time",
            )
        ]

    def __str__(self) -> str:
        return f"{self.roster_file}: {self.get_kind_display()}"


class FileReading(RegisterModel):
    """A long file as it was judged for one user: a copy, thrown away when its basis changes."""

    roster_file = models.ForeignKey(RosterFile, models.PROTECT, related_name="readings")
    user = models.ForeignKey(User, models.PROTECT)
    language = models.CharField(max_length=10)
    basis = models.CharField(max_length=64)
    """A mark of all it rests on: choices, roster, law and day."""
    judged_on = models.DateField()
    summary = models.JSONField(default=dict)

    tenant = "roster_file__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["roster_file", "user", "language"], name="filereading_once"
            )
        ]

    def __str__(self) -> str:
        return str(self.roster_file)


class FileReadingRow(RegisterModel):
    """One row of such a reading, in the words of its language."""

    reading = models.ForeignKey(FileReading, models.CASCADE, related_name="rows", db_index=False)
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=10)
    is_good = models.BooleanField(default=True)
    name = models.CharField(max_length=400)
    since = models.DateField(null=True)
    mark = models.CharField(max_length=20, blank=True)
    eligible_on = models.DateField(null=True)
    told = models.JSONField(default=dict)

    tenant = "reading__roster_file__organization"

    class Meta:
        indexes = [
            models.Index(fields=["reading", "is_good", "number"], name="filereadingrow_order"),
            models.Index(fields=["reading", "status", "number"], name="filereadingrow_status"),
        ]

    def __str__(self) -> str:
        return f"{self.number}: {self.name}"


@audited()
class Membership(EffectiveModel, AttestedModel):
    """A spell of belonging, with what the organization stated of the person (decisions 14, 15)."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="memberships")
    organization = models.ForeignKey(Organization, models.PROTECT, related_name="memberships")
    kind = models.CharField(_("kind"), max_length=20, choices=Kind)
    name_stated = models.CharField(max_length=200)
    born_on_stated = models.DateField(null=True, blank=True)
    is_adult_stated = models.BooleanField(default=False)
    is_resident_stated = models.BooleanField(null=True, blank=True)
    roster_file = models.ForeignKey(RosterFile, models.PROTECT, null=True, blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("membership_ends_after_start"),
            NoOverlap(name="membership_one_at_a_time", fields=["person", "organization"]),
        ]
        indexes = [models.Index(fields=["organization", "person"], name="membership_org_person")]

    def __str__(self) -> str:
        return f"{self.name_stated}: {self.get_kind_display()}"


@audited()
class Suspension(EffectiveModel):
    """Days on which an organization suspended a person's membership."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="suspensions")
    organization = models.ForeignKey(Organization, models.PROTECT)
    reason = models.TextField(_("reason"), blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("suspension_ends_after_start"),
            NoOverlap(name="suspension_one_at_a_time", fields=["person", "organization"]),
        ]

    def __str__(self) -> str:
        return f"{self.person}: suspended"


@audited()
class Activity(VoidableModel, AttestedModel):
    """Something a person did for the organization other than bingo (§ 10-63(12))."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="activities")
    organization = models.ForeignKey(Organization, models.PROTECT)
    done_on = models.DateField(_("date"))
    kind = models.CharField(_("what"), max_length=40)
    description = models.CharField(_("description"), max_length=200, blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="activity_other_than_bingo", condition=~Q(kind__icontains="bingo")
            ),
            models.UniqueConstraint(
                fields=["person", "organization", "done_on", "kind"],
                condition=Q(voided_at__isnull=True),
                name="activity_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.done_on}"


@audited()
class Assignment(EffectiveModel):
    """This person may conduct for this organization from one day to another (decisions 9)."""

    person = models.ForeignKey(Person, models.PROTECT, related_name="assignments")
    organization = models.ForeignKey(Organization, models.PROTECT, related_name="assignments")
    license = models.ForeignKey(License, models.PROTECT, related_name="assignments")
    duties = ArrayField(models.CharField(max_length=20), verbose_name=_("duties"))
    takes_place = models.BooleanField(default=True)
    eligible_on = models.DateField(_("lawful from"))
    ends_on = models.DateField(_("last day"))
    end_reason = models.TextField(blank=True)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("assignment_ends_after_start"),
            models.CheckConstraint(
                name="assignment_after_tenure", condition=Q(starts_on__gte=F("eligible_on"))
            ),
            NoOverlap(name="assignment_one_per_organization", fields=["person", "organization"]),
        ]
        triggers = [
            AtMostDistinct(
                name="assignment_one_other_organization",
                limit="organizations_per_person",
                table="volunteers_assignment",
            )
        ]
        indexes = [models.Index(fields=["organization", "ends_on"], name="assignment_org")]

    def __str__(self) -> str:
        return f"{self.person} for {self.organization}"


@audited()
class Determination(EffectiveModel):
    """What administrator, board or court decided on one test for one person (decisions 4)."""

    class By(models.TextChoices):
        ADMINISTRATOR = "administrator", _("the county administrator")
        BOARD = "board", _("the board of county commissioners")
        COURT = "court", _("a court")

    person = models.ForeignKey(Person, models.PROTECT, related_name="determinations")
    organization = models.ForeignKey(Organization, models.PROTECT)
    rule = models.CharField(max_length=20)
    is_met = models.BooleanField()
    decided_by = models.CharField(max_length=20, choices=By)
    decided_on = models.DateField()
    reference = models.CharField(max_length=200)

    tenant = "organization"

    class Meta:
        constraints = [
            ends_after_start("determination_ends_after_start"),
            NoOverlap(name="determination_once", fields=["person", "organization", "rule"]),
        ]

    def __str__(self) -> str:
        return f"{self.rule}: {self.get_decided_by_display()}"


def tag_token() -> str:
    """A new 128-bit token in upper case, so that the code stays in the short alphabet."""
    return secrets.token_hex(16).upper()


@audited()
class NameTag(RegisterModel):
    """A printed tag (§ 10-63(10)). It stays good until what is printed on it changes."""

    assignment = models.ForeignKey(Assignment, models.PROTECT, related_name="tags")
    number = models.PositiveIntegerField(unique=True)
    token = models.CharField(max_length=32, unique=True, default=tag_token, editable=False)
    name = models.CharField(max_length=200)
    organization_name = models.CharField(max_length=200)
    duty = models.CharField(max_length=40, blank=True)
    valid_to = models.DateField(null=True, blank=True)
    printed_at = models.DateTimeField(auto_now_add=True)
    replaced_at = models.DateTimeField(null=True, blank=True)

    tenant = "assignment__organization"

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["assignment"],
                condition=Q(replaced_at__isnull=True),
                name="nametag_one_good",
            )
        ]

    def __str__(self) -> str:
        return f"{self.number:06d}"
